// Programs with history buffers, which hold results of the last execution.

#include <weir/weir.hpp>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::history_test {
namespace {

const OnOneDriver on_one_driver{"History.*"};

using testing::Each;

/// current = previous + in, out = current.
struct Sums {
    WordRef in, out;
    History<std::uint32_t> sums;
    Switch adding;
    std::optional<Program> program;

    explicit Sums(std::uint32_t frames_in_flight = 3, const Context& context = test_context()) {
        WordGraph graph(context);
        in = graph.import("in");
        out = graph.import("out");
        sums = graph.history("sums");
        graph.add_pass(word_pass(
            "sum", {{"values", read(in)}, {"previous", read(sums.previous)}, {"current", write(sums.current)}},
            "current[i] = previous[i] + values[i];"));
        graph.add_copy("copy", sums.current, out, 256);
        program.emplace(ok(compile(context, graph, {.frames_in_flight = frames_in_flight})));
    }
};

TEST(History, HoldsResultOfLastExecution) {
    Sums sums;
    EXPECT_EQ(sums.program->memory(), 512U);
    EXPECT_EQ(sums.program->view(sums.sums.current).buffer, VK_NULL_HANDLE);
    const Buffer out = poisoned_buffer(64);
    ok(sums.program->bind(sums.out, out));
    Values expected(64, 0);
    for (std::uint32_t i = 0; i < 7; ++i) {
        const Values values = Random(i).vector(64);
        const Buffer in = buffer_of(values);
        run_with(*sums.program, {{sums.in, in}});
        std::transform(values.begin(), values.end(), expected.begin(), expected.begin(), std::plus<>());
        EXPECT_EQ(contents(out, 64), expected) << i;
    }
}

/// current = previous + in, as images. The layouts of the last and of the first use differ.
TEST(History, ImageHoldsResultOfLastExecution) {
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        for (const bool samples : {false, true}) {
            WordGraph graph;
            const WordRef in = graph.import("in", 64), out = graph.import("out", 64);
            const HistoryImage sums = graph.history_image("sums", {.format = VK_FORMAT_R32_UINT, .extent = {8, 8, 1}});
            const std::string source =
                std::string(R"(#extension GL_EXT_samplerless_texture_functions : require
                layout(local_size_x = 64) in;
                layout(binding = 0) buffer In { uint words[]; };
                layout(binding = 1)") +
                (samples ? ") uniform utexture2D previous;\n" : ", r32ui) uniform uimage2D previous;\n") +
                R"(layout(binding = 2, r32ui) uniform uimage2D current;
                void main() {
                    const ivec2 at = ivec2(gl_LocalInvocationIndex % 8, gl_LocalInvocationIndex / 8);
                    const uint sum = )" +
                (samples ? "texelFetch(previous, at, 0)" : "imageLoad(previous, at)") +
                R"(.x + words[gl_LocalInvocationIndex];
                    imageStore(current, at, uvec4(sum));
                })";
            graph.add_pass(
                simple_pass("sum", source.c_str(),
                            {read(in), samples ? sampled(sums.previous) : read(sums.previous), write(sums.current)}));
            graph.add_copy("copy", sums.current, out);
            Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
            EXPECT_EQ(program.view(sums.current).image, VK_NULL_HANDLE);
            const Buffer ones = buffer_of(Values(64, 1)), result = poisoned_buffer(64);
            bind_all(program, {{in, ones}, {out, result}});
            for (std::uint32_t i = 1; i <= 7; ++i) {
                ok(program.submit());
                if (i % 3 != 0) {
                    continue; // the next execution is submitted while this one may be pending
                }
                ok(program.wait());
                EXPECT_THAT(contents(result, 64), Each(i)) << i;
            }
            ok(program.wait());
        }
    }
}

/// A depth image, which the first execution finds cleared to zero.
TEST(History, DepthImageIsInitiallyZero) {
    WordGraph graph;
    const WordRef out = graph.transient("out");
    const HistoryImage depths = graph.history_image("depth", {.format = VK_FORMAT_D32_SFLOAT, .extent = {8, 8, 1}});
    graph.add_copy("read", depths.previous, out);
    graph.add_clear("clear", depths.current, {.depthStencil = {1, 0}});
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    for (const std::uint32_t expected : {0U, 0x3F800000U, 0x3F800000U}) {
        ok(program.run());
        EXPECT_THAT(contents(program.view(out), 64), Each(expected));
    }
    ok(program.run());
    ok(program.run());
}

/// A failed recording does not swap the buffers of a history.
TEST(History, FailedRecordingDoesNotSwap) {
    Sums sums;
    const Buffer in = buffer_of(Values(64, 1)), out = poisoned_buffer(64);
    expect_error(sums.program->run(), ErrorCode::invalid_argument, testing::HasSubstr("is not bound"));
    run_with(*sums.program, {{sums.in, in}, {sums.out, out}});
    ok(sums.program->bind(sums.out, in)); // overlaps
    expect_error(sums.program->run(), ErrorCode::invalid_argument, testing::HasSubstr("overlapping"));
    run_with(*sums.program, {{sums.out, out}});
    EXPECT_THAT(contents(out, 64), Each(2U));
}

/// The buffers swap also if nothing is bound between executions. If the writer is off, its buffer keeps the value from
/// two executions before.
TEST(History, SwapsWithoutWriter) {
    WordGraph graph;
    const auto turns = graph.history("turns");
    const WordRef out = graph.transient("out");
    const Count value = graph.parameter("value", 100);
    const Switch writing = graph.add_switch("writing");
    {
        const auto scope = graph.only_if(writing);
        graph.add_pass(
            word_pass("write", {{"result", write(turns.current)}}, "result[i] = value;", 64U, {{"value", value}}));
    }
    graph.add_copy("copy", turns.previous, out, 256);
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const auto previous = [&](bool on, std::uint32_t written) {
        ok(program.set(writing, on));
        ok(program.set(value, written));
        ok(program.run());
        const Values found = contents(program.view(out), 64);
        EXPECT_THAT(found, Each(found[0]));
        return found[0];
    };
    EXPECT_EQ(previous(true, 1), 0U);
    EXPECT_EQ(previous(true, 2), 1U);
    EXPECT_EQ(previous(false, 9), 2U);
    EXPECT_EQ(previous(false, 9), 1U);
    EXPECT_EQ(previous(true, 3), 2U);
    EXPECT_EQ(previous(true, 4), 3U);
}

/// A submission that Vulkan rejects changes neither the history nor the state of the program's recordings.
TEST(History, FailedSubmissionDoesNotSwap) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    FailingCalls calls(adopted);
    const Context context = ok(Context::adopt(adopted));
    const auto run = [](Program& program) { return program.run().map([](const RunReport& /*report*/) {}); };
    const auto submit = [](Program& program) { return program.submit().and_then([&] { return program.wait(); }); };
    const auto profile = [](Program& program) { return program.profile().map([](const Profile& /*profile*/) {}); };
    using Execute = std::function<Result<>(Program&)>;
    for (const Execute& execute : {Execute(run), Execute(submit), Execute(profile)}) {
        Sums sums(2, context);
        const Buffer in = ok(context.create_buffer(256)), out = ok(context.create_buffer(256));
        ok(context.upload(in, Values(64, 3)));
        bind_all(*sums.program, {{sums.in, in}, {sums.out, out}});
        for (std::uint32_t i = 1; i <= 5; ++i) {
            if (i == 3) {
                calls.fail("vkQueueSubmit2", VK_ERROR_OUT_OF_HOST_MEMORY, 1);
                expect_error(execute(*sums.program), ErrorCode::out_of_memory, testing::HasSubstr("submitting"));
            } else {
                ok(execute(*sums.program));
            }
            EXPECT_THAT(ok(context.download<std::uint32_t>(out, 64)), Each(3 * (i < 3 ? i : i - 1))) << i;
        }
        expect_error(sums.program->discard(), ErrorCode::invalid_argument, testing::HasSubstr("no recording"));
    }
}

/// The first passes of a frame read results of the frame before it, so they wait until that frame is complete. With
/// `discards`, frames with bindings of their own are recorded and then discarded, one or several in a row.
void expect_frames_in_flight(bool discards) {
    for (const std::uint32_t in_flight : {1U, 2U, 3U, 4U}) {
        SCOPED_TRACE(std::to_string(in_flight) + " frames in flight");
        Sums sums(in_flight);
        Recorder host;
        const Buffer in = buffer_of(Values(64, 3)), never = buffer_of(Values(64, 1000)), lost = poisoned_buffer(64);
        const auto record = [&](const Buffer& from, const Buffer& to) {
            bind_all(*sums.program, {{sums.in, from}, {sums.out, to}});
            return host.record(*sums.program);
        };
        std::vector<Buffer> outs;
        for (std::uint32_t frame = 0; frame < 24; ++frame) {
            if (frame % in_flight == 0) {
                host.wait();
            }
            const std::uint32_t free_tables = in_flight - frame % in_flight,
                                dropped = discards ? std::min(frame % 4, free_tables) : 0;
            for (std::uint32_t i = 0; i < dropped; ++i) {
                record(never, lost);
            }
            for (std::uint32_t i = 0; i < dropped; ++i) {
                ok(sums.program->discard());
            }
            outs.push_back(poisoned_buffer(64));
            host.submit(record(in, outs.back()));
        }
        host.wait();
        for (std::uint32_t frame = 0; frame < outs.size(); ++frame) {
            EXPECT_THAT(contents(outs[frame], 64), Each(3 * (frame + 1))) << frame;
        }
    }
}

TEST(History, FramesInFlight) {
    expect_frames_in_flight(false);
}
TEST(History, DiscardedFramesDoNotSwap) {
    expect_frames_in_flight(true);
}

TEST(History, DiscardRejectsOldAndSubmittedRecordings) {
    Adder adder(64);
    const auto refused = [](Program& program, const char* why) {
        expect_error(program.discard(), ErrorCode::invalid_argument, testing::HasSubstr(why));
    };
    refused(*adder.program, "no recording");
    const Buffer in = buffer_of(Values(64, 1)), out = poisoned_buffer(64);
    bind_all(*adder.program, {{adder.in, in}, {adder.out, out}});
    Recorder host;
    const VkCommandBuffer commands = host.begin();
    for (int i = 0; i < 70; ++i) {
        ok(adder.program->record(commands));
    }
    for (int i = 0; i < 64; ++i) {
        ok(adder.program->discard());
    }
    refused(*adder.program, "no recording"); // only the last 64 recordings can be discarded
    ok(adder.program->run());
    refused(*adder.program, "no recording");
    EXPECT_THAT(contents(out, 64), Each(2U));
    if (test_context().capabilities().timeline_semaphores) {
        ok(adder.program->record(commands));
        const std::uint64_t first = ok(adder.program->next_submission())[0].signaled[0].value;
        ok(adder.program->discard());
        ok(adder.program->record(commands));
        EXPECT_EQ(ok(adder.program->next_submission())[0].signaled[0].value, first);
        EXPECT_EQ(ok(adder.program->next_submission())[0].signaled[0].value, first + 1);
        refused(*adder.program, "already submitted");
    }
    host.end(commands);
}

} // namespace
} // namespace weir::tests::history_test

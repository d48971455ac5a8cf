// Programs with history buffers, which hold results of the last execution.

#include <array>

#include <weir/weir.hpp>

#include "engine/device/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/commands.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/replaced_functions.hpp"
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
        Graph graph(context);
        in = graph.import_buffer<std::uint32_t>("in", 64);
        out = graph.import_buffer<std::uint32_t>("out", 64);
        sums = graph.history_buffer<std::uint32_t>("sums", 64);
        graph.add_pass(simple_pass("sum", R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) readonly buffer Previous { uint previous[]; };
layout(set = 0, binding = 2) writeonly buffer Current { uint current[]; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    current[i] = previous[i] + values[i];
})",
                                   {read(in), read(sums.previous), write(sums.current)}));
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
        ok(sums.program->bind(sums.in, in));
        ok(sums.program->run());
        std::transform(values.begin(), values.end(), expected.begin(), expected.begin(), std::plus<>());
        EXPECT_EQ(contents(out, 64), expected) << i;
    }
}

/// A failed recording does not swap the buffers of a history.
TEST(History, FailedRecordingDoesNotSwap) {
    Sums sums;
    const Buffer in = buffer_of(Values(64, 1)), out = poisoned_buffer(64);
    expect_error(sums.program->run(), ErrorCode::invalid_argument, testing::HasSubstr("is not bound"));
    ok(sums.program->bind(sums.in, in));
    ok(sums.program->bind(sums.out, out));
    ok(sums.program->run());
    ok(sums.program->bind(sums.out, in)); // overlaps
    expect_error(sums.program->run(), ErrorCode::invalid_argument, testing::HasSubstr("overlapping"));
    ok(sums.program->bind(sums.out, out));
    ok(sums.program->run());
    EXPECT_THAT(contents(out, 64), Each(2U));
}

/// The first passes of a frame read results of the frame before it, so they wait until that frame is complete.
TEST(History, FramesInFlight) {
    for (const std::uint32_t in_flight : {1U, 2U, 3U, 4U}) {
        Sums sums(in_flight);
        Commands host(ContextAccess::device(test_context())->vk(), test_context().device(), test_context().queue(),
                      test_context().queue_family());
        const Buffer in = buffer_of(Values(64, 3));
        ok(sums.program->bind(sums.in, in));
        std::vector<Buffer> outs;
        for (std::uint32_t frame = 0; frame < 24; ++frame) {
            if (frame % in_flight == 0) {
                host.wait();
            }
            outs.push_back(poisoned_buffer(64));
            ok(sums.program->bind(sums.out, outs.back()));
            const VkCommandBuffer commands = host.begin();
            ok(sums.program->record(commands));
            host.end(commands);
            host.submit(commands);
        }
        host.wait();
        for (std::uint32_t frame = 0; frame < outs.size(); ++frame) {
            EXPECT_THAT(contents(outs[frame], 64), Each(3 * (frame + 1))) << frame;
        }
    }
}

/// The buffers swap also if nothing is bound between executions. If the writer is off, its buffer keeps the value from
/// two executions before.
TEST(History, SwapsWithoutWriter) {
    Graph graph(test_context());
    const auto turns = graph.history_buffer<std::uint32_t>("turns", 64);
    const WordRef out = graph.transient_buffer<std::uint32_t>("out", 64);
    const Count value = graph.parameter("value", 100);
    const Switch writing = graph.add_switch("writing");
    {
        const auto scope = graph.only_if(writing);
        Pass fill = simple_pass("write", R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint value; };
void main() { result[gl_GlobalInvocationID.x] = value; })",
                                {write(turns.current)});
        fill.push = {value};
        graph.add_pass(fill);
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

PFN_vkQueueSubmit2 real_submit = nullptr;
bool is_refusing = false;

VkResult VKAPI_CALL submit_or_refuse(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* submits, VkFence fence) {
    return is_refusing ? VK_ERROR_OUT_OF_HOST_MEMORY : real_submit(queue, count, submits, fence);
}

/// A submission that Vulkan rejects changes neither the history nor the state of the program's recordings.
TEST(History, FailedSubmissionDoesNotSwap) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions replaced(adopted, [](std::string_view name, PFN_vkVoidFunction real) {
        return name == "vkQueueSubmit2" ? ReplacedFunctions::take(real, real_submit, submit_or_refuse) : real;
    });
    const Context context = ok(Context::adopt(adopted));
    const auto run = [](Program& program) { return program.run().map([](const RunReport& /*report*/) {}); };
    const auto submit = [](Program& program) { return program.submit().and_then([&] { return program.wait(); }); };
    const auto profile = [](Program& program) { return program.profile().map([](const Profile& /*profile*/) {}); };
    for (const std::function<Result<>(Program&)>& execute :
         {std::function<Result<>(Program&)>(run), std::function<Result<>(Program&)>(submit),
          std::function<Result<>(Program&)>(profile)}) {
        Sums sums(2, context);
        const Buffer in = ok(context.create_buffer(256)), out = ok(context.create_buffer(256));
        ok(context.upload(in, Values(64, 3)));
        ok(sums.program->bind(sums.in, in));
        ok(sums.program->bind(sums.out, out));
        for (std::uint32_t i = 1; i <= 5; ++i) {
            is_refusing = i == 3;
            const auto done = execute(*sums.program);
            if (is_refusing) {
                expect_error(done, ErrorCode::out_of_memory, testing::HasSubstr("submitting"));
            } else {
                ok(done);
            }
            is_refusing = false;
            EXPECT_THAT(ok(context.download<std::uint32_t>(out, 64)), Each(3 * (i < 3 ? i : i - 1))) << i;
        }
        expect_error(sums.program->discard(), ErrorCode::invalid_argument, testing::HasSubstr("no recording"));
    }
}

/// Frames with bindings of their own are recorded and then discarded, one or several in a row.
TEST(History, DiscardedFramesDoNotSwap) {
    for (const std::uint32_t in_flight : {1U, 2U, 3U}) {
        Sums sums(in_flight);
        Commands host(ContextAccess::device(test_context())->vk(), test_context().device(), test_context().queue(),
                      test_context().queue_family());
        const Buffer in = buffer_of(Values(64, 3)), never = buffer_of(Values(64, 1000)), lost = poisoned_buffer(64);
        const auto record = [&](const Buffer& from, const Buffer& to) {
            ok(sums.program->bind(sums.in, from));
            ok(sums.program->bind(sums.out, to));
            const VkCommandBuffer commands = host.begin();
            ok(sums.program->record(commands));
            host.end(commands);
            return commands;
        };
        std::vector<Buffer> outs;
        for (std::uint32_t frame = 0; frame < 12; ++frame) {
            if (frame % in_flight == 0) {
                host.wait();
            }
            const std::uint32_t dropped = std::min(frame % 4, in_flight - frame % in_flight); // limited by free tables
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

TEST(History, DiscardRejectsOldAndSubmittedRecordings) {
    Adder adder(64);
    const auto refused = [](Program& program, const char* why) {
        expect_error(program.discard(), ErrorCode::invalid_argument, testing::HasSubstr(why));
    };
    refused(*adder.program, "no recording");
    const Buffer in = buffer_of(Values(64, 1)), out = poisoned_buffer(64);
    ok(adder.program->bind(adder.in, in));
    ok(adder.program->bind(adder.out, out));
    Commands host(ContextAccess::device(test_context())->vk(), test_context().device(), test_context().queue(),
                  test_context().queue_family());
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

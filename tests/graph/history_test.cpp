// Programs that know what their last execution left.

#include <array>

#include <weir/weir.hpp>

#include "engine/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/commands.hpp"

namespace weir::tests {
namespace {

using testing::Each;

/// current = previous + in, out = current.
struct Sums {
    Words in, out;
    History<std::uint32_t> sums;
    Switch adding;
    std::optional<Program> program;

    explicit Sums(std::uint32_t frames_in_flight = 3) {
        Graph graph(test_context());
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
        program.emplace(ok(compile(test_context(), graph, {.frames_in_flight = frames_in_flight})));
    }
};

TEST(History, HoldsWhatTheLastExecutionLeft) {
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

/// A recording that fails does not swap.
TEST(History, IsLeftAloneByARecordingThatFails) {
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

/// The first passes of a frame, which use what the frame before left, do not begin before that has finished.
TEST(History, OfFramesInFlight) {
    for (const std::uint32_t in_flight : {1U, 2U, 3U, 4U}) {
        Sums sums(in_flight);
        Commands host(test_context().shared_device()->vk(), test_context().device(), test_context().queue(),
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

/// Without anything bound anew, too; and a writer that is off leaves its buffer as it was two executions before.
TEST(History, TakesTurnsWithoutAWriter) {
    Graph graph(test_context());
    const auto turns = graph.history_buffer<std::uint32_t>("turns", 64);
    const Words out = graph.transient_buffer<std::uint32_t>("out", 64);
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

} // namespace
} // namespace weir::tests

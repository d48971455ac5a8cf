// Tests Program::record into the application's command buffers: repeated submissions, several frames in flight, several
// threads.

#include <algorithm>
#include <array>
#include <thread>

#include "engine/device/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/commands.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::submissions_test {
namespace {

const OnOneDriver on_one_driver{"Submissions.*"};

using testing::Each;

constexpr std::uint32_t poison = 0xA5A5A5A5;

Commands test_commands() {
    const Context& context = test_context();
    return {ContextAccess::device(context)->vk(), context.device(), context.queue(), context.queue_family()};
}

TEST(Submissions, RecordingIsSubmittedRepeatedly) {
    Graph graph(test_context());
    const WordRef data = graph.import_buffer<std::uint32_t>("data", 64),
                  runs = graph.state_buffer<std::uint32_t>("runs", 64);
    const WordRef scratch = graph.transient_buffer<std::uint32_t>("scratch", 64),
                  out = graph.transient_buffer<std::uint32_t>("out", 64);
    graph.add_pass(simple_pass("increment", increment_source, {read_write(data)}));
    graph.add_pass(simple_pass("count", increment_source, {read_write(runs)}));
    graph.add_pass(add_pass(data, scratch, 64U, 0));
    graph.add_pass(add_pass(runs, out, 64U, 100));
    graph.add_pass(add_pass(scratch, data, 64U, 10));
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(Values(64, 0));
    ok(program.bind(data, buffer));
    Commands host = test_commands();
    const VkCommandBuffer commands = host.begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    ok(program.record(commands));
    host.end(commands);
    for (int i = 0; i < 5; ++i) {
        host.submit(commands);
    }
    host.wait();
    EXPECT_THAT(contents(buffer, 64), Each(55U));
    EXPECT_THAT(contents(program.view(out), 64), Each(105U));
}

TEST(Submissions, CommandBufferHoldsSeveralExecutions) {
    Graph graph(test_context());
    const WordRef data = graph.import_buffer<std::uint32_t>("data", 64);
    graph.add_pass(simple_pass("increment", increment_source, {read_write(data)}));
    graph.export_buffer(data);
    Program program = ok(compile(test_context(), graph));
    const Buffer one = buffer_of(Values(64, 0)), two = buffer_of(Values(64, 0));
    Commands host = test_commands();
    const VkCommandBuffer commands = host.begin();
    for (int i = 0; i < 3; ++i) {
        ok(program.bind(data, i == 1 ? two : one));
        ok(program.record(commands));
    }
    host.end(commands);
    host.submit(commands);
    host.wait();
    EXPECT_THAT(contents(one, 64), Each(2U));
    EXPECT_THAT(contents(two, 64), Each(1U));
}

TEST(Submissions, EachFrameInFlightKeepsItsBindingsAndParameters) {
    constexpr std::uint32_t frames = 4;
    Adder adder(1000, 1, {.frames_in_flight = frames});
    const Values input = Random().vector(1000);
    const Buffer in = buffer_of(input);
    ok(adder.program->bind(adder.in, in));
    Commands host = test_commands();
    std::vector<Buffer> outs;
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        outs.push_back(poisoned_buffer(1000));
    }
    std::vector<VkCommandBuffer> recorded;
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        ok(adder.program->bind(adder.out, outs[frame]));
        ok(adder.program->set(adder.n, 100 * frame));
        recorded.push_back(host.begin());
        ok(adder.program->record(recorded.back()));
        host.end(recorded.back());
    }
    for (const VkCommandBuffer commands : recorded) {
        host.submit(commands);
    }
    host.wait();
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        Values expected(1000, poison);
        std::transform(input.begin(), input.begin() + 100 * frame, expected.begin(), [](auto x) { return x + 1; });
        EXPECT_EQ(contents(outs[frame], 1000), expected) << frame;
    }
}

TEST(Submissions, TwoThreadsRecordSeparatePrograms) {
    const Values input = Random().vector(1000);
    std::array<Values, 2> found;
    const Buffer in = buffer_of(input);
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 2; ++t) {
        threads.emplace_back([&, t] {
            Adder adder(1000, t + 1);
            const Buffer out = poisoned_buffer(1000);
            ok(adder.program->bind(adder.in, in));
            ok(adder.program->bind(adder.out, out));
            Commands host = test_commands();
            for (int i = 0; i < 100; ++i) {
                const VkCommandBuffer commands = host.begin();
                ok(adder.program->record(commands));
                host.end(commands);
            }
            ok(adder.program->run());
            found[t] = contents(out, 1000);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(found[0], plus(input, 1));
    EXPECT_EQ(found[1], plus(input, 2));
}

TEST(Submissions, ProgramKeepsContextAlive) {
    std::optional<Program> program;
    std::optional<Buffer> buffer;
    BufferId data;
    {
        const Context context = ok(Context::create(validated()));
        Graph graph(context);
        const WordRef import = graph.import_buffer<std::uint32_t>("data", 64);
        data = import;
        graph.add_pass(simple_pass("increment", increment_source, {read_write(import)}));
        program.emplace(ok(compile(context, graph)));
        buffer.emplace(ok(context.create_buffer(256)));
        ok(context.upload(*buffer, Values(64, 1)));
    }
    ok(program->bind(data, *buffer));
    ok(program->run());
    Program moved = std::move(*program);
    program.reset();
    ok(moved.run());
}

} // namespace
} // namespace weir::tests::submissions_test

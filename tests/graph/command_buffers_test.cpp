// Secondary command buffers, and several recordings in one command buffer.

#include <weir/weir.hpp>

#include "engine/device/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/descriptor_modes.hpp"

namespace weir::tests::command_buffers_test {
namespace {

using testing::Each;

constexpr std::uint32_t count = 1000;

/// A program with every kind of command: kernels with a count on the GPU, copies, updates, images, a state, a history.
///
///     sums = scan of the numbers of `in` that are less than `bound`
///     log = {executions so far, `note` of the last execution, `note` of this execution, a texel}
struct Everything {
    WordRef in, sums, log;
    HostData note;
    Count used;
    std::optional<Program> program;

    explicit Everything(const CompileOptions& options, std::uint32_t bound) {
        WordGraph graph;
        used = graph.parameter("used", count);
        note = graph.host_data("note", 4);
        in = graph.import("in", count, used);
        sums = graph.import("sums", count);
        log = graph.import("log", 4);
        const auto below =
            select_if(graph, in, Predicate::compare(Comparison::less, bound)).items; // its count is on the GPU
        scan(graph, below, {.output = sums});
        const auto runs = graph.state("runs");
        graph.add_pass(increment(runs, "count"));
        const auto notes = graph.history("notes", 1);
        graph.add_update("note", note, notes.current);
        const ImageId image = graph.transient_image("image", {.format = VK_FORMAT_R32_UINT, .extent = {1, 1, 1}});
        graph.add_copy("store", notes.current, image);
        const WordRef texel = graph.transient("texel", 1);
        graph.add_copy("load", image, texel);
        graph.add_pass(simple_pass("log", R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer Runs { uint runs[]; };
layout(set = 0, binding = 1) readonly buffer Previous { uint previous; };
layout(set = 0, binding = 2) readonly buffer Current { uint current; };
layout(set = 0, binding = 3) readonly buffer Texel { uint texel; };
layout(set = 0, binding = 4) writeonly buffer Log { uint words[]; };
void main() {
    words[0] = runs[0];
    words[1] = previous;
    words[2] = current;
    words[3] = texel;
})",
                                   {read(runs), read(notes.previous), read(notes.current), read(texel), write(log)}));
        graph.export_buffer(sums);
        graph.export_buffer(log, {Access::transfer_read, Access::transfer_write});
        program.emplace(ok(compile(test_context(), graph, options)));
    }
};

/// The buffers of one recording, and their expected contents.
struct Bound {
    Values input;
    std::uint32_t used, note;
    Buffer in, sums, log;

    Bound(std::uint32_t number, std::uint32_t use)
        : input(Random(number).vector(count)), used(use), note(100 + number), in(buffer_of(input)),
          sums(poisoned_buffer(count)), log(poisoned_buffer(4)) {}

    void bind(Everything& to) const {
        bind_all(*to.program, {{to.in, in}, {to.sums, sums}, {to.log, log}});
        ok(to.program->set(to.used, used));
        ok(to.program->set(to.note, note));
    }
    void expect(std::uint32_t bound, std::uint32_t runs, std::uint32_t note_before) const {
        Values expected;
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i < used; ++i) {
            if (input[i] < bound) {
                expected.push_back(sum += input[i]);
            }
        }
        EXPECT_EQ(contents(sums, expected.size()), expected);
        EXPECT_THAT(contents(log, 4), testing::ElementsAre(runs, note_before, note, note));
    }
};

constexpr std::uint32_t half = 0x80000000;

TEST(CommandBuffers, TwoRecordingsOfOneProgram) {
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        SCOPED_TRACE(to_string(mode));
        Everything one({.frames_in_flight = 2, .descriptors = mode}, half);
        const Bound first(1, 1000), second(2, 600);
        Recorder host;
        host.run([&](VkCommandBuffer commands) {
            for (const Bound* bound : {&first, &second}) {
                bound->bind(one);
                ok(one.program->record(commands));
            }
        });
        first.expect(half, 1, 0);
        second.expect(half, 2, first.note);
    }
}

/// Both bind the same buffers and share the memory of a pool.
TEST(CommandBuffers, TwoProgramsInOneBuffer) {
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        SCOPED_TRACE(to_string(mode));
        const MemoryPool pool(test_context());
        Everything one({.pool = pool, .descriptors = mode}, half),
            other({.pool = pool, .descriptors = mode}, 1U << 30U);
        const Bound first(1, 1000), second(2, 600);
        Adder adder(4, 7, {.descriptors = mode});
        const Buffer log = poisoned_buffer(4);
        Recorder host;
        host.run([&](VkCommandBuffer commands) {
            first.bind(one);
            ok(one.program->record(commands));
            const VkBufferCopy all{0, 0, 16}; // `log` leaves for transfers
            vk().vkCmdCopyBuffer(commands, first.log.handle(), log.handle(), 1, &all);
            second.bind(other);
            ok(other.program->record(commands));
            // `second.log` is written by `other` in the same command buffer.
            bind_all(*adder.program, {{adder.in, second.log}, {adder.out, first.log}});
            ok(adder.program->set(adder.n, 4));
            ok(adder.program->record(commands));
        });
        EXPECT_EQ(contents(log, 4), (Values{1, 0, first.note, first.note}));
        second.expect(1U << 30U, 1, 0);
        EXPECT_EQ(contents(first.log, 4), plus({1, 0, second.note, second.note}, 7));
    }
}

TEST(CommandBuffers, SecondaryBuffers) {
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        SCOPED_TRACE(to_string(mode));
        Everything one({.frames_in_flight = 2, .descriptors = mode}, half), other({.descriptors = mode}, half);
        const Bound first(1, 1000), second(2, 600), third(3, 999);
        Recorder host;
        const auto record = [&](Everything& program, const Bound& bound) {
            bound.bind(program);
            return host.record(*program.program, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        };
        const VkCommandBuffer secondary[] = {record(one, first), record(other, third), record(one, second)};
        host.run([&](VkCommandBuffer commands) {
            vk().vkCmdExecuteCommands(commands, 2, secondary);
            vk().vkCmdExecuteCommands(commands, 1, secondary + 2);
        });
        first.expect(half, 1, 0);
        second.expect(half, 2, first.note);
        third.expect(half, 1, 0);
    }
}

/// Both command buffers may be pending several times. The primary one has a recording of its own, too.
TEST(CommandBuffers, BuffersExecutedManyTimes) {
    WordGraph graph;
    const WordRef data = graph.import("data"), runs = graph.state("runs"), scratch = graph.transient("scratch"),
                  out = graph.transient("out");
    graph.add_pass(increment(data));
    graph.add_pass(increment(runs, "count"));
    graph.add_pass(add_pass(data, scratch, 64U, 0));
    graph.add_pass(add_pass(runs, out, 64U, 100));
    graph.add_pass(add_pass(scratch, data, 64U, 10));
    graph.export_buffer(data, Access::transfer_read); // its barrier does not order the next recording
    graph.export_buffer(out, Access::transfer_read);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(Values(64, 0));
    ok(program.bind(data, buffer));
    Recorder host;
    constexpr VkCommandBufferUsageFlags reused = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    const VkCommandBuffer secondary = host.record(program, reused, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBuffer primary = host.record(
        [&](VkCommandBuffer commands) {
            vk().vkCmdExecuteCommands(commands, 1, &secondary);
            ok(program.record(commands));
            vk().vkCmdExecuteCommands(commands, 1, &secondary);
        },
        reused);
    for (int i = 0; i < 5; ++i) {
        host.submit(primary);
    }
    host.wait();
    EXPECT_THAT(contents(buffer, 64), Each(165U));
    EXPECT_THAT(contents(program.view(out), 64), Each(115U));
}

TEST(CommandBuffers, TimestampsInSecondaryBuffer) {
    if (test_context().capabilities().timestamp_bits == 0) {
        GTEST_SKIP() << "no timestamps"; // optional for compute queues in Vulkan
    }
    Everything one({}, half);
    const Bound bound(1, 1000);
    const Timestamps times = ok(Timestamps::create(test_context(), 64));
    bound.bind(one);
    Recorder host;
    const VkCommandBuffer secondary = host.begin_secondary();
    ok(one.program->record(secondary, times));
    host.end(secondary);
    host.run([&](VkCommandBuffer commands) { vk().vkCmdExecuteCommands(commands, 1, &secondary); });
    bound.expect(half, 1, 0);
    const Profile profile = ok(one.program->profile(times));
    EXPECT_EQ(profile.passes.size(), count_passes(one.program->plan()));
}

} // namespace
} // namespace weir::tests::command_buffers_test

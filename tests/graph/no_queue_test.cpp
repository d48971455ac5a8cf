// Programs of a device that was adopted without its queue: the application submits all command buffers.

#include <algorithm>

#include <weir/weir.hpp>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::no_queue_test {
namespace {

const OnOneDriver on_one_driver{"NoQueue.*"};

using testing::Each;

/// An application that does not share its queue with Weir, and maps its buffers.
struct QuietHost {
    HostDevice host;
    Context context;
    Recorder commands;

    explicit QuietHost(bool has_compute_queue = false)
        : context(adopt(has_compute_queue)), commands(context, host.queue()) {}

    Context adopt(bool has_compute_queue) const {
        AdoptedDevice adopted = host.adopted();
        adopted.queue = VK_NULL_HANDLE;
        if (has_compute_queue) {
            adopted.compute_queue = {host.queue(), host.queue_family(), {}, {}};
        }
        return ok(Context::adopt(adopted));
    }
    [[nodiscard]] Buffer buffer(std::size_t words) const {
        return ok(context.create_buffer(words * 4, MemoryKind::download));
    }
    static std::uint32_t* words(const Buffer& buffer) { return reinterpret_cast<std::uint32_t*>(buffer.mapped()); }
    static Values contents(const Buffer& buffer) {
        const std::uint32_t* first = words(buffer);
        return {first, first + buffer.size() / 4};
    }
};

/// The first recording clears the tile states. If it is discarded, the next one clears them.
TEST(NoQueue, RadixSortIsRecorded) {
    constexpr std::uint32_t count = 20'000; // several tiles
    QuietHost quiet;
    WordGraph graph(quiet.context);
    const auto keys = graph.import("keys", count, Access::host_write);
    const auto sorted = radix_sort(graph, keys).keys;
    const WordRef out = graph.import("out", count);
    graph.add_copy("copy", sorted, out, count * 4);
    graph.export_buffer(out, Access::host_read);
    Program program = ok(compile(quiet.context, graph));
    const Buffer in = quiet.buffer(count), result = quiet.buffer(count);
    bind_all(program, {{keys, in}, {out, result}});
    for (std::uint32_t run = 0; run < 3; ++run) {
        if (run == 0) {
            quiet.commands.record(program);
            ok(program.discard());
        }
        Values expected = Random(run).vector(count);
        std::copy(expected.begin(), expected.end(), QuietHost::words(in));
        quiet.commands.submit(quiet.commands.record(program));
        quiet.commands.wait();
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(QuietHost::contents(result), expected) << run;
    }
    expect_error(program.run(), ErrorCode::invalid_argument, testing::HasSubstr("without a queue"));
}

/// The first recording clears the images of a history and brings them into their layouts.
TEST(NoQueue, HistoryImagesAreCleared) {
    QuietHost quiet;
    WordGraph graph(quiet.context);
    const WordRef out = graph.import("out");
    const HistoryImage frames = graph.history_image("frames", {.format = VK_FORMAT_R32_UINT, .extent = {8, 8, 1}});
    graph.add_copy("read", frames.previous, out);
    graph.add_clear("clear", frames.current, {.color = {.uint32 = {5, 0, 0, 0}}});
    graph.export_buffer(out, Access::host_read);
    Program program = ok(compile(quiet.context, graph));
    const Buffer result = quiet.buffer(64);
    bind_all(program, {{out, result}});
    for (const std::uint32_t expected : {0U, 5U, 5U}) {
        quiet.commands.submit(quiet.commands.record(program));
        quiet.commands.wait();
        EXPECT_THAT(QuietHost::contents(result), Each(expected));
    }
}

/// On several queues all batches of the first execution wait for the batch that clears the states.
TEST(NoQueue, StatesOnSeveralQueuesAreCleared) {
    QuietHost quiet(true);
    WordGraph graph(quiet.context);
    const WordRef state = graph.state("state"), one = graph.import("one"), two = graph.import("two");
    graph.set_queues(two, {.arrives = QueueKind::compute, .leaves = QueueKind::compute});
    graph.add_copy("copy", state, one, 256); // only read: nothing orders the two
    {
        const auto scope = graph.on_queue(QueueKind::compute);
        graph.add_copy("copy too", state, two, 256);
    }
    graph.export_buffer(one, Access::host_read);
    graph.export_buffer(two, Access::host_read);
    Program program = ok(compile(quiet.context, graph));
    ASSERT_EQ(program.plan().batches.size(), 2U);
    const Buffer results[] = {quiet.buffer(64), quiet.buffer(64)};
    bind_all(program, {{one, results[0]}, {two, results[1]}});
    for (int run = 0; run < 2; ++run) {
        for (const Buffer& result : results) {
            std::fill_n(QuietHost::words(result), 64, 7U);
        }
        const std::vector<VkCommandBuffer> commands = {quiet.commands.begin(), quiet.commands.begin()};
        ok(program.record(commands));
        const auto batches = ok(program.next_submission());
        EXPECT_EQ(batches[0].waits.size(), 0U);
        EXPECT_EQ(batches[1].waits.size(), run == 0 ? 1U : 0U);
        for (std::size_t i = 0; i < commands.size(); ++i) {
            quiet.commands.end(commands[i]);
            quiet.commands.submit(commands[i], VK_NULL_HANDLE, batches[i].waits, batches[i].signaled);
        }
        quiet.commands.wait();
        for (const Buffer& result : results) {
            EXPECT_THAT(QuietHost::contents(result), Each(0U)) << run;
        }
    }
}

} // namespace
} // namespace weir::tests::no_queue_test

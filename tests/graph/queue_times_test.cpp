// Times of passes on several queues. On devices with one queue, the others are emulated.

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/host_device.hpp"

namespace weir::tests::queue_times_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::uint32_t words = 1 << 16U;

/// Fills on the transfer queue, copies on the compute queue, then on the main queue. Uses no pipelines.
struct Chain {
    explicit Chain(const Context& context) : Chain(WordGraph(context), context) {}
    Chain(WordGraph graph, const Context& context) : value(graph.host_data("value", 4)) {
        const WordRef small = graph.transient("small", 1), large = graph.transient("large", words),
                      copied = graph.transient("copied", words);
        out = graph.transient("out", words + 1);
        {
            const auto scope = graph.on_queue(QueueKind::transfer);
            graph.add_fill("fill", large, 7);
            graph.add_update("update", value, small);
        }
        {
            const auto scope = graph.on_queue(QueueKind::compute);
            graph.add_copy("copy", large, copied, words * 4ULL);
        }
        graph.add_copy("copy back", copied, out, words * 4ULL);
        graph.add_copy("copy the value", small, out, 4);
        graph.export_buffer(out);
        program.emplace(ok(compile(context, graph)));
    }
    void expect_results(const Context& context, std::uint32_t first) const {
        Values expected(words, 7);
        expected[0] = first;
        EXPECT_EQ(ok(context.download<std::uint32_t>(program->view(out), words)), expected);
    }
    HostData value;
    WordRef out;
    std::optional<Program> program;
};

/// Returns the number of passes with times on `queue`. Checks that no pass of the profile has a negative duration.
std::size_t times_on(const Profile& profile, QueueKind queue) {
    std::size_t found = 0;
    for (const PassTime& time : profile.passes) {
        EXPECT_GE(time.end_us, time.begin_us);
        found += time.queue == queue ? 1 : 0;
    }
    return found;
}

/// Returns true if the main queue has timestamps, which Vulkan does not require, and there are several queues.
bool has_several_with_times(const Context& context) {
    return context.capabilities().timestamp_bits != 0 && context.capabilities().timeline_semaphores;
}

TEST(QueueTimes, AllQueues) {
    if (!has_several_with_times(test_context())) {
        GTEST_SKIP() << "no timestamps, or no second queue";
    }
    Chain chain(test_context());
    ASSERT_GT(chain.program->plan().batches.size(), 2U);
    const bool has_transfers = test_context().capabilities().host_query_reset;
    for (std::uint32_t run = 1; run < 3; ++run) {
        ok(chain.program->set(chain.value, run));
        const Profile profile = ok(chain.program->profile());
        chain.expect_results(test_context(), run);
        EXPECT_EQ(times_on(profile, QueueKind::main), 2U);
        EXPECT_EQ(times_on(profile, QueueKind::compute), 1U);
        EXPECT_EQ(times_on(profile, QueueKind::transfer), has_transfers ? 2U : 0U);
        EXPECT_GT(profile.total_us(), 0);
        const std::string trace = profile.trace(), table = profile.text();
        EXPECT_THAT(trace, HasSubstr("GPU compute queue"));
        if (has_transfers) {
            EXPECT_THAT(trace, HasSubstr("GPU transfer queue"));
            EXPECT_THAT(table, HasSubstr("update"));
        } else {
            EXPECT_THAT(trace, Not(HasSubstr("GPU transfer queue")));
        }
    }
}

/// Each recording resets the application's timestamps, including those of the transfer queue.
TEST(QueueTimes, ConsecutiveRecordings) {
    if (!has_several_with_times(test_context())) {
        GTEST_SKIP() << "no timestamps, or no second queue";
    }
    const Context& context = test_context();
    Chain chain(context);
    Program& program = *chain.program;
    const Timestamps times =
        ok(Timestamps::create(context, 5 + static_cast<std::uint32_t>(program.plan().batches.size())));
    for (std::uint32_t run = 1; run < 4; ++run) {
        ok(program.set(chain.value, run));
        BatchRecorder host(program);
        ok(program.record(host.commands(), times));
        host.end();
        host.submit(ok(program.next_submission()));
        ok(program.wait());
        const Profile profile = ok(program.profile(times));
        chain.expect_results(context, run);
        EXPECT_EQ(times_on(profile, QueueKind::transfer), context.capabilities().host_query_reset ? 2U : 0U);
    }
}

/// Adopted devices with and without hostQueryReset.
TEST(QueueTimes, AdoptedDevice) {
    for (const bool can_reset : {false, true}) {
        bool has_feature = false;
        const HostDevice host([&](HostFeatures& features) {
            has_feature = features.vulkan12.hostQueryReset == VK_TRUE && can_reset;
            features.vulkan12.hostQueryReset = has_feature ? VK_TRUE : VK_FALSE;
        });
        AdoptedDevice adopted = host.adopted();
        const HostQueue again{host.queue(), host.queue_family(), {}, {}};
        adopted.compute_queue = adopted.transfer_queue = again;
        const Context context = ok(Context::adopt(adopted));
        EXPECT_EQ(context.capabilities().host_query_reset, has_feature);
        if (!has_several_with_times(context)) {
            GTEST_SKIP() << "no timestamps, or no second queue";
        }
        Chain chain(context);
        ok(chain.program->set(chain.value, 5U));
        const Profile profile = ok(chain.program->profile());
        chain.expect_results(context, 5);
        EXPECT_EQ(times_on(profile, QueueKind::transfer), has_feature ? 2U : 0U);
        EXPECT_EQ(times_on(profile, QueueKind::compute), 1U);
    }
}

} // namespace
} // namespace weir::tests::queue_times_test

// Memory that transients on several queues share.

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::queue_memory_test {
namespace {

using testing::IsEmpty;

constexpr std::uint32_t words = 1U << 18;
constexpr std::uint64_t bytes = words * 4;

Capabilities two_queues() {
    Capabilities device = some_device();
    device.queue_families = {0, 1, Capabilities::no_queue};
    device.timeline_semaphores = true;
    return device;
}

/// Returns all waits of a plan in order: the waiting group, and the awaited one plus 1000 per execution ago.
std::vector<std::pair<std::uint32_t, std::uint32_t>> waits(const Plan& plan) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (std::uint32_t group = 0; group < plan.groups.size(); ++group) {
        for (const GroupWait& wait : plan.groups[group].waits) {
            all.emplace_back(group, wait.group + wait.executions_ago * 1000);
        }
    }
    return all;
}

void expect_sound(const SomeGraph& graph, const Plan& plan) {
    EXPECT_THAT(find_hazards(graph.description(), plan), IsEmpty());
    EXPECT_THAT(find_hazards_alone(graph.description(), plan), IsEmpty());
    EXPECT_THAT(find_overlaps(graph.description(), plan), IsEmpty());
    EXPECT_EQ(waits(plan), waits(graph.plan({.share_memory = false})));
}

/// Passes on two queues in turn. Each reads the result of the one before it.
struct Relay : SomeGraph {
    explicit Relay(std::uint32_t passes) : SomeGraph(two_queues()) {
        for (std::uint32_t i = 0; i < passes; ++i) {
            links.push_back(transient("link " + std::to_string(i), words));
            const auto scope = on_queue(i % 2 == 0 ? QueueKind::main : QueueKind::compute);
            add_pass(i == 0 ? pass("first", {write(links[0])})
                            : pass("pass " + std::to_string(i), {read(links[i - 1]), write(links[i])}));
        }
        const WordRef out = transient("out");
        add_pass(pass("last", {read(links.back()), write(out)}));
        export_buffer(out);
    }
    std::vector<WordRef> links;
};

TEST(QueueMemory, SharedIfSemaphoresOrderUses) {
    for (const std::uint32_t passes : {2U, 4U, 8U}) {
        const Relay graph(passes);
        const Plan plan = graph.plan();
        EXPECT_EQ(plan.memory.bytes(), 2 * bytes) << passes;
        EXPECT_EQ(plan.memory.apart, passes * bytes);
        EXPECT_LE(plan.memory.lower_bound, plan.memory.bytes());
        EXPECT_EQ(graph.plan({.one_queue = true}).memory.bytes(), 2 * bytes); // the same with one queue
        expect_sound(graph, plan);
    }
}

/// Passes that run at the same time have separate memory.
TEST(QueueMemory, NotSharedWithoutOrder) {
    SomeGraph graph(two_queues());
    const WordRef here = graph.transient("here", words), there = graph.transient("there", words),
                  out = graph.transient("out"), other = graph.transient("other");
    graph.add_pass(pass("fills", {write(here)}));
    graph.add_pass(pass("sums", {read(here), write(out)}));
    {
        const auto scope = graph.on_queue(QueueKind::compute);
        graph.add_pass(pass("fills on compute", {write(there)}));
        graph.add_pass(pass("sums on compute", {read(there), write(other)}));
    }
    graph.export_buffer(out);
    graph.export_buffer(other);
    const Plan plan = graph.plan();
    EXPECT_EQ(plan.memory.bytes(), 2 * bytes);
    expect_sound(graph, plan);
    Plan shared = plan;
    shared.memory.places[there.id.index] = shared.memory.places[here.id.index];
    EXPECT_THAT(find_hazards(graph.description(), shared), testing::Not(IsEmpty()));
}

/// The uses are ordered within an execution, but the compute passes of the next one must be able to start before the
/// draws of this one end.
TEST(QueueMemory, NotSharedIfNextExecutionWouldWait) {
    SomeGraph graph(two_queues());
    const WordRef list = graph.transient("list", words), count = graph.transient("count"),
                  pixels = graph.transient("pixels", words), out = graph.transient("out");
    {
        const auto scope = graph.on_queue(QueueKind::compute);
        graph.add_pass(pass("fills", {write(list)}));
        graph.add_pass(pass("culls", {read(list), write(count)}));
    }
    graph.add_pass(pass("draws", {read(count), write(pixels)}));
    graph.add_pass(pass("exposes", {read(pixels), write(out)}));
    graph.export_buffer(out);
    const Plan plan = graph.plan();
    EXPECT_GE(plan.memory.bytes(), 2 * bytes);
    expect_sound(graph, plan);
}

/// The hazard check accepts shared memory on several queues only if each queue waits for the other one.
TEST(QueueMemory, MissingSemaphoreIsHazard) {
    const Relay graph(4);
    std::size_t needed = 0;
    const Plan plan = graph.plan();
    for (std::size_t group = 0; group < plan.groups.size(); ++group) {
        if (!plan.groups[group].waits.empty()) {
            Plan without = plan;
            without.groups[group].waits.clear();
            EXPECT_THAT(find_hazards(graph.description(), without), testing::Not(IsEmpty())) << group;
            ++needed;
        }
    }
    EXPECT_GE(needed, 4U);
}

} // namespace
} // namespace weir::tests::queue_memory_test

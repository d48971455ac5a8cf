// Orders of passes: PassOrder, early signals between queues, and the memory that they need.

#include <algorithm>

#include "tests/graph/graphs.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::pass_order_test {
namespace {

using testing::ElementsAre;

/// Returns the groups with passes: queue and names, with "wait" before the names if the group waits for another group.
std::vector<std::string> groups_of(const Graph& graph, const Plan& plan) {
    std::vector<std::string> all;
    for (const PlanGroup& group : plan.groups) {
        std::string line = group.queue == on_main ? "" : std::string(to_string(group.queue)) + ":";
        const bool waits = std::any_of(group.waits.begin(), group.waits.end(),
                                       [](const GroupWait& wait) { return wait.executions_ago == 0; });
        line += waits ? " wait" : "";
        for (const std::uint32_t pass : group.passes) {
            line += " " + graph.description().passes[pass].name;
        }
        if (!group.passes.empty()) {
            all.push_back(line.front() == ' ' ? line.substr(1) : line);
        }
    }
    return all;
}

/// A prepass, ambient occlusion on the compute queue, shadows and lighting.
struct Lighting : SomeGraph {
    Lighting() : SomeGraph(device_with(2)) {
        const WordRef scene = import("scene"), out = import("out"), depth = transient("depth");
        const WordRef pyramid = transient("pyramid"), occlusion = transient("occlusion");
        add_pass(pass("prepass", {read(scene), write(depth)}));
        add_pass(pass("hiz", {read(depth), write(pyramid)}));
        add_pass_on(on_compute, pass("ssao", {read(pyramid), write(occlusion)}));
        Pass lighting = pass("lighting", {read(depth), read(occlusion), write(out)});
        for (int i = 0; i < 4; ++i) {
            const WordRef map = transient("map " + std::to_string(i));
            add_pass(pass("shadow" + std::to_string(i), {read(scene), write(map)}));
            lighting.bindings.push_back(read(map));
        }
        add_pass(lighting);
    }
};

TEST(PassOrder, SemaphoreIsSignaledBeforeIndependentPasses) {
    const Lighting graph;
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(groups_of(graph, plan), ElementsAre("prepass", "hiz", "shadow0 shadow1 shadow2 shadow3",
                                                    "compute: wait ssao", "wait lighting"));
    EXPECT_EQ(plan.batches.size(), 4U);
    // All passes take 1. The shadows hide the occlusion.
    EXPECT_EQ(plan.critical_path(std::vector<double>(8, 1)), 7);
    EXPECT_EQ(sound_plan(graph, {.one_queue = true}).critical_path(std::vector<double>(8, 1)), 8);
}

/// The main queue runs independent passes while it would wait for a pass that leads to a second semaphore.
TEST(PassOrder, IndependentPassesRunDuringWait) {
    SomeGraph graph(device_with(2));
    const WordRef a = graph.transient("a"), b = graph.transient("b"), c = graph.transient("c"),
                  out = graph.import("out");
    for (int i = 0; i < 3; ++i) {
        graph.add_pass(pass("free" + std::to_string(i), {write(graph.import("free"))}));
    }
    graph.add_pass(pass("first", {write(a)}));
    graph.add_pass_on(on_compute, pass("second", {read(a), write(b)}));
    graph.add_pass(pass("third", {read(b), write(c)}));
    graph.add_pass_on(on_compute, pass("fourth", {read(c), write(out)}));
    EXPECT_THAT(groups_of(graph, sound_plan(graph)), ElementsAre("first", "free0", "compute: wait second", "wait third",
                                                                 "free1 free2", "compute: wait fourth"));
}

constexpr std::uint32_t image_words = 1920 * 1080; ///< an image of 1080p with 4 bytes per texel
constexpr std::uint64_t image_bytes = std::uint64_t{image_words} * 4;

/// 16 times: draws an image, and adds it to a sum.
struct Sum : SomeGraph {
    explicit Sum(std::uint32_t words = image_words) {
        const WordRef sum = import("sum");
        for (int i = 0; i < 16; ++i) {
            const WordRef image = transient("image " + std::to_string(i), words);
            add_pass(pass("draw" + std::to_string(i), {write(image)}));
            add_pass(pass("add" + std::to_string(i), {read(image), read_write(sum)}));
        }
    }
};

TEST(PassOrder, BalancedBoundsMemory) {
    const Sum graph;
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.memory.bytes(), image_bytes);
    EXPECT_EQ(plan.memory.lower_bound, image_bytes);
    EXPECT_EQ(plan.memory.apart, 16 * image_bytes);
}

/// "early" fits at first: 16 + 12 MiB. But its result is needed until the end, and later passes need 32 MiB without it.
TEST(PassOrder, BalancedLeavesMemoryForLaterPasses) {
    SomeGraph graph;
    const auto sized = [&](const char* name, std::uint32_t mib) { return graph.transient(name, mib << 18); };
    const WordRef first = sized("first", 16), second = sized("second", 16), kept = sized("kept", 12);
    const WordRef sum = graph.import("sum"), out = graph.import("out");
    graph.add_pass(pass("make first", {write(first)}));
    graph.add_pass(pass("make second", {read(first), write(second)}));
    graph.add_pass(pass("add", {read(second), write(sum)}));
    graph.add_pass(pass("early", {write(kept)}));
    graph.add_pass(pass("end", {read(kept), read(sum), write(out)}));
    EXPECT_EQ(sound_plan(graph, {.order = PassOrder::overlap}).memory.alive, 44U << 20);
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.memory.lower_bound, 32U << 20);
    EXPECT_LE(plan.memory.alive, 40U << 20); // an eighth more, and 4 MiB
}

TEST(PassOrder, BalancedOverlapsSmallTransients) {
    const Sum graph(256);
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.groups.front().passes.size(), 16U); // all draws
}

TEST(PassOrder, OverlapIgnoresMemory) {
    const Sum graph;
    const Plan plan = sound_plan(graph, {.order = PassOrder::overlap});
    EXPECT_EQ(plan.groups.front().passes.size(), 16U);
    EXPECT_EQ(plan.memory.alive, 16 * image_bytes);
    EXPECT_EQ(plan.memory.lower_bound, image_bytes);
}

TEST(PassOrder, MemoryNeedsLeast) {
    const Sum graph;
    EXPECT_EQ(sound_plan(graph, {.order = PassOrder::memory}).memory.bytes(), image_bytes);

    // Two trees of which the second keeps less. It runs first: only its result is alive while the other one runs.
    SomeGraph trees;
    const auto sized = [&](const char* name, std::uint32_t mib) { return trees.transient(name, mib << 18); };
    const WordRef small = sized("small", 1), large = sized("large", 64), big = sized("big", 96);
    const WordRef other = sized("other", 64), out = trees.import("out");
    trees.add_pass(pass("make large", {write(large)}));
    trees.add_pass(pass("make big", {write(big)}));
    trees.add_pass(pass("shrink big", {read(big), write(small)}));
    trees.add_pass(pass("make other", {read(small), write(other)}));
    trees.add_pass(pass("join", {read(large), read(other), write(out)}));
    EXPECT_EQ(sound_plan(trees, {.order = PassOrder::declared}).memory.alive, 161U << 20);
    EXPECT_EQ(sound_plan(trees, {.order = PassOrder::memory}).memory.alive, 128U << 20);
    EXPECT_EQ(sound_plan(trees).memory.lower_bound, 128U << 20);
}

/// Draws and blits in the order of declaration. Blits of one kind do not depend on each other.
TEST(PassOrder, DeclaredKeepsOrder) {
    SomeGraph graph;
    std::vector<std::string> expected;
    for (int round = 0; round < 2; ++round) {
        std::string draws, blits;
        std::vector<WordRef> drawn;
        for (int i = 0; i < 3; ++i) {
            drawn.push_back(graph.transient("drawn"));
            graph.add_pass(pass("d" + std::to_string(3 * round + i), {write(drawn.back())}));
        }
        for (int i = 0; i < 3; ++i) {
            graph.add_pass(pass("b" + std::to_string(3 * round + i),
                                {read(drawn[static_cast<std::size_t>(i)]), write(graph.import("out"))}));
        }
    }
    EXPECT_THAT(groups_of(graph, sound_plan(graph, {.order = PassOrder::declared})),
                ElementsAre("d0 d1 d2", "b0 b1 b2 d3 d4 d5", "b3 b4 b5"));
    EXPECT_THAT(groups_of(graph, sound_plan(graph)), ElementsAre("d0 d1 d2 d3 d4 d5", "b0 b1 b2 b3 b4 b5"));
}

/// A pass that reads the only, later write of a transient runs after it in each order.
TEST(PassOrder, DeclaredMovesReaderAfterWriter) {
    SomeGraph graph;
    const WordRef late = graph.transient("late"), out = graph.import("out");
    graph.add_pass(pass("reads", {read(late), write(out)}));
    graph.add_pass(pass("writes", {write(late)}));
    EXPECT_THAT(groups_of(graph, sound_plan(graph, {.order = PassOrder::declared})), ElementsAre("writes", "reads"));
}

TEST(CriticalPath, AddsTimesOfQueuesAndWaits) {
    const Lighting graph;
    const Plan plan = graph.plan();
    //                    prepass hiz ssao shadows     lighting
    EXPECT_EQ(plan.critical_path(std::vector<double>{1, 2, 20, 3, 3, 3, 3, 4}), 1 + 2 + 20 + 4);
    EXPECT_EQ(plan.critical_path(std::vector<double>{1, 2}), 3);
    EXPECT_EQ(plan.critical_path({}), 0);
}

} // namespace
} // namespace weir::tests::pass_order_test

// Where transients are, and what that means for barriers.

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/support/data.hpp"

namespace weir::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kib = 1024;
constexpr std::uint32_t kib_words = 256;

/// A chain of passes, each from one transient to the next, of so many KiB.
Words add_chain(SomeGraph& graph, const std::vector<std::uint32_t>& sizes) {
    Words last = graph.import("in");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Words next = graph.transient("t" + std::to_string(i), sizes[i] * kib_words);
        graph.add_pass(pass("p" + std::to_string(i), {read(last), write(next)}));
        last = next;
    }
    graph.add_pass(pass("end", {read(last), write(graph.import("out"))}));
    return last;
}

void expect_sound(const SomeGraph& graph, const Plan& plan) {
    EXPECT_THAT(find_hazards(graph.description(), plan), IsEmpty()) << plan.text(graph.description());
    EXPECT_THAT(find_overlaps(graph.description(), plan), IsEmpty()) << plan.text(graph.description());
}

TEST(GraphMemory, OfAChainIsThatOfTwoNeighbours) {
    SomeGraph graph;
    add_chain(graph, std::vector<std::uint32_t>(50, 4));
    const Plan plan = graph.plan();
    EXPECT_THAT(plan.memory.blocks, ElementsAre(8 * kib));
    EXPECT_EQ(plan.memory.bytes(), 8 * kib);
    EXPECT_EQ(plan.memory.least, 8 * kib);
    EXPECT_EQ(plan.memory.apart, 200 * kib);
    expect_sound(graph, plan);
}

TEST(GraphMemory, OfDifferentSizes) {
    SomeGraph graph;
    add_chain(graph, {1, 8, 3, 5, 7, 2, 6, 4, 9, 1});
    const Plan plan = graph.plan();
    EXPECT_EQ(plan.memory.least, 13 * kib);
    EXPECT_EQ(plan.memory.bytes(), 13 * kib);
    expect_sound(graph, plan);
}

TEST(GraphMemory, OnlyTransientsOfThePlanHavePlaces) {
    SomeGraph graph;
    const Words in = graph.import("in"), out = graph.import("out"), state = graph.state("state");
    const Words hidden = graph.transient("hidden", 3), seen = graph.transient("seen"), idle = graph.transient("idle");
    graph.add_pass(pass("first", {read(in), write(hidden), write(seen)}));
    graph.add_pass(pass("second", {read(hidden), read_write(state), write(out)}));
    graph.add_pass(pass("dropped", {read(in), write(idle)}));
    graph.export_buffer(seen);
    const Plan plan = graph.plan();
    for (const Words& other : {in, out, state, seen, idle}) {
        EXPECT_EQ(plan.memory.places[other.id.index], PlanMemory::Place{});
    }
    EXPECT_EQ(plan.memory.places[hidden.id.index], (PlanMemory::Place{0, 0}));
    EXPECT_THAT(plan.memory.blocks, ElementsAre(256U));
    expect_sound(graph, plan);
}

TEST(GraphMemory, WhatIsBoundIsAliveThoughNobodyTouchesIt) {
    SomeGraph graph;
    const Words a = graph.transient("a"), b = graph.transient("b"), out = graph.import("out");
    graph.add_pass(pass("first", {write(a)}));
    graph.add_pass(pass("second", {read(a), write(b)}));
    graph.add_pass(pass("third", {unused(a), read(b), write(out)}));
    const Plan plan = graph.plan();
    EXPECT_EQ(plan.memory.bytes(), plan.memory.apart);
    const Words c = graph.transient("c");
    graph.add_pass(pass("fourth", {unused(c), read_write(out)}));
    EXPECT_EQ(graph.plan().memory.bytes(), 512U);
    EXPECT_NE(graph.plan().memory.places[c.id.index].block, PlanMemory::none);
    expect_sound(graph, graph.plan());
}

TEST(GraphMemory, IsNotSharedIfNotWanted) {
    SomeGraph graph;
    add_chain(graph, {4, 4, 4, 4});
    const auto plan = make_plan(graph.description(), {.share_memory = false});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->memory.bytes(), 16 * kib);
    EXPECT_EQ(plan->memory.least, 8 * kib);
    for (const PlanGroup& group : plan->groups) {
        for (const Dependency& dependency : group.dependencies) {
            EXPECT_NE(dependency.reason, Dependency::Reason::memory_reused);
        }
    }
    expect_sound(graph, *plan);
}

TEST(GraphMemory, OfMoreThanOneAllocation) {
    Capabilities device = some_device();
    device.max_allocation = 10 * kib + 100; // 40 and a part
    SomeGraph graph(device);
    const Words out = graph.import("out");
    Pass last = pass("last", {write(out)});
    for (const std::uint32_t size : {4, 3, 6, 5, 7, 2, 1}) {
        const Words alive = graph.transient(std::to_string(size), size * kib_words);
        graph.add_pass(pass("make " + std::to_string(size), {write(alive)}));
        last.bindings.push_back(read(alive));
    }
    graph.add_pass(last);
    const Plan plan = graph.plan();
    EXPECT_EQ(plan.memory.blocks.size(), 3U);
    for (const std::uint64_t block : plan.memory.blocks) {
        EXPECT_LE(block, 10 * kib);
    }
    EXPECT_EQ(plan.memory.bytes(), 28 * kib);
    expect_sound(graph, plan);
    EXPECT_THAT(plan.text(graph.description()), HasSubstr("'7' transient, 7168 bytes, at 0 of block 0"));
}

TEST(GraphMemory, WhoeverComesWaitsForWhoeverLeaves) {
    SomeGraph graph;
    add_chain(graph, {4, 4, 4});
    const Plan plan = graph.plan();
    // The third transient is where the first was: it waits for who wrote that, and for who read it.
    ASSERT_EQ(plan.memory.places[graph.description().buffers.size() - 2], plan.memory.places[1]);
    std::vector<std::string> reused;
    for (const Dependency& dependency : plan.groups[2].dependencies) {
        if (dependency.reason == Dependency::Reason::memory_reused) {
            EXPECT_EQ(dependency.to, 2U);
            reused.push_back(std::to_string(dependency.from));
        }
    }
    EXPECT_THAT(reused, ElementsAre("0", "1"));
    EXPECT_THAT(plan.text(graph.description()), HasSubstr("'t2' memory reused: 'p1' -> 'p2'"));
    // And the first, in the next execution, for the third.
    EXPECT_THAT(plan.text(graph.description()), HasSubstr("'t0' memory reused: outside -> 'p0'"));
}

/// The judge sees memory that overlaps, and barriers that are missing for it.
TEST(GraphMemory, MistakesAreSeen) {
    SomeGraph graph;
    add_chain(graph, {4, 4, 4});
    Plan plan = graph.plan();
    plan.memory.places[1] = plan.memory.places[2];
    EXPECT_THAT(find_overlaps(graph.description(), plan), testing::Not(IsEmpty()));
    plan = graph.plan();
    plan.memory.places[1].offset += 4;
    EXPECT_THAT(find_overlaps(graph.description(), plan), testing::Not(IsEmpty()));
    plan = graph.plan();
    plan.groups[0].barriers.clear();
    Replay replay(graph.description());
    replay.execute(plan);
    EXPECT_THAT(replay.hazards(), IsEmpty());
    replay.execute(plan);
    EXPECT_THAT(replay.hazards(), testing::Contains(HasSubstr("'t0': 'p0' in execution 2")));
}

} // namespace
} // namespace weir::tests

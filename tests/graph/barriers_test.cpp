// Barriers between groups, and their scopes.

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/meanings.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::barriers_test {
namespace {

constexpr VkPipelineStageFlags2 all_transfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 all_commands = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr VkAccessFlags2 reading = VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
constexpr VkAccessFlags2 writing = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;

/// Checks the first and the second scope of each barrier.
void expect_barriers(const std::vector<VkMemoryBarrier2>& barriers,
                     const std::vector<std::pair<Scope, Scope>>& expected) {
    ASSERT_EQ(barriers.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        SCOPED_TRACE("barrier " + std::to_string(i));
        EXPECT_EQ(barriers[i].sType, VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
        EXPECT_EQ((Scope{barriers[i].srcStageMask, barriers[i].srcAccessMask}), expected[i].first);
        EXPECT_EQ((Scope{barriers[i].dstStageMask, barriers[i].dstAccessMask}), expected[i].second);
    }
}

/// Checks that the plan has this hazard without the last barrier of a group.
void expect_needed(const SomeGraph& graph, std::size_t group, const std::string& hazard) {
    Plan plan = graph.plan();
    plan.groups.at(group).barriers.pop_back();
    EXPECT_THAT(find_hazards(graph.description(), plan), testing::Contains(HasSubstr(hazard)));
}

TEST(GraphBarriers, NoneBetweenReads) {
    SomeGraph graph;
    const WordRef in = graph.import("in");
    WordRef last = graph.import("out 0");
    graph.add_pass(pass("reader 0", {read(in), write(last)}));
    for (int i = 1; i < 4; ++i) { // each waits for the one before it, but not because of `in`
        const WordRef next = graph.import("out " + std::to_string(i));
        graph.add_pass(pass("reader " + std::to_string(i), {read(in), read(last), write(next)}));
        last = next;
    }
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.groups.size(), 5U);
    for (const PlanGroup& group : plan.groups) {
        for (const Dependency& dependency : group.dependencies) {
            EXPECT_NE(graph.description().resources[dependency.resource].name, "in");
        }
    }
    EXPECT_TRUE(barriers(plan, 0).empty());
    EXPECT_TRUE(leaving(plan).empty());
}

TEST(GraphBarriers, ReadAfterWriteMakesTheWriteVisible) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), out = graph.import("out");
    graph.add_pass(pass("writer", {write(in)}));
    graph.add_pass(pass("reader", {read(in), write(out)}));
    const Plan plan = graph.plan();
    expect_barriers(barriers(plan, 1), {{{compute, writing}, {compute, reading}}});
    ASSERT_EQ(plan.groups[1].dependencies.size(), 1U);
    EXPECT_EQ(plan.groups[1].dependencies[0].reason, Dependency::Reason::read_after_write);
    EXPECT_EQ(plan.groups[1].dependencies[0].from, 0U);
    EXPECT_EQ(plan.groups[1].dependencies[0].to, 1U);
}

TEST(GraphBarriers, WriteAfterReadOnlyWaits) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), out = graph.import("out");
    graph.add_pass(pass("reader", {read(in), write(out)}));
    graph.add_pass(pass("writer", {write(in)}));
    const Plan plan = graph.plan();
    expect_barriers(barriers(plan, 1), {{{compute, 0}, {compute, 0}}});
    EXPECT_EQ(plan.groups[1].dependencies[0].reason, Dependency::Reason::write_after_read);
}

TEST(GraphBarriers, WriteAfterWriteIsAMemoryDependency) {
    SomeGraph graph;
    const WordRef out = graph.import("out");
    graph.add_fill("fill", out, 0);
    graph.add_pass(pass("writer", {write(out)}));
    const Plan plan = graph.plan();
    expect_barriers(barriers(plan, 1), {{{all_transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT}, {compute, writing}}});
    EXPECT_EQ(plan.groups[1].dependencies[0].reason, Dependency::Reason::write_after_write);
}

TEST(GraphBarriers, ManyDependenciesBecomeOneBarrierPerPairOfStages) {
    SomeGraph graph;
    std::vector<WordRef> buffers;
    for (int i = 0; i < 10; ++i) {
        buffers.push_back(graph.import("buffer " + std::to_string(i)));
        graph.add_pass(pass("write " + std::to_string(i), {write(buffers.back())}));
    }
    graph.add_pass(pass("one group", {read(buffers[0]), read_write(buffers[1]), read(buffers[2])}));
    graph.add_pass(pass("same group", {read(buffers[3]), write(buffers[4])}));
    graph.add_fill("fills", buffers[5], 0);
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.groups.size(), 3U);
    EXPECT_EQ(plan.groups[1].dependencies.size(), 6U);
    expect_barriers(barriers(plan, 1), {{{compute, writing}, {compute, reading | writing}},
                                        {{compute, writing}, {all_transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT}}});
}

TEST(GraphBarriers, VisibleWriteNeedsNoSecondBarrier) {
    SomeGraph graph;
    const WordRef a = graph.import("a"), b = graph.import("b"), c = graph.import("c");
    graph.add_pass(pass("writes a", {write(a)}));
    graph.add_pass(pass("reads a", {read(a), write(b)}));
    graph.add_pass(pass("reads both", {read(a), read(b), write(c)}));
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.groups[2].dependencies.size(), 1U);
    EXPECT_EQ(graph.description().resources[plan.groups[2].dependencies[0].resource].name, "b");
}

TEST(GraphBarriers, ArrivingWritesBecomeVisible) {
    struct Case {
        Access arrives;
        Scope source;
    };
    const Case cases[] = {
        {Access::transfer_write, {all_transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT}},
        {Access::shader_write, {compute, writing}},
        {Access::shader_read_write, {compute, writing}},
        {Access::host_write, {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_WRITE_BIT}},
        {Access::any, {all_commands, VK_ACCESS_2_MEMORY_WRITE_BIT}},
    };
    for (const Case& test : cases) {
        SCOPED_TRACE(to_string(test.arrives));
        SomeGraph graph;
        graph.add_pass(pass("reader", {read(graph.import("in", test.arrives)), write(graph.import("out"))}));
        const Plan plan = sound_plan(graph);
        expect_barriers(barriers(plan, 0), {{test.source, {compute, reading}}});
        EXPECT_EQ(plan.groups[0].dependencies[0].from, Dependency::outside);
    }
}

TEST(GraphBarriers, ArrivingReadsDelayOnlyWrites) {
    SomeGraph graph;
    const WordRef drawn = graph.import("drawn", Access::vertex_read),
                  looked_at = graph.import("seen", Access::index_read);
    graph.add_pass(pass("pass", {write(drawn), read(looked_at)}));
    const Plan plan = graph.plan();
    expect_barriers(barriers(plan, 0), {{{VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, 0}, {compute, 0}}});
    ASSERT_EQ(plan.groups[0].dependencies.size(), 1U);
    EXPECT_EQ(plan.groups[0].dependencies[0].reason, Dependency::Reason::write_after_read);
}

TEST(GraphBarriers, ArrivalWithoutAccessNeedsNoBarrier) {
    SomeGraph graph;
    graph.add_pass(pass("pass", {read(graph.import("in", Access::none)), write(graph.import("out", Access::none))}));
    EXPECT_TRUE(barriers(graph.plan(), 0).empty());
}

TEST(GraphBarriers, WritesBecomeVisibleToLeavingAccess) {
    struct Case {
        Access leaves;
        Scope destination;
    };
    const Case cases[] = {
        {Access::indirect_read, {indirect, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT}},
        {Access::transfer_read, {all_transfer, VK_ACCESS_2_TRANSFER_READ_BIT}},
        {Access::vertex_read, {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT}},
        {Access::index_read, {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT}},
        {Access::uniform_read,
         {VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | fragment | compute, VK_ACCESS_2_UNIFORM_READ_BIT}},
        {Access::host_read, {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT}},
        {Access::any, {all_commands, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT}},
    };
    for (const Case& test : cases) {
        SCOPED_TRACE(to_string(test.leaves));
        SomeGraph graph;
        const WordRef out = graph.import("out");
        graph.add_pass(pass("writer", {write(out)}));
        EXPECT_TRUE(leaving(graph.plan()).empty());
        graph.export_buffer(out, test.leaves);
        const Plan plan = sound_plan(graph);
        expect_barriers(leaving(plan), {{{compute, writing}, test.destination}});
        EXPECT_EQ(plan.groups.back().dependencies[0].to, Dependency::outside);
        EXPECT_TRUE(plan.groups.back().passes.empty());
    }
}

TEST(GraphBarriers, LeavingForSeveralAccesses) {
    const Accesses drawn{Access::fragment_shader_read, Access::indirect_read, Access::vertex_shader_read};
    SomeGraph graph;
    const WordRef out = graph.import("out", drawn);
    graph.add_pass(pass("writer", {write(out)}));
    graph.export_buffer(out, drawn);
    const Plan plan = sound_plan(graph);
    expect_barriers(leaving(plan), {{{compute, writing}, scope_of(Access::indirect_read)},
                                    {{compute, writing}, scope_of(Access::vertex_shader_read)},
                                    {{compute, writing}, scope_of(Access::fragment_shader_read)}});
    VkPipelineStageFlags2 awaited = 0;
    for (const VkMemoryBarrier2& barrier : barriers(plan, 0)) { // the last of their stages, which includes earlier ones
        awaited |= barrier.srcStageMask;
    }
    EXPECT_EQ(awaited & fragment, fragment);
}

TEST(GraphBarriers, ArrivingFromSeveralWrites) {
    SomeGraph graph;
    const WordRef in = graph.import("in", {Access::transfer_write, Access::fragment_shader_write, Access::index_read});
    graph.add_pass(pass("pass", {read_write(in)}));
    const Plan plan = sound_plan(graph);
    VkAccessFlags2 flushed = 0;
    VkPipelineStageFlags2 awaited = 0;
    for (const VkMemoryBarrier2& barrier : barriers(plan, 0)) {
        flushed |= barrier.srcAccessMask;
        awaited |= barrier.srcStageMask;
    }
    EXPECT_EQ(flushed, VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    EXPECT_EQ(awaited & all_transfer, all_transfer);
    EXPECT_EQ(awaited & fragment, fragment);
}

TEST(GraphBarriers, AccessesAreASet) {
    const Accesses some{Access::index_read, Access::none, Access::indirect_read, Access::index_read};
    EXPECT_EQ(some, (Accesses{Access::indirect_read, Access::index_read}));
    EXPECT_EQ(to_string(some), "indirect read and index read");
    EXPECT_EQ(to_string(Accesses{Access::any, Access::shader_read, Access::present}),
              "shader read, present and any use");
    EXPECT_EQ(Accesses(Access::none), Accesses());
    EXPECT_EQ(to_string(Accesses()), "no use");
}

TEST(GraphBarriers, LeavingForWriteWaitsForReads) {
    SomeGraph graph;
    const WordRef in = graph.import("in");
    graph.add_pass(pass("reader", {read(in), write(graph.import("out"))}));
    graph.export_buffer(in, Access::transfer_write);
    const Plan plan = graph.plan();
    expect_barriers(leaving(plan), {{{compute, 0}, {all_transfer, 0}}});
}

TEST(GraphBarriers, LeavingForNoUseNeedsNoBarrier) {
    SomeGraph graph;
    const WordRef out = graph.transient("out");
    graph.add_pass(pass("writer", {write(out)}));
    graph.export_buffer(out, Access::none);
    EXPECT_TRUE(leaving(graph.plan()).empty());
}

TEST(GraphBarriers, ExecutionWaitsForPreviousOne) {
    SomeGraph graph;
    const WordRef scratch = graph.transient("scratch"), state = graph.state("state"), out = graph.import("out");
    graph.add_pass(pass("writer", {write(scratch), read_write(state)}));
    graph.add_pass(pass("reader", {read(scratch), write(out)}));
    const Plan plan = sound_plan(graph);
    expect_barriers(barriers(plan, 0), {{{compute, writing}, {compute, reading | writing}}});
    for (const Dependency& dependency : plan.groups[0].dependencies) {
        const bool is_state = graph.description().resources[dependency.resource].name == "state";
        EXPECT_EQ(dependency.from, Dependency::outside);
        EXPECT_EQ(dependency.reason == Dependency::Reason::read_after_write, is_state);
    }
}

TEST(GraphBarriers, ExecutionWaitsForUseOfExport) {
    SomeGraph graph;
    const WordRef out = graph.transient("out");
    graph.add_pass(pass("writer", {write(out)}));
    graph.export_buffer(out, Access::indirect_read);
    const Plan plan = sound_plan(graph);
    // The indirect reads are covered: the first scope includes stages before the compute shader.
    expect_barriers(barriers(plan, 0), {{{compute, writing}, {compute, writing}}});
}

// The host may write data for the next execution without waiting for results of the last one that are visible to it.
// Therefore no dependency chain goes through the host stage.
TEST(GraphBarriers, NoChainThroughHostStage) {
    SomeGraph graph;
    const WordRef in = graph.import("in", Access::host_write), mid = graph.import("mid"), out = graph.import("out");
    const WordRef state = graph.state("state");
    graph.add_pass(pass("first", {read(in), read(state), write(mid)}));
    graph.add_pass(pass("second", {read(mid), write(state), write(out)}));
    graph.export_buffer(out, Access::host_read);
    const Plan plan = sound_plan(graph);
    expect_barriers(barriers(plan, 0),
                    {{{VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_WRITE_BIT}, {compute, reading}},
                     {{compute, writing}, {compute, reading}}});
    expect_needed(graph, 0, "read after write on 'state'");
}

// A chain makes a write visible only if it begins after the write was made available.
TEST(GraphBarriers, WritesBecomeVisibleAfterTheyAreAvailable) {
    SomeGraph graph;
    const WordRef r = graph.import("r"), a = graph.transient("a");
    const WordRef out1 = graph.import("out 1"), out2 = graph.import("out 2");
    graph.add_pass(pass("write", {write(a), read(r)}));
    graph.add_fill("fill", r, 0);
    graph.add_pass(pass("dispatch", {write(out1)}, Dispatch::indirect(a)));
    graph.add_pass(pass("read", {read(r), read(a), write(out2)}));
    const Plan plan = sound_plan(graph);
    expect_barriers(barriers(plan, 2), {{{all_transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT}, {compute, reading}},
                                        {{compute, writing}, {compute, reading}}});
    expect_needed(graph, 2, "read after write on 'a'");
}

TEST(GraphBarriers, AnyAccessUsesAllCommandsStage) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), a = graph.transient("a"), out = graph.import("out");
    graph.add_pass(pass("read", {read(in), write(a)}));
    graph.add_pass(pass("dispatch", {write(out)}, Dispatch::indirect(a)));
    graph.add_copy("copy", a, out, 16);
    graph.export_buffer(in, Access::any);
    expect_barriers(leaving(graph.plan()), {{{compute, 0}, {all_commands, 0}}});
}

TEST(GraphBarriers, CountsBecomeVisibleToIndirectReads) {
    SomeGraph graph;
    const WordRef counts = graph.transient("counts"), out = graph.import("out");
    graph.add_pass(pass("counts", {write(counts)}));
    graph.add_pass(pass("counted", {write(out)}, Dispatch::elements(graph.count_in(counts, 0, 100), 64)));
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.groups.size(), 4U);
    // for the count, and for arguments that the last execution may still read
    expect_barriers(barriers(plan, 1), {{{compute, writing}, {compute, reading}}});
    expect_barriers(barriers(plan, 2), {{{compute, writing}, {indirect, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT}}});
}

TEST(GraphBarriers, EveryAccessHasVulkanScope) {
    for (int i = 0; i <= static_cast<int>(Access::any); ++i) {
        const auto access = static_cast<Access>(i);
        const Scope scope = scope_of(access);
        const bool is_awaited = access != Access::none && access != Access::present; // a semaphore orders presentation
        EXPECT_EQ(scope.stages != 0, is_awaited);
        EXPECT_EQ(scope.access != 0, is_awaited);
        EXPECT_EQ(single_stages(scope.stages) != 0, is_awaited) << to_string(access);
        EXPECT_EQ(single_accesses(scope.access) != 0, is_awaited) << to_string(access);
        EXPECT_TRUE(is_for_buffers(access) || is_for_images(access)) << to_string(access);
        EXPECT_EQ(is_for_images(access), layout_of(access) != VK_IMAGE_LAYOUT_UNDEFINED || access == Access::none);
        EXPECT_STRNE(to_string(access), "?");
    }
}

} // namespace
} // namespace weir::tests::barriers_test

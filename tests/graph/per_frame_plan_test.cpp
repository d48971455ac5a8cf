// Plans of graphs with exports per frame. No pass waits for the application's use of the last execution's exports.

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::per_frame_plan_test {
namespace {

/// Returns the stages of earlier commands that the barriers of a group wait for.
VkPipelineStageFlags2 waited_for(const PlanGroup& group) {
    VkPipelineStageFlags2 stages = 0;
    for (const VkMemoryBarrier2& barrier : group.barriers) {
        stages |= barrier.srcStageMask;
    }
    for (const ImageBarrier& barrier : group.image_barriers) {
        stages |= barrier.source.stages;
    }
    return stages;
}

TEST(PerFramePlan, DispatchesDoNotWaitForDrawsOfLastFrame) {
    for (const bool per_frame : {false, true}) {
        SomeGraph graph;
        const WordRef in = graph.import("in"), draw = graph.transient("draw"), scratch = graph.transient("scratch");
        graph.add_pass(pass("cull", {read(in), write(scratch), write(draw)}));
        graph.add_pass(pass("sum", {read(scratch), read_write(draw)}));
        graph.export_buffer(draw, {Access::indirect_read, Access::fragment_shader_read}, {.per_frame = per_frame});
        const Plan plan = sound_plan(graph);
        EXPECT_EQ(waited_for(plan.groups[0]), per_frame ? compute : compute | fragment); // compute: scratch memory
        EXPECT_EQ(waited_for(plan.groups[1]), compute);
        EXPECT_EQ(waited_for(plan.groups.back()), compute);
    }
}

TEST(PerFramePlan, LayoutChangeDoesNotWaitForReadersOfLastFrame) {
    for (const bool per_frame : {false, true}) {
        SomeGraph graph;
        const ImageId shadow = graph.image("shadow");
        graph.add_pass(pass("shade", {write(shadow)}));
        graph.export_image(shadow, Access::fragment_shader_read, {.per_frame = per_frame});
        const Plan plan = sound_plan(graph);
        ASSERT_EQ(plan.groups[0].image_barriers.size(), 1U);
        EXPECT_EQ(waited_for(plan.groups[0]), per_frame ? compute : fragment);
        EXPECT_EQ(plan.groups[0].image_barriers[0].old_layout, VK_IMAGE_LAYOUT_UNDEFINED);
    }
}

TEST(PerFramePlan, ComputeQueueDoesNotWaitForMainQueue) {
    for (const bool per_frame : {false, true}) {
        SomeGraph graph(device_with(1));
        const WordRef list = graph.transient("list");
        graph.add_pass_on(on_compute, pass("cull", {write(list)}));
        graph.export_buffer(list, Access::vertex_read, {.per_frame = per_frame}); // on the main queue
        const Plan plan = sound_plan(graph);
        // With one copy, an empty group of the main queue comes after the application's use of the last export.
        ASSERT_EQ(plan.groups.size(), per_frame ? 2U : 3U);
        const PlanGroup& cull = plan.groups[plan.groups.size() - 2];
        EXPECT_EQ(cull.queue, on_compute);
        EXPECT_EQ(cull.waits.empty(), per_frame);
    }
}

/// The hazard check reports a hazard if the plan for several copies is checked with one copy.
TEST(PerFramePlan, WithOneCopyHasHazard) {
    SomeGraph graph;
    const WordRef draw = graph.transient("draw");
    graph.add_pass(pass("cull", {write(draw)}));
    graph.export_buffer(draw, Access::indirect_read, {.per_frame = true});
    GraphDescription one_copy = graph.description();
    one_copy.resources[draw.id.index].per_frame = false;
    EXPECT_THAT(find_hazards(one_copy, graph.plan()),
                testing::Contains(HasSubstr("write after read on 'draw': 'cull' in execution 2 after the host")));
    sound_plan(graph);
}

TEST(PerFramePlan, OnlyTransientsHaveCopies) {
    expect_mistake("buffer 'in' is an import and exported per frame, which is supported for transients only",
                   [](SomeGraph& graph) {
                       const WordRef in = graph.import("in");
                       graph.add_fill("fill", in, 0);
                       graph.export_buffer(in, Access::indirect_read, {.per_frame = true});
                   });
    expect_mistake(
        "state buffer 'sums' is exported; only imports and transients can be exported",
        [](SomeGraph& graph) { graph.export_buffer(graph.state("sums"), Access::any, {.per_frame = true}); });
    expect_mistake("buffer 'out' is exported twice, with and without per_frame", [](SomeGraph& graph) {
        const WordRef out = graph.transient("out");
        graph.add_fill("fill", out, 0);
        graph.export_buffer(out, Access::indirect_read, {.per_frame = true});
        graph.export_buffer(out, Access::indirect_read);
    });
}

TEST(PerFramePlan, ExportOfSubgraphIsTransient) {
    SomeGraph inner, outer;
    const WordRef out = inner.transient("out");
    inner.add_fill("fill", out, 0);
    inner.export_buffer(out, Access::indirect_read, {.per_frame = true});
    const Subgraph added = outer.add_graph(inner, {}, "inner");
    outer.export_buffer(added.buffer(out), Access::indirect_read);
    EXPECT_FALSE(outer.description().resources[added.buffer(out).id.index].per_frame);
    EXPECT_NE(waited_for(outer.plan().groups[0]) & indirect, 0U);
    sound_plan(outer);
}

} // namespace
} // namespace weir::tests::per_frame_plan_test

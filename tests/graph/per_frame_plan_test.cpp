// Plans of graphs with exports per frame. No pass waits for the application's use of the last execution's exports.

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"

namespace weir::tests::per_frame_plan_test {
namespace {

using testing::IsEmpty;

constexpr VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 indirect = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
constexpr VkPipelineStageFlags2 fragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;

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

void expect_covered(const SomeGraph& graph) {
    EXPECT_THAT(find_hazards(graph.description(), graph.plan()), IsEmpty());
    EXPECT_THAT(find_hazards_alone(graph.description(), graph.plan()), IsEmpty());
}

TEST(PerFramePlan, DispatchesDoNotWaitForDrawsOfLastFrame) {
    for (const bool per_frame : {false, true}) {
        SomeGraph graph;
        const WordRef in = graph.import("in"), draw = graph.transient("draw"), scratch = graph.transient("scratch");
        graph.add_pass(pass("cull", {read(in), write(scratch), write(draw)}));
        graph.add_pass(pass("sum", {read(scratch), read_write(draw)}));
        graph.export_buffer(draw, {Access::indirect_read, Access::fragment_shader_read}, {.per_frame = per_frame});
        const Plan plan = graph.plan();
        EXPECT_EQ(waited_for(plan.groups[0]), per_frame ? compute : compute | fragment); // compute: scratch memory
        EXPECT_EQ(waited_for(plan.groups[1]), compute);
        EXPECT_EQ(waited_for(plan.groups.back()), compute);
        expect_covered(graph);
    }
}

TEST(PerFramePlan, LayoutChangeDoesNotWaitForReadersOfLastFrame) {
    for (const bool per_frame : {false, true}) {
        SomeGraph graph;
        const ImageId shadow = graph.image("shadow");
        graph.add_pass(pass("shade", {write(shadow)}));
        graph.export_image(shadow, Access::fragment_shader_read, {.per_frame = per_frame});
        const Plan plan = graph.plan();
        ASSERT_EQ(plan.groups[0].image_barriers.size(), 1U);
        EXPECT_EQ(waited_for(plan.groups[0]), per_frame ? compute : fragment);
        EXPECT_EQ(plan.groups[0].image_barriers[0].old_layout, VK_IMAGE_LAYOUT_UNDEFINED);
        expect_covered(graph);
    }
}

TEST(PerFramePlan, ComputeQueueDoesNotWaitForMainQueue) {
    Capabilities device = some_device();
    device.queue_families = {0, 1, Capabilities::no_queue};
    device.timeline_semaphores = true;
    for (const bool per_frame : {false, true}) {
        SomeGraph graph(device);
        const WordRef list = graph.transient("list");
        {
            const auto scope = graph.on_queue(QueueKind::compute);
            graph.add_pass(pass("cull", {write(list)}));
        }
        graph.export_buffer(list, Access::vertex_read, {.per_frame = per_frame}); // on the main queue
        const Plan plan = graph.plan();
        // With one copy, an empty group of the main queue comes after the application's use of the last export.
        ASSERT_EQ(plan.groups.size(), per_frame ? 2U : 3U);
        const PlanGroup& cull = plan.groups[plan.groups.size() - 2];
        EXPECT_EQ(cull.queue, QueueKind::compute);
        EXPECT_EQ(cull.waits.empty(), per_frame);
        expect_covered(graph);
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
    EXPECT_THAT(find_hazards(graph.description(), graph.plan()), IsEmpty());
}

TEST(PerFramePlan, OnlyTransientsHaveCopies) {
    SomeGraph imports;
    const WordRef in = imports.import("in");
    imports.add_fill("fill", in, 0);
    imports.export_buffer(in, Access::indirect_read, {.per_frame = true});
    EXPECT_EQ(imports.mistake(),
              "buffer 'in' is an import and exported per frame, which is supported for transients only");
    SomeGraph states;
    states.export_buffer(states.state("sums"), Access::any, {.per_frame = true});
    EXPECT_EQ(states.mistake(), "state buffer 'sums' is exported; only imports and transients can be exported");
    SomeGraph both;
    const WordRef out = both.transient("out");
    both.add_fill("fill", out, 0);
    both.export_buffer(out, Access::indirect_read, {.per_frame = true});
    both.export_buffer(out, Access::indirect_read);
    EXPECT_EQ(both.mistake(), "buffer 'out' is exported twice, with and without per_frame");
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
    expect_covered(outer);
}

} // namespace
} // namespace weir::tests::per_frame_plan_test

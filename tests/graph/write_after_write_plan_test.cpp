// Writes of an import in one execution and in the next, without a command of the application in between.

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::write_after_write_plan_test {
namespace {

using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr VkPipelineStageFlags2 transfers = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;

/// Fills an import that the application reads before and after.
SomeGraph filled(const Accesses& arrives, const Accesses& leaves) {
    SomeGraph graph;
    const WordRef buffer = graph.import("buffer", arrives);
    graph.add_fill("fill", buffer, 0);
    graph.export_buffer(buffer, leaves);
    return graph;
}

/// The departure of the last execution leads to the reads. The barrier after the reads leads to the fill.
TEST(WriteAfterWrite, FillFollowsFillThroughReads) {
    const SomeGraph graph = filled(Access::shader_read, Access::shader_read);
    const Plan plan = sound_plan(graph);
    ASSERT_THAT(barriers(plan, 0), SizeIs(1));
    EXPECT_EQ(barriers(plan, 0)[0].srcStageMask, compute);
    EXPECT_EQ(barriers(plan, 0)[0].dstStageMask, transfers);
    EXPECT_EQ(barriers(plan, 0)[0].dstAccessMask, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    Plan broken = plan;
    broken.groups[0].barriers[0].dstAccessMask = 0;
    EXPECT_THAT(find_hazards(graph.description(), broken), Not(IsEmpty()));
    EXPECT_THAT(find_hazards_alone(graph.description(), broken), Not(IsEmpty()));
}

TEST(WriteAfterWrite, ReadsInOtherStagesNeedAnotherBarrier) {
    const SomeGraph graph = filled(Access::shader_read, Access::fragment_shader_read);
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(barriers(plan, 0), SizeIs(2));
}

/// No command waits for the host. The next fill waits for the fill.
TEST(WriteAfterWrite, FillFollowsFillBeforeHostReads) {
    const SomeGraph graph = filled(Access::host_read, Access::host_read);
    const Plan plan = sound_plan(graph);
    std::vector<VkPipelineStageFlags2> sources;
    for (const VkMemoryBarrier2& barrier : barriers(plan, 0)) {
        sources.push_back(barrier.srcStageMask);
    }
    EXPECT_THAT(sources, testing::Contains(transfers));
}

TEST(WriteAfterWrite, ImportsThatTheApplicationWritesNeedNoFurtherBarrier) {
    const SomeGraph written = filled(Access::transfer_write, Access::shader_read);
    EXPECT_THAT(barriers(sound_plan(written), 0), SizeIs(1));
    const SomeGraph unordered = filled(Access::none, Access::shader_read);
    EXPECT_THAT(barriers(sound_plan(unordered), 0), IsEmpty());
}

/// An image changes its layout twice in each execution. The first change follows the last one through the reads.
TEST(WriteAfterWrite, ImageChangesFollowEachOther) {
    SomeGraph graph;
    const ImageId image = graph.import_image("image", some_image(), Access::sampled_read);
    graph.add_pass(pass("write", {write(image)}));
    graph.export_image(image, Access::sampled_read);
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(plan.groups[0].image_barriers, SizeIs(1));
    EXPECT_THAT(barriers(plan, 0), IsEmpty());
}

/// A pass reads in other stages what the last execution has written.
TEST(WriteAfterWrite, ReadSeesWriteOfLastExecution) {
    SomeGraph graph;
    const WordRef buffer = graph.import("buffer", Access::shader_read);
    graph.add_command_pass(kept_pass("draw", {{buffer.id, Access::vertex_read}}));
    graph.add_fill("fill", buffer, 0);
    graph.export_buffer(buffer, Access::shader_read);
    const Plan plan = sound_plan(graph);
    ASSERT_THAT(barriers(plan, 0), SizeIs(1));
    EXPECT_EQ(barriers(plan, 0)[0].dstAccessMask, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
}

} // namespace
} // namespace weir::tests::write_after_write_plan_test

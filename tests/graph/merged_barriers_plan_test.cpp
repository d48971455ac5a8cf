// Image barriers of several mips and layers.

#include <nlohmann/json.hpp>

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::merged_barriers_plan_test {
namespace {

using testing::IsEmpty;
using testing::Not;

std::size_t image_barriers(const Plan& plan) {
    std::size_t count = 0;
    for (const PlanGroup& group : plan.groups) {
        count += group.image_barriers.size();
    }
    return count;
}

/// A cube map with faces of 256 x 256 texels and 9 mips.
ImageInfo some_cube() {
    return {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {256, 256, 1}, .mips = 9, .layers = 6};
}

/// Each face of each mip is rendered from the same face of the mip before it. The mips of all faces change together.
TEST(MergedBarriers, CubeMapChangesFacesTogether) {
    SomeGraph graph;
    const ImageId cube = graph.image("cube", some_cube());
    const auto face_of = [&](std::uint32_t mip, std::uint32_t face) {
        return graph.part(cube, {.mip = mip, .mips = 1, .layer = face, .layers = 1});
    };
    for (std::uint32_t mip = 0; mip < 9; ++mip) {
        for (std::uint32_t face = 0; face < 6; ++face) {
            std::vector<Use> uses = {{face_of(mip, face), Access::color_write}};
            if (mip != 0) {
                uses.push_back({face_of(mip - 1, face), Access::fragment_shader_read});
            }
            graph.add_command_pass(command_pass("draw", std::move(uses)));
        }
    }
    graph.add_pass(pass("read", {sampled(cube), write(graph.import("out"))}));
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(image_barriers(plan), 18U); // two per mip
    const std::vector<ImageBarrier>& second = plan.groups[1].image_barriers;
    ASSERT_EQ(second.size(), 2U);
    EXPECT_EQ(second[0].resource, cube.index);
    EXPECT_EQ(second[0].pieces.size(), 6U);
    EXPECT_EQ(second[0].range, (ImagePart{.mip = 0, .mips = 1, .layer = 0, .layers = 6}));
    EXPECT_THAT(plan.text(), HasSubstr("    'cube mip 0' ColorAttachmentOptimal -> ShaderReadOnlyOptimal"));
    const auto json = nlohmann::json::parse(plan.json());
    EXPECT_EQ(json["groups"][1]["image_barriers"][0]["pieces"].size(), 6U);
    // The judge takes the range literally.
    Plan broken = plan;
    --broken.groups[1].image_barriers[0].range.layers;
    EXPECT_THAT(find_hazards(graph.description(), broken), Not(IsEmpty()));
}

/// All mips but the last were read, and change from one layout; the last one was only written.
TEST(MergedBarriers, BlitChainEndsWithTwoBarriers) {
    SomeGraph graph;
    constexpr std::uint32_t mips = 11;
    const ImageId image =
        graph.image("image", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {1024, 1024, 1}, .mips = mips});
    ImageId from = graph.part(image, {.mip = 0, .mips = 1});
    graph.add_clear("clear", from, {});
    for (std::uint32_t mip = 1; mip < mips; ++mip) {
        const ImageId to = graph.part(image, {.mip = mip, .mips = 1});
        graph.add_blit("blit", from, to, VK_FILTER_LINEAR);
        from = to;
    }
    graph.add_pass(pass("read", {sampled(image), write(graph.import("out"))}));
    const Plan plan = sound_plan(graph);
    const PlanGroup& last = plan.groups[plan.groups.size() - 2];
    ASSERT_EQ(last.image_barriers.size(), 2U);
    EXPECT_EQ(last.image_barriers[0].range, (ImagePart{.mip = 0, .mips = mips - 1, .layer = 0, .layers = 1}));
    EXPECT_EQ(plan.graph->resources[last.image_barriers[1].resource].name, "image mip 10");
}

TEST(MergedBarriers, CascadesChangeTogether) {
    SomeGraph graph;
    ImageInfo info = some_depth();
    info.layers = 4;
    const ImageId shadows = graph.image("shadows", info);
    for (std::uint32_t cascade = 0; cascade < 4; ++cascade) {
        graph.add_command_pass(
            command_pass("cascade", {{graph.part(shadows, {.layer = cascade, .layers = 1}), Access::depth_write}}));
    }
    graph.add_pass(pass("light", {sampled(shadows), write(graph.import("out"))}));
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.groups[0].image_barriers.size(), 1U);
    EXPECT_EQ(plan.groups[1].image_barriers.size(), 1U);
    EXPECT_EQ(plan.groups[1].image_barriers[0].range, (ImagePart{.mip = 0, .mips = 1, .layer = 0, .layers = 4}));
}

/// Pieces for different stages do not wait for each other's passes.
TEST(MergedBarriers, DifferentStagesStaySeparate) {
    SomeGraph graph;
    ImageInfo info = some_image();
    info.layers = 2;
    const ImageId image = graph.image("image", info);
    const ImageId drawn = graph.part(image, {.layer = 0, .layers = 1}),
                  computed = graph.part(image, {.layer = 1, .layers = 1});
    graph.add_command_pass(command_pass("draw", {{drawn, Access::fragment_shader_write}}));
    graph.add_pass(pass("compute", {write(computed)}));
    graph.add_pass(pass("read", {sampled(image), write(graph.import("out"))}));
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.groups[0].image_barriers.size(), 2U);
    EXPECT_EQ(plan.groups[1].image_barriers.size(), 2U);
}

} // namespace
} // namespace weir::tests::merged_barriers_plan_test

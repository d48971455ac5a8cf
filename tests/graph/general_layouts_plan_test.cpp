// PlanOptions::general_layouts: images stay in VK_IMAGE_LAYOUT_GENERAL.

#include "tests/graph/graphs.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::general_layouts_plan_test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr PlanOptions in_general{.general_layouts = true};

TEST(GeneralLayouts, PassesNeedMemoryBarriersOnly) {
    SomeGraph graph;
    const ImageId color = graph.image("color"), depth = graph.image("depth", some_depth());
    graph.add_command_pass(command_pass("draw", {{color, Access::color_write}, {depth, Access::depth_write}}));
    graph.add_pass(pass("blur", {sampled(color), sampled(depth), write(graph.import("out"))}));
    const Plan plan = sound_plan(graph, in_general);
    EXPECT_THAT(plan.groups[0].image_barriers, SizeIs(2)); // from undefined
    EXPECT_EQ(plan.groups[0].layout(color.index), general);
    EXPECT_THAT(plan.groups[1].image_barriers, IsEmpty());
    EXPECT_FALSE(plan.groups[1].barriers.empty());
    EXPECT_EQ(plan.groups[1].layout(depth.index), general);
}

/// An image that is presented leaves in its own layout.
TEST(GeneralLayouts, ImportsChangeOnlyWhereTheyArriveAndLeave) {
    SomeGraph graph;
    const ImageId texture = graph.import_image("texture", some_image(), Access::sampled_read),
                  window = graph.import_image("window", some_image(), Access::none);
    graph.add_command_pass(
        command_pass("draw", {{texture, Access::fragment_shader_read}, {window, Access::color_write}}));
    graph.add_command_pass(command_pass("menu", {{window, Access::color_read_write}}));
    graph.export_image(texture, Access::sampled_read);
    graph.export_image(window, Access::present);
    const Plan plan = sound_plan(graph, in_general);
    ASSERT_THAT(plan.groups, SizeIs(3));
    EXPECT_THAT(plan.groups[0].image_barriers, SizeIs(2));
    EXPECT_THAT(plan.groups[1].image_barriers, IsEmpty());
    EXPECT_THAT(plan.groups[2].image_barriers, SizeIs(2));
    EXPECT_EQ(plan.final_layouts[texture.index], for_sampling);
    EXPECT_EQ(plan.final_layouts[window.index], for_present);
}

TEST(GeneralLayouts, ReadsInDifferentWaysRunTogether) {
    SomeGraph graph;
    const ImageId image = graph.image("image");
    const auto out = graph.import_buffer<std::uint32_t>("out", 64 * 64);
    graph.add_pass(pass("write", {write(image)}));
    graph.add_pass(pass("sample", {sampled(image), write(graph.import("samples"))}));
    graph.add_copy("copy", image, out);
    EXPECT_THAT(graph.plan().groups, SizeIs(4));
    EXPECT_THAT(sound_plan(graph, in_general).groups, SizeIs(3));
}

} // namespace
} // namespace weir::tests::general_layouts_plan_test

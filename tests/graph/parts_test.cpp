// Parts of images in plans: mips and layers with barriers, layouts and exports of their own.

#include <nlohmann/json.hpp>

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::parts_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ImageInfo some_pyramid(std::uint32_t mips = 4, std::uint32_t layers = 1) {
    ImageInfo info = some_image();
    info.mips = mips;
    info.layers = layers;
    return info;
}
ImageInfo some_cube() {
    return some_pyramid(1, 6);
}
ImagePart mip(std::uint32_t level) {
    return {.mip = level, .mips = 1};
}
ImagePart layer(std::uint32_t index) {
    return {.layer = index, .layers = 1};
}

/// Each level of one image is made from the level before it.
TEST(Parts, PyramidInOneImage) {
    SomeGraph graph;
    const ImageId depth = graph.transient_image("depth", some_depth());
    const ImageId pyramid = graph.image("pyramid", some_pyramid(3));
    graph.add_command_pass(command_pass("draw", {{depth, Access::depth_write}}));
    ImageId from = depth;
    for (std::uint32_t level = 0; level < 3; ++level) {
        const ImageId to = graph.part(pyramid, mip(level));
        graph.add_pass(pass("level " + std::to_string(level), {sampled(from), write(to)}));
        from = to;
    }
    graph.add_pass(pass("cull", {sampled(pyramid), write(graph.import("visible"))}));
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("draw"), ElementsAre("level 0"), ElementsAre("level 1"),
                                            ElementsAre("level 2"), ElementsAre("cull")));
    // A level becomes readable while the next one becomes writable; the last barrier is of one mip only.
    EXPECT_EQ(plan.groups[2].image_barriers.size(), 2U);
    ASSERT_EQ(plan.groups[4].image_barriers.size(), 1U);
    const ImageBarrier& last = plan.groups[4].image_barriers[0];
    EXPECT_EQ(plan.graph->resources[last.resource].name, "pyramid mip 2");
    EXPECT_EQ(last.old_layout, general);
    EXPECT_EQ(last.new_layout, for_sampling);
    // One place for all levels.
    EXPECT_NE(plan.memory.places[pyramid.index].block, PlanMemory::none);
    EXPECT_EQ(plan.memory.places[from.index].block, PlanMemory::none);
}

TEST(Parts, PassesOnDifferentPartsRunTogether) {
    SomeGraph graph;
    const ImageId image = graph.image("image", some_pyramid(2, 3)), low = graph.part(image, mip(1));
    for (std::uint32_t each = 0; each < 3; ++each) {
        graph.add_pass(pass("write", {write(graph.part(graph.part(image, mip(0)), layer(each)))}));
    }
    graph.add_pass(pass("write low", {write(low)}));
    graph.add_pass(pass("read", {sampled(image), write(graph.import("out"))}));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("write", "write", "write", "write low"), ElementsAre("read")));
    sound_plan(graph);
}

/// Parts are cut only where they overlap.
TEST(Parts, OverlappingPartsAreCutIntoPieces) {
    SomeGraph graph;
    const ImageId image = graph.import_image("image", some_pyramid(5, 2));
    const ImageId upper = graph.part(image, {.mip = 0, .mips = 3}), lower = graph.part(image, {.mip = 2});
    graph.part(image, layer(1)); // unused
    graph.add_pass(pass("write upper", {write(upper)}));
    graph.add_pass(pass("write lower", {write(lower)}));
    const Plan plan = sound_plan(graph);
    const auto& resources = plan.graph->resources;
    std::vector<std::string> names;
    for (const std::uint32_t piece : resources[image.index].pieces) {
        names.push_back(resources[piece].name);
    }
    EXPECT_THAT(names, ElementsAre("image mips 0 to 1", "image mip 2", "image mips 3 to 4"));
    EXPECT_EQ(resources[upper.index].pieces.size(), 2U);
    EXPECT_EQ(resources[upper.index].pieces[1], resources[lower.index].pieces[0]);
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("write upper"), ElementsAre("write lower")));
    EXPECT_THAT(plan.text(), HasSubstr("'image mips 0 to 2' part of 'image', R8G8B8A8Unorm 64 x 64, 3 mips, 2 layers"));
    const auto json = nlohmann::json::parse(plan.json());
    EXPECT_EQ(json["resources"][lower.index]["part_of"], image.index);
    EXPECT_EQ(json["resources"][lower.index]["first_mip"], 2);
    EXPECT_EQ(json["resources"][image.index]["pieces"].size(), 3U);
}

/// All pieces of a view have one layout. A use of one piece in the same group has this layout, too.
TEST(Parts, PiecesOfOneViewHaveOneLayout) {
    SomeGraph graph;
    const ImageId image = graph.image("image", some_pyramid(3)), first = graph.part(image, mip(0));
    graph.add_pass(pass("write", {write(image)}));
    graph.add_pass(pass("sample all", {sampled(image), write(graph.import("a"))}));
    graph.add_pass(pass("load first", {read(first), write(graph.import("b"))}));
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("write"), ElementsAre("sample all", "load first")));
    EXPECT_THAT(plan.groups[1].image_barriers, IsEmpty()); // all stay in the general layout
    EXPECT_EQ(plan.groups[1].layouts.size(), 2U);
    for (const PlanGroup::Layout& piece : plan.groups[1].layouts) {
        EXPECT_EQ(piece.layout, general);
    }
}

TEST(Parts, DifferentLayoutsOfOneViewNeedDifferentGroups) {
    SomeGraph graph;
    const ImageId image = graph.image("image", some_pyramid(3)), first = graph.part(image, mip(0));
    graph.add_pass(pass("write", {write(image)}));
    graph.add_pass(pass("sample all", {sampled(image), write(graph.import("a"))}));
    graph.add_copy("copy first", first, graph.import_buffer<std::uint32_t>("b", 64 * 64));
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("write"), ElementsAre("sample all"), ElementsAre("copy first")));
    sound_plan(graph);
}

/// Copies and blits use only their regions, not the rest of the image.
TEST(Parts, TransfersUseOnlyTheirRegions) {
    SomeGraph graph;
    const ImageId image = graph.image("image", some_pyramid(3));
    graph.add_pass(pass("write", {write(graph.part(image, mip(0)))}));
    graph.add_blit("half", image, image, VK_FILTER_LINEAR, {.mip = 0}, {.mip = 1});
    graph.add_blit("quarter", image, graph.part(image, mip(2)), VK_FILTER_LINEAR, {.mip = 1});
    graph.add_pass(pass("read", {sampled(image), write(graph.import("out"))}));
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("write"), ElementsAre("half"), ElementsAre("quarter"), ElementsAre("read")));
}

/// The first use of the second piece is in other stages than that of the first piece. Each waits for the previous user
/// of the memory.
TEST(Parts, EachPieceWaitsForPreviousUserOfMemory) {
    SomeGraph graph;
    const WordRef out = graph.import("out");
    const ImageId before = graph.image("before", some_pyramid(2)), after = graph.image("after", some_pyramid(2));
    graph.add_pass(pass("write before", {write(before)}));
    graph.add_pass(pass("read before", {sampled(before), write(out)}));
    graph.add_pass(pass("write after 0", {read(out), write(graph.part(after, mip(0)))}));
    graph.add_command_pass(command_pass("draw after 1", {{graph.part(after, mip(0)), Access::fragment_shader_read},
                                                         {graph.part(after, mip(1)), Access::color_write}}));
    graph.add_pass(pass("read after", {sampled(after), write(graph.import("end"))}));
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.memory.places[before.index], plan.memory.places[after.index]);
    // Without the wait the second mip is drawn while the previous image is still read.
    Plan broken = plan;
    for (PlanGroup& group : broken.groups) {
        for (ImageBarrier& barrier : group.image_barriers) {
            if (plan.graph->resources[barrier.resource].name == "after mip 1" && barrier.old_layout == undefined) {
                barrier.source = {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, 0};
            }
        }
        group.barriers.clear();
    }
    EXPECT_THAT(find_hazards(graph.description(), broken), Not(IsEmpty()));
}

TEST(Parts, PartsLeaveSeparately) {
    SomeGraph graph;
    const ImageId image = graph.image("image", some_pyramid(3)), first = graph.part(image, mip(0)),
                  rest = graph.part(image, {.mip = 1});
    graph.add_pass(pass("write", {write(image)}));
    graph.export_image(first, Access::transfer_read);
    const Plan one = sound_plan(graph);
    EXPECT_EQ(one.final_layouts[first.index], for_copies);
    EXPECT_EQ(one.final_layouts[rest.index], general);
    EXPECT_EQ(one.final_layouts[image.index], undefined); // they differ
    EXPECT_EQ(one.memory.places[image.index].block, PlanMemory::none);
    graph.export_image(rest, Access::transfer_read);
    const Plan both = sound_plan(graph);
    EXPECT_EQ(both.final_layouts[image.index], for_copies);
    graph.export_image(image, Access::sampled_read);
    EXPECT_EQ(graph.mistake(),
              "image 'image' and image 'image mip 0', which overlap, are exported for sampled read and for "
              "transfer read; export both with all accesses");
}

TEST(Parts, PartsAreHandedOverSeparately) {
    SomeGraph graph(device_with(1, 2));
    const ImageId image = graph.import_image("image", some_pyramid(2, 2), Access::sampled_read);
    const ImageId there = graph.part(image, mip(1));
    graph.add_pass(pass("here", {write(graph.part(image, mip(0)))}));
    graph.add_pass_on(on_compute, pass("there", {write(there)}));
    graph.export_image(image, Access::sampled_read);
    const Plan plan = sound_plan(graph);
    for (const PlanGroup& group : plan.groups) {
        for (const OwnershipTransfer& taken : group.acquired) {
            EXPECT_EQ(plan.graph->resources[taken.resource].name, "image mip 1");
        }
    }
    EXPECT_GT(plan.batches.size(), 1U);
}

/// An image that arrives on one queue and leaves on another is handed over whole, including parts that no pass uses.
TEST(Parts, UnusedPartsAreHandedOverWithImage) {
    SomeGraph graph(device_with(1, 2));
    const ImageId image = graph.import_image("image", some_pyramid(3), Access::transfer_write);
    graph.set_queues(image, {.arrives = on_transfer, .leaves = on_main});
    graph.add_pass(pass("sample", {sampled(graph.part(image, mip(1))), write(graph.import("out"))}));
    const Plan plan = sound_plan(graph);
    std::vector<std::string> taken;
    for (const PlanGroup& group : plan.groups) {
        for (const OwnershipTransfer& transfer : group.acquired) {
            taken.push_back(plan.graph->resources[transfer.resource].name);
        }
    }
    EXPECT_THAT(taken, testing::UnorderedElementsAre("image mip 0", "image mip 1", "image mip 2"));
}

/// An import of an inner graph is connected to a part of an outer image, and has parts of its own.
TEST(Parts, PartsOfConnectedPart) {
    SomeGraph inner, outer;
    ImageInfo info = some_pyramid(2);
    const ImageId target = inner.import_image("target", info);
    inner.add_pass(pass("first", {write(inner.part(target, mip(0)))}));
    inner.add_pass(pass("second", {sampled(inner.part(target, mip(0))), write(inner.part(target, mip(1)))}));
    info.extent = {128, 128, 1};
    info.mips = 3;
    info.layers = 2;
    const ImageId image = outer.import_image("image", info);
    const auto made =
        outer.add_graph(inner, {{target, outer.part(image, {.mip = 1, .layer = 1, .layers = 1})}}, "inner");
    const Plan plan = sound_plan(outer);
    const auto& uses = plan.graph->passes[1].uses;
    ASSERT_EQ(uses.size(), 2U);
    const ImagePart read = plan.graph->resources[uses[0].resource].part,
                    written = plan.graph->resources[uses[1].resource].part;
    EXPECT_EQ(read.mip, 1U);
    EXPECT_EQ(written.mip, 2U);
    EXPECT_EQ(written.layer, 1U);
    EXPECT_TRUE(made.image(target).valid());
}

TEST(Parts, Mistakes) {
    ImageInfo volume = some_image();
    volume.extent.depth = 4;
    const std::string part = "a part of image 'image' ";
    const std::tuple<ImagePart, ImageInfo, std::string> cases[] = {
        {{.mip = 4}, some_pyramid(), part + "begins at mip 4 and layer 0; the image has 4 mips and 1 layers"},
        {{.mip = 2, .mips = 3},
         some_pyramid(),
         part + "has 3 mips and 1 layers from mip 2 and layer 0 on; the image has 4 mips and 1 layers"},
        {{.layers = 0},
         some_pyramid(),
         part + "has 4 mips and 0 layers from mip 0 and layer 0 on; the image has 4 mips and 1 layers"},
        {{.layers = 5, .view = VK_IMAGE_VIEW_TYPE_CUBE},
         some_cube(),
         part +
             "has a CUBE view, which requires 6 square layers with one sample per texel; it has 5 layers of 64 x 64"},
        {{.view = VK_IMAGE_VIEW_TYPE_2D},
         some_cube(),
         part + "has a 2D view, which requires 1 layer and no depth; it has 6 layers and a depth of 1"},
        {{.view = VK_IMAGE_VIEW_TYPE_3D}, some_cube(), part + "has a 3D view, which requires an image with depth"},
        {{.view = VK_IMAGE_VIEW_TYPE_2D},
         volume,
         part + "has a 2D view, which requires 1 layer and no depth; it has 1 layers and a depth of 4"},
        {{.view = VK_IMAGE_VIEW_TYPE_2D_ARRAY},
         volume,
         part + "has a 2D_ARRAY view, which requires an image without depth"},
        {{.view = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY},
         some_cube(),
         part + "has a view of VkImageViewType 6; 2D, 2D_ARRAY, CUBE and 3D are supported"},
        {{.view = VK_IMAGE_VIEW_TYPE_3D}, volume, "no mistake"},
        {{.view = VK_IMAGE_VIEW_TYPE_2D}, some_pyramid(), "no mistake"},
        {{.view = VK_IMAGE_VIEW_TYPE_2D_ARRAY}, some_cube(), "no mistake"},
    };
    for (const auto& [of, info, message] : cases) {
        expect_mistake(message,
                       [of = of, info = info](SomeGraph& graph) { graph.part(graph.image("image", info), of); });
    }
    expect_mistake("pass 'part' uses a null image; results that are not requested are null",
                   [](SomeGraph& graph) { EXPECT_FALSE(graph.part(ImageId{}, mip(0)).valid()); });
    expect_mistake("image 'image' is exported per frame and has parts; per_frame requires an image without parts",
                   [](SomeGraph& graph) {
                       const ImageId image = graph.image("image", some_pyramid());
                       graph.add_pass(pass("first", {write(graph.part(image, mip(0)))}));
                       graph.add_pass(pass("second", {write(graph.part(image, mip(1)))}));
                       graph.export_image(image, Access::fragment_shader_read, {.per_frame = true});
                   });
}

TEST(Parts, MistakesInUses) {
    expect_mistake("pass 'mixed' declares image 'image mip 0' and image 'image', which overlap: as use 0 for shader "
                   "write and as use 1 for sampled read",
                   [](SomeGraph& graph) {
                       const ImageId image = graph.image("image", some_pyramid());
                       graph.add_pass(pass("mixed", {write(graph.part(image, mip(0))), sampled(image)}));
                   });
    expect_mistake("pass 'read' reads image 'image mip 1', which no pass writes", [](SomeGraph& graph) {
        const ImageId image = graph.image("image", some_pyramid(2));
        graph.add_pass(pass("write", {write(graph.part(image, mip(0)))}));
        graph.add_pass(pass("read", {sampled(image), write(graph.import("out"))}));
    });
    expect_mistake("set_queues: image 'image mip 1' is a part; set the queues of its image", [](SomeGraph& graph) {
        graph.set_queues(graph.part(graph.import_image("image", some_pyramid()), mip(1)), {on_compute});
    });
}

} // namespace
} // namespace weir::tests::parts_test

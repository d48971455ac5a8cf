// Images in plans: layouts, layout changes and memory.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::images_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr VkPipelineStageFlags2 color = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkAccessFlags2 writing = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
constexpr VkAccessFlags2 sampling = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;

ImageBarrier change(ImageId image, const Scope& source, const Scope& destination, VkImageLayout from,
                    VkImageLayout to) {
    return {image.index, source, destination, from, to};
}

TEST(GraphImages, SeveralAccessesHaveOneLayout) {
    EXPECT_EQ(layout_of({Access::fragment_shader_read, Access::sampled_read}), for_sampling);
    EXPECT_EQ(layout_of({Access::shader_write, Access::sampled_read}), general);
    EXPECT_EQ(layout_of({Access::depth_read, Access::sampled_read, Access::fragment_shader_read}),
              VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
    EXPECT_EQ(layout_of({Access::transfer_read, Access::sampled_read}), undefined);
    EXPECT_EQ(layout_of(Accesses()), undefined);
    SomeGraph graph;
    const Accesses sampled_everywhere{Access::sampled_read, Access::fragment_shader_read};
    const ImageId image = graph.import_image("image", some_image(), sampled_everywhere);
    graph.add_pass(pass("writer", {write(image)}));
    graph.export_image(image, sampled_everywhere);
    const Plan plan = sound_plan(graph);
    const VkPipelineStageFlags2 both = compute | fragment;
    EXPECT_THAT(plan.groups[0].image_barriers,
                ElementsAre(change(image, {both, 0}, {compute, writing}, for_sampling, general)));
    const Scope in_fragments = scope_of(Access::fragment_shader_read), in_compute = scope_of(Access::sampled_read);
    EXPECT_THAT(plan.groups[1].image_barriers,
                ElementsAre(change(image, {compute, writing}, {both, in_fragments.access | in_compute.access}, general,
                                   for_sampling)));
    EXPECT_EQ(plan.final_layouts[image.index], for_sampling);
}

TEST(GraphImages, PostProcessingIntoASwapchain) {
    SomeGraph graph;
    const ImageId hdr = graph.image("hdr"), frame = graph.import_image("frame", some_image(), Access::none);
    graph.add_pass(pass("shade", {write(hdr)}));
    graph.add_command_pass(command_pass("tone", {{hdr, Access::fragment_shader_read}, {frame, Access::color_write}}));
    graph.export_image(frame, Access::present);
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.groups.size(), 3U);
    const Scope in_fragments = scope_of(Access::fragment_shader_read);
    const Scope drawn{color, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
    EXPECT_THAT(plan.groups[0].image_barriers,
                ElementsAre(change(hdr, {fragment, 0}, {compute, writing}, undefined, general)));
    // The barrier waits for the swapchain image's semaphore in the stage that draws to it.
    EXPECT_THAT(plan.groups[1].image_barriers,
                ElementsAre(change(hdr, {compute, writing}, in_fragments, general, for_sampling),
                            change(frame, {color, 0}, drawn, undefined, for_color)));
    EXPECT_THAT(plan.groups[2].image_barriers, ElementsAre(change(frame, drawn, {}, for_color, for_present)));
    EXPECT_EQ(plan.groups[0].layout(hdr.index), general);
    EXPECT_EQ(plan.groups[0].layout(frame.index), undefined);
    EXPECT_EQ(plan.groups[1].layout(hdr.index), for_sampling);
    EXPECT_EQ(plan.groups[1].layout(frame.index), for_color);
    EXPECT_EQ(plan.final_layouts[frame.index], for_present);
    EXPECT_EQ(plan.text(), R"(buffers:
images:
  'hdr' transient, R8G8B8A8Unorm 64 x 64, at 0
  'frame' import, R8G8B8A8Unorm 64 x 64
memory: 65536 bytes (apart 65536, alive at once 65536)
group 0:
  0 barriers, 1 image barrier
    'hdr' Undefined -> General
    'hdr' layout change: outside -> 'shade'
  pass 'shade'
    'hdr' shader write, first write
group 1:
  0 barriers, 2 image barriers
    'hdr' General -> ShaderReadOnlyOptimal
    'frame' Undefined -> ColorAttachmentOptimal
    'hdr' layout change: 'shade' -> 'tone'
    'frame' layout change: outside -> 'tone'
  pass 'tone'
    'hdr' fragment shader read
    'frame' color write, first write
leave:
  0 barriers, 1 image barrier
    'frame' ColorAttachmentOptimal -> PresentSrcKHR
    'frame' layout change: 'tone' -> outside
)");
}

/// Levels alternate between two images. Each is made from the one before, the first one from a drawn depth image.
TEST(GraphImages, PingPong) {
    SomeGraph graph;
    const ImageId depth = graph.transient_image("depth", some_depth());
    const ImageId even = graph.image("even"), odd = graph.image("odd");
    graph.add_command_pass(command_pass("draw", {{depth, Access::depth_write}}));
    graph.add_pass(pass("level 0", {sampled(depth), write(even)}));
    graph.add_pass(pass("level 1", {sampled(even), write(odd)}));
    graph.add_pass(pass("level 2", {sampled(odd), write(even)}));
    graph.add_pass(pass("cull", {sampled(even), write(graph.import("visible"))}));
    const Plan plan = sound_plan(graph);
    const Scope writes{compute, writing}, samples{compute, sampling};
    ASSERT_EQ(plan.groups.size(), 6U);
    EXPECT_EQ(plan.groups[0].layout(depth.index), for_depth);
    ASSERT_EQ(plan.groups[1].image_barriers.size(), 2U);
    EXPECT_EQ(plan.groups[1].image_barriers[0],
              change(depth, {scope_of(Access::depth_write).stages, VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT},
                     samples, for_depth, for_sampling));
    EXPECT_EQ(plan.groups[1].image_barriers[1].old_layout, undefined);
    EXPECT_EQ(plan.groups[2].image_barriers[0], change(even, writes, samples, general, for_sampling));
    // An image that was only read since its last change needs no access in the first scope.
    EXPECT_THAT(plan.groups[3].image_barriers, ElementsAre(change(even, {compute, 0}, writes, for_sampling, general),
                                                           change(odd, writes, samples, general, for_sampling)));
    EXPECT_THAT(plan.groups[4].image_barriers, ElementsAre(change(even, writes, samples, general, for_sampling)));
}

TEST(GraphImages, UsesOfOneGroupHaveOneLayout) {
    const auto layout = [](const ImageInfo& info, Access first, Access second) {
        SomeGraph graph;
        const ImageId image = graph.import_image("image", info, Access::transfer_write);
        graph.add_command_pass(kept_pass("a", {{image, first}}));
        graph.add_command_pass(kept_pass("b", {{image, second}}));
        const Plan plan = sound_plan(graph);
        EXPECT_EQ(plan.groups.size(), 2U);
        EXPECT_EQ(plan.groups[0].image_barriers.size(), 1U);
        return plan.groups[0].layout(image.index);
    };
    EXPECT_EQ(layout(some_image(), Access::sampled_read, Access::fragment_shader_read), for_sampling);
    EXPECT_EQ(layout(some_depth(), Access::depth_read, Access::sampled_read), for_testing);
    EXPECT_EQ(layout(some_depth(), Access::fragment_shader_read, Access::depth_read), for_testing);
    EXPECT_EQ(layout(some_image(), Access::shader_read, Access::sampled_read), general);
    EXPECT_EQ(layout(some_image(), Access::shader_read, Access::shader_read), general);
}

/// Independent readers are in different groups if no layout suits all of them. The others stay in one group.
TEST(GraphImages, ReadersInDifferentLayoutsAreInDifferentGroups) {
    SomeGraph graph;
    const ImageId image = graph.import_image("image", some_image(), Access::shader_write);
    const ImageId other = graph.import_image("other", some_image(), Access::transfer_write);
    const auto host = [&](const char* name, const std::vector<Use>& uses) {
        graph.add_command_pass(kept_pass(name, uses));
    };
    host("copy", {{image, Access::transfer_read}});
    graph.add_pass(pass("sample", {sampled(image), write(graph.import("out"))}));
    host("copy both", {{image, Access::transfer_read}, {other, Access::transfer_read}});
    host("draw other", {{other, Access::fragment_shader_read}});
    graph.add_pass(pass("load", {read(image), sampled(other), write(graph.import("more"))}));
    graph.export_image(image, Access::fragment_shader_read);
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("copy", "copy both"), ElementsAre("sample", "draw other", "load")));
    const Plan plan = sound_plan(graph);
    const Scope copies{scope_of(Access::transfer_read).stages, VK_ACCESS_2_TRANSFER_READ_BIT};
    EXPECT_EQ(plan.groups[0].image_barriers[0], change(image, {compute, writing}, copies, general, for_copies));
    // Reads in between are only waited for. The image is sampled in the layout of storage images.
    EXPECT_EQ(plan.groups[1].image_barriers[0],
              change(image, {copies.stages, 0}, {compute, sampling | VK_ACCESS_2_SHADER_STORAGE_READ_BIT}, for_copies,
                     general));
    EXPECT_EQ(plan.groups[1].layout(other.index), for_sampling);
    EXPECT_EQ(plan.final_layouts[other.index], for_sampling);
    EXPECT_EQ(plan.final_layouts[image.index], for_sampling);
}

TEST(GraphImages, PassWithTwoUsesGetsCommonLayout) {
    SomeGraph graph;
    const ImageId image = graph.import_image("image", some_image(), Access::transfer_write);
    graph.add_command_pass(kept_pass("both", {{image, Access::fragment_shader_read}, {image, Access::transfer_read}}));
    graph.add_command_pass(kept_pass("draw", {{image, Access::fragment_shader_read}}));
    graph.add_command_pass(kept_pass("copy", {{image, Access::transfer_read}}));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("both", "draw"), ElementsAre("copy")));
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.groups[0].layout(image.index), general);
    EXPECT_EQ(plan.groups[1].layout(image.index), for_copies);
}

TEST(GraphImages, SameLayoutNeedsNoImageBarrier) {
    SomeGraph graph;
    const ImageId image = graph.image("image");
    graph.add_pass(pass("one", {write(image)}));
    graph.add_pass(pass("two", {read_write(image)}));
    graph.export_image(image, Access::shader_read);
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(plan.groups[1].image_barriers, IsEmpty());
    EXPECT_EQ(barriers(plan, 1).size(), 1U);
    EXPECT_THAT(leaving(plan).size(), 1U);
    EXPECT_THAT(plan.groups[2].image_barriers, IsEmpty());
}

/// A layout change is visible only in the second scope of its barrier.
TEST(GraphImages, LaterStageWaitsForLayoutChange) {
    SomeGraph graph;
    const ImageId image = graph.import_image("image", some_image(), Access::transfer_write);
    const WordRef between = graph.transient("between");
    graph.add_pass(pass("compute", {sampled(image), write(between)}));
    graph.add_command_pass(kept_pass("draw", {{image, Access::fragment_shader_read}, {between, Access::index_read}}));
    Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.groups[0].image_barriers.size(), 1U);
    EXPECT_THAT(plan.groups[1].image_barriers, IsEmpty());
    EXPECT_THAT(plan.text(), HasSubstr("'image' after layout change: 'compute' -> 'draw'"));
    ASSERT_EQ(barriers(plan, 1).size(), 2U);
    EXPECT_EQ(barriers(plan, 1)[0].srcStageMask, compute);
    EXPECT_EQ(barriers(plan, 1)[0].srcAccessMask, 0U);
    EXPECT_EQ(barriers(plan, 1)[0].dstStageMask, fragment);
    plan.groups[1].barriers.erase(plan.groups[1].barriers.begin());
    EXPECT_THAT(find_hazards(graph.description(), plan), testing::Contains(HasSubstr("after its layout change")));
}

TEST(GraphImages, ImportLeavesInLastLayout) {
    SomeGraph graph;
    const ImageId used = graph.import_image("used", some_image(), Access::transfer_write);
    const ImageId idle = graph.import_image("idle", some_image(), Access::color_write);
    const ImageId passed = graph.import_image("passed", some_image(), Access::color_write);
    const ImageId kept = graph.import_image("kept", some_image(), Access::any);
    graph.add_pass(pass("look", {sampled(used), write(graph.import("out")), read(kept)}));
    graph.export_image(passed, Access::fragment_shader_read);
    graph.export_image(kept, Access::none);
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.final_layouts[used.index], for_sampling);
    EXPECT_EQ(plan.final_layouts[idle.index], for_color);
    EXPECT_EQ(plan.final_layouts[passed.index], for_sampling);
    EXPECT_EQ(plan.final_layouts[kept.index], general);
    EXPECT_FALSE(plan.used[idle.index]);
    EXPECT_TRUE(plan.used[passed.index]); // its barrier uses it
    EXPECT_EQ(plan.groups[0].image_barriers.size(), 1U);
    EXPECT_EQ(plan.groups[1].image_barriers.size(), 1U);
}

TEST(GraphImages, ImageReusesMemoryOfBuffer) {
    SomeGraph graph;
    const WordRef a = graph.import("a"), b = graph.import("b"), scratch = graph.transient("scratch", 16384);
    const ImageId drawn = graph.image("drawn");
    graph.add_pass(pass("fill", {write(scratch)}));
    graph.add_pass(pass("sum", {read_write(scratch), write(a)}));
    graph.add_command_pass(command_pass("draw", {{a, Access::vertex_read}, {drawn, Access::color_write}}));
    graph.add_pass(pass("show", {sampled(drawn), write(b)}));
    Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.memory.places[scratch.id.index], plan.memory.places[drawn.index]);
    EXPECT_EQ(plan.memory.bytes(), 65536U);
    EXPECT_THAT(plan.memory.with_images, ElementsAre(true));
    // The image barrier names the write of the buffer, but covers only the image. A memory barrier makes the write
    // available, here the one for vertices.
    const Scope draws{color, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
    EXPECT_THAT(plan.groups[2].image_barriers,
                ElementsAre(change(drawn, {compute, writing}, draws, undefined, for_color)));
    ASSERT_EQ(barriers(plan, 2).size(), 1U);
    EXPECT_EQ(barriers(plan, 2)[0].srcAccessMask, writing);
    EXPECT_EQ(barriers(plan, 2)[0].dstStageMask, VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT);
    // In the next execution the buffer reuses the memory of the image.
    EXPECT_THAT(plan.text(), HasSubstr("'scratch' memory reused: outside -> 'fill'"));
    plan.groups[2].barriers.erase(plan.groups[2].barriers.begin());
    EXPECT_THAT(find_hazards(graph.description(), plan),
                testing::Contains(HasSubstr("layout change of 'drawn' in execution 1 after 'sum'")));
}

/// A chain through barriers of an image does not order earlier accesses to buffers in the same memory.
TEST(GraphImages, ImageBarrierDoesNotCoverBuffers) {
    for (const std::uint32_t words : {16384U, 32768U}) { // the size of the image, and twice this size
        SomeGraph graph;
        const WordRef scratch = graph.transient("scratch", words);
        const ImageId first = graph.import_image("first", some_image(), Access::none), second = graph.image("second");
        graph.add_fill("fill", scratch, 0);
        graph.add_command_pass(command_pass("draw", {{scratch, Access::index_read}, {first, Access::color_write}}));
        graph.add_command_pass(
            command_pass("draw again", {{first, Access::fragment_shader_read}, {second, Access::color_write}}));
        graph.add_pass(pass("show", {sampled(second), write(graph.import("out"))}));
        Plan plan = sound_plan(graph);
        ASSERT_EQ(plan.memory.places[scratch.id.index], plan.memory.places[second.index]);
        // The next execution fills memory that 'show' has read, and 'draw' before it.
        const auto waits_for_draw = [](const VkMemoryBarrier2& barrier) {
            return barrier.srcStageMask == VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT;
        };
        EXPECT_TRUE(std::any_of(barriers(plan, 0).begin(), barriers(plan, 0).end(), waits_for_draw));
        for (VkMemoryBarrier2& barrier : plan.groups[0].barriers) {
            const VkMemoryBarrier2 saved = barrier;
            barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
            EXPECT_THAT(find_hazards(graph.description(), plan), testing::Not(IsEmpty()));
            barrier = saved;
        }
    }
}

/// Sizes and alignments as from a device, and a granularity between buffers and images.
TEST(GraphImages, MemoryRespectsAlignmentAndGranularity) {
    Capabilities device = some_device();
    device.image_granularity = 1024;
    SomeGraph graph(device);
    const WordRef small = graph.transient("small", 65), out = graph.import("out");
    const ImageId a = graph.image("a"), b = graph.image("b");
    graph.add_pass(pass("all", {write(small), write(a), write(b)}));
    graph.add_pass(pass("read", {read(small), sampled(a), sampled(b), write(out)}));
    GraphDescription description = graph.description();
    EXPECT_EQ(description.resources[a.index].bytes, 65536U);
    description.resources[a.index].bytes = 1100;
    description.resources[b.index].bytes = 5000;
    description.resources[b.index].alignment = 4096;
    for (const bool share : {true, false}) {
        const Plan mixed = *make_plan(description, {.share_memory = share});
        EXPECT_THAT(find_overlaps(description, mixed), IsEmpty()) << mixed.text();
        EXPECT_EQ(mixed.memory.places[a.index].offset % 1024, 0U);
        EXPECT_EQ(mixed.memory.places[b.index].offset % 4096, 0U);
        EXPECT_EQ(mixed.memory.blocks.size(), 1U);
        const Plan apart = *make_plan(description, {.share_memory = share, .images_apart = true});
        EXPECT_THAT(find_overlaps(description, apart), IsEmpty()) << apart.text();
        EXPECT_THAT(apart.memory.blocks, ElementsAre(512U, testing::Ge(7168U)));
        EXPECT_THAT(apart.memory.with_images, ElementsAre(false, true));
        EXPECT_EQ(apart.memory.places[small.id.index], (PlanMemory::Place{0, 0}));
    }
}

TEST(GraphImages, BytesAreEstimated) {
    const auto bytes = [](const ImageInfo& info) {
        SomeGraph graph;
        graph.transient_image("image", info);
        EXPECT_EQ(graph.mistake(), "no mistake");
        return graph.description().resources[0].bytes;
    };
    constexpr std::uint64_t unit = 64 << 10;
    EXPECT_EQ(bytes({.format = VK_FORMAT_R8_UNORM, .extent = {1, 1, 1}}), unit);
    EXPECT_EQ(bytes({.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {1920, 1080, 1}}), 127 * unit);
    EXPECT_EQ(bytes({.format = VK_FORMAT_R16G16B16A16_SFLOAT, .extent = {1024, 1024, 1}}), 128 * unit);
    EXPECT_EQ(bytes({.format = VK_FORMAT_R8_UNORM, .extent = {256, 256, 256}}), 256 * unit);
    EXPECT_EQ(bytes({.format = VK_FORMAT_BC1_RGB_UNORM_BLOCK, .extent = {1024, 1024, 1}, .layers = 6}), 48 * unit);
    EXPECT_EQ(bytes({.format = VK_FORMAT_BC7_UNORM_BLOCK, .extent = {1024, 1024, 1}, .mips = 11}), 22 * unit);
    EXPECT_EQ(bytes({.format = VK_FORMAT_ASTC_8x8_UNORM_BLOCK, .extent = {1024, 1024, 1}}), 4 * unit);
    EXPECT_EQ(bytes({.format = VK_FORMAT_D32_SFLOAT, .extent = {1024, 1024, 1}, .samples = VK_SAMPLE_COUNT_4_BIT}),
              256 * unit);
}

/// The hazard check finds mistakes in layouts.
TEST(GraphImages, HazardCheckFindsWrongLayouts) {
    SomeGraph graph;
    const ImageId image = graph.import_image("image", some_image(), Access::shader_write);
    graph.add_pass(pass("look", {sampled(image), write(graph.import("out"))}));
    const Plan good = sound_plan(graph);
    const auto finds = [&](const char* what, auto spoil) {
        Plan plan = good;
        spoil(plan);
        EXPECT_THAT(find_hazards(graph.description(), plan), testing::Contains(HasSubstr(what)));
    };
    finds("has lost its contents", [](Plan& plan) { plan.groups[0].image_barriers[0].old_layout = undefined; });
    finds("from a layout other than the current one",
          [](Plan& plan) { plan.groups[0].image_barriers[0].old_layout = for_color; });
    finds("is in the wrong layout", [](Plan& plan) { plan.groups[0].image_barriers[0].new_layout = for_color; });
    finds("is not in the layout that the plan says", [](Plan& plan) { plan.groups[0].layouts[0].layout = general; });
    finds("ends in another layout", [](Plan& plan) { plan.final_layouts.assign(2, general); });
    finds("after the host before", [](Plan& plan) { plan.groups[0].image_barriers[0].source.access = 0; });
    finds("after its layout change", [](Plan& plan) { plan.groups[0].image_barriers[0].destination.access = 0; });
    finds("twice in one command", [](Plan& plan) {
        plan.groups[0].image_barriers.push_back(plan.groups[0].image_barriers[0]);
        plan.groups[0].image_barriers[1].old_layout = for_sampling;
    });
}

TEST(GraphImages, KeepPreventsCulling) {
    SomeGraph graph;
    const ImageId image = graph.image("image"), other = graph.image("other");
    graph.add_command_pass(command_pass("draw", {{image, Access::color_write}}));
    graph.add_command_pass(kept_pass("kept", {{image, Access::fragment_shader_read}}));
    graph.add_command_pass(command_pass("useless", {{other, Access::color_write}}));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("draw"), ElementsAre("kept")));
    EXPECT_THAT(graph.culled(), ElementsAre("useless"));
    sound_plan(graph);
}

TEST(GraphImages, Json) {
    SomeGraph graph;
    const ImageId image = graph.import_image(
        "image", {.format = VK_FORMAT_R32_SFLOAT, .extent = {8, 4, 1}, .mips = 3, .layers = 2}, Access::none);
    graph.add_command_pass(command_pass("draw", {{image, Access::color_write}}));
    const auto json = nlohmann::json::parse(graph.plan().json());
    EXPECT_EQ(json["resources"][0], nlohmann::json::parse(R"({"name": "image", "lifetime": "import", "bytes": 65536,
        "used": true, "format": "R32Sfloat", "extent": [8, 4, 1], "mips": 3, "layers": 2, "samples": 1,
        "final_layout": "ColorAttachmentOptimal"})"));
    EXPECT_EQ(json["passes"][0]["kind"], "host");
    EXPECT_EQ(json["groups"][0]["image_barriers"], nlohmann::json::parse(R"([{"resource": 0,
        "source": {"stages": ["COLOR_ATTACHMENT_OUTPUT"], "access": []},
        "destination": {"stages": ["COLOR_ATTACHMENT_OUTPUT"], "access": ["COLOR_ATTACHMENT_WRITE"]},
        "old_layout": "Undefined", "new_layout": "ColorAttachmentOptimal"}])"));
    EXPECT_THAT(graph.plan().dot(), HasSubstr("image\\nimport, R32Sfloat 8 x 4, 3 mips, 2 layers"));
}

} // namespace
} // namespace weir::tests::images_test

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

constexpr VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 fragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
constexpr VkPipelineStageFlags2 color = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkAccessFlags2 writing = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
constexpr VkAccessFlags2 sampling = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
constexpr VkImageLayout undefined = VK_IMAGE_LAYOUT_UNDEFINED, general = VK_IMAGE_LAYOUT_GENERAL,
                        for_sampling = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                        for_color = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                        for_depth = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                        for_testing = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
                        for_copies = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                        for_present = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;

void expect_sound(const SomeGraph& graph, const Plan& plan) {
    EXPECT_THAT(find_hazards(graph.description(), plan), IsEmpty()) << plan.text();
    EXPECT_THAT(find_misplaced(graph.description(), plan), IsEmpty()) << plan.text();
    EXPECT_THAT(find_overlaps(graph.description(), plan), IsEmpty()) << plan.text();
}

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
    const Plan plan = graph.plan();
    const VkPipelineStageFlags2 both = compute | fragment;
    EXPECT_THAT(plan.groups[0].image_barriers,
                ElementsAre(change(image, {both, 0}, {compute, writing}, for_sampling, general)));
    const Scope in_fragments = scope_of(Access::fragment_shader_read), in_compute = scope_of(Access::sampled_read);
    EXPECT_THAT(plan.groups[1].image_barriers,
                ElementsAre(change(image, {compute, writing}, {both, in_fragments.access | in_compute.access}, general,
                                   for_sampling)));
    EXPECT_EQ(plan.final_layouts[image.index], for_sampling);
    expect_sound(graph, plan);
}

TEST(GraphImages, SeveralAccessesWithoutACommonLayout) {
    SomeGraph leaves, arrives;
    const ImageId image = leaves.import_image("target", some_image(), Access::none);
    leaves.add_pass(pass("writer", {write(image)}));
    leaves.export_image(image, {Access::present, Access::sampled_read});
    EXPECT_EQ(leaves.mistake(),
              "image 'target' leaves for sampled read and for present, which require different layouts");
    arrives.import_image("source", some_image(), {Access::color_write, Access::transfer_read});
    EXPECT_EQ(arrives.mistake(),
              "image 'source' arrives for transfer read and for color write, which require different layouts");
}

TEST(GraphImages, PostProcessingIntoASwapchain) {
    SomeGraph graph;
    const ImageId hdr = graph.image("hdr"), frame = graph.import_image("frame", some_image(), Access::none);
    graph.add_pass(pass("shade", {write(hdr)}));
    graph.add_command_pass(command_pass("tone", {{hdr, Access::fragment_shader_read}, {frame, Access::color_write}}));
    graph.export_image(frame, Access::present);
    const Plan plan = graph.plan();
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
    for (const PlanGroup& group : plan.groups) {
        EXPECT_THAT(group.barriers, IsEmpty());
    }
    EXPECT_EQ(plan.groups[0].layout(hdr.index), general);
    EXPECT_EQ(plan.groups[0].layout(frame.index), undefined);
    EXPECT_EQ(plan.groups[1].layout(hdr.index), for_sampling);
    EXPECT_EQ(plan.groups[1].layout(frame.index), for_color);
    EXPECT_EQ(plan.final_layouts[frame.index], for_present);
    expect_sound(graph, plan);
    EXPECT_EQ(plan.text(), R"(buffers:
images:
  'hdr' transient, R8G8B8A8Unorm 64 x 64, at 0
  'frame' import, R8G8B8A8Unorm 64 x 64
memory: 65536 bytes (apart 65536, alive at once 65536)
group 0:
  0 barriers, 1 image barrier
    'hdr' Undefined -> General
    'hdr' layout change: outside -> 'shade'
    'hdr' layout change: outside -> 'shade'
  pass 'shade'
    'hdr' shader write
group 1:
  0 barriers, 2 image barriers
    'hdr' General -> ShaderReadOnlyOptimal
    'frame' Undefined -> ColorAttachmentOptimal
    'hdr' layout change: 'shade' -> 'tone'
    'frame' layout change: outside -> 'tone'
  pass 'tone'
    'hdr' fragment shader read
    'frame' color write
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
    const Plan plan = graph.plan();
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
    expect_sound(graph, plan);
}

TEST(GraphImages, UsesOfOneGroupHaveOneLayout) {
    const auto layout = [](const ImageInfo& info, Access first, Access second) {
        SomeGraph graph;
        const ImageId image = graph.import_image("image", info, Access::transfer_write);
        CommandPass a = command_pass("a", {{image, first}}), b = command_pass("b", {{image, second}});
        a.keep = b.keep = true;
        graph.add_command_pass(a);
        graph.add_command_pass(b);
        const Plan plan = graph.plan();
        EXPECT_EQ(plan.groups.size(), 2U);
        EXPECT_EQ(plan.groups[0].image_barriers.size(), 1U);
        expect_sound(graph, plan);
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
    const auto host = [&](const char* name, std::vector<Use> uses) {
        CommandPass made = command_pass(name, std::move(uses));
        made.keep = true;
        graph.add_command_pass(made);
    };
    host("copy", {{image, Access::transfer_read}});
    graph.add_pass(pass("sample", {sampled(image), write(graph.import("out"))}));
    host("copy both", {{image, Access::transfer_read}, {other, Access::transfer_read}});
    host("draw other", {{other, Access::fragment_shader_read}});
    graph.add_pass(pass("load", {read(image), sampled(other), write(graph.import("more"))}));
    graph.export_image(image, Access::fragment_shader_read);
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("copy", "copy both"), ElementsAre("sample", "draw other", "load")));
    const Plan plan = graph.plan();
    const Scope copies{scope_of(Access::transfer_read).stages, VK_ACCESS_2_TRANSFER_READ_BIT};
    EXPECT_EQ(plan.groups[0].image_barriers[0], change(image, {compute, writing}, copies, general, for_copies));
    // Reads in between are only waited for. The image is sampled in the layout of storage images.
    EXPECT_EQ(plan.groups[1].image_barriers[0],
              change(image, {copies.stages, 0}, {compute, sampling | VK_ACCESS_2_SHADER_STORAGE_READ_BIT}, for_copies,
                     general));
    EXPECT_EQ(plan.groups[1].layout(other.index), for_sampling);
    EXPECT_EQ(plan.final_layouts[other.index], for_sampling);
    EXPECT_EQ(plan.final_layouts[image.index], for_sampling);
    expect_sound(graph, plan);
}

TEST(GraphImages, PassWithTwoUsesGetsCommonLayout) {
    SomeGraph graph;
    const ImageId image = graph.import_image("image", some_image(), Access::transfer_write);
    CommandPass both = command_pass("both", {{image, Access::fragment_shader_read}, {image, Access::transfer_read}});
    CommandPass draw = command_pass("draw", {{image, Access::fragment_shader_read}});
    CommandPass copy = command_pass("copy", {{image, Access::transfer_read}});
    for (CommandPass* each : {&both, &draw, &copy}) {
        each->keep = true;
        graph.add_command_pass(*each);
    }
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("both", "draw"), ElementsAre("copy")));
    const Plan plan = graph.plan();
    EXPECT_EQ(plan.groups[0].layout(image.index), general);
    EXPECT_EQ(plan.groups[1].layout(image.index), for_copies);
    expect_sound(graph, plan);
}

TEST(GraphImages, SameLayoutNeedsNoImageBarrier) {
    SomeGraph graph;
    const ImageId image = graph.image("image");
    graph.add_pass(pass("one", {write(image)}));
    graph.add_pass(pass("two", {read_write(image)}));
    graph.export_image(image, Access::shader_read);
    const Plan plan = graph.plan();
    EXPECT_THAT(plan.groups[1].image_barriers, IsEmpty());
    EXPECT_EQ(barriers(plan, 1).size(), 1U);
    EXPECT_THAT(leaving(plan).size(), 1U);
    EXPECT_THAT(plan.groups[2].image_barriers, IsEmpty());
    expect_sound(graph, plan);
}

/// A layout change is visible only in the second scope of its barrier.
TEST(GraphImages, LaterStageWaitsForLayoutChange) {
    SomeGraph graph;
    const ImageId image = graph.import_image("image", some_image(), Access::transfer_write);
    const WordRef between = graph.transient("between");
    graph.add_pass(pass("compute", {sampled(image), write(between)}));
    CommandPass draw = command_pass("draw", {{image, Access::fragment_shader_read}, {between, Access::index_read}});
    draw.keep = true;
    graph.add_command_pass(draw);
    Plan plan = graph.plan();
    EXPECT_EQ(plan.groups[0].image_barriers.size(), 1U);
    EXPECT_THAT(plan.groups[1].image_barriers, IsEmpty());
    EXPECT_THAT(plan.text(), HasSubstr("'image' after layout change: 'compute' -> 'draw'"));
    expect_sound(graph, plan);
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
    const Plan plan = graph.plan();
    EXPECT_EQ(plan.final_layouts[used.index], for_sampling);
    EXPECT_EQ(plan.final_layouts[idle.index], for_color);
    EXPECT_EQ(plan.final_layouts[passed.index], for_sampling);
    EXPECT_EQ(plan.final_layouts[kept.index], general);
    EXPECT_FALSE(plan.used[idle.index]);
    EXPECT_TRUE(plan.used[passed.index]); // its barrier uses it
    EXPECT_EQ(plan.groups[0].image_barriers.size(), 1U);
    EXPECT_EQ(plan.groups[1].image_barriers.size(), 1U);
    expect_sound(graph, plan);
}

TEST(GraphImages, ImageReusesMemoryOfBuffer) {
    SomeGraph graph;
    const WordRef a = graph.import("a"), b = graph.import("b"), scratch = graph.transient("scratch", 16384);
    const ImageId drawn = graph.image("drawn");
    graph.add_pass(pass("fill", {write(scratch)}));
    graph.add_pass(pass("sum", {read_write(scratch), write(a)}));
    graph.add_command_pass(command_pass("draw", {{a, Access::vertex_read}, {drawn, Access::color_write}}));
    graph.add_pass(pass("show", {sampled(drawn), write(b)}));
    Plan plan = graph.plan();
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
    expect_sound(graph, plan);
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
        Plan plan = graph.plan();
        ASSERT_EQ(plan.memory.places[scratch.id.index], plan.memory.places[second.index]);
        expect_sound(graph, plan);
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
    const Plan good = graph.plan();
    expect_sound(graph, good);
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
    CommandPass kept = command_pass("kept", {{image, Access::fragment_shader_read}});
    kept.keep = true;
    graph.add_command_pass(command_pass("draw", {{image, Access::color_write}}));
    graph.add_command_pass(kept);
    graph.add_command_pass(command_pass("useless", {{other, Access::color_write}}));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("draw"), ElementsAre("kept")));
    EXPECT_THAT(graph.culled(), ElementsAre("useless"));
    expect_sound(graph, graph.plan());
}

TEST(GraphImages, Json) {
    SomeGraph graph;
    const ImageId image = graph.import_image(
        "image", {.format = VK_FORMAT_R32_SFLOAT, .extent = {8, 4, 1}, .mips = 3, .layers = 2}, Access::none);
    CommandPass draw = command_pass("draw", {{image, Access::color_write}});
    graph.add_command_pass(draw);
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

/// Errors that name the pass and the image.
class ImageMistakes : public testing::Test {
protected:
    SomeGraph graph;
    [[nodiscard]] std::string mistake_of(const ImageInfo& info) const {
        SomeGraph other;
        other.image("x", info);
        return other.mistake();
    }
};

TEST_F(ImageMistakes, InvalidImageInfo) {
    constexpr VkFormat format = VK_FORMAT_R8_UNORM;
    EXPECT_EQ(mistake_of({}), "image 'x' has no format");
    EXPECT_EQ(mistake_of({.format = format, .extent = {0, 1, 1}}), "image 'x' has an extent of 0");
    EXPECT_EQ(mistake_of({.format = format, .extent = {4, 4, 0}}), "image 'x' has an extent of 0");
    EXPECT_EQ(mistake_of({.format = format, .layers = 0}), "image 'x' has no layers");
    EXPECT_EQ(mistake_of({.format = format, .samples = {}}), "image 'x' has no samples");
    EXPECT_EQ(mistake_of({.format = format, .extent = {4, 4, 4}, .layers = 2}),
              "image 'x' has several layers and depth, which is not supported");
    EXPECT_EQ(mistake_of({.format = format, .extent = {4, 4, 1}, .mips = 0}),
              "image 'x' has 0 mips; its extent allows 1 to 3");
    EXPECT_EQ(mistake_of({.format = format, .extent = {7, 4, 1}, .mips = 4}),
              "image 'x' has 4 mips; its extent allows 1 to 3");
    EXPECT_EQ(mistake_of({.format = format, .extent = {7, 4, 1}, .mips = 2, .samples = VK_SAMPLE_COUNT_2_BIT}),
              "image 'x' has several samples and mips, which is not supported");
}

TEST_F(ImageMistakes, Blits) {
    const auto mistake = [](const ImageInfo& from, const ImageInfo& to, const ImageRegion& region) {
        SomeGraph other;
        const ImageId source = other.import_image("a", from, Access::any);
        other.add_blit("scale", source, other.image("b", to), VK_FILTER_LINEAR, region, {});
        return other.mistake();
    };
    const ImageInfo one{.format = VK_FORMAT_R8_UNORM, .extent = {8, 8, 1}};
    ImageInfo two = one, samples = one;
    two.layers = 2;
    samples.samples = VK_SAMPLE_COUNT_4_BIT;
    EXPECT_EQ(mistake(two, one, {.layers = 2}),
              "pass 'scale' scales 2 layers of image 'a' to 1 of image 'b'; the numbers of layers must be equal");
    const char* const one_sample = "pass 'scale' scales image 'a' to image 'b'; both must have one sample per texel";
    EXPECT_EQ(mistake(samples, one, {}), one_sample);
    EXPECT_EQ(mistake(one, samples, {}), one_sample);
    EXPECT_EQ(mistake(two, one, {.layer = 1}), "no mistake");
}

TEST_F(ImageMistakes, ImageInsteadOfBuffer) {
    const auto with = [&](auto add, SourceLocation where = SourceLocation::current()) {
        SomeGraph other;
        const ImageId mine = other.image("x");
        add(other, BufferId{mine});
        ++where.line; // the error names the line of the call
        return other.mistake(where);
    };
    EXPECT_EQ(with([](Graph& g, BufferId x) { g.add_fill("fill", x, 0); }),
              "pass 'fill' uses image 'x' where a buffer is needed");
    EXPECT_EQ(with([](Graph& g, BufferId x) { g.add_pass(pass("p", {}, Dispatch::indirect(x))); }),
              "pass 'p' uses image 'x' where a buffer is needed");
    EXPECT_EQ(with([](Graph& g, BufferId x) {
                  WordRef words;
                  words.id = x;
                  g.count_in(words, 0, 1);
              }),
              "pass 'count_in' uses image 'x' where a buffer is needed");
    EXPECT_EQ(with([](Graph& g, BufferId x) { g.add_copy("copy", x, x, 4); }),
              "pass 'copy' uses image 'x' where a buffer is needed");
    EXPECT_EQ(with([](Graph& g, BufferId x) { g.export_buffer(x); }),
              "pass 'export_buffer' uses image 'x' where a buffer is needed");
    EXPECT_EQ(with([](Graph& g, BufferId x) {
                  g.add_command_pass(command_pass("h", {{x, Access::vertex_read}}));
              }),
              "command pass 'h' uses image 'x' for vertex read, which requires a buffer");
}

TEST_F(ImageMistakes, BufferInsteadOfImage) {
    const WordRef b = graph.import("b");
    graph.add_pass(pass("p", {{b, Access::sampled_read}}));
    EXPECT_EQ(graph.mistake(), "pass 'p' binds buffer 'b' for sampled read; a binding must be a shader "
                               "read or write, a sampled read of an image or a uniform read of a buffer");
    SomeGraph second;
    second.add_command_pass(command_pass("h", {{second.import("b"), Access::color_write}}));
    EXPECT_EQ(second.mistake(), "command pass 'h' uses buffer 'b' for color write, which requires an image");
    SomeGraph third;
    third.import("b", Access::present);
    EXPECT_EQ(third.mistake(), "buffer 'b' arrives for present, which requires an image");
    SomeGraph fourth;
    fourth.export_buffer(fourth.import("b"), Access::depth_read);
    EXPECT_EQ(fourth.mistake(), "buffer 'b' leaves for depth read, which requires an image");
    SomeGraph fifth;
    fifth.export_image(ImageId{fifth.import("b").id}, Access::any);
    EXPECT_EQ(fifth.mistake(), "pass 'export_image' uses buffer 'b' where an image is needed");
}

TEST_F(ImageMistakes, AccessesNotForImages) {
    graph.import_image("x", some_image(), Access::host_write);
    EXPECT_EQ(graph.mistake(), "image 'x' arrives for host write, which requires a buffer");
    SomeGraph second;
    second.export_image(second.import_image("x", some_image()), Access::index_read);
    EXPECT_EQ(second.mistake(), "image 'x' leaves for index read, which requires a buffer");
    SomeGraph third;
    const ImageId shown = third.image("x");
    third.export_image(shown, Access::present);
    EXPECT_EQ(third.mistake(), "image 'x' leaves for present, which is supported for imports only");
}

TEST_F(ImageMistakes, CommandPasses) {
    const WordRef b = graph.import("b");
    CommandPass mute = command_pass("h", {{b, Access::any}});
    mute.record = nullptr;
    graph.add_command_pass(mute);
    EXPECT_EQ(graph.mistake(), "command pass 'h' has no record function");
    for (const Access access : {Access::none, Access::host_read, Access::host_write}) {
        SomeGraph other;
        other.add_command_pass(command_pass("h", {{other.import("b"), access}}));
        EXPECT_EQ(other.mistake(), std::string("command pass 'h' uses buffer 'b' for ") + to_string(access) +
                                       ", which is not an access of commands");
    }
}

TEST_F(ImageMistakes, Contents) {
    const WordRef out = graph.import("out");
    graph.add_pass(pass("p", {sampled(graph.image("x")), write(out)}));
    EXPECT_EQ(graph.mistake(), "pass 'p' reads image 'x', which no pass writes");
    SomeGraph second;
    const ImageId empty = second.import_image("x", some_image(), Access::none);
    second.add_pass(pass("p", {sampled(empty), write(second.import("out"))}));
    second.add_pass(pass("q", {write(empty)}));
    EXPECT_EQ(second.mistake(), "pass 'p' reads image 'x', which arrives without contents");
    SomeGraph third;
    third.export_image(third.import_image("x", some_image(), Access::none), Access::present);
    EXPECT_EQ(third.mistake(), "image 'x' is exported, but no pass writes it");
    SomeGraph fourth;
    const ImageId both = fourth.import_image("x", some_image());
    fourth.add_pass(pass("p", {sampled(both), write(both)}));
    EXPECT_EQ(fourth.mistake(),
              "pass 'p' declares image 'x' twice: as use 0 for sampled read and as use 1 for shader write");
}

TEST_F(ImageMistakes, ImagesOfOtherGraphs) {
    graph.export_image({}, Access::any);
    EXPECT_EQ(graph.mistake(), "pass 'export_image' uses a null image; results that are not requested are null");
    SomeGraph second;
    const ImageId foreign = second.image("x");
    SomeGraph third;
    third.export_image(foreign, Access::any);
    EXPECT_EQ(third.mistake(), "pass 'export_image' uses an image of another graph");
}

} // namespace
} // namespace weir::tests::images_test

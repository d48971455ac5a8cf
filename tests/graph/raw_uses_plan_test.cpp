// Plans of passes with uses that Access has no name for.

#include <algorithm>

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::raw_uses_plan_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr VkPipelineStageFlags2 builds = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                                traces = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
                                preprocesses = VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_NV,
                                tests = VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
                                        VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
constexpr VkAccessFlags2 reads_built = VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR,
                         writes_built = VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR;
constexpr UseScope build{.scope = {builds, reads_built | writes_built}, .writes = true};
constexpr UseScope trace{.scope = {traces, reads_built}, .reads = true};

Use raw(ResourceId resource, const UseScope& scope) {
    return {.resource = resource, .raw = scope};
}

/// A build of a transient acceleration structure, and two traces.
struct Traced : SomeGraph {
    WordRef structure = transient("structure"), scratch = transient("scratch");

    Traced() {
        const WordRef triangles = import("triangles", Access::shader_write);
        add_command_pass(
            command_pass("build", {raw(triangles, {.scope = {builds, VK_ACCESS_2_SHADER_READ_BIT}, .reads = true}),
                                   raw(scratch, {.scope = {builds, reads_built | writes_built}, .writes = true}),
                                   raw(structure, build)}));
    }
    void add_trace(const std::string& name) {
        add_command_pass(command_pass(
            name, {raw(structure, trace),
                   raw(import_image(name + " image", some_image(), Access::none),
                       {.scope = {traces, VK_ACCESS_2_SHADER_WRITE_BIT}, .layout = general, .writes = true})}));
    }
};

TEST(RawUses, TracesOfOneAccelerationStructureShareGroup) {
    Traced graph;
    graph.add_trace("shadows");
    graph.add_trace("reflections");
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("build"), ElementsAre("shadows", "reflections")));
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(barriers(plan, 1).size(), 1U);
    EXPECT_EQ(barriers(plan, 1)[0].srcStageMask, builds);
    EXPECT_EQ(barriers(plan, 1)[0].srcAccessMask, writes_built);
    EXPECT_EQ(barriers(plan, 1)[0].dstStageMask, traces);
    EXPECT_EQ(barriers(plan, 1)[0].dstAccessMask, reads_built);
}

/// Builds have no single access for their geometry. Shaders have.
TEST(RawUses, BuildReadsGeometryAsShaderRead) {
    SomeGraph graph;
    const WordRef words = graph.transient("words"), first = graph.import("first"), last = graph.import("last");
    graph.add_pass(pass("make", {write(words)}));
    graph.add_pass(pass("use", {read(words), write(first)})); // its barrier does not include the build
    graph.add_command_pass(command_pass(
        "build", {raw(words, {.scope = {builds, VK_ACCESS_2_SHADER_READ_BIT}, .reads = true}), raw(first, build)}));
    graph.add_command_pass(
        command_pass("both", {raw(words, {.scope = {builds | traces, VK_ACCESS_2_SHADER_READ_BIT}, .reads = true}),
                              raw(first, build), raw(last, build)}));
    const Plan plan = sound_plan(graph);
    const auto shown = [&](std::size_t group, VkPipelineStageFlags2 stage) {
        VkAccessFlags2 accesses = 0;
        for (const VkMemoryBarrier2& barrier : barriers(plan, group)) {
            accesses |= (barrier.dstStageMask & stage) != 0 ? barrier.dstAccessMask : 0;
        }
        return accesses;
    };
    EXPECT_EQ(shown(1, compute), VK_ACCESS_2_SHADER_STORAGE_READ_BIT);
    EXPECT_EQ(shown(2, builds) & ~(reads_built | writes_built), VK_ACCESS_2_SHADER_READ_BIT);
    constexpr VkAccessFlags2 by_shaders = VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
    EXPECT_EQ(shown(3, traces) & by_shaders, by_shaders);
}

TEST(RawUses, PassThatOnlyReadsIsCulled) {
    Traced graph;
    graph.add_command_pass(command_pass("unused trace", {raw(graph.structure, trace)}));
    EXPECT_THAT(graph.culled(), ElementsAre("build", "unused trace"));
    Traced used;
    used.add_trace("trace");
    EXPECT_THAT(used.culled(), IsEmpty());
}

/// A build waits for the trace of the previous execution, and the next build after the trace only for its stages.
TEST(RawUses, BuildAfterTraceWaitsForTraceOnly) {
    SomeGraph graph;
    const WordRef structure = graph.import("structure", Accesses(trace));
    graph.add_command_pass(command_pass("rebuild", {raw(structure, build)}));
    graph.export_buffer(structure, trace);
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(barriers(plan, 0).size(), 1U);
    EXPECT_EQ(barriers(plan, 0)[0].srcStageMask, traces);
    EXPECT_EQ(barriers(plan, 0)[0].srcAccessMask, 0U);
    EXPECT_EQ(barriers(plan, 0)[0].dstStageMask, builds);
    ASSERT_EQ(leaving(plan).size(), 1U);
    EXPECT_EQ(leaving(plan)[0].dstStageMask, traces);
    EXPECT_EQ(leaving(plan)[0].dstAccessMask, reads_built);
}

TEST(RawUses, TransientCannotStartWithRawRead) {
    expect_mistake("pass 'trace' reads buffer 'structure', which no pass writes", [](SomeGraph& graph) {
        graph.add_command_pass(kept_pass("trace", {raw(graph.transient("structure"), trace)}));
    });
}

TEST(RawUses, StencilWriteWhileDepthIsSampled) {
    constexpr VkImageLayout layout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL;
    SomeGraph graph;
    ImageInfo info = some_depth();
    info.format = VK_FORMAT_D24_UNORM_S8_UINT;
    const ImageId depth = graph.image("depth", info);
    graph.add_command_pass(command_pass("prepass", {{depth, Access::depth_write}}));
    graph.add_command_pass(kept_pass(
        "decals", {raw(depth, {.scope = {tests | fragment, VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                                               VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT |
                                                               VK_ACCESS_2_SHADER_SAMPLED_READ_BIT},
                               .layout = layout,
                               .reads = true,
                               .writes = true})}));
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.groups.size(), 3U);
    EXPECT_EQ(plan.groups[1].layout(depth.index), layout);
    ASSERT_EQ(plan.groups[1].image_barriers.size(), 1U);
    EXPECT_EQ(plan.groups[1].image_barriers[0].old_layout, for_depth);
    EXPECT_EQ(plan.groups[1].image_barriers[0].destination.stages, tests | fragment);
}

/// The passes of both branches could share a group, but then one layout for both layers: "all" has one view of them.
TEST(RawUses, LayoutStaysIfExclusivePassUsesMoreLayers) {
    SomeGraph graph;
    ImageInfo info = some_image();
    info.layers = 2;
    const ImageId image = graph.import_image("image", info, Access::shader_read);
    const ImageId first = graph.part(image, {.layers = 1}), second = graph.part(image, {.layer = 1, .layers = 1});
    const Switch on = graph.add_switch("on");
    {
        const auto scope = graph.only_if(on);
        const VkPipelineStageFlags2 copies = VK_PIPELINE_STAGE_2_COPY_BIT;
        graph.add_command_pass(kept_pass("apart", {raw(first, {.scope = {copies, VK_ACCESS_2_TRANSFER_READ_BIT},
                                                               .layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                                               .reads = true}),
                                                   {second, Access::color_write}}));
    }
    {
        const auto scope = graph.unless(on);
        graph.add_pass(pass("all", {write(image)}));
    }
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("all"), ElementsAre("apart")));
    const PlanGroup& apart = plan.groups.at(1);
    EXPECT_EQ(apart.layout(plan.graph->passes[apart.passes.front()].uses.front().resource),
              VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

/// A use with a name would share GENERAL or a read-only layout. A raw one has its own.
TEST(RawUses, ImageIsInLayoutOfRawUse) {
    constexpr VkImageLayout rate_layout = VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR;
    constexpr VkPipelineStageFlags2 rates = VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
    SomeGraph graph;
    const ImageId rate = graph.image("rate", {.format = VK_FORMAT_R8_UINT, .extent = {16, 16, 1}});
    const ImageId color = graph.import_image("color", some_image(), Access::none);
    graph.add_pass(pass("choose rates", {write(rate)}));
    graph.add_command_pass(
        command_pass("draw", {raw(rate, {.scope = {rates, VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR},
                                         .layout = rate_layout,
                                         .reads = true}),
                              {color, Access::color_write}}));
    graph.add_pass(pass("show rates", {sampled(rate), write(graph.import("shown"))}));
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("choose rates"), ElementsAre("draw"), ElementsAre("show rates")));
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.groups[1].layout(rate.index), rate_layout);
    EXPECT_EQ(plan.groups[1].image_barriers[0].destination.stages, rates);
    SomeGraph other;
    const ImageId image = other.import_image("image", some_image(), Access::transfer_write);
    other.add_command_pass(
        kept_pass("load", {{image, Access::fragment_shader_read}, {other.import("words"), Access::shader_write}}));
    other.add_command_pass(kept_pass(
        "raw",
        {raw(image, {.scope = {fragment, VK_ACCESS_2_SHADER_STORAGE_READ_BIT}, .layout = general, .reads = true})}));
    EXPECT_THAT(other.groups(), ElementsAre(ElementsAre("load"), ElementsAre("raw")));
}

TEST(RawUses, GeneratedCommandsArePreprocessedThenExecuted) {
    SomeGraph graph;
    const WordRef arguments = graph.transient("arguments"), commands = graph.transient("commands");
    graph.add_pass(pass("write arguments", {write(arguments)}));
    graph.add_command_pass(command_pass(
        "preprocess",
        {raw(arguments, {.scope = {preprocesses, VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_NV}, .reads = true}),
         raw(commands, {.scope = {preprocesses, VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_NV}, .writes = true})}));
    graph.add_command_pass(
        kept_pass("execute", {{arguments, Access::indirect_read}, {commands, Access::indirect_read}}));
    const Plan plan = sound_plan(graph);
    const auto has_barrier = [&](std::size_t group, const Scope& from, const Scope& to) {
        return std::any_of(barriers(plan, group).begin(), barriers(plan, group).end(), [&](const auto& barrier) {
            return Scope{barrier.srcStageMask, barrier.srcAccessMask} == from &&
                   Scope{barrier.dstStageMask, barrier.dstAccessMask} == to;
        });
    };
    const Scope preprocess_write{preprocesses, VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_NV},
        preprocess_read{preprocesses, VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_NV},
        execution{indirect, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT};
    EXPECT_TRUE(has_barrier(1, {compute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT}, preprocess_read)) << plan.text();
    EXPECT_TRUE(has_barrier(2, preprocess_write, execution)) << plan.text();
}

/// Each stage is one of its own: a barrier for one does not cover another.
TEST(RawUses, BarrierForOneStageDoesNotCoverAnother) {
    constexpr VkPipelineStageFlags2 copies = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR,
                                    feedback = VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
                                    conditional = VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT;
    const Scope scopes[] = {{builds, reads_built},
                            {copies, reads_built},
                            {traces, reads_built},
                            {preprocesses, VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_NV},
                            {feedback, VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT},
                            {conditional, VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT}};
    SomeGraph graph;
    const WordRef words = graph.import("words");
    graph.add_pass(pass("writer", {write(words)}));
    for (std::size_t i = 0; i < std::size(scopes); ++i) {
        graph.add_command_pass(kept_pass(std::to_string(i), {raw(words, {.scope = scopes[i], .reads = true}),
                                                             {graph.import("last"), Access::transfer_write}}));
    }
    const Plan plan = graph.plan();
    VkPipelineStageFlags2 waiting = 0;
    for (const PlanGroup& group : plan.groups) {
        for (const VkMemoryBarrier2& barrier : group.barriers) {
            waiting |= barrier.dstStageMask;
        }
    }
    for (const Scope& scope : scopes) {
        EXPECT_EQ(waiting & scope.stages, scope.stages) << scope.stages;
    }
}

TEST(RawUses, UnknownStageCountsAsAllCommands) {
    SomeGraph graph;
    const WordRef words = graph.import("words");
    graph.add_pass(pass("writer", {write(words)}));
    graph.add_command_pass(kept_pass(
        "reader", {raw(words, {.scope = {VK_PIPELINE_STAGE_2_MICROMAP_BUILD_BIT_EXT, VK_ACCESS_2_MICROMAP_READ_BIT_EXT},
                               .reads = true})}));
    graph.add_command_pass(kept_pass(
        "copy", {raw(words, {.scope = {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT}, .reads = true})}));
    const Plan plan = sound_plan(graph);
    VkPipelineStageFlags2 waiting = 0;
    for (const VkMemoryBarrier2& barrier : barriers(plan, 1)) {
        waiting |= barrier.dstStageMask;
    }
    EXPECT_NE(waiting & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0U);
    EXPECT_EQ(plan.graph->passes[1].uses[0].raw->scope.access, VK_ACCESS_2_MEMORY_READ_BIT);
    EXPECT_EQ(plan.graph->passes[2].uses[0].raw->scope.stages, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
}

TEST(RawUses, ThroughSetsOfComputePasses) {
    int some_layout = 0;
    SomeGraph graph;
    const WordRef structure = graph.import("structure", build);
    Pass query = pass("query", {write(graph.import("hits"))});
    query.sets = {graph.import_set("scene", reinterpret_cast<VkDescriptorSetLayout>(&some_layout))};
    query.uses = {raw(structure, {.scope = {compute, reads_built}, .reads = true})};
    graph.add_pass(query);
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(barriers(plan, 0).size(), 1U);
    EXPECT_EQ(barriers(plan, 0)[0].srcStageMask, builds);
    EXPECT_EQ(barriers(plan, 0)[0].dstStageMask, compute);
}

TEST(RawUses, QueueWithoutStageIsMistake) {
    expect_mistake(
        "pass 'draw' uses buffer 'words' for raw read, which the compute queue does not support",
        [](SomeGraph& graph) {
            const auto scope = graph.on_queue(on_compute);
            graph.add_command_pass(
                kept_pass("draw", {raw(graph.import("words"),
                                       {.scope = {compute | fragment, VK_ACCESS_2_SHADER_READ_BIT}, .reads = true})}));
        },
        device_with(1));
}

TEST(RawUses, Mistakes) {
    const auto expect = [](const std::string& why, const UseScope& scope, bool is_image = false) {
        const std::string what = is_image ? "image 'image'" : "buffer 'words'";
        const auto resource = [&](SomeGraph& graph) {
            return is_image ? ResourceId(graph.import_image("image", some_image())) : graph.import("words").id;
        };
        expect_mistake("command pass 'pass' uses " + what + " for a raw use that " + why, [&](SomeGraph& graph) {
            graph.add_command_pass(kept_pass("pass", {raw(resource(graph), scope)}));
        });
        expect_mistake(what + " arrives for a raw use that " + why, [&](SomeGraph& graph) {
            if (is_image) {
                graph.import_image("image", some_image(), scope);
            } else {
                graph.import("words", scope);
            }
        });
    };
    expect("has no stages", {.scope = {0, reads_built}, .reads = true});
    expect("neither reads nor writes", {.scope = {traces, reads_built}});
    expect("reads, but has no access that reads", {.scope = {builds, writes_built}, .reads = true, .writes = true});
    expect("writes, but has no access that writes", {.scope = {builds, reads_built}, .writes = true});
    expect("has an access that writes, but does not set UseScope::writes",
           {.scope = {builds, reads_built | writes_built}, .reads = true});
    expect("has a stage or an access of the host; imports arrive and exports leave with Access::host_read or "
           "Access::host_write",
           {.scope = {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT}, .reads = true});
    expect("has the stage TOP_OF_PIPE or BOTTOM_OF_PIPE, which accesses nothing",
           {.scope = {VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, VK_ACCESS_2_MEMORY_READ_BIT}, .reads = true});
    expect("has a layout, which requires an image", {.scope = {traces, reads_built}, .layout = general, .reads = true});
    constexpr Scope load{fragment, VK_ACCESS_2_SHADER_READ_BIT};
    expect("has no layout, which an image requires", {.scope = load, .reads = true}, true);
    expect("has only accesses of buffers", {.scope = {traces, reads_built}, .layout = general, .reads = true}, true);
    expect("has the layout PREINITIALIZED, which no command can use",
           {.scope = load, .layout = VK_IMAGE_LAYOUT_PREINITIALIZED, .reads = true}, true);
    expect_mistake(
        "pass 'pass' declares image 'image' twice: as use 0 for raw read and as use 1 for fragment shader read",
        [&](SomeGraph& graph) {
            const ImageId image = graph.import_image("image", some_image());
            graph.add_command_pass(kept_pass("pass", {raw(image, {.scope = load, .layout = general, .reads = true}),
                                                      {image, Access::fragment_shader_read}}));
        });
    expect_mistake("image 'image' arrives for fragment shader read and raw read, which require different layouts",
                   [&](SomeGraph& graph) {
                       const UseScope raw_load{.scope = load, .layout = general, .reads = true};
                       graph.import_image("image", some_image(), Accesses({Access::fragment_shader_read}, {raw_load}));
                   });
    expect_mistake("add_usage: buffer 'words' is an import; the application creates it with all usage flags",
                   [](SomeGraph& graph) {
                       graph.add_usage(graph.import("words"), VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
                   });
}

} // namespace
} // namespace weir::tests::raw_uses_plan_test

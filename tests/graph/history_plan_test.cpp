// Histories in plans. Device tests are in history_test.cpp.

#include <algorithm>

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::history_plan_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Blends the last frame and the current one into `out`.
struct Blend : SomeGraph {
    History<std::uint32_t> frames = history_buffer<std::uint32_t>("frame", 64);
    WordRef in = import("in"), out = import("out");

    Blend() {
        add_pass(pass("render", {read(in), write(frames.current)}));
        add_pass(pass("blend", {read(frames.previous), read(frames.current), write(out)}));
    }
};

TEST(HistoryPlan, Text) {
    const Blend graph;
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.text(), R"(buffers:
  'frame' history, 256 bytes
  'previous frame' history, 256 bytes
  'in' import, 256 bytes
  'out' import, 256 bytes
group 0:
  1 barrier
    'frame' write after write: outside -> 'render'
    'frame' write after read: outside -> 'render'
  pass 'render'
    'in' shader read
    'frame' shader write
group 1:
  1 barrier
    'previous frame' read after write: outside -> 'blend'
    'frame' read after write: 'render' -> 'blend'
  pass 'blend'
    'previous frame' shader read
    'frame' shader read
    'out' shader write
leave:
  0 barriers
)");
    EXPECT_THAT(plan.json(), HasSubstr(R"("history")"));
}

/// Without the barrier for the writes of the last execution, the hazard check reports a hazard.
TEST(HistoryPlan, WaitsForPreviousExecution) {
    SomeGraph graph;
    const auto frames = graph.history_buffer<std::uint32_t>("frame", 64);
    const WordRef out = graph.import("out");
    graph.add_pass(pass("blend", {read(frames.previous), write(out)}));
    graph.add_pass(pass("render", {write(frames.current)}));
    Plan plan = sound_plan(graph);
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("blend", "render")));
    ASSERT_EQ(barriers(plan, 0).size(), 1U);
    plan.groups[0].barriers[0].srcAccessMask = 0; // an execution dependency alone
    EXPECT_THAT(find_hazards(graph.description(), plan), testing::Not(IsEmpty()));
}

TEST(HistoryPlan, ReadersOfPreviousKeepWriters) {
    SomeGraph graph;
    const auto used = graph.history_buffer<std::uint32_t>("used", 64),
               idle = graph.history_buffer<std::uint32_t>("idle", 64);
    const WordRef out = graph.import("out"), a = graph.transient("a"), unused = graph.transient("unused");
    graph.add_pass(pass("reads previous", {read(used.previous), write(out)}));
    graph.add_pass(pass("reads idle", {read(idle.previous), write(unused)}));
    graph.add_pass(pass("makes", {write(a)}));
    graph.add_pass(pass("writes", {read(a), write(used.current)}));
    graph.add_pass(pass("writes more", {read_write(used.current)}));
    graph.add_pass(pass("writes idle", {read(idle.previous), write(idle.current)})); // only for itself
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("reads previous", "makes"), ElementsAre("writes"), ElementsAre("writes more")));
    EXPECT_THAT(graph.culled(), ElementsAre("reads idle", "writes idle"));
    EXPECT_THAT(sound_plan(graph).used, ElementsAre(true, true, false, false, true, true, false));
}

/// The previous image arrives in the layout in which the current one was left by the execution before.
TEST(HistoryPlan, ImageArrivesInLayoutOfLastUse) {
    SomeGraph graph;
    const HistoryImage frames = graph.history_image("frame", some_image());
    const ImageId out = graph.image("out");
    graph.add_command_pass(command_pass(
        "resolve", {{frames.previous, Access::fragment_shader_read}, {frames.current, Access::color_write}}));
    graph.add_copy("show", frames.current, out);
    graph.export_image(out, Access::fragment_shader_read);
    Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.final_layouts[frames.current.index], for_copies);
    ASSERT_EQ(plan.groups[0].image_barriers.size(), 2U) << plan.text();
    const ImageBarrier &current = plan.groups[0].image_barriers[0], &previous = plan.groups[0].image_barriers[1];
    EXPECT_EQ(current.old_layout, undefined);
    EXPECT_EQ(current.new_layout, for_color);
    EXPECT_EQ(previous.old_layout, for_copies);
    EXPECT_EQ(previous.new_layout, for_sampling);
    EXPECT_EQ(previous.source.stages, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT) << plan.text();
    EXPECT_THAT(plan.text(), HasSubstr("'previous frame' history, R8G8B8A8Unorm 64 x 64"));
    plan.groups[0].image_barriers[1].old_layout = general;
    EXPECT_THAT(find_hazards(graph.description(), plan), testing::Not(IsEmpty()));
}

/// If the last use has the layout of the first one, the previous image takes no image barrier, only the memory barrier.
TEST(HistoryPlan, ImageInOneLayoutTakesNoLayoutChange) {
    SomeGraph graph;
    const HistoryImage frames = graph.history_image("frame", some_image());
    graph.add_pass(pass("blend", {read(frames.previous), write(frames.current)}));
    graph.add_pass(pass("show", {read(frames.current), write(graph.import("out"))}));
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.groups[0].image_barriers.size(), 1U) << plan.text();
    EXPECT_EQ(plan.groups[0].image_barriers[0].resource, frames.current.index);
    EXPECT_EQ(plan.groups[0].barriers.size(), 1U);
}

TEST(HistoryPlan, ImageOnTwoQueuesWaitsForEarlierWrite) {
    SomeGraph graph(device_with(1));
    const HistoryImage frames = graph.history_image("frame", some_image());
    graph.add_pass_on(on_compute, pass("reproject", {sampled(frames.previous), write(graph.import("out"))}));
    graph.add_command_pass(command_pass("draw", {{frames.current, Access::color_write}}));
    const Plan plan = sound_plan(graph);
    const auto waits_for_image = [&](const PlanGroup& group) {
        return !group.waits.empty() &&
               std::any_of(group.waits[0].reasons.begin(), group.waits[0].reasons.end(), [&](const Dependency& reason) {
                   return reason.resource == frames.previous.index && reason.from == Dependency::outside;
               });
    };
    EXPECT_TRUE(std::any_of(plan.groups.begin(), plan.groups.end(), waits_for_image)) << plan.text();
}

TEST(HistoryPlan, MistakesOfImages) {
    expect_mistake("image 'frame' is of a history and has parts, which is not supported", [](SomeGraph& graph) {
        ImageInfo info = some_image();
        info.mips = 2;
        const HistoryImage frames = graph.history_image("frame", info);
        graph.add_clear("clear", graph.part(frames.current, {.mip = 1}), {});
    });
    expect_mistake("history image 'frame' has a compressed format, which is not supported", [](SomeGraph& graph) {
        ImageInfo info = some_image();
        info.format = VK_FORMAT_BC7_UNORM_BLOCK;
        graph.history_image("frame", info);
    });
    expect_mistake("history image 'frame' is exported; only imports and transients can be exported",
                   [](SomeGraph& graph) {
                       const HistoryImage frames = graph.history_image("frame", some_image());
                       graph.add_clear("clear", frames.current, {});
                       graph.export_image(frames.current, Access::any);
                   });
    expect_mistake(
        "pass 'clear' writes image 'previous frame', which is the previous value of a history and can only be read",
        [](SomeGraph& graph) { graph.add_clear("clear", graph.history_image("frame", some_image()).previous, {}); });
}

TEST(HistoryPlan, Mistakes) {
    const auto expect = [](const char* message, const auto& build) {
        expect_mistake(message,
                       [&](SomeGraph& graph) { build(graph, graph.history_buffer<std::uint32_t>("frame", 64)); });
    };
    using Frames = History<std::uint32_t>;
    expect(
        "pass 'render' writes buffer 'previous frame', which is the previous value of a history and can only be read",
        [](SomeGraph& graph, const Frames& frames) { graph.add_pass(pass("render", {write(frames.previous)})); });
    expect("pass 'show' reads buffer 'previous frame', but no pass writes 'frame'",
           [](SomeGraph& graph, const Frames& frames) {
               graph.add_pass(pass("show", {read(frames.previous), write(graph.import("out"))}));
           });
    expect("pass 'show' reads buffer 'frame', which no pass writes", [](SomeGraph& graph, const Frames& frames) {
        graph.add_pass(pass("show", {read(frames.current), write(graph.import("out"))}));
    });
    expect("pass 'add' reads and writes buffer 'frame', which no pass has written before it",
           [](SomeGraph& graph, const Frames& frames) { graph.add_pass(pass("add", {read_write(frames.current)})); });
    expect("history buffer 'frame' is exported; only imports and transients can be exported",
           [](SomeGraph& graph, const Frames& frames) {
               graph.add_pass(pass("render", {write(frames.current)}));
               graph.export_buffer(frames.current);
           });
}

} // namespace
} // namespace weir::tests::history_plan_test

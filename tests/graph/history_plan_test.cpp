// Histories in plans. Device tests are in history_test.cpp.

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

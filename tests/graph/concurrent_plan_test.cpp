// Plans of passes that write one resource concurrently.

#include <algorithm>

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::concurrent_plan_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

VkPipelineStageFlags2 awaited(const Plan& plan, std::size_t group) {
    VkPipelineStageFlags2 stages = 0;
    for (const VkMemoryBarrier2& barrier : barriers(plan, group)) {
        stages |= barrier.srcStageMask;
    }
    return stages;
}

/// Returns the names of the passes that a group waits for because of `resource`.
std::vector<std::string> reasons(const Plan& plan, std::size_t group, ResourceId resource) {
    std::vector<std::string> names;
    for (const Dependency& reason : plan.groups.at(group).dependencies) {
        if (reason.resource == resource.index && reason.from != Dependency::outside) {
            names.push_back(plan.graph->passes[reason.from].name);
        }
    }
    return names;
}

TEST(ConcurrentWrites, AtomicsIntoOneHistogramShareGroup) {
    SomeGraph graph;
    const WordRef bins = graph.transient("bins"), out = graph.import("out");
    graph.add_fill("clear", bins, 0);
    graph.add_pass(pass("red", {concurrent(read_write(bins))}));
    graph.add_pass(pass("green", {concurrent(read_write(bins))}));
    graph.add_pass(pass("blue", {concurrent(read_write(bins))}));
    graph.add_pass(pass("sum", {read(bins), write(out)}));
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("clear"), ElementsAre("red", "green", "blue"), ElementsAre("sum")));
    Plan plan = sound_plan(graph);
    plan.groups[2].barriers.clear();
    EXPECT_THAT(find_hazards(graph.description(), plan), Contains(HasSubstr("'green'")));
}

TEST(ConcurrentWrites, WithoutDeclarationJudgeFindsHazard) {
    SomeGraph graph;
    const WordRef words = graph.import("words");
    graph.add_pass(pass("one", {concurrent(write(words))}));
    graph.add_pass(pass("two", {concurrent(write(words))}));
    const Plan plan = sound_plan(graph);
    GraphDescription ordered = graph.description();
    ordered.passes[1].uses[0].concurrent = false;
    EXPECT_THAT(find_hazards(ordered, plan), Contains(HasSubstr("write after write on 'words': 'two'")));
}

TEST(ConcurrentWrites, NoBarrierBetweenGroups) {
    SomeGraph graph;
    const WordRef bins = graph.import("bins"), size = graph.transient("size");
    graph.add_pass(pass("early", {concurrent(write(bins)), write(size)}));
    graph.add_pass(pass("late", {concurrent(write(bins)), read(size)}));
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("early"), ElementsAre("late")));
    EXPECT_THAT(reasons(plan, 1, bins.id), IsEmpty());
    EXPECT_THAT(reasons(plan, 1, size.id), ElementsAre("early"));
}

TEST(ConcurrentWrites, OtherUsesAreOrderedAgainstAll) {
    SomeGraph graph;
    const WordRef words = graph.import("words"), order = graph.transient("order");
    const ImageId target = graph.import_image("target", some_image(), Access::none);
    graph.add_fill("before", words, 0);
    graph.add_pass(pass("dispatch", {concurrent(write(words)), write(order)}));
    graph.add_command_pass(command_pass("draw", {concurrent(words, Access::fragment_shader_write),
                                                 {order, Access::vertex_read},
                                                 {target, Access::color_write}}));
    graph.add_pass(pass("after", {read(words), write(graph.import("out"))}));
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("before"), ElementsAre("dispatch"), ElementsAre("draw"), ElementsAre("after")));
    EXPECT_THAT(reasons(plan, 2, words.id), ElementsAre("before")); // for its own stage
    EXPECT_THAT(reasons(plan, 3, words.id), testing::UnorderedElementsAre("dispatch", "draw"));
    EXPECT_EQ(awaited(plan, 3), fragment); // the barrier for `order` has waited for the dispatch, and chains
}

/// A read between them that is culled separates them, too: the application has declared an order.
TEST(ConcurrentWrites, OtherUseBetweenThemSeparatesSets) {
    SomeGraph graph;
    const WordRef words = graph.import("words");
    graph.add_pass(pass("one", {concurrent(write(words))}));
    graph.add_pass(pass("unused", {read(words), write(graph.transient("result"))}));
    graph.add_pass(pass("two", {concurrent(write(words))}));
    graph.add_pass(pass("three", {concurrent(write(words))}));
    EXPECT_THAT(graph.culled(), ElementsAre("unused"));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("one"), ElementsAre("two", "three")));
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(reasons(plan, 1, words.id), Contains("one"));
}

TEST(ConcurrentWrites, PassesOnOneTargetShareGroupAndLayoutChange) {
    SomeGraph graph;
    const ImageId atlas = graph.image("atlas");
    for (int i = 0; i < 8; ++i) {
        graph.add_command_pass(command_pass("draw " + std::to_string(i), {concurrent(atlas, Access::color_write)}));
    }
    graph.export_image(atlas, Access::fragment_shader_read);
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.groups.size(), 2U);
    EXPECT_EQ(plan.groups[0].passes.size(), 8U);
    EXPECT_EQ(plan.groups[0].image_barriers.size(), 1U);
    EXPECT_EQ(plan.groups[1].image_barriers.size(), 1U);
}

/// A transient takes over memory. All concurrent writers of it wait for the earlier user of the memory, in other stages
/// and in later groups, too.
TEST(ConcurrentWrites, AllWaitForEarlierUserOfMemory) {
    SomeGraph graph;
    const WordRef before = graph.transient("before"), words = graph.transient("words"),
                  order = graph.transient("order");
    const WordRef out = graph.import("out");
    graph.add_pass(pass("write", {write(before)}));
    graph.add_pass(pass("use", {read(before), write(out), write(order)}));
    graph.add_pass(pass("dispatch", {read(order), concurrent(write(words)), read_write(out)}));
    graph.add_command_pass(
        command_pass("draw", {{out, Access::vertex_read}, concurrent(words, Access::fragment_shader_write)}));
    graph.add_pass(pass("sum", {read(words), read_write(out)}));
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.memory.places[before.id.index], plan.memory.places[words.id.index]) << plan.text();
}

TEST(ConcurrentWrites, QueuesDoNotWaitForEachOther) {
    SomeGraph graph(device_with(1));
    const WordRef words = graph.transient("words"), out = graph.import("out");
    graph.add_fill("clear", words, 0);
    graph.add_pass(pass("on main", {concurrent(read_write(words))}));
    graph.add_pass_on(on_compute, pass("on compute", {concurrent(read_write(words))}));
    graph.add_pass(pass("sum", {read(words), write(out)}));
    const Plan plan = sound_plan(graph);
    for (const PlanGroup& group : plan.groups) {
        for (const GroupWait& wait : group.waits) {
            for (const Dependency& reason : wait.reasons) {
                const bool is_between = reason.from != Dependency::outside && reason.to != Dependency::outside &&
                                        plan.graph->passes[reason.from].uses[0].concurrent &&
                                        plan.graph->passes[reason.to].uses[0].concurrent;
                EXPECT_FALSE(is_between) << plan.text();
            }
        }
    }
}

TEST(ConcurrentWrites, AllWritersOfStateAreKept) {
    SomeGraph graph;
    const WordRef state = graph.state("state");
    graph.add_pass(pass("read", {read(state), write(graph.import("out"))}));
    graph.add_pass(pass("one", {concurrent(read_write(state))}));
    graph.add_pass(pass("two", {concurrent(read_write(state))}));
    EXPECT_THAT(graph.culled(), IsEmpty());
    sound_plan(graph);
}

TEST(ConcurrentWrites, TextAndNestedGraph) {
    SomeGraph inner;
    const WordRef bins = inner.import("bins");
    inner.add_pass(pass("count", {concurrent(read_write(bins))}));
    SomeGraph graph;
    const WordRef all = graph.import("all");
    graph.add_graph(inner, {{bins, all}}, "one");
    graph.add_graph(inner, {{bins, all}}, "two");
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("one/count", "two/count")));
    EXPECT_THAT(graph.plan().text(), HasSubstr("'all' shader read and write, concurrent\n"));
}

TEST(ConcurrentWrites, Mistakes) {
    expect_mistake("pass 'pass' binds buffer 'words' for shader read, concurrent; a concurrent use must write",
                   [](SomeGraph& graph) { graph.add_pass(pass("pass", {concurrent(read(graph.import("words")))})); });
    expect_mistake("command pass 'pass' uses buffer 'words' for index read, concurrent; a concurrent use must write",
                   [](SomeGraph& graph) {
                       graph.add_command_pass(
                           kept_pass("pass", {concurrent(graph.import("words"), Access::index_read)}));
                   });
    expect_mistake("pass 'two' reads and writes buffer 'words', which no pass has written before it",
                   [](SomeGraph& graph) {
                       const WordRef words = graph.transient("words");
                       graph.add_pass(pass("one", {concurrent(write(words))}));
                       graph.add_pass(pass("two", {concurrent(read_write(words))}));
                       graph.export_buffer(words);
                   });
}

TEST(UndefinedContents, WholeImageOfWhichAPartIsWritten) {
    const auto build = [](SomeGraph& graph, bool is_allowed) {
        ImageInfo info = some_image();
        info.layers = 4;
        const ImageId atlas = graph.image("atlas", info);
        graph.add_clear("clear", atlas, {}, {.layer = 1});
        graph.add_pass(pass("sample", {sampled(atlas), write(graph.import("out"))}));
        if (is_allowed) {
            graph.allow_undefined(graph.part(atlas, {.layer = 2, .layers = 1})); // for the whole image
        } else {
            graph.part(atlas, {.layer = 2, .layers = 1});
        }
    };
    expect_mistake("pass 'sample' reads image 'atlas layer 0', which no pass writes",
                   [&](SomeGraph& graph) { build(graph, false); });
    SomeGraph graph;
    build(graph, true);
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("clear"), ElementsAre("sample")));
}

TEST(UndefinedContents, OtherLayerThanIsWritten) {
    SomeGraph graph;
    ImageInfo info = some_image();
    info.layers = 2;
    const ImageId image = graph.image("image", info);
    graph.allow_undefined(image);
    graph.add_pass(pass("write", {write(graph.part(image, {.layer = 0, .layers = 1}))}));
    graph.add_pass(pass("read", {read(graph.part(image, {.layer = 1, .layers = 1})), write(graph.import("out"))}));
    EXPECT_THAT(graph.culled(), ElementsAre("write"));
    sound_plan(graph);
}

TEST(UndefinedContents, ImageThatArrivesWithoutContents) {
    expect_mistake("pass 'blend' reads image 'target', which arrives without contents", [](SomeGraph& graph) {
        graph.add_command_pass(command_pass(
            "blend", {{graph.import_image("target", some_image(), Access::none), Access::color_read_write}}));
    });
    SomeGraph graph;
    const ImageId target = graph.import_image("target", some_image(), Access::none);
    graph.allow_undefined(target);
    graph.add_command_pass(command_pass("blend", {{target, Access::color_read_write}}));
    sound_plan(graph);
}

/// Reads of a buffer before its first write come after the earlier user of its memory, in each stage.
TEST(UndefinedContents, ReadsWaitForEarlierUserOfMemory) {
    SomeGraph graph;
    const WordRef before = graph.transient("before"), words = graph.transient("words"), out = graph.import("out");
    graph.allow_undefined(words);
    graph.add_pass(pass("write", {write(before)}));
    graph.add_pass(pass("use", {read(before), write(out)}));
    graph.add_pass(pass("read", {read(words), read_write(out)}));
    graph.add_command_pass(kept_pass("draw", {{out, Access::index_read}, {words, Access::vertex_read}}));
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.memory.places[before.id.index], plan.memory.places[words.id.index]) << plan.text();
}

TEST(Exports, ImportThatNoPassWritesKeepsContents) {
    SomeGraph graph;
    const WordRef words = graph.import("words", Access::transfer_write);
    const ImageId image = graph.import_image("image", some_image(), Access::color_write);
    graph.add_pass(pass("unused", {read(words), write(graph.transient("result"))}));
    graph.export_buffer(words, Access::vertex_read);
    graph.export_image(image, Access::fragment_shader_read);
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(graph.culled(), ElementsAre("unused"));
    ASSERT_EQ(leaving(plan).size(), 1U);
    EXPECT_EQ(leaving(plan)[0].dstAccessMask, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
    ASSERT_EQ(plan.groups.back().image_barriers.size(), 1U);
    EXPECT_EQ(plan.groups.back().image_barriers[0].old_layout, for_color);
    EXPECT_EQ(plan.groups.back().image_barriers[0].new_layout, for_sampling);
    expect_mistake("image 'image' is exported, but no pass writes it", [](SomeGraph& empty) {
        empty.export_image(empty.import_image("image", some_image(), Access::none), Access::fragment_shader_read);
    });
    expect_mistake("buffer 'words' is exported, but no pass writes it",
                   [](SomeGraph& empty) { empty.export_buffer(empty.transient("words")); });
}

} // namespace
} // namespace weir::tests::concurrent_plan_test

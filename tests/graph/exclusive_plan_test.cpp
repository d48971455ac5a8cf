// Plans of passes under a switch and under its complement, which never run in the same execution.

#include <algorithm>

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::exclusive_plan_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::UnorderedElementsAre;

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

TEST(Exclusive, BranchesThatWriteOneBufferShareGroup) {
    SomeGraph graph;
    const WordRef words = graph.transient("words"), out = graph.import("out");
    const Switch fast = graph.add_switch("fast");
    graph.add_fill("clear", words, 0);
    {
        const auto scope = graph.only_if(fast);
        graph.add_pass(pass("rough", {read_write(words)}));
    }
    {
        const auto scope = graph.unless(fast);
        graph.add_pass(pass("exact", {read_write(words)}));
    }
    graph.add_pass(pass("use", {read(words), write(out)}));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("clear"), ElementsAre("rough", "exact"), ElementsAre("use")));
    Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.groups[1].barriers.size(), 1U);
    EXPECT_THAT(reasons(plan, 2, words), UnorderedElementsAre("rough", "exact"));
    plan.groups[2].barriers.clear();
    EXPECT_THAT(find_hazards(graph.description(), plan), Contains(HasSubstr("'exact'")));
    EXPECT_THAT(find_hazards(graph.description(), plan), Contains(HasSubstr("'rough'")));
}

TEST(Exclusive, BranchesThatDrawOneImageShareLayoutChange) {
    SomeGraph graph;
    const ImageId light = graph.image("light");
    const WordRef out = graph.import("out");
    const Switch fog = graph.add_switch("fog");
    {
        const auto scope = graph.only_if(fog);
        graph.add_command_pass(command_pass("foggy", {{light, Access::color_write}}));
    }
    {
        const auto scope = graph.unless(fog);
        graph.add_command_pass(command_pass("clear", {{light, Access::color_write}}));
    }
    graph.add_pass(pass("use", {sampled(light), write(out)}));
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("foggy", "clear"), ElementsAre("use")));
    EXPECT_EQ(plan.groups[0].image_barriers.size(), 1U);
    EXPECT_THAT(reasons(plan, 1, light), UnorderedElementsAre("foggy", "clear"));
}

TEST(Exclusive, BranchesInDifferentLayoutsAreInDifferentGroups) {
    SomeGraph graph;
    const ImageId light = graph.image("light");
    const WordRef out = graph.import("out");
    const Switch fog = graph.add_switch("fog");
    {
        const auto scope = graph.only_if(fog);
        graph.add_command_pass(command_pass("draw", {{light, Access::color_write}}));
    }
    {
        const auto scope = graph.unless(fog);
        graph.add_command_pass(command_pass("clear", {{light, Access::transfer_write}}));
    }
    graph.add_pass(pass("use", {sampled(light), write(out)}));
    sound_plan(graph);
    EXPECT_EQ(graph.groups().size(), 3U);
}

/// The passes of the other branch do not come between a pass and the value that it overwrites.
TEST(Exclusive, LaterPassOfBranchFindsWhatOtherBranchOverwrites) {
    SomeGraph graph;
    const WordRef words = graph.transient("words"), out = graph.import("out");
    const Switch s = graph.add_switch("s");
    graph.add_fill("clear", words, 0);
    {
        const auto scope = graph.only_if(s);
        graph.add_pass(pass("first", {read_write(words)}));
        graph.add_pass(pass("second", {read_write(words)}));
    }
    {
        const auto scope = graph.unless(s);
        graph.add_pass(pass("only", {read_write(words)}));
    }
    graph.add_pass(pass("use", {read(words), write(out)}));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("clear"), ElementsAre("first", "only"), ElementsAre("second"),
                                            ElementsAre("use")));
    sound_plan(graph);
}

TEST(Exclusive, NestedBranchesAreExclusive) {
    SomeGraph graph;
    const WordRef words = graph.transient("words"), out = graph.import("out");
    const Switch s = graph.add_switch("s"), t = graph.add_switch("t");
    {
        const auto outer = graph.only_if(s);
        {
            const auto inner = graph.only_if(t);
            graph.add_pass(pass("both", {write(words)}));
        }
        {
            const auto inner = graph.unless(t);
            graph.add_pass(pass("s alone", {write(words)}));
        }
    }
    {
        const auto outer = graph.unless(s);
        graph.add_pass(pass("neither", {write(words)}));
    }
    {
        const auto other = graph.only_if(t);
        graph.add_pass(pass("t", {write(words)}));
    }
    graph.add_pass(pass("use", {read(words), write(out)}));
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("both", "s alone", "neither"), ElementsAre("t"), ElementsAre("use")));
    sound_plan(graph);
}

TEST(Exclusive, SwitchesWithoutComplementKeepOrder) {
    SomeGraph graph;
    const WordRef words = graph.import("words");
    const Switch s = graph.add_switch("s"), t = graph.add_switch("t");
    {
        const auto scope = graph.only_if(s);
        graph.add_pass(pass("one", {write(words)}));
    }
    {
        const auto scope = graph.unless(t);
        graph.add_pass(pass("two", {write(words)}));
    }
    sound_plan(graph);
    EXPECT_EQ(graph.groups().size(), 2U);
}

TEST(Exclusive, BranchesOnTwoQueuesAreOrderedAfterSource) {
    SomeGraph graph(device_with(1));
    const WordRef words = graph.transient("words"), out = graph.import("out");
    const Switch async = graph.add_switch("async");
    graph.add_fill("clear", words, 0);
    {
        const auto scope = graph.only_if(async);
        const auto queue = graph.on_queue(on_compute);
        graph.add_pass(pass("next to", {read_write(words)}));
    }
    {
        const auto scope = graph.unless(async);
        graph.add_pass(pass("in line", {read_write(words)}));
    }
    graph.add_pass(pass("use", {read(words), write(out)}));
    sound_plan(graph);
}

/// Two scratch buffers of branches, each alive in two groups.
struct Scratch : SomeGraph {
    WordRef out = import("out"), one, other;
    explicit Scratch(std::uint32_t words) {
        const Switch s = add_switch("s");
        {
            const auto scope = only_if(s);
            one = scratch("one", words);
        }
        {
            const auto scope = unless(s);
            other = scratch("other", words);
        }
    }
    WordRef scratch(const std::string& name, std::uint32_t words) {
        const WordRef made = transient(name, words);
        add_pass(pass("write " + name, {write(made)}));
        add_pass(pass("read " + name, {read(made), write(out)}));
        return made;
    }
};

TEST(Exclusive, BuffersOfBranchesShareMemory) {
    const Scratch graph(1024);
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(graph.groups().size(), 2U) << plan.text();
    EXPECT_EQ(plan.memory.places[graph.one.id.index], plan.memory.places[graph.other.id.index]);
    EXPECT_EQ(plan.memory.bytes(), 4096U);
    EXPECT_EQ(plan.memory.alive, 4096U);
    EXPECT_EQ(plan.memory.apart, 8192U);
}

/// A buffer that takes the memory after both waits for both.
TEST(Exclusive, NextBufferWaitsForBothBranches) {
    Scratch graph(1024);
    const WordRef next = graph.transient("next", 1024);
    graph.add_pass(pass("write next", {read(graph.out), write(next)}));
    graph.add_pass(pass("read next", {read(next), write(graph.out)}));
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.memory.bytes(), 4096U) << plan.text();
    EXPECT_THAT(reasons(plan, 2, next.id), IsSupersetOf({"read one", "read other"})) << plan.text();
}

/// Buffers that take memory in one group wait for its earlier users in their own stages.
TEST(Exclusive, BothBranchesWaitForEarlierBuffer) {
    SomeGraph graph;
    const WordRef out = graph.import("out"), before = graph.transient("before", 1024),
                  one = graph.transient("one", 1024), other = graph.transient("other", 1024);
    const Switch s = graph.add_switch("s");
    graph.add_pass(pass("write before", {write(before)}));
    graph.add_pass(pass("read before", {read(before), write(out)}));
    {
        const auto scope = graph.only_if(s);
        graph.add_pass(pass("write one", {read(out), write(one)}));
        graph.add_pass(pass("read one", {read(one), write(out)}));
    }
    {
        const auto scope = graph.unless(s);
        graph.add_copy("write other", out, other, 256);
        graph.add_copy("read other", other, out, 256);
    }
    const Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.memory.bytes(), 4096U) << plan.text();
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("write before"), ElementsAre("read before"),
                            ElementsAre("write one", "write other"), ElementsAre("read one", "read other")));
    EXPECT_THAT(reasons(plan, 2, one.id), Contains("read before"));
    EXPECT_THAT(reasons(plan, 2, other.id), Contains("read before"));
}

/// The layouts of images change in all executions.
TEST(Exclusive, ImagesOfBranchesKeepMemoryApart) {
    SomeGraph graph;
    const WordRef out = graph.import("out");
    const Switch s = graph.add_switch("s");
    const auto scratch = [&](const std::string& name) {
        const ImageId made = graph.image(name);
        graph.add_command_pass(command_pass("draw " + name, {{made, Access::color_write}}));
        graph.add_pass(pass("read " + name, {sampled(made), write(out)}));
    };
    {
        const auto scope = graph.only_if(s);
        scratch("one");
    }
    {
        const auto scope = graph.unless(s);
        scratch("other");
    }
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(graph.groups().size(), 2U) << plan.text();
    EXPECT_EQ(plan.memory.bytes(), plan.memory.apart);
}

TEST(Exclusive, ReadOfWhatOnlyOtherBranchWritesIsError) {
    SomeGraph graph;
    const WordRef words = graph.transient("words"), out = graph.import("out");
    const Switch s = graph.add_switch("s");
    {
        const auto scope = graph.only_if(s);
        graph.add_pass(pass("writer", {write(words)}));
    }
    const auto scope = graph.unless(s);
    graph.add_pass(pass("reader", {read(words), write(out)}));
    EXPECT_THAT(graph.mistake(),
                HasSubstr("pass 'reader' reads buffer 'words', which no pass has written before it that "
                          "can run in the same execution"));
}

TEST(Exclusive, UnlessOfNoSwitchIsError) {
    SomeGraph graph, other;
    { const auto scope = graph.unless({}); }
    EXPECT_THAT(graph.mistake(), HasSubstr("unless: the switch is null"));
    SomeGraph again;
    { const auto scope = again.unless(other.add_switch("s")); }
    EXPECT_THAT(again.mistake(), HasSubstr("unless: the switch is of another graph"));
}

TEST(Exclusive, DumpsNameSwitchesThatMustBeOff) {
    SomeGraph graph;
    const WordRef words = graph.import("words");
    const Switch s = graph.add_switch("s"), t = graph.add_switch("t");
    const auto on = graph.only_if(t), off = graph.unless(s);
    graph.add_pass(pass("one", {write(words)}));
    const Plan plan = graph.plan();
    EXPECT_THAT(plan.text(), HasSubstr("pass 'one' only if 't' unless 's'"));
    EXPECT_THAT(plan.json(), HasSubstr(R"("unless")"));
}

/// Copies of a graph have switches of their own.
TEST(Exclusive, SubgraphKeepsItsBranches) {
    SomeGraph inner;
    const WordRef in = inner.import("in");
    const Switch s = inner.add_switch("s");
    {
        const auto scope = inner.only_if(s);
        inner.add_pass(pass("on", {write(in)}));
    }
    {
        const auto scope = inner.unless(s);
        inner.add_pass(pass("off", {write(in)}));
    }
    SomeGraph graph;
    const WordRef words = graph.import("words");
    graph.add_switch("another");
    graph.add_graph(inner, {{in, words}}, "inner");
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("inner/on", "inner/off")));
    sound_plan(graph);
}

} // namespace
} // namespace weir::tests::exclusive_plan_test

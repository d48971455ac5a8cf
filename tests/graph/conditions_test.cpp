// Passes under conditions in graphs and plans. Device tests are in switches_test.cpp.

#include "engine/base/strings.hpp"
#include "graph/describe/dispatch.hpp"
#include "tests/graph/graphs.hpp"

namespace weir::tests::conditions_test {
namespace {

using testing::ElementsAre;

/// Returns the name and the conditions of each pass.
std::vector<std::string> passes_of(const Graph& graph) {
    std::vector<std::string> out;
    for (const auto& pass : graph.description().passes) {
        std::string text = pass.name;
        for (const auto& condition : pass.conditions) {
            const auto* count = std::get_if<Count>(&condition);
            text += count == nullptr ? " if switch " + std::to_string(std::get<Switch>(condition).index)
                                     : " if count " + std::to_string(count->max);
        }
        out.push_back(text);
    }
    return out;
}

/// Returns the buffer with the arguments of a pass's dispatch, or BufferId::none.
std::uint32_t arguments_of(const Graph& graph, std::size_t pass) {
    const Dispatch& dispatch = graph.description().passes.at(pass).compute_pass()->dispatch;
    return dispatch.kind == Dispatch::Kind::indirect ? dispatch.arguments.index : BufferId::none;
}

TEST(Conditions, ApplyToPassesInScope) {
    SomeGraph graph;
    const WordRef out = graph.import("out");
    const Switch a = graph.add_switch("a"), b = graph.add_switch("b", false);
    const Count n = graph.parameter("n", 9);
    graph.add_pass(pass("before", {write(out)}));
    {
        const auto outer = graph.only_if(a);
        graph.add_pass(pass("in a", {write(out)}));
        {
            const auto inner = graph.only_if(b), again = graph.only_if(a), counted = graph.only_if(n),
                       always = graph.only_if(Count(3)), never = graph.only_if(Count(0));
            graph.add_fill("in all", out, 0);
        }
        graph.add_pass(pass("in a again", {write(out)}));
    }
    graph.add_pass(pass("after", {write(out)}));
    EXPECT_THAT(passes_of(graph),
                ElementsAre("before", "in a if switch 0", "in all if switch 0 if switch 1 if count 9 if count 0",
                            "in a again if switch 0", "after"));
    EXPECT_EQ(graph.mistake(), "no mistake");
}

TEST(Conditions, AppearInPlanDumps) {
    SomeGraph graph;
    const WordRef count = graph.import("count"), out = graph.import("out");
    {
        const auto switched = graph.only_if(graph.add_switch("drawing"));
        const auto counted = graph.only_if(graph.count_in(count, 5, 10));
        graph.add_pass(pass("draw", {write(out)}, Dispatch::groups(3, 2)));
    }
    EXPECT_EQ(graph.plan().text(), R"(buffers:
  'count' import, 256 bytes
  'out' import, 256 bytes
  'dispatch arguments of count' transient, 12 bytes, at 0
memory: 256 bytes (apart 256, alive at once 256)
group 0:
  1 barrier
    'dispatch arguments of count' write after write: outside -> 'dispatch arguments of count'
    'dispatch arguments of count' write after read: outside -> 'dispatch arguments of count'
  pass 'dispatch arguments of count' only if 'drawing'
    'count' shader read
    'dispatch arguments of count' shader write
group 1:
  1 barrier
    'dispatch arguments of count' read after write: 'dispatch arguments of count' -> 'draw'
  pass 'draw' only if 'drawing' and 'word 5 of count'
    'out' shader write
    'dispatch arguments of count' indirect read
leave:
  0 barriers
)");
    EXPECT_THAT(graph.plan().json(), HasSubstr(R"("drawing")"));
    EXPECT_THAT(graph.plan().dot(), HasSubstr("draw only if 'drawing' and 'word 5 of count'"));
}

TEST(Conditions, ParameterConditionHasItsName) {
    SomeGraph graph;
    const WordRef out = graph.import("out");
    graph.add_pass_if(graph.parameter("enemies", 10), pass("move", {write(out)}));
    EXPECT_THAT(graph.plan().text(), HasSubstr("  pass 'move' only if 'enemies'\n"));
    EXPECT_THAT(graph.plan().json(), HasSubstr("\"enemies\""));
}

/// A pass without the switch cannot use arguments that are computed only under a switch. A pass under a switch can use
/// arguments that are always computed.
TEST(Conditions, ArgumentsExistForEveryPassThatRuns) {
    SomeGraph graph;
    const WordRef counts = graph.import("counts"), out = graph.import("out");
    const auto by_count = Dispatch::elements(graph.count_in(counts, 0, 64), 32);
    const Switch a = graph.add_switch("a"), b = graph.add_switch("b");
    graph.add_pass_if(a, pass("1", {write(out)}, by_count));
    graph.add_pass(pass("2", {write(out)}, by_count));
    graph.add_pass_if(b, pass("3", {write(out)}, by_count));
    EXPECT_THAT(passes_of(graph), ElementsAre("dispatch arguments of counts if switch 0", "1 if switch 0",
                                              "dispatch arguments of counts", "2", "3 if switch 1"));
    EXPECT_NE(arguments_of(graph, 1), arguments_of(graph, 3));
    EXPECT_EQ(arguments_of(graph, 3), arguments_of(graph, 4));
}

TEST(Conditions, DirectCountNeedsArgumentsOnlyUnderGate) {
    SomeGraph graph;
    const WordRef counts = graph.import("counts"), out = graph.import("out");
    const Count count = graph.count_in(counts, 0, 70).direct();
    graph.add_pass(pass("direct", {write(out)}, Dispatch::elements(count, 32)));
    graph.add_pass_if(graph.count_in(counts, 1, 1), pass("gated", {write(out)}, Dispatch::elements(count, 32)));
    EXPECT_THAT(passes_of(graph), ElementsAre("direct", "dispatch arguments of counts", "gated if count 1"));
    EXPECT_EQ(graph.mistake(), "no mistake");
    EXPECT_EQ(Count(5).direct(), Count(5));
    EXPECT_NE(count, graph.count_in(counts, 0, 70));
}

TEST(Conditions, GpuCountGatesAllDispatches) {
    SomeGraph graph;
    const WordRef counts = graph.import("counts"), out = graph.import("out"), arguments = graph.import("arguments");
    const Count n = graph.parameter("n", 1000), gate = graph.count_in(counts, 1, 1);
    {
        const auto scope = graph.only_if(gate);
        graph.add_pass(pass("groups", {write(out)}, Dispatch::groups(70000, 1)));
        graph.add_pass(pass("parameter", {write(out)}, Dispatch::elements(n, 64)));
        graph.add_pass(pass("counted", {write(out)}, Dispatch::elements(graph.count_in(counts, 0, 64), 64)));
        graph.add_pass(pass("indirect", {write(out)}, Dispatch::indirect(arguments, 3)));
        graph.add_pass(pass("groups again", {write(out)}, Dispatch::groups(70000, 1)));
        graph.add_fill("fill", out, 7);
        graph.add_copy("copy", arguments, out, 16);
    }
    graph.add_pass(
        pass("counted, without a gate", {write(out)}, Dispatch::elements(graph.count_in(counts, 0, 64), 64)));
    EXPECT_THAT(passes_of(graph),
                ElementsAre("dispatch arguments of counts", "groups if count 1", "parameter if count 1",
                            "counted if count 1", "dispatch arguments of counts", "indirect if count 1",
                            "groups again if count 1", "fill if count 1", "copy if count 1",
                            "dispatch arguments of counts", "counted, without a gate"));
    EXPECT_EQ(arguments_of(graph, 1), arguments_of(graph, 6));
    EXPECT_EQ(graph.mistake(), "no mistake");
}

/// The maximum number of workgroups is checked against the device's limits also for dispatches that a count on the GPU
/// makes indirect.
TEST(Conditions, LimitsApplyToMaximumWorkgroups) {
    static constexpr std::uint32_t most = 65535; // in x, y and z
    const auto groups = [](const Dispatch& dispatch, const std::optional<Count>& count = {}) {
        SomeGraph inner, outer;
        const WordRef in = inner.import("in"), out = inner.import("out");
        Dispatch made = dispatch;
        if (count) {
            made.count = inner.count_in(in, 0, count->max);
        }
        inner.add_pass_if(inner.count_in(in, 1, 1), pass("under a count", {write(out)}, made));
        const auto scope = outer.only_if(outer.count_in(outer.import("count"), 0, 1));
        outer.add_graph(inner, {{in, outer.import("in")}, {out, outer.import("out")}}, "inner");
        EXPECT_EQ(outer.mistake(), "no mistake");
        const Dispatch& last = outer.description().passes.back().compute_pass()->dispatch;
        EXPECT_EQ(last.kind, Dispatch::Kind::indirect);
        EXPECT_EQ(last.x, inner.description().passes.back().compute_pass()->dispatch.x);
        const auto checked = check_groups(last, some_device());
        return checked ? "fine" : checked.error().message;
    };
    const auto past = [](std::uint32_t count, const char* axis) {
        return concat("a dispatch has up to ", count, " workgroups in ", axis, "; the device's limit is ", most,
                      " (maxComputeWorkGroupCount)");
    };
    EXPECT_EQ(groups(Dispatch::groups(most, most, most)), "fine");
    EXPECT_EQ(groups(Dispatch::groups(most + 1)), past(most + 1, "x"));
    EXPECT_EQ(groups(Dispatch::groups(1, most + 1)), past(most + 1, "y"));
    EXPECT_EQ(groups(Dispatch::groups(1, 1, most + 1)), past(most + 1, "z"));
    EXPECT_EQ(groups(Dispatch::elements(most * most, 1)), "fine");
    EXPECT_EQ(groups(Dispatch::elements(most * most + 1, 1)), past(most + 1, "y"));
    EXPECT_EQ(groups(Dispatch::elements(0, 1), Count(most * most)), "fine");
    EXPECT_EQ(groups(Dispatch::elements(0, 1), Count(most * most + 1)), past(most + 1, "y"));
}

/// The inner gate is one count that is 0 if either count is 0. The pass in between writes the inner count.
TEST(Conditions, NestedGates) {
    SomeGraph graph;
    const WordRef a = graph.import("a"), b = graph.import("b"), out = graph.import("out");
    {
        const auto outer = graph.only_if(graph.count_in(a, 0, 9));
        graph.add_pass(pass("writes b", {write(b)}));
        {
            const auto inner = graph.only_if(graph.count_in(b, 0, 8));
            graph.add_pass(pass("in both", {write(out)}));
        }
        graph.add_pass(pass("in outer", {write(out)}));
    }
    EXPECT_THAT(passes_of(graph),
                ElementsAre("dispatch arguments of a", "writes b if count 9", "dispatch arguments of a",
                            "dispatch arguments of a", "in both if count 9 if count 8", "in outer if count 9"));
    EXPECT_THAT(graph.description().passes[2].accesses(), testing::SizeIs(3)); // reads b and a, writes
}

/// If passes of a scope write its count, the scope uses the value from before them, also after a nested scope.
TEST(Conditions, ScopeUsesCountAtItsBegin) {
    SomeGraph graph;
    const WordRef counts = graph.import("counts"), out = graph.import("out");
    const Switch on = graph.add_switch("on");
    {
        const auto scope = graph.only_if(graph.count_in(counts, 0, 9));
        graph.add_pass(pass("reads", {read(counts), write(out)}));
        {
            const auto switched = graph.only_if(on);
            graph.add_pass(pass("writes", {write(counts)}));
        }
        graph.add_pass(pass("after", {write(out)}));
        graph.add_pass(pass("writes again", {write(counts)}));
    }
    graph.add_pass(pass("outside", {write(out)}, Dispatch::elements(graph.count_in(counts, 0, 9), 1)));
    EXPECT_THAT(passes_of(graph),
                ElementsAre("dispatch arguments of counts", "reads if count 9", "dispatch arguments of counts",
                            "writes if count 9 if switch 0", "dispatch arguments of counts", "after if count 9",
                            "writes again if count 9", "dispatch arguments of counts", "outside"));
    // The copy of the count, and a pass that uses it.
    const auto& copy = graph.description().passes[2];
    EXPECT_EQ(copy.uses[0].resource, counts.id.index);
    EXPECT_EQ(graph.description().passes[4].uses[0].resource, copy.uses[1].resource);
}

TEST(Conditions, Mistakes) {
    SomeGraph other;
    const Switch foreign = other.add_switch("foreign");
    expect_mistake(HasSubstr("the switch is of another graph"),
                   [&](SomeGraph& graph) { const auto scope = graph.only_if(foreign); });
    expect_mistake(HasSubstr("only_if: the switch is null"),
                   [](SomeGraph& graph) { const auto scope = graph.only_if(Switch{}); });
    expect_mistake(HasSubstr("uses a buffer of another graph"), [&](SomeGraph& graph) {
        const auto scope = graph.only_if(other.count_in(other.import("n"), 0, 4));
    });
    expect_mistake(HasSubstr("uses a parameter of another graph"),
                   [&](SomeGraph& graph) { const auto scope = graph.only_if(other.parameter("n", 4)); });
    // The GPU cannot skip commands of a command pass.
    SomeGraph drawing;
    drawing.add_command_pass(command_pass("draw", {{drawing.import("corners"), Access::vertex_read}}));
    for (const bool is_inner : {false, true}) {
        SomeGraph graph;
        const auto scope = graph.only_if(graph.count_in(graph.import("count"), 0, 4));
        if (is_inner) {
            graph.add_graph(drawing, {}, "inner");
        } else {
            graph.add_command_pass(command_pass("draw", {{graph.import("corners"), Access::vertex_read}}));
        }
        EXPECT_EQ(graph.mistake(), is_inner
                                       ? "graph 'inner': pass 'draw' is not supported inside only_if of a GPU count"
                                       : "command pass 'draw' is not supported inside only_if of a GPU count");
    }
}

} // namespace
} // namespace weir::tests::conditions_test

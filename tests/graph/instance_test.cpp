// Graphs as nodes of other graphs. Device tests are in nested_test.cpp.

#include "tests/graph/graphs.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::instance_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

/// in -> half -> out, with a state, a history, a parameter, a switch and a count on the GPU.
struct Inner : SomeGraph {
    WordRef in = import("in", Access::transfer_write), sum = state("sum"), half = transient("half"),
            out = transient("out");
    History<std::uint32_t> last = history_buffer<std::uint32_t>("last", 64);
    Count n = parameter("n", 50);
    Switch on = add_switch("on", false);

    Inner() {
        add_pass(pass("halve", {read(in), write(half)}, Dispatch::elements(n, 32)));
        {
            const auto scope = only_if(on);
            add_fill("fill", sum, 3);
        }
        add_pass(pass("add", {read(half), read_write(sum), read(last.previous), write(last.current)},
                      Dispatch::elements(count_in(sum, 2, 64), 16)));
        add_copy("copy", last.current, out, 64);
        export_buffer(out, Access::transfer_read);
    }
};

TEST(Instance, HasCopiesOfAllParts) {
    const Inner inner;
    SomeGraph graph;
    const WordRef source = graph.import("source"), result = graph.import("result");
    graph.parameter("first", 1);
    graph.add_switch("first");
    const Subgraph one = graph.add_graph(inner, {{inner.in, source}}, "one");
    const Subgraph two = graph.add_graph(inner, {{inner.in, one.buffer(inner.out)}}, "two");
    graph.add_copy("keep", two.buffer(inner.out), result, 256);
    EXPECT_EQ(one.count(inner.n).parameter, 1U);
    EXPECT_EQ(two.count(inner.n).parameter, 2U);
    EXPECT_EQ(two.count(Count(7)), Count(7));
    EXPECT_EQ(two.flag(inner.on).index, 2U);
    EXPECT_EQ(two.buffer(inner.half).capacity, 64U);
    EXPECT_EQ(two.buffer(inner.in).id, one.buffer(inner.out).id);
    EXPECT_EQ(one.buffer(inner.in).id, source.id);
    EXPECT_EQ(graph.description().parameters[2].name, "two/n");
    EXPECT_EQ(graph.description().switches[1].name, "one/on");
    EXPECT_FALSE(graph.description().switches[1].on);
    EXPECT_THAT(graph.groups(),
                ElementsAre(ElementsAre("one/halve", "one/fill", "two/fill"),
                            ElementsAre("one/dispatch arguments of sum", "two/dispatch arguments of sum"),
                            ElementsAre("one/add"), ElementsAre("one/copy"), ElementsAre("two/halve"),
                            ElementsAre("two/add"), ElementsAre("two/copy"), ElementsAre("keep")));
    const auto text = graph.plan().text();
    for (const char* line :
         {"'one/sum' state, 256 bytes", "'two/sum' state", "'two/half' transient", "'one/out' transient",
          "'two/previous last' history", "pass 'two/fill' only if 'two/on'"}) {
        EXPECT_THAT(text, HasSubstr(line));
    }
    sound_plan(graph);
}

/// A pass of the inner graph is under its own conditions and those of the outer graph. Its arguments are computed once.
TEST(Instance, InheritsConditions) {
    SomeGraph inner;
    const WordRef data = inner.import("data"), counts = inner.import("counts");
    {
        const auto scope = inner.only_if(inner.add_switch("detail")),
                   counted = inner.only_if(inner.count_in(counts, 1, 5));
        inner.add_pass(pass("a", {read_write(data)}));
        inner.add_fill("b", data, 1);
    }
    SomeGraph graph;
    const WordRef outer_data = graph.import("d"), outer_counts = graph.import("c");
    {
        const auto scope = graph.only_if(graph.add_switch("all")),
                   counted = graph.only_if(graph.count_in(outer_counts, 0, 9));
        graph.add_graph(inner, {{data, outer_data}, {counts, outer_counts}}, "inner");
    }
    std::vector<std::string> names;
    for (const auto& node : graph.description().passes) {
        names.push_back(node.name);
        EXPECT_EQ(node.conditions.size(), node.computes_arguments ? 2U : 4U) << node.name;
    }
    EXPECT_THAT(names,
                ElementsAre("inner/dispatch arguments of counts", "dispatch arguments of c", "inner/a", "inner/b"));
    sound_plan(graph);
}

TEST(Instance, FillIsLimitedToImport) {
    SomeGraph inner;
    const WordRef data = inner.import("data");
    inner.add_fill("fill", data, 1);
    SomeGraph graph;
    const auto larger = graph.import_buffer<std::uint32_t>("larger", 1000);
    graph.add_graph(inner, {{data, larger}}, "inner");
    EXPECT_EQ(std::get<GraphDescription::Fill>(graph.description().passes[0].work).bytes, 256U);
}

TEST(Instance, UnusedPassesAreCulled) {
    const Inner inner;
    SomeGraph graph;
    graph.add_graph(inner, {{inner.in, graph.import("source")}}, "one");
    EXPECT_THAT(graph.groups(), IsEmpty());
    EXPECT_EQ(graph.culled().size(), 5U);
}

TEST(Instance, Mistakes) {
    const Inner inner;
    const auto expect_in_one = [](const std::string& message, const auto& build) {
        expect_mistake("graph 'one': " + message, build);
    };
    expect_in_one("import 'in' is not connected", [&](SomeGraph& graph) { graph.add_graph(inner, {}, "one"); });
    expect_in_one("import 'in' is connected to a buffer of another graph", [&](SomeGraph& graph) {
        graph.add_graph(inner, {{inner.in, WordRef()}}, "one");
    });
    expect_in_one("import 'in' is connected to a buffer of another graph", [&](SomeGraph& graph) {
        graph.add_graph(inner, {{inner.in, inner.in}}, "one");
    });
    expect_in_one("the inner resource of a connection is not an import", [&](SomeGraph& graph) {
        graph.add_graph(inner, {{inner.half, graph.import("a")}}, "one");
    });
    expect_in_one("import 'in' is connected twice", [&](SomeGraph& graph) {
        const WordRef a = graph.import("a");
        graph.add_graph(inner, {{inner.in, a}, {inner.in, a}}, "one");
    });
    expect_in_one("import 'in' has 256 bytes; it is connected to 'small', which has 252", [&](SomeGraph& graph) {
        graph.add_graph(inner, {{inner.in, graph.transient("small", 63)}}, "one");
    });
    expect_mistake(StartsWith("graph 'one': pass 'bad' uses a null buffer or image; results that are not requested are "
                              "null (instance_test.cpp:"),
                   [](SomeGraph& graph) {
                       SomeGraph wrong;
                       wrong.add_pass(pass("bad", {read(WordRef())}));
                       graph.add_graph(wrong, {}, "one");
                   });
    expect_in_one(
        "import 'sum' is read before it is written; it is connected to 'nothing', which no earlier pass writes",
        [](SomeGraph& graph) {
            SomeGraph adds;
            const WordRef sum = adds.import("sum");
            adds.add_pass(pass("look", {read(sum), write(adds.transient("t"))}));
            adds.add_pass(pass("set", {write(sum)}));
            graph.add_graph(adds, {{sum, graph.transient("nothing")}}, "one");
        });
    expect_in_one("a graph cannot contain itself", [](SomeGraph& graph) { graph.add_graph(graph, {}, "one"); });
    // Handles that are not in the instance.
    SomeGraph graph;
    const Subgraph one = graph.add_graph(inner, {{inner.in, graph.import("a")}}, "one");
    EXPECT_FALSE(one.buffer(graph.import("of the outer graph")).valid());
    EXPECT_FALSE(Subgraph().buffer(inner.in).valid());
    EXPECT_EQ(one.flag(Switch{}), Switch{});
    graph.add_pass(pass("counted", {}, Dispatch::elements(one.count(graph.parameter("n", 4)), 1)));
    EXPECT_THAT(graph.mistake(), HasSubstr("pass 'counted' uses a parameter of another graph"));
}

} // namespace
} // namespace weir::tests::instance_test

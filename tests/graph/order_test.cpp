// Order, culling and dispatch arguments of passes in plans.

#include "tests/graph/graphs.hpp"

namespace weir::tests::order_test {
namespace {

using Groups = std::vector<std::vector<std::string>>;
using Names = std::vector<std::string>;

TEST(GraphOrder, ChainHasOneGroupPerPass) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), a = graph.transient("a"), b = graph.transient("b"),
                  out = graph.import("out");
    graph.add_pass(pass("first", {read(in), write(a)}));
    graph.add_pass(pass("second", {read(a), write(b)}));
    graph.add_pass(pass("third", {read(b), write(out)}));
    EXPECT_EQ(graph.groups(), (Groups{{"first"}, {"second"}, {"third"}}));
}

TEST(GraphOrder, IndependentPassesShareAGroup) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), a = graph.transient("a"), b = graph.transient("b"),
                  out = graph.import("out");
    graph.add_pass(pass("left", {read(in), write(a)}));
    graph.add_pass(pass("right", {read(in), write(b)}));
    graph.add_pass(pass("both", {read(a), read(b), write(out)}));
    EXPECT_EQ(graph.groups(), (Groups{{"left", "right"}, {"both"}}));
}

TEST(GraphOrder, PassRunsAsEarlyAsPossible) {
    SomeGraph graph;
    const WordRef a = graph.transient("a"), out = graph.import("out"), other = graph.import("other");
    graph.add_pass(pass("first", {write(a)}));
    graph.add_pass(pass("second", {read(a), write(out)}));
    graph.add_pass(pass("late", {write(other)}));
    EXPECT_EQ(graph.groups(), (Groups{{"first", "late"}, {"second"}}));
}

TEST(GraphOrder, GroupKeepsOrderOfDeclaration) {
    SomeGraph graph;
    const WordRef a = graph.transient("a");
    Groups expected(2);
    graph.add_pass(pass("writes a", {write(a)}));
    expected[0].push_back("writes a");
    for (int i = 0; i < 20; ++i) {
        const std::string name = "pass " + std::to_string(i);
        const WordRef out = graph.import("out of " + name);
        graph.add_pass(i % 2 == 0 ? pass(name, {write(out)}) : pass(name, {read(a), write(out)}));
        expected[i % 2].push_back(name);
    }
    EXPECT_EQ(graph.groups(), expected);
}

TEST(GraphOrder, EqualGraphsGiveEqualPlans) {
    const auto text = [] {
        SomeGraph graph;
        std::vector<WordRef> buffers;
        for (int i = 0; i < 8; ++i) {
            buffers.push_back(graph.import("buffer " + std::to_string(i), Access::any));
        }
        for (std::size_t i = 0; i < 30; ++i) {
            graph.add_pass(pass("pass " + std::to_string(i),
                                {read(buffers[i * 5 % 8]), write(buffers[(i * 3 + 1) % 8]), unused(buffers[i % 8])}));
        }
        return graph.mistake() == "no mistake" ? graph.plan().text() : graph.mistake();
    };
    EXPECT_EQ(text(), text());
}

TEST(GraphOrder, ReadBeforeOnlyWriterRunsAfterIt) {
    SomeGraph graph;
    const WordRef late = graph.transient("late"), out = graph.import("out"), more = graph.import("more");
    graph.add_pass(pass("reader", {read(late), write(out)}));
    graph.add_pass(pass("writer", {write(late)}));
    graph.add_pass(pass("another reader", {read(late), write(more)}));
    EXPECT_EQ(graph.groups(), (Groups{{"writer"}, {"reader", "another reader"}}));
}

TEST(GraphOrder, ReadOfImportRunsBeforeLaterWriter) {
    SomeGraph graph;
    const WordRef import = graph.import("import"), out = graph.import("out");
    graph.add_pass(pass("reader", {read(import), write(out)}));
    graph.add_pass(pass("writer", {write(import)}));
    EXPECT_EQ(graph.groups(), (Groups{{"reader"}, {"writer"}}));
}

TEST(GraphOrder, PartialWritersKeepTheirOrder) {
    SomeGraph graph;
    const WordRef a = graph.transient("a"), out = graph.import("out");
    graph.add_fill("fill", a, 0);
    graph.add_pass(pass("one half", {write(a)}));
    graph.add_pass(pass("other half", {read_write(a)}));
    graph.add_copy("copy", a, out, 256);
    EXPECT_EQ(graph.groups(), (Groups{{"fill"}, {"one half"}, {"other half"}, {"copy"}}));
}

TEST(GraphCulling, UnusedPassesAreCulled) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), a = graph.transient("a"), b = graph.transient("b"),
                  out = graph.import("out");
    graph.add_pass(pass("feeds the useless", {read(in), write(a)}));
    graph.add_pass(pass("useless", {read(a), write(b)}));
    graph.add_pass(pass("useful", {read(in), write(out)}));
    EXPECT_EQ(graph.groups(), (Groups{{"useful"}}));
    EXPECT_EQ(graph.culled(), (Names{"feeds the useless", "useless"}));
    EXPECT_EQ(graph.plan().used, (std::vector<bool>{true, false, false, true}));
}

TEST(GraphCulling, ExportKeepsItsWriters) {
    SomeGraph graph;
    const WordRef a = graph.transient("a"), b = graph.transient("b");
    graph.add_pass(pass("clear", {write(b)}));
    graph.add_pass(pass("first", {write(a)}));
    graph.add_pass(pass("second", {read(a), write(b)}));
    EXPECT_EQ(graph.culled(), (Names{"clear", "first", "second"}));
    graph.export_buffer(b);
    EXPECT_EQ(graph.culled(), Names{});
    EXPECT_EQ(graph.groups(), (Groups{{"clear", "first"}, {"second"}}));
}

TEST(GraphCulling, WritingImportKeepsPass) {
    SomeGraph graph;
    const WordRef import = graph.import("import");
    graph.add_pass(pass("writer", {write(import)}));
    graph.add_fill("fill", graph.import("filled"), 0);
    EXPECT_EQ(graph.groups(), (Groups{{"writer", "fill"}}));
}

TEST(GraphCulling, WritingStateDoesNotKeepPass) {
    SomeGraph graph;
    const WordRef state = graph.state("state"), out = graph.import("out");
    graph.add_pass(pass("only counts", {read_write(state)}));
    EXPECT_EQ(graph.culled(), Names{"only counts"});
    graph.add_pass(pass("uses the count", {read(state), write(out)}));
    EXPECT_EQ(graph.groups(), (Groups{{"only counts"}, {"uses the count"}}));
}

/// For example, an exposure: the next execution reads the value that this one writes.
TEST(GraphCulling, WriterAfterReaderOfStateIsKept) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), exposure = graph.state("exposure"), out = graph.import("out");
    const WordRef idle = graph.state("idle"), luminance = graph.transient("luminance");
    graph.add_pass(pass("expose", {read(in), read(exposure), write(out)}));
    graph.add_pass(pass("measure", {read(in), write(luminance)}));
    graph.add_pass(pass("adapt", {read(luminance), write(exposure)}));
    graph.add_pass(pass("adapt the rest", {write(exposure)}));
    graph.add_pass(pass("measure unused", {read(idle), write(graph.transient("unused"))}));
    graph.add_pass(pass("write unused", {write(idle)}));
    EXPECT_EQ(graph.groups(), (Groups{{"expose", "measure"}, {"adapt"}, {"adapt the rest"}}));
    EXPECT_EQ(graph.culled(), (Names{"measure unused", "write unused"}));
}

/// A writer before the reader may write only a part of the state. Therefore the reader also needs the writes after it,
/// from the last execution.
TEST(GraphCulling, SecondWriterAfterReaderOfStateIsKept) {
    SomeGraph graph;
    const WordRef state = graph.state("state"), out = graph.import("out");
    graph.add_pass(pass("writes a part", {write(state)}));
    graph.add_pass(pass("reads", {read(state), write(out)}));
    graph.add_pass(pass("writes for the next", {write(state)}));
    EXPECT_EQ(graph.groups(), (Groups{{"writes a part"}, {"reads"}, {"writes for the next"}}));
}

TEST(GraphCulling, UnusedReaderBeforeWriterIsCulled) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), unused = graph.transient("unused");
    graph.add_pass(pass("reads the old value", {read(in), write(unused)}));
    graph.add_pass(pass("overwrites", {write(in)}));
    EXPECT_EQ(graph.groups(), (Groups{{"overwrites"}}));
}

TEST(GraphCulling, EmptyGraphHasPlan) {
    const SomeGraph graph;
    const Plan plan = graph.plan();
    ASSERT_EQ(plan.groups.size(), 1U);
    EXPECT_TRUE(leaving(plan).empty());
}

TEST(GraphCounts, EqualDispatchesShareArguments) {
    SomeGraph graph;
    const WordRef counts = graph.transient("counts"), out = graph.import("out"), more = graph.import("more");
    graph.add_pass(pass("counts things", {write(counts)}));
    const Count count = graph.count_in(counts, 3, 1000);
    graph.add_pass(pass("uses it", {write(out)}, Dispatch::elements(count, 64)));
    graph.add_pass(pass("uses it too", {write(more)}, Dispatch::elements(count, 64)));
    EXPECT_EQ(graph.groups(),
              (Groups{{"counts things"}, {"dispatch arguments of counts"}, {"uses it", "uses it too"}}));
}

/// One pass writes the arguments for all counts of a buffer, for any number of elements per workgroup.
TEST(GraphCounts, CountsOfOneBufferShareOnePass) {
    SomeGraph graph;
    const WordRef counts = graph.transient("counts"), out = graph.import("out");
    graph.add_pass(pass("counts things", {write(counts)}));
    const Count count = graph.count_in(counts, 3, 1000);
    const Dispatch dispatches[] = {
        Dispatch::elements(count, 64), Dispatch::elements(graph.count_in(counts, 4, 1000), 64),
        Dispatch::elements(count, 32), Dispatch::elements(graph.count_in(counts, 3, 999), 64),
        Dispatch::elements(count, 64), Dispatch::elements(count, 64, 1)};
    std::vector<std::uint32_t> words;
    for (const Dispatch& dispatch : dispatches) {
        graph.add_pass(pass("uses it", {write(out)}, dispatch));
        words.push_back(graph.description().passes.back().compute_pass()->dispatch.word);
    }
    EXPECT_EQ(words, (std::vector<std::uint32_t>{0, 3, 6, 9, 0, 12}));
    EXPECT_EQ(graph.description().passes.size(), 8U);
    EXPECT_EQ(graph.groups()[1], (std::vector<std::string>{"dispatch arguments of counts"}));
    EXPECT_EQ(graph.description().resources[2].bytes, 60U);
    EXPECT_EQ(graph.mistake(), "no mistake");
}

/// One pass has push constants for the arguments of seven dispatches.
TEST(GraphCounts, OnePassWritesUpToSevenArguments) {
    SomeGraph graph;
    const WordRef counts = graph.import("counts"), out = graph.import("out");
    const Count count = graph.count_in(counts, 0, 1000);
    for (std::uint32_t per_group = 1; per_group <= 15; ++per_group) {
        graph.add_pass(pass("uses it", {write(out)}, Dispatch::elements(count, per_group)));
    }
    EXPECT_EQ(graph.description().passes.size(), 15U + 3);
    EXPECT_EQ(graph.groups()[0].size(), 3U); // all passes that write arguments
}

/// A pass does not wait for another queue to write its arguments.
TEST(GraphCounts, EachQueueWritesItsOwnArguments) {
    Capabilities device = some_device();
    device.queue_families[static_cast<std::size_t>(QueueKind::compute)] = 1;
    SomeGraph graph(device);
    const WordRef counts = graph.import("counts"), out = graph.import("out"), more = graph.import("more");
    const Dispatch dispatch = Dispatch::elements(graph.count_in(counts, 0, 1000), 64);
    graph.add_pass(pass("on one", {write(out)}, dispatch));
    graph.add_pass_on(on_compute, pass("on another", {write(more)}, dispatch));
    EXPECT_EQ(graph.description().passes.size(), 4U);
    EXPECT_EQ(graph.description().passes[2].queue, QueueKind::compute);
}

TEST(GraphCounts, RewrittenCountIsReadAgain) {
    SomeGraph graph;
    const WordRef counts = graph.transient("counts"), out = graph.import("out"), more = graph.import("more");
    const Count count = graph.count_in(counts, 0, 1000);
    graph.add_pass(pass("counts", {write(counts)}));
    graph.add_pass(pass("uses it", {write(out)}, Dispatch::elements(count, 64)));
    graph.add_pass(pass("counts again", {write(counts)}));
    graph.add_pass(pass("uses the new one", {write(more)}, Dispatch::elements(count, 64)));
    EXPECT_EQ(graph.groups(), (Groups{{"counts"},
                                      {"dispatch arguments of counts"},
                                      {"uses it", "counts again"},
                                      {"dispatch arguments of counts"},
                                      {"uses the new one"}}));
}

TEST(GraphCounts, ConstantsAndParametersNeedNoArguments) {
    SomeGraph graph;
    const WordRef out = graph.import("out");
    graph.add_pass(pass("constant", {write(out)}, Dispatch::elements(1000, 64)));
    graph.add_pass(pass("parameter", {write(out)}, Dispatch::elements(graph.parameter("n", 1000), 64)));
    EXPECT_EQ(graph.description().passes.size(), 2U);
}

TEST(GraphPlan, BoundBufferCountsAsUsed) {
    SomeGraph graph;
    const WordRef out = graph.import("out"), stand_in = graph.transient("stand_in"), other = graph.transient("x");
    graph.add_pass(pass("pass", {write(out), unused(stand_in)}));
    graph.add_pass(pass("culled", {unused(other)}));
    EXPECT_EQ(graph.plan().used, (std::vector<bool>{true, true, false}));
}

TEST(GraphPlan, GraphMayBeMoved) {
    SomeGraph first;
    const WordRef out = first.import("out");
    Graph second = std::move(first);
    second.add_pass(pass("pass", {write(out)}));
    EXPECT_TRUE(make_plan(second.description()));
}

} // namespace
} // namespace weir::tests::order_test

// Mistakes in write_arguments. Each error names the pass, the command and the number.

#include <weir/graph/arguments.hpp>

#include "tests/graph/graphs.hpp"

namespace weir::tests::arguments_mistakes_test {
namespace {

using testing::AllOf;

/// Checks the error of the graph that `add` builds.
template <class Add>
void expect_error(ErrorCode code, const testing::Matcher<std::string>& message, Add add,
                  SourceLocation where = SourceLocation::current()) {
    const testing::ScopedTrace trace(where.file, static_cast<int>(where.line), "this graph");
    SomeGraph graph;
    const WordRef counts = graph.import("counts");
    add(graph, counts);
    const auto made = make_plan(graph.description());
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, code);
    EXPECT_THAT(made.error().message, message);
}

constexpr ErrorCode invalid = ErrorCode::invalid_argument, limit = ErrorCode::limit_exceeded,
                    graph_code = ErrorCode::invalid_graph;

TEST(ArgumentMistakes, Commands) {
    /// Checks the error of a graph that writes the arguments of the command from `make`.
    const auto expect = [](ErrorCode code, const testing::Matcher<std::string>& why,
                           IndirectCommand (*make)(SomeGraph & graph, const WordRef& counts)) {
        expect_error(code, AllOf(HasSubstr("pass 'draws' writes arguments of command 1: "), why),
                     [&](SomeGraph& graph, const WordRef& counts) {
                         write_arguments(graph, {Dispatch::groups(1), make(graph, counts)}, {.name = "draws"});
                     });
    };
    using Made = IndirectCommand;
    expect(invalid, HasSubstr("an indirect dispatch is not supported"),
           [](SomeGraph&, const WordRef& counts) -> Made { return Dispatch::indirect(counts, 0); });
    expect(invalid, HasSubstr("the dispatch is not set"),
           [](SomeGraph&, const WordRef&) -> Made { return Dispatch{}; });
    expect(invalid, HasSubstr("per_group of the dispatch must be at least 1"),
           [](SomeGraph& graph, const WordRef& counts) -> Made {
               return Dispatch::elements(graph.count_in(counts, 0, 10), 0);
           });
    expect(limit, AllOf(HasSubstr("65536 workgroups in y"), HasSubstr("limit is 65535")),
           [](SomeGraph&, const WordRef&) -> Made { return Dispatch::groups(1, 65536); });
    expect(invalid, HasSubstr("Argument::per must be at least 1"),
           [](SomeGraph&, const WordRef&) -> Made { return DrawMeshTasksArguments{.x = Argument(5, 1, 0)}; });
    expect(limit, HasSubstr("an argument of up to 1073741824 * 4 exceeds 32 bits"),
           [](SomeGraph& graph, const WordRef& counts) -> Made {
               return DrawArguments{.vertices = Argument(graph.count_in(counts, 0, 1U << 30U), 4)};
           });
    expect_mistake("no mistake", [](SomeGraph& graph) {
        const Count most = graph.count_in(graph.import("counts"), 0, ~0U / 4);
        write_arguments(graph, {DrawArguments{.vertices = Argument(most, 4)}});
    });
    expect(graph_code, HasSubstr("the count is word 64 of buffer 'counts', which has 64 words"),
           [](SomeGraph& graph, const WordRef& counts) -> Made {
               Count count = graph.count_in(counts, 0, 10);
               count.word = 64;
               return DrawIndexedArguments{.indices = 3, .instances = count};
           });
    expect(graph_code, HasSubstr("count kind 17 does not exist"), [](SomeGraph&, const WordRef&) -> Made {
        Count count = 4;
        count.kind = Count::Kind{17};
        return DrawArguments{.vertices = count};
    });
    expect(limit, HasSubstr("its counts are in 4 buffers; at most 3 are supported"),
           [](SomeGraph& graph, const WordRef& counts) -> Made {
               const auto count = [&](const WordRef& in) { return graph.count_in(in, 0, 10); };
               return DrawArguments{.vertices = count(counts),
                                    .instances = count(graph.import("a")),
                                    .first_vertex = count(graph.import("b")),
                                    .first_instance = count(graph.import("c"))};
           });
}

TEST(ArgumentMistakes, Output) {
    const DrawArguments draw{.vertices = 3};
    expect_error(invalid, HasSubstr("pass 'write arguments' writes arguments of 0 commands; at least 1 is required"),
                 [](SomeGraph& graph, const WordRef&) { write_arguments(graph, {}); });
    expect_error(invalid, HasSubstr("writes words 2 to 9 of its output, which has 9 words"),
                 [&](SomeGraph& graph, const WordRef&) {
                     write_arguments(graph, {draw, draw}, {.output = graph.transient("out", 9), .word = 2});
                 });
    expect_error(invalid, HasSubstr("the output 'counts' must not hold a count from which the arguments are computed"),
                 [](SomeGraph& graph, const WordRef& counts) {
                     const DrawArguments counted{.vertices = graph.count_in(counts, 63, 10)};
                     write_arguments(graph, {counted}, {.output = counts});
                 });
    expect_error(limit, HasSubstr("writes up to word 4294967296; a buffer has less than 2^32 words"),
                 [&](SomeGraph& graph, const WordRef&) { write_arguments(graph, {draw}, {.word = ~0U - 3}); });
    SomeGraph other;
    const WordRef foreign = other.import("foreign");
    const Count count = other.count_in(foreign, 0, 1), parameter = other.parameter("n", 5);
    const auto of_another_graph = [](const std::string& what) {
        return HasSubstr("pass 'write arguments' uses a " + what + " of another graph");
    };
    expect_error(graph_code, of_another_graph("buffer or image"),
                 [&](SomeGraph& graph, const WordRef&) { write_arguments(graph, {draw}, {.output = foreign}); });
    expect_error(graph_code, of_another_graph("buffer or image"),
                 [&](SomeGraph& graph, const WordRef&) { write_arguments(graph, {DrawArguments{.vertices = count}}); });
    expect_error(graph_code, of_another_graph("parameter"), [&](SomeGraph& graph, const WordRef&) {
        write_arguments(graph, {DrawArguments{.vertices = parameter}});
    });
}

/// A command pass that reads the arguments comes after the pass that writes them, behind a barrier for indirect reads.
TEST(ArgumentMistakes, CommandPassGetsIndirectBarrier) {
    SomeGraph graph;
    const WordRef counts = graph.import("counts");
    const WordRef draw =
        write_arguments(graph, {DrawArguments{.vertices = 3, .instances = graph.count_in(counts, 0, 9)}});
    graph.add_command_pass(kept_pass("draw", {{draw, Access::indirect_read}}));
    const Plan plan = graph.plan();
    ASSERT_EQ(plan.groups.size(), 3U);
    ASSERT_EQ(barriers(plan, 1).size(), 1U);
    EXPECT_EQ(barriers(plan, 1)[0].dstStageMask, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT);
    EXPECT_EQ(barriers(plan, 1)[0].dstAccessMask, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
}

} // namespace
} // namespace weir::tests::arguments_mistakes_test

// Mistakes in write_arguments. Each error names the pass, the command and the number.

#include <weir/graph/arguments.hpp>

#include "tests/graph/graphs.hpp"

namespace weir::tests::arguments_mistakes_test {
namespace {

using testing::AllOf;

/// Returns the error of the graph that `add` builds, or "no mistake".
template <class Add>
std::string mistake(ErrorCode code, Add add) {
    SomeGraph graph;
    const WordRef counts = graph.import("counts");
    add(graph, counts);
    const auto made = make_plan(graph.description());
    if (made) {
        return "no mistake";
    }
    EXPECT_EQ(made.error().code, code) << made.error().message;
    return made.error().message;
}

/// Returns the error of a graph that writes the arguments of the command from `make`.
template <class Make>
std::string mistake_of(ErrorCode code, Make make) {
    return mistake(code, [&](SomeGraph& graph, const WordRef& counts) {
        write_arguments(graph, {Dispatch::groups(1), make(graph, counts)}, {.name = "draws"});
    });
}

constexpr ErrorCode invalid = ErrorCode::invalid_argument, limit = ErrorCode::limit_exceeded,
                    graph_code = ErrorCode::invalid_graph;

TEST(ArgumentMistakes, Commands) {
    const auto names = [](const auto&... words) {
        return AllOf(HasSubstr("pass 'draws' writes arguments of command 1: "), HasSubstr(words)...);
    };
    EXPECT_THAT(
        mistake_of(invalid,
                   [](SomeGraph&, const WordRef& counts) -> IndirectCommand { return Dispatch::indirect(counts, 0); }),
        names("an indirect dispatch is not supported"));
    EXPECT_THAT(mistake_of(invalid, [](SomeGraph&, const WordRef&) -> IndirectCommand { return Dispatch{}; }),
                names("the dispatch is not set"));
    EXPECT_THAT(mistake_of(invalid,
                           [](SomeGraph& graph, const WordRef& counts) -> IndirectCommand {
                               return Dispatch::elements(graph.count_in(counts, 0, 10), 0);
                           }),
                names("per_group of the dispatch must be at least 1"));
    EXPECT_THAT(
        mistake_of(limit, [](SomeGraph&, const WordRef&) -> IndirectCommand { return Dispatch::groups(1, 65536); }),
        names("65536 workgroups in y", "limit is 65535"));
    EXPECT_THAT(mistake_of(invalid,
                           [](SomeGraph&, const WordRef&) -> IndirectCommand {
                               return DrawMeshTasksArguments{.x = Argument(5, 1, 0)};
                           }),
                names("Argument::per must be at least 1"));
    EXPECT_THAT(mistake_of(limit,
                           [](SomeGraph& graph, const WordRef& counts) -> IndirectCommand {
                               return DrawArguments{.vertices = Argument(graph.count_in(counts, 0, 1U << 30U), 4)};
                           }),
                names("an argument of up to 1073741824 * 4 exceeds 32 bits"));
    EXPECT_EQ(mistake_of(limit,
                         [](SomeGraph& graph, const WordRef& counts) -> IndirectCommand {
                             return DrawArguments{.vertices = Argument(graph.count_in(counts, 0, ~0U / 4), 4)};
                         }),
              "no mistake");
    EXPECT_THAT(mistake_of(graph_code,
                           [](SomeGraph& graph, const WordRef& counts) -> IndirectCommand {
                               Count count = graph.count_in(counts, 0, 10);
                               count.word = 64;
                               return DrawIndexedArguments{.indices = 3, .instances = count};
                           }),
                names("the count is word 64 of buffer 'counts', which has 64 words"));
    EXPECT_THAT(mistake_of(graph_code,
                           [](SomeGraph&, const WordRef&) -> IndirectCommand {
                               Count count = 4;
                               count.kind = Count::Kind{17};
                               return DrawArguments{.vertices = count};
                           }),
                names("count kind 17 does not exist"));
    EXPECT_THAT(mistake_of(limit,
                           [](SomeGraph& graph, const WordRef& counts) -> IndirectCommand {
                               const auto count = [&](const WordRef& in) { return graph.count_in(in, 0, 10); };
                               return DrawArguments{.vertices = count(counts),
                                                    .instances = count(graph.import("a")),
                                                    .first_vertex = count(graph.import("b")),
                                                    .first_instance = count(graph.import("c"))};
                           }),
                names("its counts are in 4 buffers; at most 3 are supported"));
}

TEST(ArgumentMistakes, Output) {
    const DrawArguments draw{.vertices = 3};
    EXPECT_THAT(mistake(invalid, [](SomeGraph& graph, const WordRef&) { write_arguments(graph, {}); }),
                HasSubstr("pass 'write arguments' writes arguments of 0 commands; at least 1 is required"));
    EXPECT_THAT(mistake(invalid,
                        [&](SomeGraph& graph, const WordRef&) {
                            write_arguments(graph, {draw, draw}, {.output = graph.transient("out", 9), .word = 2});
                        }),
                HasSubstr("writes words 2 to 9 of its output, which has 9 words"));
    EXPECT_THAT(mistake(invalid,
                        [&](SomeGraph& graph, const WordRef& counts) {
                            write_arguments(graph, {DrawArguments{.vertices = graph.count_in(counts, 63, 10)}},
                                            {.output = counts});
                        }),
                HasSubstr("the output 'counts' must not hold a count from which the arguments are computed"));
    EXPECT_THAT(
        mistake(limit, [&](SomeGraph& graph, const WordRef&) { write_arguments(graph, {draw}, {.word = ~0U - 3}); }),
        HasSubstr("writes up to word 4294967296; a buffer has less than 2^32 words"));
    SomeGraph other;
    const WordRef foreign = other.import("foreign");
    EXPECT_THAT(mistake(graph_code,
                        [&](SomeGraph& graph, const WordRef&) { write_arguments(graph, {draw}, {.output = foreign}); }),
                HasSubstr("pass 'write arguments' uses a buffer or image of another graph"));
    EXPECT_THAT(mistake(graph_code,
                        [&](SomeGraph& graph, const WordRef&) {
                            write_arguments(graph, {DrawArguments{.vertices = other.count_in(foreign, 0, 1)}});
                        }),
                HasSubstr("pass 'write arguments' uses a buffer or image of another graph"));
    EXPECT_THAT(mistake(graph_code,
                        [&](SomeGraph& graph, const WordRef&) {
                            write_arguments(graph, {DrawArguments{.vertices = other.parameter("n", 5)}});
                        }),
                HasSubstr("pass 'write arguments' uses a parameter of another graph"));
}

/// A command pass that reads the arguments comes after the pass that writes them, behind a barrier for indirect reads.
TEST(ArgumentMistakes, CommandPassGetsIndirectBarrier) {
    SomeGraph graph;
    const WordRef counts = graph.import("counts");
    const WordRef draw =
        write_arguments(graph, {DrawArguments{.vertices = 3, .instances = graph.count_in(counts, 0, 9)}});
    CommandPass drawn = command_pass("draw", {{draw, Access::indirect_read}});
    drawn.keep = true;
    graph.add_command_pass(drawn);
    const Plan plan = graph.plan();
    ASSERT_EQ(plan.groups.size(), 3U);
    ASSERT_EQ(barriers(plan, 1).size(), 1U);
    EXPECT_EQ(barriers(plan, 1)[0].dstStageMask, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT);
    EXPECT_EQ(barriers(plan, 1)[0].dstAccessMask, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
}

} // namespace
} // namespace weir::tests::arguments_mistakes_test

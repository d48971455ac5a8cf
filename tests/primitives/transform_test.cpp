#include <cmath>
#include <functional>

#include "tests/primitives/trial.hpp"

namespace weir::tests::transform_test {
namespace {

using Words = std::vector<std::uint32_t>;

/// Checks a transform of the first n items, for several n.
template <class To, class From>
void check(const std::vector<From>& items, const Expression& expression,
           const std::function<To(From, std::uint32_t)>& expected, Count::Kind kind = Count::Kind::parameter) {
    const auto most = static_cast<std::uint32_t>(items.size());
    Trial trial(most, kind);
    const auto output = trial.output<To>("output", most);
    transform<To>(trial.graph, trial.input("items", items), expression, {.output = output});
    trial.compile();
    for (const std::uint32_t n : {0U, 1U, 255U, 1023U, 1024U, 1025U, 2047U, 2048U, 2049U, most}) {
        SCOPED_TRACE("n = " + std::to_string(n));
        std::vector<To> made(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            made[i] = expected(items[i], i);
        }
        trial.run(n);
        trial.expect(output, words_of(made));
    }
}

struct Pair {
    std::uint32_t first, second;
};

TEST(Transform, BetweenTypes) {
    const auto drawn = Random(1).vector<std::int32_t>(3001, -1000, 1000);
    check<std::int32_t, std::int32_t>(drawn, {"-x + int(i)"},
                                      [](int x, std::uint32_t i) { return -x + static_cast<int>(i); });
    check<float, std::int32_t>(
        drawn, {"float(x) * 0.5"}, [](int x, auto) { return static_cast<float>(x) * 0.5F; }, Count::Kind::gpu);
    check<std::array<std::uint32_t, 3>, std::int32_t>(drawn, {"uvec3(x, i, 7)"}, [](int x, std::uint32_t i) {
        return std::array{static_cast<std::uint32_t>(x), i, 7U};
    });
    std::vector<std::uint64_t> wide(2500);
    for (std::uint32_t i = 0; i < wide.size(); ++i) {
        wide[i] = std::uint64_t{i} << 32 | 5;
    }
    check<std::uint32_t, std::uint64_t>(wide, {"x.x + x.y"}, [](std::uint64_t, std::uint32_t i) { return i + 5; });
    std::vector<Pair> pairs(2500);
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        pairs[i] = {i, ~i};
    }
    check<Pair, Pair>(
        pairs, {"uint[2](x[1], x[0])"},
        [](Pair x, auto) {
            return Pair{x.second, x.first};
        },
        Count::Kind::gpu);
}

TEST(Transform, InPlaceWithBuffersFunctionsAndValues) {
    const std::uint32_t n = 3001;
    const Words items = Random(2).vector<std::uint32_t>(n, 0, 9), table = random_words(10, 3);
    Trial trial(n);
    const auto both = trial.output("both", n);
    trial.graph.add_copy("items", trial.input("items", items), both, n * 4);
    const Expression expression{.text = "table[x] + times(i)",
                                .functions = "uint times(uint i) {\n    return factor * i;\n}",
                                .buffers = {{"uint table[]", read(trial.input("table", table))}},
                                .values = {{"factor", trial.seed}}};
    transform<std::uint32_t>(trial.graph, both.with_count(trial.count), expression, {.output = both});
    trial.compile();
    for (const std::uint32_t count : {n, 1025U}) {
        trial.run(count, count);
        Words expected = items;
        for (std::uint32_t i = 0; i < count; ++i) {
            expected[i] = table[items[i]] + count * i;
        }
        trial.expect(both, expected);
    }
}

std::string error(const std::function<void(Graph&, BufferRef<std::uint32_t>)>& build) {
    Graph graph(test_context());
    build(graph, graph.import_buffer<std::uint32_t>("in", 1000));
    return plan_error(graph);
}

TEST(Transform, RejectsInvalidArguments) {
    using Ref = BufferRef<std::uint32_t>;
    EXPECT_THAT(error([](Graph& graph, Ref) { transform<float>(graph, Ref{}, "x"); }),
                HasSubstr("transform: the input is null"));
    EXPECT_THAT(error([](Graph& graph, Ref in) { transform<float>(graph, in, ""); }),
                HasSubstr("transform: the expression is empty"));
    EXPECT_THAT(error([](Graph& graph, Ref in) {
                    BufferRef<double> out;
                    out.id = in.id;
                    out.capacity = 1000;
                    transform<double>(graph, in, "uvec2(x)", {.output = out});
                }),
                HasSubstr("in place from 1 to 2 words is not supported"));
    EXPECT_THAT(error([](Graph& graph, Ref in) {
                    transform<float>(graph, in, "x", {.output = graph.import_buffer<float>("out", 999)});
                }),
                HasSubstr("transform: the output has a capacity of 999 elements; 1000 are required"));
    EXPECT_THAT(error([](Graph& graph, Ref in) {
                    const auto out = graph.import_buffer<std::uint32_t>("out", 1000);
                    Expression expression{.text = "other[i]", .buffers = {{"uint other[]", read(out)}}};
                    transform<std::uint32_t>(graph, in, expression, {.output = out});
                }),
                HasSubstr("transform: an output is also an input"));
    EXPECT_THAT(error([](Graph& graph, Ref in) {
                    Expression expression{.text = "x", .buffers = {{"uint other[]", write(in)}}};
                    transform<std::uint32_t>(graph, in, expression);
                }),
                HasSubstr("the buffers of an expression must be read-only"));
}

TEST(Transform, CompileErrorsNameTheUsersLine) {
    Graph graph(test_context());
    const Expression expression{.text = "x +\nnothing", .name = "brighten"};
    graph.export_buffer(transform<float>(graph, graph.import_buffer<float>("in", 10), expression));
    const auto program = compile(test_context(), graph);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().code, ErrorCode::shader_compilation);
    EXPECT_THAT(program.error().message, HasSubstr("brighten:2"));
}

} // namespace
} // namespace weir::tests::transform_test

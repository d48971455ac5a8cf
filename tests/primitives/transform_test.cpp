#include "tests/primitives/trial.hpp"

namespace weir::tests::transform_test {
namespace {

/// Checks a transform of the first n items, for several n.
template <class To, class From>
void check(const std::vector<From>& items, const Expression& expression,
           const std::function<To(From, std::uint32_t)>& expected, Count::Kind kind = Count::Kind::parameter) {
    const auto most = count_of(items);
    Trial trial(most, kind);
    const auto output = trial.output<To>("output", most);
    transform<To>(trial.graph, trial.input("items", items), expression, {.output = output});
    for (const std::uint32_t n : {0U, 1U, 255U, 1023U, 1024U, 1025U, 2047U, 2048U, 2049U, most}) {
        const auto made = tabulated(n, [&](std::uint32_t i) -> To { return expected(items[i], i); });
        trial.run(n);
        trial.expect(output, made);
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
    const auto wide = tabulated(2500, [&](std::uint32_t i) { return std::uint64_t{i} << 32 | 5; });
    check<std::uint32_t, std::uint64_t>(wide, {"x.x + x.y"}, [](std::uint64_t, std::uint32_t i) { return i + 5; });
    const auto pairs = tabulated(2500, [&](std::uint32_t i) { return Pair{i, ~i}; });
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
    const auto both = trial.in_place("both", items);
    const Expression expression{.text = "table[x] + times(i)",
                                .functions = "uint times(uint i) {\n    return factor * i;\n}",
                                .buffers = {{"uint table[]", read(trial.input("table", table))}},
                                .values = {{"factor", trial.seed}}};
    transform<std::uint32_t>(trial.graph, both, expression, {.output = both});
    for (const std::uint32_t count : {n, 1025U}) {
        trial.run(count, count);
        trial.expect(both, tabulated(count, [&](std::uint32_t i) { return table[items[i]] + count * i; }));
    }
}

TEST(Transform, RejectsInvalidArguments) {
    expect_refused("transform: the input is null", [](Graph& g) { transform<float>(g, Ref{}, "x"); });
    expect_refused("transform: the expression is empty", [](Graph& g, Ref in) { transform<float>(g, in, ""); });
    expect_refused("in place from 1 to 2 words is not supported", [](Graph& g, Ref in) {
        BufferRef<double> out;
        out.id = in.id;
        out.capacity = 100;
        transform<double>(g, in, "uvec2(x)", {.output = out});
    });
    expect_refused("transform: the output has a capacity of 99 elements; 100 are required",
                   [](Graph& g, Ref in) { transform<float>(g, in, "x", {.output = imported<float>(g, 99)}); });
    expect_refused("transform: an output is also an input", [](Graph& g, Ref in) {
        const auto out = imported(g);
        Expression expression{.text = "other[i]", .buffers = {{"uint other[]", read(out)}}};
        transform<std::uint32_t>(g, in, expression, {.output = out});
    });
    expect_refused("the buffers of an expression must be read-only", [](Graph& g, Ref in) {
        Expression expression{.text = "x", .buffers = {{"uint other[]", write(in)}}};
        transform<std::uint32_t>(g, in, expression);
    });
}

TEST(Transform, CompileErrorsNameTheUsersLine) {
    Graph graph(test_context());
    const Expression expression{.text = "x +\nnothing", .name = "brighten"};
    graph.export_buffer(transform<float>(graph, graph.import_buffer<float>("in", 10), expression));
    expect_shader_error(graph, "brighten:2");
}

} // namespace
} // namespace weir::tests::transform_test

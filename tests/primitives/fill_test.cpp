#include "tests/primitives/trial.hpp"

namespace weir::tests::fill_test {
namespace {

constexpr std::uint32_t most = 5000;
/// Includes the counts around one tile and two tiles.
const Words counts{0, 1, 2, 3, 4, 5, 63, 64, 65, 1023, 1024, 1025, 1026, 2047, 2048, 2049, most - 1, most};

/// Runs the primitive that `add` adds, with all `counts`, and checks that element i of its output is `expected(i)`.
template <class T>
void check(const std::function<void(Graph&, BufferRef<T>)>& add, const std::function<T(std::uint32_t)>& expected,
           Count::Kind kind = Count::Kind::parameter) {
    Trial trial(most, kind);
    const auto output = trial.output<T>("output", most);
    add(trial.graph, output.with_count(trial.count));
    for (const std::uint32_t n : counts) {
        const auto items = tabulated(n, [&](std::uint32_t i) -> T { return expected(i); });
        trial.run(n);
        trial.expect(output, items);
    }
}

template <std::size_t words>
void check_fill(Count::Kind kind = Count::Kind::parameter) {
    using T = std::array<std::uint32_t, words>;
    T value;
    for (std::uint32_t w = 0; w < words; ++w) {
        value[w] = 1000 * static_cast<std::uint32_t>(words) + w;
    }
    check<T>([&](Graph& graph, BufferRef<T> output) { fill(graph, output, value); }, [&](auto) { return value; }, kind);
}

TEST(Fill, ElementsOfAnySize) {
    check<std::uint32_t>([](Graph& graph, auto output) { fill(graph, output, 7); }, [](auto) { return 7; });
    check<float>([](Graph& graph, auto output) { fill(graph, output, -1.5F); }, [](auto) { return -1.5F; });
    check<double>([](Graph& graph, auto output) { fill(graph, output, 0.1); }, [](auto) { return 0.1; });
    check_fill<2>();
    check_fill<3>(Count::Kind::gpu);
    check_fill<4>();
    check_fill<5>();
    check_fill<7>(Count::Kind::gpu);
    check_fill<16>();
}

TEST(Fill, OverwritesEarlierResults) {
    Trial trial(100, Count::Kind::constant);
    const auto output = trial.output("output", 100), doubled = trial.output("doubled", 100);
    iota(trial.graph, output.with_count(100));
    transform<std::uint32_t>(trial.graph, output.with_count(100), "2 * x", {.output = doubled});
    fill(trial.graph, output.with_count(10), 7);
    fill(trial.graph, doubled.with_count(3), 9);
    trial.run(100);
    Words expected(100), twice(100);
    for (std::uint32_t i = 0; i < 100; ++i) {
        expected[i] = i < 10 ? 7 : i;
        twice[i] = i < 3 ? 9 : 2 * i;
    }
    trial.expect(output, expected);
    trial.expect(doubled, twice);
}

template <class T>
void check_iota(T start, T step, Count::Kind kind = Count::Kind::parameter) {
    check<T>([&](Graph& graph, BufferRef<T> output) { iota(graph, output, start, step); },
             [&](std::uint32_t i) { return static_cast<T>(start + static_cast<T>(i) * step); }, kind);
}

TEST(Iota, EveryTypeOfNumbers) {
    check_iota<std::uint32_t>(0, 1);
    check_iota<std::uint32_t>(0xFFFFFF00U, 3, Count::Kind::gpu);
    check_iota<std::int32_t>(100, -7);
    check_iota<float>(-20.0F, 0.1F);
    check_iota<std::uint64_t>(0xFFFFFFF0U, 0x123456789ULL);
    check_iota<std::uint64_t>(~0ULL - 2000, 1);
    check_iota<std::int64_t>(5, -0x7FFFFFFFFLL, Count::Kind::gpu);
    if (test_context().capabilities().float64) {
        check_iota<double>(1e9, 0.1);
    }
}

TEST(Iota, RejectsDoublesWithoutFloat64) {
    Capabilities device = test_context().capabilities();
    device.float64 = false;
    Graph graph(device);
    iota(graph, graph.import_buffer<double>("out", 10));
    EXPECT_THAT(plan_error(graph), HasSubstr("iota: doubles are not supported: the device has no 64-bit floats"));
}

TEST(Fill, RejectsInvalidArguments) {
    expect_refused("fill: the output is null", [](Graph& g) { fill(g, Ref{}, 1); });
    expect_refused("fill: the output has a capacity of 100 elements; 101 are required",
                   [](Graph& g, Ref out) { fill(g, out.with_count(101), 1); });
    expect_refused("iota: an output is also",
                   [](Graph& g, Ref out) { iota(g, out.with_count(g.count_in(out, 0, 10))); });
}

} // namespace
} // namespace weir::tests::fill_test

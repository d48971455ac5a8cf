#include "tests/primitives/trial.hpp"

namespace weir::tests::adjacent_difference_test {
namespace {

template <class T>
void check(const std::vector<T>& items, Count::Kind kind) {
    const auto most = count_of(items);
    Trial trial(most, kind);
    const auto output = trial.output<T>("output", most);
    adjacent_difference(trial.graph, trial.input("items", items), {.output = output});
    for (const std::uint32_t n : {0U, 1U, 2U, 3U, 4U, 5U, 1023U, 1024U, 1025U, 1026U, 2048U, 2049U, most}) {
        std::vector<T> expected(items.begin(), items.begin() + n);
        for (std::uint32_t i = 1; i < n; ++i) {
            expected[i] = static_cast<T>(items[i] - items[i - 1]);
        }
        trial.run(n);
        trial.expect(output, expected);
    }
}

template <class T>
std::vector<T> floats(std::uint32_t n) {
    Random random(5);
    return tabulated(n, [&](auto) { return static_cast<T>(random.uniform<int>(-1000000, 1000000)) / 7; });
}

TEST(AdjacentDifference, EveryTypeOfNumbers) {
    check(random_words(5003, 1), Count::Kind::parameter);
    check(random_words(5003, 2), Count::Kind::gpu);
    check(Random(3).vector<std::int32_t>(3001, -1000, 1000), Count::Kind::parameter);
    check(floats<float>(3001), Count::Kind::gpu);
    check(Random(4).vector<std::uint64_t>(3001), Count::Kind::parameter);
    check(Random(5).vector<std::int64_t>(3001, -1, 1), Count::Kind::gpu);
    if (test_context().capabilities().float64) {
        check(floats<double>(3001), Count::Kind::parameter);
    }
}

TEST(AdjacentDifference, RejectsInvalidArguments) {
    expect_refused("adjacent difference: the input is null", [](Graph& g) { adjacent_difference(g, Ref{}); });
    expect_refused("adjacent difference: an output is also an input",
                   [](Graph& g, Ref in) { adjacent_difference(g, in, {.output = in}); });
    expect_refused("adjacent difference: the output has a capacity of 99 elements; 100 are required",
                   [](Graph& g, Ref in) { adjacent_difference(g, in, {.output = imported(g, 99)}); });
}

} // namespace
} // namespace weir::tests::adjacent_difference_test

#include <limits>

#include "tests/primitives/histogram_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::histogram_test {
namespace {

const OnOneDriver on_one_driver{"Histogram.EvenBins*", "Histogram.DigitsAndBytes", "Histogram.MoreBins*"};

constexpr std::uint32_t none = ~0U;

/// Checks a histogram of the first n items, for some n. `bins_of` returns the bins of an item.
template <class T>
void check(const std::vector<T>& items, const Bins& bins, const std::function<Words(T, std::uint32_t)>& bins_of,
           const HistogramTuning& tuning = small_histogram, Count::Kind kind = Count::Kind::parameter) {
    check_histogram<T>(
        items, bins.count,
        [&](Trial& trial, auto input, const auto& options) { histogram(trial.graph, input, bins, options); }, bins_of,
        tuning, kind);
}

/// Checks even bins of integers against 64-bit arithmetic.
template <class T>
void check_even(const std::vector<T>& items, std::uint32_t bins, T lower, T upper,
                Count::Kind kind = Count::Kind::parameter) {
    check<T>(
        items, Bins::even(bins, lower, upper),
        [=](T x, auto) {
            const std::int64_t offset = std::int64_t{x} - lower, range = std::int64_t{upper} - lower;
            return Words{x < lower || x >= upper
                             ? none
                             : static_cast<std::uint32_t>(static_cast<std::uint64_t>(offset) * bins /
                                                          static_cast<std::uint64_t>(range))};
        },
        small_histogram, kind);
}

TEST(Histogram, SmallestWorkgroups) {
    for (const std::uint32_t workgroup : {1U, 2U}) {
        check<std::uint32_t>(random_words(1031, 1), Bins::digit(0), [](auto x, auto) { return Words{x & 255}; },
                             {.workgroup = workgroup, .group_items = 256});
    }
}

TEST(Histogram, EvenBinsOfIntegers) {
    const Words drawn = random_words(4001, 1);
    check_even<std::uint32_t>(drawn, 100, 0, ~0U);
    check_even<std::uint32_t>(drawn, 7, 1U << 30, 3U << 30, Count::Kind::gpu);
    check_even<std::uint32_t>(Random(2).vector<std::uint32_t>(4001, 0, 50), 64, 10, 40); // more bins than distinct keys
    check_even<std::uint32_t>(Random(3).vector<std::uint32_t>(4001, 0, 50), 10, 0, 50);
    check_even<std::int32_t>(Random(4).vector<std::int32_t>(4001), 97, -2000000000, 2000000000);
    check_even<std::int32_t>(Random(5).vector<std::int32_t>(4001, -100, 100), 9, -50, 77, Count::Kind::gpu);
}

TEST(Histogram, EvenBinsOfFloats) {
    Random random(6);
    auto items = tabulated(4001, [&](auto) { return static_cast<float>(random.uniform<int>(-1200, 1200)) / 1000; });
    items[5] = std::numeric_limits<float>::quiet_NaN();
    items[6] = std::numeric_limits<float>::infinity();
    items[7] = -std::numeric_limits<float>::infinity();
    const float lower = -1.0F, upper = 0.7F;
    check<float>(items, Bins::even(50, lower, upper), [=](float x, auto) {
        const float scale = 50 / (upper - lower);
        return Words{x >= lower && x < upper ? std::min(static_cast<std::uint32_t>((x - lower) * scale), 49U) : none};
    });
}

// Ranges that are wider than the maximum float, and ranges for which bins / range is subnormal.
TEST(Histogram, EvenBinsOfAllFloats) {
    constexpr float greatest = std::numeric_limits<float>::max();
    std::vector<float> items(4001);
    Random random(7);
    for (float& item : items) {
        item = std::ldexp(static_cast<float>(random.uniform<int>(-1000000, 1000000)), random.uniform<int>(90, 108));
    }
    items[5] = greatest;
    items[6] = -greatest;
    items[7] = std::numeric_limits<float>::infinity();
    items[8] = std::numeric_limits<float>::quiet_NaN();
    const auto check_range = [&](std::uint32_t bins, float lower, float upper) {
        check<float>(items, Bins::even(bins, lower, upper), [=](float x, auto) {
            if (!(x >= lower && x < upper)) {
                return Words{none};
            }
            const float offset = x / 16 - lower / 16, range = upper / 16 - lower / 16;
            return Words{std::min(static_cast<std::uint32_t>(offset * (static_cast<float>(bins) / range)), bins - 1)};
        });
    };
    check_range(4, -3e38F, 3e38F);
    check_range(100, -greatest, greatest);
    check_range(2, 0, greatest);
    check_range(3, -greatest, 1e37F);
}

TEST(Histogram, DigitsAndBytes) {
    const Words drawn = random_words(4001, 7);
    check<std::uint32_t>(drawn, Bins::digit(8), [](std::uint32_t x, auto) { return Words{x >> 8 & 0xFF}; });
    check<std::uint32_t>(
        drawn, Bins::digit(29, 3), [](std::uint32_t x, auto) { return Words{x >> 29}; }, small_histogram,
        Count::Kind::gpu);
    check<std::uint32_t>(drawn, Bins::bytes(), [](std::uint32_t x, auto) {
        return Words{x & 0xFF, x >> 8 & 0xFF, x >> 16 & 0xFF, x >> 24};
    });
    check<std::uint32_t>(random_words(200000, 8), Bins::digit(0), [](std::uint32_t x, auto) { return Words{x & 0xFF}; },
                         {});
}

TEST(Histogram, MoreBinsThanFitWorkgroupMemory) {
    const Words drawn = random_words(20001, 9);
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        check<std::uint32_t>(
            drawn, Bins::digit(3, 16), [](std::uint32_t x, auto) { return Words{x >> 3 & 0xFFFF}; }, {}, kind);
    }
}

TEST(Histogram, CustomBins) {
    using Point = std::array<std::uint32_t, 2>;
    const Words drawn = Random(10).vector<std::uint32_t>(4002, 0, 9);
    std::vector<Point> points(drawn.size() / 2);
    std::memcpy(points.data(), drawn.data(), drawn.size() * 4);
    const Expression expression{.text = "x.x + x.y * digits - i % 2", .values = {{"digits", 10U}}};
    check<Point>(points, Bins::by(90, expression),
                 [](Point x, std::uint32_t i) { return Words{x[0] + x[1] * 10 - i % 2}; });
}

TEST(Histogram, SeveralHistogramsOfOneInput) {
    const Words drawn = random_words(5000, 11);
    Trial trial(5000);
    const auto input = trial.input("items", drawn);
    const auto low = trial.output("low", 256), high = trial.output("high", 256);
    histogram(trial.graph, input, Bins::digit(0), {.output = low});
    histogram(trial.graph, input, Bins::digit(24), {.output = high});
    trial.run(5000);
    Words lows(256, 0), highs(256, 0);
    for (const std::uint32_t x : drawn) {
        ++lows[x & 0xFF];
        ++highs[x >> 24];
    }
    trial.expect(low, lows);
    trial.expect(high, highs);
}

TEST(Histogram, RejectsInvalidArguments) {
    expect_refused("histogram: the input is null", [](Graph& g) { histogram(g, Ref{}, Bins::bytes()); });
    expect_refused("histogram: an output is also an input",
                   [](Graph& g, Ref in) { histogram(g, in, Bins::digit(0, 4), {.output = in}); });
    expect_refused("histogram: the counts' buffer has a capacity of 255 elements; 256 are required",
                   [](Graph& g, Ref in) { histogram(g, in, Bins::bytes(), {.output = imported(g, 255)}); });
    expect_refused("histogram: 0 bins", [](Graph& g, Ref in) { histogram(g, in, Bins::even(0, 1U, 2U)); });
    expect_refused("histogram: even bins of [2, 2): the range is empty",
                   [](Graph& g, Ref in) { histogram(g, in, Bins::even(5, 2U, 2U)); });
    expect_refused("even bins must have the type of the elements",
                   [](Graph& g, Ref in) { histogram(g, in, Bins::even(5, 1.0F, 2.0F)); });
    expect_refused("histogram: bits 25 to 33 are not a digit",
                   [](Graph& g, Ref in) { histogram(g, in, Bins::digit(25)); });
    expect_refused("histogram: elements have 2 words",
                   [](Graph& g) { histogram(g, imported<double>(g, 9), Bins::bytes()); });
    expect_refused("100 invocations",
                   [](Graph& g, Ref in) { histogram(g, in, Bins::bytes(), {.tuning = {.workgroup = 100}}); });
}

} // namespace
} // namespace weir::tests::histogram_test

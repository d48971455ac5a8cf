#include <limits>

#include "tests/primitives/histogram_cases.hpp"
#include "tests/primitives/numbers.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::histogram_edges_test {
namespace {

const OnOneDriver on_one_driver{"HistogramEdges.Integers", "MultiHistogram.Many*"};

/// Returns the bin of `x` between ascending `edges`, or the number of bins if `x` is in none.
template <class T>
std::uint32_t bin_of(T x, const std::vector<T>& edges) {
    std::uint32_t bin = 0;
    while (bin + 1 < edges.size() && !(x >= edges[bin] && x < edges[bin + 1])) {
        ++bin;
    }
    return bin;
}

template <class T>
void check_edges(const std::vector<T>& items, const std::vector<T>& edges, Count::Kind kind = Count::Kind::parameter,
                 HistogramTuning tuning = small_histogram) {
    check_histogram<T>(
        items, count_of(edges) - 1,
        [&](Trial& trial, auto input, const auto& options) {
            const auto given = trial.input("edges", edges).with_count(count_of(edges));
            histogram(trial.graph, input, Bins::between(given), options);
        },
        [&](T x, auto) { return Words{bin_of(x, edges)}; }, tuning, kind);
}

TEST(HistogramEdges, Floats) {
    const float infinity = std::numeric_limits<float>::infinity();
    auto items = few_numbers<float>(3001, 1);
    items[0] = std::numeric_limits<float>::quiet_NaN();
    items[1] = -items[0];
    items[2] = -0.0F;
    items[3] = 0.0F;
    items[4] = infinity;
    items[5] = -infinity;
    check_edges<float>(items, {-1e8F, -5e7F, -1.0F, 0.0F, 1.0F, 1.0F, 8e7F, infinity}, Count::Kind::gpu);
    check_edges<float>(items, {-0.0F, 1e7F, 3e8F});
    check_edges<float>({-1.0F, 0.0F, -0.0F, 0.5F, 1.0F, 2.0F, -2.0F}, {-1.0F, 0.0F, 1.0F});
}

TEST(HistogramEdges, Integers) {
    check_edges<std::uint32_t>(random_words(3001, 2), {0, 1, 1000, 1U << 30, 1U << 31, ~0U});
    check_edges<std::int32_t>(few_numbers<std::int32_t>(3001, 3), {-100000000, -7, 0, 0, 7, 200000000});
    check_edges<std::uint32_t>({4, 5, 6, 7}, {5, 7}, Count::Kind::gpu, {});
    const auto edges = tabulated(5001, [&](std::uint32_t i) { return i * 800000; });
    check_edges<std::uint32_t>(random_words(3001, 4), edges, Count::Kind::parameter, {});
}

/// Runs multi_histogram over the first `active` channels with `bins` bins each, and compares with `bin_in`.
template <class T, std::size_t channels>
void check_channels(const std::vector<std::array<T, channels>>& items, std::uint32_t bins,
                    const std::function<std::vector<Bins>(Trial&)>& make,
                    const std::function<std::uint32_t(T, std::uint32_t channel)>& bin_in, std::uint32_t active,
                    Count::Kind kind, HistogramTuning tuning = small_histogram) {
    using Item = std::array<T, channels>;
    check_histogram<Item>(
        items, bins * active,
        [&](Trial& trial, auto input, const auto& options) {
            multi_histogram(trial.graph, input, make(trial), options);
        },
        [&](const Item& item, auto) {
            return tabulated(active, [&](std::uint32_t channel) {
                const std::uint32_t bin = bin_in(item[channel], channel);
                return bin < bins ? channel * bins + bin : ~0U;
            });
        },
        tuning, kind);
}

TEST(MultiHistogram, EvenBinsOfFloats) {
    std::vector<std::array<float, 4>> items(1500);
    Random random(5);
    for (auto& item : items) {
        for (float& x : item) {
            x = static_cast<float>(random.uniform<int>(-10, 90)) / 4;
        }
    }
    const auto bins = [](Trial&) {
        return std::vector<Bins>{Bins::even(8, 0.0F, 16.0F), Bins::even(8, -2.0F, 2.0F), Bins::even(8, 4.0F, 20.0F)};
    };
    check_channels<float, 4>(
        items, 8, bins,
        [](float x, std::uint32_t channel) {
            const float lower = std::array{0.0F, -2.0F, 4.0F}.at(channel),
                        width = std::array{2.0F, 0.5F, 2.0F}.at(channel);
            const float offset = x - lower;
            return offset < 0 || offset >= 8 * width ? ~0U : static_cast<std::uint32_t>(offset / width);
        },
        3, Count::Kind::gpu);
}

TEST(MultiHistogram, BytesOfPixels) {
    check_histogram<std::uint32_t>(
        random_words(2000, 6), 3 * 256,
        [](Trial& trial, auto input, const auto& options) {
            multi_histogram(trial.graph, input, {Bins::bytes(), Bins::bytes(), Bins::bytes()}, options);
        },
        [](std::uint32_t x, auto) {
            return Words{x & 255, 256 + (x >> 8 & 255), 512 + (x >> 16 & 255)};
        },
        small_histogram, Count::Kind::gpu);
}

TEST(MultiHistogram, ManyKindsOfChannels) {
    std::vector<std::array<std::uint32_t, 3>> triples(1500);
    std::vector<std::array<std::int32_t, 2>> pairs(1500);
    Random random(7);
    for (std::uint32_t i = 0; i < 1500; ++i) {
        triples[i] = {random.uniform(0U, 120U), random.uniform(0U, 120U), random.uniform(0U, 120U)};
        pairs[i] = {random.uniform(-60, 60), random.uniform(-60, 60)};
    }
    const std::vector<Words> edges{{0, 5, 50, 60}, {10, 20, 100, 110}, {1, 2, 3, 119}};
    check_channels<std::uint32_t, 3>(
        triples, 3,
        [&](Trial& trial) {
            std::vector<Bins> bins;
            for (const Words& some : edges) {
                bins.push_back(Bins::between(trial.input("edges", some).with_count(4)));
            }
            return bins;
        },
        [&](std::uint32_t x, std::uint32_t channel) { return bin_of(x, edges[channel]); }, 3, Count::Kind::parameter);
    check_channels<std::int32_t, 2>(
        pairs, 10,
        [](Trial&) {
            return std::vector<Bins>{Bins::even(10, -50, 50), Bins::even(10, 0, 10)};
        },
        [](std::int32_t x, std::uint32_t channel) {
            return static_cast<std::uint32_t>(channel == 0 ? x < -50 ? -1 : (x + 50) / 10 : x);
        },
        2, Count::Kind::parameter, {});
    // More bins than fit in workgroup memory.
    check_channels<std::uint32_t, 3>(
        triples, 40000, [](Trial&) { return std::vector<Bins>(2, Bins::even(40000, 0U, 40000U)); },
        [](std::uint32_t x, std::uint32_t) { return x; }, 2, Count::Kind::gpu, {});
}

TEST(HistogramEdges, RejectsInvalidArguments) {
    expect_refused("histogram: 0 bins",
                   [](Graph& g, Ref in, Ref edges) { histogram(g, in, Bins::between(edges.with_count(1))); });
    expect_refused("histogram: edges must have the type of the elements",
                   [](Graph& g, Ref in, Ref edges) { histogram(g, in, Bins::between(edges.as<float>())); });
    expect_refused("histogram: the number of edges must be a constant", [](Graph& g, Ref in, Ref edges) {
        histogram(g, in, Bins::between(edges.with_count(g.parameter("n", 5))));
    });
    expect_refused("histogram: an output is also an input", [](Graph& g, Ref in, Ref edges) {
        histogram(g, in, Bins::between(edges), {.output = edges.with_count(4)});
    });
    expect_refused("multi histogram: bins is empty", [](Graph& g, Ref in) { multi_histogram(g, in, {}); });
    expect_refused("multi histogram: elements of one word require Bins::bytes",
                   [](Graph& g, Ref in) { multi_histogram(g, in, {Bins::even(4, 0U, 4U)}); });
    using Pairs = std::array<std::uint32_t, 2>;
    expect_refused("multi histogram: the bins of all channels must have the same kind and number", [](Graph& g) {
        multi_histogram(g, imported<Pairs>(g, 9), {Bins::even(4, 0U, 4U), Bins::even(5, 0U, 5U)});
    });
    expect_refused("multi histogram: bins for 3 channels; elements have 2", [](Graph& g) {
        multi_histogram(g, imported<Pairs>(g, 9), std::vector<Bins>(3, Bins::even(4, 0U, 4U)));
    });
    expect_refused("multi histogram: bins of several channels must be even, between edges or of bytes",
                   [](Graph& g) { multi_histogram(g, imported<Pairs>(g, 9), {Bins::digit(0)}); });
}

} // namespace
} // namespace weir::tests::histogram_edges_test

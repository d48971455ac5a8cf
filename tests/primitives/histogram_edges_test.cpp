#include <functional>
#include <limits>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::histogram_edges_test {
namespace {

const OnOneDriver on_one_driver{"HistogramEdges.Integers", "MultiHistogram.Many*"};

using Words = std::vector<std::uint32_t>;

/// Kernel shape with small workgroups, so that few elements make several workgroups.
constexpr HistogramTuning small_shape{.workgroup = 64, .group_items = 256, .copies = 2};

/// Returns the bin of `x` between ascending `edges`, or the number of bins if `x` is in none.
template <class T>
std::size_t bin_of(T x, const std::vector<T>& edges) {
    std::size_t bin = 0;
    while (bin + 1 < edges.size() && !(x >= edges[bin] && x < edges[bin + 1])) {
        ++bin;
    }
    return bin;
}

template <class T>
void check_edges(const std::vector<T>& items, const std::vector<T>& edges, Count::Kind kind = Count::Kind::parameter,
                 HistogramTuning tuning = small_shape) {
    const auto most = static_cast<std::uint32_t>(items.size()), number = static_cast<std::uint32_t>(edges.size());
    Trial trial(most, kind);
    const auto counts = trial.output("counts", number - 1);
    histogram(trial.graph, trial.input("items", items), Bins::between(trial.input("edges", edges).with_count(number)),
              {.output = counts, .tuning = tuning});
    trial.compile();
    for (const std::uint32_t wanted : {0U, 1U, 255U, 257U, 1027U, most}) {
        const std::uint32_t n = std::min(wanted, most);
        SCOPED_TRACE("n = " + std::to_string(n) + ", edges: " + std::to_string(number));
        Words expected(number);
        for (std::uint32_t i = 0; i < n; ++i) {
            ++expected[bin_of(items[i], edges)];
        }
        expected.pop_back();
        trial.run(n);
        trial.expect(counts, expected);
    }
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
    Words edges(5001);
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
        edges[i] = i * 800000;
    }
    check_edges<std::uint32_t>(random_words(3001, 4), edges, Count::Kind::parameter, {});
}

/// Runs multi_histogram over the first `active` channels with `bins` bins each, and compares with `bin_in`.
template <class T, std::size_t channels>
void check_channels(const std::vector<std::array<T, channels>>& items, std::uint32_t bins,
                    const std::function<std::vector<Bins>(Trial&)>& make,
                    const std::function<std::uint32_t(T, std::uint32_t channel)>& bin_in, std::uint32_t active,
                    Count::Kind kind, HistogramTuning tuning = small_shape) {
    const auto most = static_cast<std::uint32_t>(items.size());
    Trial trial(most, kind);
    const auto counts = trial.output("counts", bins * active);
    multi_histogram(trial.graph, trial.input("items", items), make(trial), {.output = counts, .tuning = tuning});
    trial.compile();
    for (const std::uint32_t n : {0U, 1U, 3U, 64U, 257U, 1027U, most}) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", channels: " + std::to_string(channels));
        Words expected(bins * active);
        for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t channel = 0; channel < active; ++channel) {
                const std::uint32_t bin = bin_in(items[i][channel], channel);
                if (bin < bins) {
                    ++expected[channel * bins + bin];
                }
            }
        }
        trial.run(n);
        trial.expect(counts, expected);
    }
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
    const Words pixels = random_words(2000, 6);
    Trial trial(2000, Count::Kind::gpu);
    const auto counts = trial.output("counts", 3 * 256);
    multi_histogram(trial.graph, trial.input("pixels", pixels), {Bins::bytes(), Bins::bytes(), Bins::bytes()},
                    {.output = counts, .tuning = small_shape});
    trial.compile();
    for (const std::uint32_t n : {0U, 1U, 5U, 2000U}) {
        Words expected(3 * 256);
        for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t channel = 0; channel < 3; ++channel) {
                ++expected[channel * 256 + (pixels[i] >> 8 * channel & 255)];
            }
        }
        trial.run(n);
        trial.expect(counts, expected);
    }
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
        [&](std::uint32_t x, std::uint32_t channel) { return static_cast<std::uint32_t>(bin_of(x, edges[channel])); },
        3, Count::Kind::parameter);
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
    using Ref = BufferRef<std::uint32_t>;
    const auto error = [](const std::function<void(Graph&, Ref, Ref)>& build) {
        Graph graph(test_context());
        build(graph, graph.import_buffer<std::uint32_t>("in", 1000), graph.import_buffer<std::uint32_t>("edges", 5));
        return plan_error(graph);
    };
    EXPECT_THAT(
        error([](Graph& graph, Ref in, Ref edges) { histogram(graph, in, Bins::between(edges.with_count(1))); }),
        HasSubstr("histogram: 0 bins"));
    EXPECT_THAT(error([](Graph& graph, Ref in, Ref edges) { histogram(graph, in, Bins::between(edges.as<float>())); }),
                HasSubstr("histogram: edges must have the type of the elements"));
    EXPECT_THAT(error([](Graph& graph, Ref in, Ref edges) {
                    histogram(graph, in, Bins::between(edges.with_count(graph.parameter("n", 5))));
                }),
                HasSubstr("histogram: the number of edges must be a constant"));
    EXPECT_THAT(error([](Graph& graph, Ref in, Ref edges) {
                    histogram(graph, in, Bins::between(edges), {.output = edges.with_count(4)});
                }),
                HasSubstr("histogram: an output is also an input"));
    EXPECT_THAT(error([](Graph& graph, Ref in, Ref) { multi_histogram(graph, in, {}); }),
                HasSubstr("multi histogram: bins is empty"));
    EXPECT_THAT(error([](Graph& graph, Ref in, Ref) { multi_histogram(graph, in, {Bins::even(4, 0U, 4U)}); }),
                HasSubstr("multi histogram: elements of one word require Bins::bytes"));
    using Pairs = std::array<std::uint32_t, 2>;
    EXPECT_THAT(error([](Graph& graph, Ref, Ref) {
                    multi_histogram(graph, graph.import_buffer<Pairs>("pairs", 9),
                                    {Bins::even(4, 0U, 4U), Bins::even(5, 0U, 5U)});
                }),
                HasSubstr("multi histogram: the bins of all channels must have the same kind and number"));
    EXPECT_THAT(error([](Graph& graph, Ref, Ref) {
                    multi_histogram(graph, graph.import_buffer<Pairs>("pairs", 9),
                                    std::vector<Bins>(3, Bins::even(4, 0U, 4U)));
                }),
                HasSubstr("multi histogram: bins for 3 channels; elements have 2"));
    EXPECT_THAT(error([](Graph& graph, Ref, Ref) {
                    multi_histogram(graph, graph.import_buffer<Pairs>("pairs", 9), {Bins::digit(0)});
                }),
                HasSubstr("multi histogram: bins of several channels must be even, between edges or of bytes"));
}

} // namespace
} // namespace weir::tests::histogram_edges_test

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <weir/weir.hpp>

#include "tests/primitives/radix_sort_trial.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::radix_sort_test {
namespace {

const OnEveryDriver on_every_driver{"RadixSort.UnknownSubgroupSize"};
const OnOneDriver on_one_driver{"RadixSort.CountOnTheGpu", "RadixSort.InPlace", "RadixSort.CountersCount*",
                                "RadixSort.BetweenScans*"};
const Sweeps sweeps{"RadixSort.EveryShape",          "RadixSort.FaultsOfEvery*",
                    "RadixSort.EveryBitRange",       "RadixSort.RandomFaultsManyTimes",
                    "RadixSort/RadixSortVariants.*", "RadixSort.UnknownSubgroupSize"};

constexpr std::uint32_t poison = 0xDEADBEEF;

/// Returns the indices of the first n keys in the order of a stable sort. Key and index are sorted as one 64-bit word,
/// because a sort of indices that looks up the keys takes five times as long.
Words reference_order(const Words& keys, std::size_t n, const RadixSortOptions<>& options) {
    const std::uint32_t bits = options.end_bit - options.first_bit;
    const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << options.first_bit;
    std::vector<std::uint64_t> places(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t key = keys[i] & mask;
        places[i] = (options.descending ? mask - key : key) << 32 | i;
    }
    std::sort(places.begin(), places.end());
    Words order(n);
    std::transform(places.begin(), places.end(), order.begin(),
                   [](std::uint64_t place) { return static_cast<std::uint32_t>(place); });
    return order;
}

Words moved(const Words& items, const Words& order) {
    Words result(items.size(), poison);
    for (std::size_t i = 0; i < order.size(); ++i) {
        result[i] = items[order[i]];
    }
    return result;
}

/// A program that sorts the first n keys into poisoned outputs; n is set for each run. The values, if any, are the
/// indices of the keys.
class Sorter {
public:
    Sorter(Words keys, bool values, RadixSortOptions<> options, Instrument instrument = {}, bool count = false)
        : keys_(std::move(keys)), options_(options) {
        const auto capacity = static_cast<std::uint32_t>(keys_.size());
        Graph graph(test_context());
        n_ = graph.parameter("n", capacity);
        seed_ = graph.parameter("seed", ~0U);
        const auto in = graph.import_buffer<std::uint32_t>("in", capacity, n_);
        const auto out = graph.import_buffer<std::uint32_t>("out", capacity);
        graph.add_fill("poison", out, poison);
        options.output_keys = out;
        BufferRef<std::uint32_t> value_in, value_out;
        if (values) {
            options.values = value_in = graph.import_buffer<std::uint32_t>("values", capacity, n_);
            options.output_values = value_out = graph.import_buffer<std::uint32_t>("value out", capacity);
            graph.add_fill("poison", value_out, poison);
            graph.export_buffer(value_out);
        }
        if (count) {
            counters_ = instrument.counters = graph.transient_buffer<std::uint32_t>("counters", 5);
            graph.export_buffer(counters_);
        }
        const auto scope = weir::testing::instrument(graph, with_seed(instrument, seed_));
        radix_sort(graph, in, options);
        graph.export_buffer(out);
        program_.emplace(ok(compile(test_context(), graph)));
        in_ = buffer_of(keys_);
        out_ = poisoned_buffer(capacity);
        ok(program_->bind(in, in_));
        ok(program_->bind(out, out_));
        if (values) {
            values_.resize(capacity);
            std::iota(values_.begin(), values_.end(), 0U);
            value_in_ = buffer_of(values_);
            value_out_ = poisoned_buffer(capacity);
            ok(program_->bind(value_in, value_in_));
            ok(program_->bind(value_out, value_out_));
        }
    }

    void check(std::uint32_t n, std::uint32_t seed = 1) {
        const std::string what = "n = " + std::to_string(n) + ", seed " + std::to_string(seed);
        ok(program_->set(n_, n));
        ok(program_->set(seed_, seed));
        ok(program_->run());
        const Words order = reference_order(keys_, n, options_);
        expect_equal(contents(out_, keys_.size()), moved(keys_, order), what);
        if (!values_.empty()) {
            expect_equal(contents(value_out_, keys_.size()), moved(values_, order), what + ", values");
        }
        expect_equal(contents(in_, keys_.size()), keys_, what + ", the input afterwards");
    }

    LookBackCounters counters() {
        const Words words = contents(program_->view(counters_), 5);
        return {words[0], words[1], words[2], words[3], words[4]};
    }

private:
    Words keys_, values_;
    RadixSortOptions<> options_;
    Count n_, seed_;
    BufferRef<std::uint32_t> counters_;
    std::optional<Program> program_;
    Buffer in_, out_, value_in_, value_out_;
};

struct Variant {
    const char* name;
    bool values;
    bool descending;
};
/// Prints the name. Without this function, GoogleTest prints the bytes, including padding.
void PrintTo(const Variant& variant, std::ostream* out) {
    *out << variant.name;
}
class RadixSortVariants : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(RadixSort, RadixSortVariants,
                         testing::Values(Variant{"keys", false, false}, Variant{"pairs", true, false},
                                         Variant{"descending_pairs", true, true}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(RadixSortVariants, EveryCountUpToThreeTiles) {
    const auto [name, values, descending] = GetParam();
    const std::uint32_t most = 3 * small_tile();
    // Few distinct keys, so that an unstable sort is detected.
    Words keys = random_words(most + 1, 1);
    for (std::uint32_t& key : keys) {
        key &= 0x0F0000F3;
    }
    Sorter passes(keys, values, {.descending = descending, .tuning = small_shape()});
    Sorter single(keys, values, {.descending = descending});
    for (std::uint32_t n = 0; n <= most + 1 && !HasFailure(); ++n) {
        passes.check(n);
        single.check(n);
    }
}

TEST_P(RadixSortVariants, PowersOfTwoAndNeighbours) {
    const auto [name, values, descending] = GetParam();
    // The maximum is large on GPUs and on the fastest CPU configuration, for two of the three variants.
    const Capabilities& device = test_context().capabilities();
    const bool is_fast = device.kind != DeviceKind::cpu || device.subgroup_size == 16;
    const std::uint32_t top = long_tests() ? 24 : is_fast && values == descending ? 22 : 18;
    for (const std::uint32_t power : {8U, 12U, 16U, top}) {
        Sorter sorter(random_words((1U << power) + 1, 2), values, {.descending = descending});
        for (std::uint32_t p = power > 16 ? 15 : 0; p <= power; ++p) {
            for (const std::uint32_t n : {(1U << p) - 1, 1U << p, (1U << p) + 1}) {
                sorter.check(n);
            }
        }
    }
}

TEST(RadixSort, EveryBitRange) {
    const std::uint32_t n = 2 * small_tile() + 11;
    for (const bool single : {false, true}) {
        for (std::uint32_t first = 0; first <= 32; first += single ? 5 : 1) {
            for (const std::uint32_t width : {0U, 1U, 3U, 8U, 9U, 13U, 16U, 24U, 32U}) {
                if (first + width <= 32) {
                    SCOPED_TRACE(std::string(single ? "one workgroup" : "passes") + ", bits " + std::to_string(first) +
                                 " to " + std::to_string(first + width));
                    RadixSortOptions<> options{
                        .descending = width % 2 == 1, .first_bit = first, .end_bit = first + width};
                    if (!single) {
                        options.tuning = small_shape();
                    }
                    Sorter(random_words(n, first), true, options).check(width == 0 ? n : n - 1);
                }
            }
        }
    }
}

TEST(RadixSort, KindsOfInput) {
    const std::uint32_t n = 5 * small_tile() + 7;
    Words ascending(n), descending(n), one_other(n, 3), powers(n);
    std::iota(ascending.begin(), ascending.end(), 0U);
    std::iota(descending.rbegin(), descending.rend(), 0xFFFF0000U);
    one_other[n / 2] = 2;
    for (std::uint32_t i = 0; i < n; ++i) {
        powers[i] = 1U << i % 32;
    }
    for (const Words& keys : {Words(n, 0), Words(n, ~0U), ascending, descending, one_other, powers}) {
        for (const bool down : {false, true}) {
            Sorter(keys, true, {.descending = down, .tuning = small_shape()}).check(n);
            Sorter(Words(keys.begin(), keys.begin() + 1000), true, {.descending = down}).check(1000);
        }
    }
}

TEST(RadixSort, EveryShape) {
    const std::uint32_t subgroup = test_context().capabilities().subgroup_size;
    for (const std::uint32_t subgroups : {4U, 16U}) {
        for (const std::uint32_t keys : {1U, 7U}) {
            for (const std::uint32_t rounds : {1U, 3U}) {
                if (!is_turn(subgroups / 8 + keys / 7 + rounds / 3, configurations)) {
                    continue;
                }
                SCOPED_TRACE(std::to_string(subgroups) + " subgroups, " + std::to_string(keys) + " keys each, " +
                             std::to_string(rounds) + " rounds");
                const std::uint32_t tile = subgroups * subgroup * keys;
                Sorter(random_words(2 * tile + 1, 3), true,
                       {.first_bit = 3,
                        .end_bit = 14,
                        .tuning = {.workgroup = subgroups * subgroup,
                                   .keys_per_invocation = keys,
                                   .rounds = rounds,
                                   .single_workgroup_keys = 1}})
                    .check(2 * tile + 1);
            }
        }
    }
}

TEST(RadixSort, InPlace) {
    for (const std::uint32_t n : {100U, 3 * small_tile() + 5}) {
        for (const std::uint32_t end_bit : {0U, 8U, 16U, 24U, 32U}) {
            const Words keys = random_words(n, end_bit);
            Words values(n);
            std::iota(values.begin(), values.end(), 0U);
            Graph graph(test_context());
            const auto k = graph.import_buffer<std::uint32_t>("keys", n);
            const auto v = graph.import_buffer<std::uint32_t>("values", n);
            radix_sort(graph, k,
                       {.values = v,
                        .end_bit = end_bit,
                        .output_keys = k,
                        .output_values = v,
                        .tuning = {.single_workgroup_keys = 1000}});
            graph.export_buffer(k);
            graph.export_buffer(v);
            Program program = ok(compile(test_context(), graph));
            const Buffer key_buffer = buffer_of(keys), value_buffer = buffer_of(values);
            ok(program.bind(k, key_buffer));
            ok(program.bind(v, value_buffer));
            ok(program.run());
            const Words order = reference_order(keys, n, {.end_bit = end_bit});
            const std::string what = "n = " + std::to_string(n) + ", bits to " + std::to_string(end_bit);
            expect_equal(contents(key_buffer, n), moved(keys, order), what);
            expect_equal(contents(value_buffer, n), moved(values, order), what + ", values");
        }
    }
}

TEST(RadixSort, FaultsOfEveryKindAndRate) {
    const std::uint32_t n = 130 * small_tile() + 3;
    const Words keys = random_words(n, 4);
    for (const auto kind : {Instrument::Kind::never_post, Instrument::Kind::late_post, Instrument::Kind::torn_post}) {
        for (std::uint32_t one_in = 512; one_in >= 1; one_in /= 2) {
            Sorter(keys, false, {.first_bit = 4, .end_bit = 20, .tuning = small_shape()},
                   {.one_in = one_in, .kind = kind})
                .check(n);
        }
    }
}

TEST(RadixSort, RandomFaultsManyTimes) {
    const std::uint32_t n = 24 * small_tile() - 5;
    Sorter sorter(random_words(n, 5), true, {.tuning = small_shape()}, {.one_in = 3, .seed = 1U});
    for (std::uint32_t repetition = 1; repetition <= 200 && !HasFailure(); ++repetition) {
        sorter.check(n, repetition);
    }
}

TEST(RadixSort, CountersCountFallbacks) {
    const std::uint32_t n = 20 * small_tile();
    Sorter faulty(random_words(n, 6), false, {.end_bit = 8, .tuning = small_shape()}, {.one_in = 1}, true);
    faulty.check(n);
    const LookBackCounters counted = faulty.counters();
    EXPECT_GE(counted.fallbacks, 19U);
    EXPECT_GE(counted.fallbacks_won, 19U * 256);
    EXPECT_EQ(counted.fallbacks_won % 256, 0U); // each digit of a tile is won once
    EXPECT_EQ(counted.tiles, 20U * 19 / 2);     // without prefixes, each look-back goes to the first tile
}

TEST(RadixSort, CountOnTheGpu) {
    const std::uint32_t capacity = 3 * small_tile() + 100;
    const Words keys = random_words(capacity, 9);
    for (const bool single : {false, true}) {
        Graph graph(test_context());
        const auto counts = graph.import_buffer<std::uint32_t>("counts", 1);
        const auto in = graph.import_buffer<std::uint32_t>("in", capacity, graph.count_in(counts, 0, capacity));
        const auto out = graph.import_buffer<std::uint32_t>("out", capacity);
        graph.add_fill("poison", out, poison);
        radix_sort(graph, in, {.output_keys = out, .tuning = single ? RadixSortTuning{} : small_shape()});
        graph.export_buffer(out);
        Program program = ok(compile(test_context(), graph));
        const Buffer count_buffer = poisoned_buffer(1), in_buffer = buffer_of(keys),
                     out_buffer = poisoned_buffer(capacity);
        ok(program.bind(counts, count_buffer));
        ok(program.bind(in, in_buffer));
        ok(program.bind(out, out_buffer));
        for (const std::uint32_t n :
             {0U, 1U, small_tile(), small_tile() + 1, 0U, capacity - 1, capacity, capacity + 1, ~0U}) {
            ok(test_context().upload(count_buffer, Words{n}));
            ok(program.run());
            const Words order = reference_order(keys, std::min(n, capacity), {});
            expect_equal(contents(out_buffer, capacity), moved(keys, order), "n = " + std::to_string(n));
        }
    }
}

TEST(RadixSort, UnknownSubgroupSize) {
    const std::uint32_t n = 5 * small_tile() + 3;
    const Words keys = random_words(n, 11);
    for (const std::uint32_t single : {1U, 100U}) {
        const std::uint32_t count = single == 1 ? n : single;
        Graph graph(without_known_subgroup_size());
        const auto in = graph.import_buffer<std::uint32_t>("in", count);
        // Faults need a separate kernel, which takes the longest to compile. Drivers take turns.
        const auto scope = weir::testing::instrument(graph, {.one_in = is_turn(0, 3) ? 2U : 0U});
        RadixSortOptions<> options{.tuning = small_shape()};
        options.tuning.single_workgroup_keys = single;
        options.tuning.ranks = is_turn(1, 3) ? RadixRanks::checked : RadixRanks::voted;
        const auto sorted = radix_sort(graph, in, options);
        graph.export_buffer(sorted.keys);
        Program program = ok(compile(test_context(), graph));
        Words expected(keys.begin(), keys.begin() + count);
        const Buffer in_buffer = buffer_of(expected);
        ok(program.bind(in, in_buffer));
        ok(program.run());
        std::sort(expected.begin(), expected.end());
        expect_equal(contents(program.view(sorted.keys), count), expected, std::to_string(count) + " keys");
    }
}

TEST(RadixSort, BetweenScansInOneGraph) {
    const std::uint32_t n = 2 * small_tile() + 9;
    const Words input = random_words(n, 10);
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", n);
    const auto sorted = radix_sort(graph, scan(graph, in), {.descending = true, .tuning = small_shape()});
    const auto sums = scan(graph, sorted.keys, {.kind = ScanKind::exclusive});
    graph.export_buffer(sums);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(input);
    ok(program.bind(in, buffer));
    Words expected(n);
    std::inclusive_scan(input.begin(), input.end(), expected.begin());
    std::sort(expected.begin(), expected.end(), std::greater<>());
    std::exclusive_scan(expected.begin(), expected.end(), expected.begin(), 0U);
    for (int repetition = 0; repetition < 3; ++repetition) {
        ok(program.run());
        expect_equal(contents(program.view(sums), n), expected, "sums");
    }
}

TEST(RadixSort, RejectsInvalidArguments) {
    const auto error = [](const RadixSortOptions<>& options) {
        Graph graph(test_context());
        radix_sort(graph, graph.import_buffer<std::uint32_t>("in", 1000), options);
        return plan_error(graph);
    };
    EXPECT_THAT(error({.first_bit = 9, .end_bit = 8}), HasSubstr("bits 9 to 8"));
    EXPECT_THAT(error({.end_bit = 33}), HasSubstr("bits 0 to 33"));
    EXPECT_THAT(error({.tuning = {.workgroup = 96}}), HasSubstr("96 invocations"));
    Graph graph(test_context());
    const auto keys = graph.import_buffer<std::uint32_t>("in", 1000);
    radix_sort(graph, keys, {.values = graph.import_buffer<std::uint32_t>("values", 999)});
    EXPECT_THAT(plan_error(graph), HasSubstr("capacity of 999"));
    Graph shared(test_context());
    const auto both = shared.import_buffer<std::uint32_t>("in", 1000);
    radix_sort(shared, both, {.values = both});
    EXPECT_THAT(plan_error(shared), HasSubstr("share a buffer"));
    Graph large(test_context());
    radix_sort(large, large.import_buffer<std::uint32_t>("in", 1U << 30));
    EXPECT_THAT(plan_error(large), HasSubstr("at most 1073741823"));
}

} // namespace
} // namespace weir::tests::radix_sort_test

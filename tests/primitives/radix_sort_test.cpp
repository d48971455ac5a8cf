#include <ostream>

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

struct Variant {
    const char* name;
    SortOf what;
    bool descending;
};
/// Prints the name. Without this function, GoogleTest prints the bytes, including padding.
void PrintTo(const Variant& variant, std::ostream* out) {
    *out << variant.name;
}
class RadixSortVariants : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(RadixSort, RadixSortVariants,
                         testing::Values(Variant{"keys", SortOf::keys, false}, Variant{"pairs", SortOf::pairs, false},
                                         Variant{"descending_pairs", SortOf::pairs, true}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(RadixSortVariants, EveryCountUpToThreeTiles) {
    const auto [name, what, descending] = GetParam();
    const std::uint32_t most = 3 * small_tile();
    // Few distinct keys, so that an unstable sort is detected.
    Words keys = random_words(most + 1, 1);
    for (std::uint32_t& key : keys) {
        key &= 0x0F0000F3;
    }
    RadixSorter<std::uint32_t> passes(keys, what, {.descending = descending, .tuning = small_shape()});
    RadixSorter<std::uint32_t> single(keys, what, {.descending = descending});
    for (std::uint32_t n = 0; n <= most + 1 && !HasFailure(); ++n) {
        passes.check(n);
        single.check(n);
    }
}

TEST_P(RadixSortVariants, PowersOfTwoAndNeighbours) {
    const auto [name, what, descending] = GetParam();
    // The maximum is large on GPUs and on the fastest CPU configuration, for two of the three variants.
    const Capabilities& device = test_context().capabilities();
    const bool is_fast = device.kind != DeviceKind::cpu || device.subgroup_size == 16;
    const std::uint32_t top = long_tests() ? 24 : is_fast && (what == SortOf::pairs) == descending ? 22 : 18;
    for (const std::uint32_t power : {8U, 12U, 16U, top}) {
        RadixSorter<std::uint32_t> sorter(random_words((1U << power) + 1, 2), what, {.descending = descending});
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
                    check_sort(random_words(n, first), SortOf::pairs, {width == 0 ? n : n - 1},
                               {.descending = width % 2 == 1,
                                .first_bit = first,
                                .end_bit = first + width,
                                .tuning = single ? RadixSortTuning{} : small_shape()});
                }
            }
        }
    }
}

TEST(RadixSort, KindsOfInput) {
    const std::uint32_t n = 5 * small_tile() + 7;
    for (const bool down : {false, true}) {
        for (const Words& keys : special_inputs(n)) {
            check_sort(keys, SortOf::pairs, {n}, {.descending = down, .tuning = small_shape()});
        }
        for (const Words& keys : special_inputs(1000)) {
            check_sort(keys, SortOf::pairs, {1000}, {.descending = down});
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
                const std::uint32_t n = 2 * subgroups * subgroup * keys + 1;
                check_sort(random_words(n, 3), SortOf::pairs, {n},
                           {.first_bit = 3,
                            .end_bit = 14,
                            .tuning = {.workgroup = subgroups * subgroup,
                                       .keys_per_invocation = keys,
                                       .rounds = rounds,
                                       .single_workgroup_keys = 1}});
            }
        }
    }
}

TEST(RadixSort, InPlace) {
    for (const std::uint32_t n : {100U, 3 * small_tile() + 5}) {
        for (const std::uint32_t end_bit : {0U, 8U, 16U, 24U, 32U}) {
            SCOPED_TRACE("bits to " + std::to_string(end_bit));
            check_sort(random_words(n, end_bit), SortOf::pairs, {n},
                       {.end_bit = end_bit, .tuning = {.single_workgroup_keys = 1000}},
                       {.kind = Count::Kind::constant, .in_place = {true, true}});
        }
    }
}

TEST(RadixSort, FaultsOfEveryKindAndRate) {
    const std::uint32_t n = 130 * small_tile() + 3;
    const Words keys = random_words(n, 4);
    for (const auto kind : all_faults) {
        for (std::uint32_t one_in = 512; one_in >= 1; one_in /= 2) {
            check_sort(keys, SortOf::keys, {n}, {.first_bit = 4, .end_bit = 20, .tuning = small_shape()},
                       {.instrument = {.one_in = one_in, .kind = kind}});
        }
    }
}

TEST(RadixSort, RandomFaultsManyTimes) {
    const std::uint32_t n = 24 * small_tile() - 5;
    RadixSorter<std::uint32_t> sorter(random_words(n, 5), SortOf::pairs, {.tuning = small_shape()},
                                      {.instrument = {.one_in = 3, .seed = 1U}});
    for (std::uint32_t repetition = 1; repetition <= 200 && !HasFailure(); ++repetition) {
        sorter.check(n, repetition);
    }
}

TEST(RadixSort, CountersCountFallbacks) {
    check_counters(random_words(20 * small_tile(), 6), SortOf::keys);
}

TEST(RadixSort, CountOnTheGpu) {
    const std::uint32_t capacity = 3 * small_tile() + 100;
    const Words keys = random_words(capacity, 9);
    const Words counts{0, 1, small_tile(), small_tile() + 1, 0, capacity - 1, capacity, capacity + 1, ~0U};
    for (const RadixSortTuning& tuning : {RadixSortTuning{}, small_shape()}) {
        check_sort(keys, SortOf::keys, counts, {.tuning = tuning}, {.kind = Count::Kind::gpu});
    }
}

TEST(RadixSort, UnknownSubgroupSize) {
    for (const std::uint32_t single : {1U, 100U}) {
        const std::uint32_t n = single == 1 ? 5 * small_tile() + 3 : single;
        RadixSortTuning tuning = small_shape();
        tuning.single_workgroup_keys = single;
        tuning.ranks = is_turn(1, 3) ? RadixRanks::checked : RadixRanks::voted;
        // Faults need a separate kernel, which takes the longest to compile. Drivers take turns.
        check_sort(random_words(n, 11), SortOf::keys, {n}, {.tuning = tuning},
                   {.kind = Count::Kind::constant,
                    .instrument = {.one_in = is_turn(0, 3) ? 2U : 0U},
                    .device = without_known_subgroup_size()});
    }
}

TEST(RadixSort, BetweenScansInOneGraph) {
    const std::uint32_t n = 2 * small_tile() + 9;
    const Words input = random_words(n, 10);
    Trial trial(n, Count::Kind::constant);
    const auto sorted = radix_sort(trial.graph, scan(trial.graph, trial.input("in", input)),
                                   {.descending = true, .tuning = small_shape()});
    const auto sums = trial.exported(scan(trial.graph, sorted.keys, {.kind = ScanKind::exclusive}));
    Words expected(n);
    std::inclusive_scan(input.begin(), input.end(), expected.begin());
    std::sort(expected.begin(), expected.end(), std::greater<>());
    std::exclusive_scan(expected.begin(), expected.end(), expected.begin(), 0U);
    for (int repetition = 0; repetition < 3; ++repetition) {
        trial.run(n);
        trial.expect_exported(sums, expected);
    }
}

TEST(RadixSort, RejectsInvalidArguments) {
    const auto with = [](const RadixSortOptions<>& options) {
        return [options](Graph& g, Ref in) { radix_sort(g, in, options); };
    };
    expect_refused("bits 9 to 8", with({.first_bit = 9, .end_bit = 8}));
    expect_refused("bits 0 to 33", with({.end_bit = 33}));
    expect_refused("96 invocations", with({.tuning = {.workgroup = 96}}));
    expect_refused("capacity of 99", [](Graph& g, Ref in) { radix_sort(g, in, {.values = imported(g, 99)}); });
    expect_refused("share a buffer", [](Graph& g, Ref in) { radix_sort(g, in, {.values = in}); });
    Graph many(device_with_range(std::uint64_t{1} << 32));
    radix_sort(many, imported(many, 1U << 30));
    EXPECT_THAT(plan_error(many), HasSubstr("at most 1073741823"));
}

} // namespace
} // namespace weir::tests::radix_sort_test

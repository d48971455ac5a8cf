#include "tests/primitives/radix_sort_trial.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::radix_sort_types_test {
namespace {

const Sweeps sweeps{"RadixSortTypes.*",
                    "RadixSortByType/*.ChecksTheOrderOfOneTile",
                    "RadixSortBits.*",
                    "RadixSortConstantDigits.*",
                    "RadixSortValues.*",
                    "RadixSortByType/*.ChecksRanks*",
                    "RadixSortByType/*.KeysPairs*",
                    "RadixSortByType/f*.SingleWorkgroup"};

template <class K>
class RadixSortByType : public testing::Test {};
TYPED_TEST_SUITE(RadixSortByType, KeyTypes, KeyTypeNames);

TYPED_TEST(RadixSortByType, KeysPairsAndIndicesBothWays) {
    const std::uint32_t tile = small_tile(), most = 2 * tile + 9;
    const std::vector<TypeParam> keys = mixed_keys<TypeParam>(most);
    for (const auto what : {SortOf::keys, SortOf::pairs, SortOf::indices}) {
        if (!is_turn(static_cast<std::uint32_t>(what) + number_of_kernels<TypeParam>, configurations)) {
            continue;
        }
        for (const bool descending : {false, true}) {
            SCOPED_TRACE(std::string(descending ? "descending" : "ascending") + ", kind " +
                         std::to_string(static_cast<int>(what)));
            check_sort(keys, what, {0, 1, 2, 17, tile - 1, tile, tile + 1, 2 * tile, most},
                       {.descending = descending, .tuning = small_shape()});
        }
    }
}

TYPED_TEST(RadixSortByType, SingleWorkgroup) {
    const std::vector<TypeParam> keys = mixed_keys<TypeParam>(1000);
    for (const auto what : {SortOf::keys, SortOf::pairs, SortOf::indices}) {
        if (!is_turn(static_cast<std::uint32_t>(what) + 1 + number_of_kernels<TypeParam>, configurations)) {
            continue;
        }
        const auto kind = sizeof(TypeParam) == 8 ? Count::Kind::gpu : Count::Kind::parameter;
        for (const bool descending : {false, true}) {
            check_sort(keys, what, {0, 1, 2, 17, 513, 999, 1000}, {.descending = descending}, {.kind = kind});
        }
    }
}

// Ranks in the order in which the device executes atomics, and tiles whose ranks are forced out of order.
TYPED_TEST(RadixSortByType, ChecksRanksOfAtomics) {
    if (!is_turn(number_of_kernels<TypeParam>, configurations)) {
        return;
    }
    const std::uint32_t tile = small_tile(), most = 5 * tile + 9;
    const std::vector<TypeParam> keys = mixed_keys<TypeParam>(most);
    RadixSortTuning tuning = small_shape();
    tuning.ranks = RadixRanks::checked;
    tuning.rounds = 1 + static_cast<std::uint32_t>(std::is_signed_v<TypeParam>);
    for (const std::uint32_t one_in : {0U, 1U, 2U}) {
        SCOPED_TRACE("one tile out of order in " + std::to_string(one_in));
        check_sort(keys, SortOf::keys, {1, 17, tile - 1, tile, tile + 1, 2 * tile, 4 * tile + 3, most},
                   {.descending = one_in == 1, .tuning = tuning}, {.instrument = out_of_order(one_in)});
    }
    check_sort(keys, SortOf::keys, {most, most}, {.tuning = tuning},
               {.instrument = {.one_in = 3, .kind = Instrument::Kind::never_post}});
    check_sort(keys, SortOf::keys, {0, 1, tile + 1, most, ~0U}, {.tuning = tuning},
               {.kind = Count::Kind::gpu, .instrument = out_of_order(1)});
}

// A single workgroup sorts all keys and checks their order at the end.
TYPED_TEST(RadixSortByType, ChecksTheOrderOfOneTile) {
    if (!is_turn(number_of_kernels<TypeParam> + 1, configurations)) {
        return;
    }
    const std::vector<TypeParam> keys = mixed_keys<TypeParam>(1000);
    for (const bool faulty : {false, true}) {
        SCOPED_TRACE(faulty ? "out of order" : "in order");
        RadixSortOptions<TypeParam> options{.descending = faulty};
        const SortSetup setup{.instrument = out_of_order(faulty ? 1 : 0)};
        options.tuning.ranks = RadixRanks::checked;
        check_sort(keys, SortOf::keys, {0, 1, 2, 17, 513, 999, 1000}, options, setup);
        options.first_bit = 3;
        options.end_bit = sizeof(TypeParam) * 8 - 5;
        check_sort(keys, SortOf::pairs, {0, 1, 2, 17, 513, 999, 1000}, options, setup);
        check_sort(keys, SortOf::keys, {1000}, options, setup); // some of the bits only: ranks are voted
    }
}

// Nine of ten keys are equal, so one value of each digit is common.
TEST(RadixSortTypes, MostKeysEqual) {
    const std::uint32_t n = 4 * small_tile() + 11;
    Words keys = random_words(n, 5);
    for (std::uint32_t i = 0; i < n; ++i) {
        keys[i] = i % 10 == 3 ? keys[i] : 0x80FF1234;
    }
    RadixSortTuning tuning = small_shape();
    tuning.ranks = RadixRanks::checked;
    for (const bool faulty : {false, true}) {
        check_sort(keys, SortOf::keys, {small_tile() / 2 + 5, small_tile(), n},
                   {.descending = faulty, .tuning = tuning}, {.instrument = out_of_order(faulty ? 2 : 0)});
    }
}

// CPU drivers execute a subgroup's atomics in lane order, so only injected faults put keys out of order.
TEST(RadixSortTypes, RewritesOnlyTilesOutOfOrder) {
    const std::uint32_t n = small_tile() - 3; // one tile: no look-back
    RadixSortTuning tuning = small_shape();
    tuning.ranks = RadixRanks::checked;
    tuning.rounds = 3;
    for (const bool faulty : {false, true}) {
        for (const bool descending : {false, true}) {
            RadixSorter<std::int64_t> sorter(mixed_keys<std::int64_t>(n), SortOf::keys,
                                             {.descending = descending, .tuning = tuning},
                                             {.instrument = out_of_order(faulty ? 1 : 0), .counts = true});
            sorter.check(n);
            const std::uint32_t again = sorter.counters().fallbacks;
            if (faulty) {
                EXPECT_TRUE(again >= 1 && again <= 7) << again << " passes"; // the first of 8 accepts any order
            } else if (test_context().capabilities().kind == DeviceKind::cpu) {
                EXPECT_EQ(again, 0U);
            }
        }
    }
}

TEST(RadixSortTypes, CountOnTheGpu) {
    const std::uint32_t capacity = 3 * small_tile() + 100;
    check_sort(mixed_keys<std::int64_t>(capacity), SortOf::indices,
               {0, 1, small_tile() + 1, 0, capacity, capacity + 1, ~0U}, {.tuning = small_shape()},
               {.kind = Count::Kind::gpu});
}

template <class K>
void check_faults() {
    const auto n = 12 * small_tile() + 3;
    const std::vector<K> keys = mixed_keys<K>(n);
    for (const auto kind : all_faults) {
        check_sort(keys, SortOf::pairs, {n, n, n}, {.first_bit = 20, .end_bit = 46, .tuning = small_shape()},
                   {.instrument = {.one_in = 3, .kind = kind, .seed = 1U}});
    }
}

TEST(RadixSortTypes, FaultsDoNotChangeResults) {
    check_faults<std::uint64_t>();
    check_faults<double>();
}

TEST(RadixSortTypes, CountersCountFallbacks) {
    check_counters(mixed_keys<std::uint64_t>(20 * small_tile()), SortOf::pairs);
}

template <class V, class K>
void check_values_of(RadixSortTuning tuning, std::uint32_t n) {
    check_sort<V>(mixed_keys<K>(n), SortOf::pairs, {n, 0, n - 12}, RadixSortOptions<K, V>{.tuning = tuning});
}

TEST(RadixSortValues, TwoToFourWords) {
    struct Three {
        float x, y, z;
    };
    const std::uint32_t n = 2 * small_tile() + 11;
    const std::function<void()> checks[] = {
        [&] { check_values_of<double, std::uint32_t>(small_shape(), n); },
        [&] { check_values_of<Three, double>(small_shape(), n); },
        [&] { check_values_of<std::array<std::uint32_t, 4>, float>(small_shape(), n); },
    };
    for (std::uint32_t i = 0; i < std::size(checks); ++i) {
        if (is_turn(i, configurations)) {
            checks[i]();
        }
    }
    check_values_of<Three, std::uint32_t>({}, 1000);
}

TEST(RadixSortValues, StructsAsArgument) {
    struct Point {
        float x, y;
    };
    const auto sort = [](Graph& g) {
        const auto keys = imported<float>(g);
        const RadixSortResult<float, Point> sorted = radix_sort(g, keys, imported<Point>(g), {.descending = true});
        g.export_buffer(sorted.keys);
        g.export_buffer(sorted.values);
        g.export_buffer(argsort(g, keys));
    };
    EXPECT_EQ(error_of(sort), "no error");
}

TEST(RadixSortBits, RangesAcrossKeyWords) {
    const std::uint32_t n = small_tile() + 77;
    const std::uint32_t ranges[][2] = {{28, 36}, {5, 61}, {31, 33}, {32, 40}, {33, 64}, {13, 13}, {40, 40}, {64, 64}};
    std::uint32_t number = 0;
    for (const auto [first, end] : ranges) {
        if (!is_turn(number++, 3)) {
            continue;
        }
        SCOPED_TRACE("bits " + std::to_string(first) + " to " + std::to_string(end));
        const bool down = end % 2 == 1;
        check_sort(mixed_keys<std::uint64_t>(n), SortOf::pairs, {n},
                   {.descending = down, .first_bit = first, .end_bit = end, .tuning = small_shape()});
        check_sort(mixed_keys<double>(n), SortOf::indices, {n},
                   {.descending = !down, .first_bit = first, .end_bit = end, .tuning = small_shape()});
    }
}

/// Returns random keys. Byte i of all keys is `byte` if bit i of `constant` is set.
template <class K>
std::vector<K> keys_with_constant_bytes(std::uint32_t n, std::uint32_t constant, K byte) {
    std::vector<K> keys = Random(constant).vector<K>(n);
    for (K& key : keys) {
        for (std::uint32_t i = 0; i < sizeof(K); ++i) {
            if ((constant >> i & 1) != 0) {
                key = (key & ~(K{0xFF} << 8 * i)) | byte << 8 * i;
            }
        }
    }
    return keys;
}

/// Sorts keys of which some bytes are constant, for all choices of these bytes.
void check_constant_bytes(SortOf what, std::uint32_t n, const RadixSortOptions<>& options, const SortSetup& setup) {
    RadixSorter<std::uint32_t> sorter(Words(n), what, options, setup);
    for (std::uint32_t constant = 0; constant < 16; ++constant) {
        SCOPED_TRACE("constant bytes " + std::to_string(constant));
        sorter.set_keys(keys_with_constant_bytes<std::uint32_t>(n, constant, 0xA7));
        sorter.check(n);
    }
}

TEST(RadixSortConstantDigits, CheckedRanks) {
    RadixSortOptions<> options{.tuning = small_shape()};
    options.tuning.ranks = RadixRanks::checked;
    for (const bool in_place : {false, true}) {
        check_constant_bytes(SortOf::keys, 3 * small_tile() + 5, options,
                             {.instrument = out_of_order(2), .in_place = {.keys = in_place}});
    }
}

/// Sorts pairs by the bits [0, end_bit) of keys of which some bytes are constant.
void check_pairs(std::uint32_t end_bit, InPlace in_place) {
    check_constant_bytes(SortOf::pairs, small_tile() + 5, {.end_bit = end_bit, .tuning = small_shape()},
                         {.in_place = in_place});
}

TEST(RadixSortConstantDigits, OutOfPlace) {
    for (const std::uint32_t end_bit : {32U, 24U}) {
        check_pairs(end_bit, {});
    }
}

TEST(RadixSortConstantDigits, InPlace) {
    for (const std::uint32_t end_bit : {32U, 24U, 16U, 8U}) {
        check_pairs(end_bit, {true, true});
    }
    check_pairs(32, {true, false});
    check_pairs(32, {false, true});
}

TEST(RadixSortConstantDigits, WideKeysAndIndices) {
    const std::uint32_t n = small_tile() + 5;
    for (const std::uint32_t constant : {0x0EU, 0x10U, 0xF0U, 0x7EU, 0xFFU}) {
        SCOPED_TRACE("constant bytes " + std::to_string(constant));
        const auto keys = keys_with_constant_bytes<std::uint64_t>(n, constant, 0xA7);
        check_sort(keys, SortOf::pairs, {n, 1, n - 3}, {.tuning = small_shape()});
        std::vector<double> floats(n);
        std::transform(keys.begin(), keys.end(), floats.begin(),
                       [](std::uint64_t key) { return std::bit_cast<double>(key); });
        check_sort(floats, SortOf::indices, {n, 1, n - 3}, {.descending = true, .tuning = small_shape()});
    }
}

TEST(RadixSortTypes, RejectsInvalidArguments) {
    expect_refused("keys have bits 0 to 64", [](Graph& g) { radix_sort(g, imported<double>(g), {.end_bit = 65}); });
    expect_refused("nothing is requested", [](Graph& g) { radix_sort(g, imported<double>(g), {.want_keys = false}); });
    expect_refused(".values and .want_indices must not both be set",
                   [](Graph& g) { radix_sort(g, imported<float>(g), {.values = imported(g), .want_indices = true}); });
}

} // namespace
} // namespace weir::tests::radix_sort_types_test

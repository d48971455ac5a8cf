#include <functional>

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
struct TypeNames {
    template <class K>
    static std::string GetName(int /*index*/) {
        return std::string(std::is_floating_point_v<K> ? "f"
                           : std::is_signed_v<K>       ? "i"
                                                       : "u") +
               std::to_string(sizeof(K) * 8);
    }
};
using KeyTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(RadixSortByType, KeyTypes, TypeNames);

/// Identifies the kernels for keys of type K; types with equal numbers share kernels. Most of the time goes to
/// compiling kernels, so each driver runs some of them.
template <class K>
constexpr std::uint32_t number_of_kernels = (sizeof(K) == 8 ? 2 : 0) + (std::is_floating_point_v<K> ? 1 : 0);

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
            check_sort(keys, what, {0, 1, 2, 17, 513, 999, 1000}, {.descending = descending}, kind);
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
                   {.descending = one_in == 1, .tuning = tuning}, Count::Kind::parameter,
                   {.one_in = one_in, .kind = Instrument::Kind::out_of_order});
    }
    check_sort(keys, SortOf::keys, {most, most}, {.tuning = tuning}, Count::Kind::parameter,
               {.one_in = 3, .kind = Instrument::Kind::never_post});
    check_sort(keys, SortOf::keys, {0, 1, tile + 1, most, ~0U}, {.tuning = tuning}, Count::Kind::gpu,
               {.one_in = 1, .kind = Instrument::Kind::out_of_order});
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
        const Instrument faults{.one_in = faulty ? 1U : 0U, .kind = Instrument::Kind::out_of_order};
        options.tuning.ranks = RadixRanks::checked;
        check_sort(keys, SortOf::keys, {0, 1, 2, 17, 513, 999, 1000}, options, Count::Kind::parameter, faults);
        options.first_bit = 3;
        options.end_bit = sizeof(TypeParam) * 8 - 5;
        check_sort(keys, SortOf::pairs, {0, 1, 2, 17, 513, 999, 1000}, options, Count::Kind::parameter, faults);
        check_sort(keys, SortOf::keys, {1000}, options, Count::Kind::parameter,
                   faults); // some of the bits only: ranks are voted
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
                   {.descending = faulty, .tuning = tuning}, Count::Kind::parameter,
                   {.one_in = faulty ? 2U : 0U, .kind = Instrument::Kind::out_of_order});
    }
}

// CPU drivers execute a subgroup's atomics in lane order, so only injected faults put keys out of order.
TEST(RadixSortTypes, RewritesOnlyTilesOutOfOrder) {
    const std::uint32_t n = small_tile() - 3; // one tile: no look-back
    for (const bool out_of_order : {false, true}) {
        for (const bool descending : {false, true}) {
            Trial trial(n);
            RadixSortOptions<std::int64_t> options{.descending = descending, .tuning = small_shape()};
            options.tuning.ranks = RadixRanks::checked;
            options.tuning.rounds = 3;
            const std::vector<std::int64_t> keys = mixed_keys<std::int64_t>(n);
            const auto in = trial.input("keys", keys);
            options.output_keys = trial.output<std::int64_t>("sorted keys", n);
            const auto counters = trial.output("counters", 4);
            const auto scope = weir::testing::instrument(
                trial.graph,
                {.one_in = out_of_order ? 1U : 0U, .kind = Instrument::Kind::out_of_order, .counters = counters});
            radix_sort(trial.graph, in, options);
            trial.compile();
            trial.run(n);
            trial.expect(options.output_keys, words_of(in_order(keys, sorted_order(keys, n, options))));
            const std::uint32_t again = trial.words_in(counters, 4)[2];
            if (out_of_order) {
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
               {0, 1, small_tile() + 1, 0, capacity, capacity + 1, ~0U}, {.tuning = small_shape()}, Count::Kind::gpu);
}

template <class K>
void check_faults() {
    const auto n = 12 * small_tile() + 3;
    const std::vector<K> keys = mixed_keys<K>(n);
    for (const auto kind : {Instrument::Kind::never_post, Instrument::Kind::late_post, Instrument::Kind::torn_post}) {
        check_sort(keys, SortOf::pairs, {n, n, n}, {.first_bit = 20, .end_bit = 46, .tuning = small_shape()},
                   Count::Kind::parameter, {.one_in = 3, .kind = kind, .seed = 1U});
    }
}

TEST(RadixSortTypes, FaultsDoNotChangeResults) {
    check_faults<std::uint64_t>();
    check_faults<double>();
}

TEST(RadixSortTypes, CountersCountFallbacks) {
    const std::uint32_t n = 20 * small_tile();
    const std::vector<std::uint64_t> keys = mixed_keys<std::uint64_t>(n);
    const Words values = numbered_values<std::uint32_t>(n);
    Trial trial(n);
    RadixSortOptions<std::uint64_t> options{.end_bit = 8, .tuning = small_shape()};
    const auto in = trial.input("keys", keys);
    options.values = trial.input("values", values);
    options.output_keys = trial.output<std::uint64_t>("sorted keys", n);
    options.output_values = trial.output("sorted values", n);
    const auto counters = trial.output("counters", 4);
    const auto scope = weir::testing::instrument(trial.graph, {.one_in = 1, .counters = counters});
    radix_sort(trial.graph, in, options);
    trial.compile();
    trial.run(n);
    const Words order = sorted_order(keys, n, options);
    trial.expect(options.output_keys, words_of(in_order(keys, order)));
    trial.expect(options.output_values, in_order(values, order));
    const Words counted = trial.words_in(counters, 4);
    EXPECT_GE(counted[2], 19U);       // fallbacks
    EXPECT_GE(counted[3], 19U * 256); // fallbacks that won
    EXPECT_EQ(counted[3] % 256, 0U);  // each digit of a tile is won once
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
    Graph graph(test_context());
    const auto keys = graph.import_buffer<float>("keys", 100);
    const auto points = graph.import_buffer<Point>("points", 100);
    const RadixSortResult<float, Point> sorted = radix_sort(graph, keys, points, {.descending = true});
    graph.export_buffer(sorted.keys);
    graph.export_buffer(sorted.values);
    graph.export_buffer(argsort(graph, keys));
    EXPECT_EQ(plan_error(graph), "no error");
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

/// Sorts keys of which some bytes are constant, with checked ranks and with tiles forced out of order.
void check_constant_bytes_of_keys(bool in_place) {
    const std::uint32_t n = 3 * small_tile() + 5;
    Trial trial(n);
    RadixSortOptions<> options{.tuning = small_shape()};
    options.tuning.ranks = RadixRanks::checked;
    const auto keys = trial.input("keys", numbered_values<std::uint32_t>(n));
    options.output_keys = in_place ? keys : trial.output("sorted keys", n);
    const auto scope = weir::testing::instrument(trial.graph, {.one_in = 2, .kind = Instrument::Kind::out_of_order});
    radix_sort(trial.graph, keys, options);
    trial.graph.export_buffer(options.output_keys);
    trial.compile();
    for (std::uint32_t constant = 0; constant < 16; ++constant) {
        SCOPED_TRACE("constant bytes " + std::to_string(constant));
        const Words in = keys_with_constant_bytes<std::uint32_t>(n, constant, 0xA7);
        trial.refill(keys, in);
        trial.run(n);
        expect_equal(trial.words_in(options.output_keys, n), in_order(in, sorted_order(in, n, options)), "keys");
    }
}

TEST(RadixSortConstantDigits, CheckedRanks) {
    check_constant_bytes_of_keys(false);
    check_constant_bytes_of_keys(true);
}

/// Sorts pairs by the bits [0, end_bit) of keys of which some bytes are constant.
void check_constant_bytes(std::uint32_t end_bit, bool keys_in_place, bool values_in_place) {
    const std::uint32_t n = small_tile() + 5;
    const Words values = numbered_values<std::uint32_t>(n);
    Trial trial(n);
    RadixSortOptions<> options{.end_bit = end_bit, .tuning = small_shape()};
    const auto keys = trial.input("keys", values);
    options.values = trial.input("values", values);
    options.output_keys = keys_in_place ? keys : trial.output("sorted keys", n);
    options.output_values = values_in_place ? options.values : trial.output("sorted values", n);
    radix_sort(trial.graph, keys, options);
    trial.graph.export_buffer(options.output_keys);
    trial.graph.export_buffer(options.output_values);
    trial.compile();
    for (std::uint32_t constant = 0; constant < 16; ++constant) {
        SCOPED_TRACE("constant bytes " + std::to_string(constant));
        const Words in = keys_with_constant_bytes<std::uint32_t>(n, constant, 0xA7);
        trial.refill(keys, in);
        trial.refill(options.values, values);
        trial.run(n);
        const Words order = sorted_order(in, n, options);
        expect_equal(trial.words_in(options.output_keys, n), in_order(in, order), "keys");
        expect_equal(trial.words_in(options.output_values, n), in_order(values, order), "values");
    }
}

TEST(RadixSortConstantDigits, OutOfPlace) {
    for (const std::uint32_t end_bit : {32U, 24U}) {
        check_constant_bytes(end_bit, false, false);
    }
}

TEST(RadixSortConstantDigits, InPlace) {
    for (const std::uint32_t end_bit : {32U, 24U, 16U, 8U}) {
        check_constant_bytes(end_bit, true, true);
    }
    check_constant_bytes(32, true, false);
    check_constant_bytes(32, false, true);
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
    const auto error = [](const RadixSortOptions<double>& options) {
        Graph graph(test_context());
        radix_sort(graph, graph.import_buffer<double>("in", 1000), options);
        return plan_error(graph);
    };
    EXPECT_THAT(error({.end_bit = 65}), HasSubstr("keys have bits 0 to 64"));
    EXPECT_THAT(error({.want_keys = false}), HasSubstr("nothing is requested"));
    Graph graph(test_context());
    radix_sort(graph, graph.import_buffer<float>("in", 10),
               {.values = graph.import_buffer<std::uint32_t>("values", 10), .want_indices = true});
    EXPECT_THAT(plan_error(graph), HasSubstr(".values and .want_indices must not both be set"));
}

} // namespace
} // namespace weir::tests::radix_sort_types_test

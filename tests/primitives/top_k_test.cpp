#include "tests/primitives/radix_sort_trial.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::top_k_test {
namespace {

const OnOneDriver on_one_driver{"TopK.*",         "TopKByType/1.*", "TopKByType/2.*",
                                "TopKByType/3.*", "TopKByType/4.*", "TopKByType/5.*"};

/// Returns shapes with many workgroups and tiles for few keys. Lists have room for 8 keys.
TopKTuning small_shapes() {
    const std::uint32_t workgroup =
        std::min(std::max(32U, test_context().capabilities().subgroup_size), max_workgroup());
    return {.select = {.workgroup = workgroup, .group_keys = 64}, .compaction = {.workgroup = workgroup, .rows = 3}};
}

/// One run of a graph: the number of keys and k.
struct Case {
    std::uint32_t n, k;
};

/// Returns the indices of the first k of the first n keys, in the order of a sort, or ascending if not `sorted`.
template <class K>
Words first_in_order(const std::vector<K>& keys, Case one, bool descending, bool sorted) {
    const auto capacity = count_of(keys);
    Words order = sorted_order(keys, std::min(one.n, capacity), RadixSortOptions<K>{.descending = descending});
    order.resize(std::min<std::size_t>(one.k, order.size()));
    if (!sorted) {
        std::sort(order.begin(), order.end());
    }
    return order;
}

/// Checks top_k with all outputs and a maximum of `most` keys against a sort, for each case. k is on the GPU.
template <class V = std::uint32_t, class K>
void check_top_k(const std::vector<K>& keys, std::uint32_t most, const std::vector<Case>& cases,
                 TopKOptions<K, V> options = {}, Count::Kind kind = Count::Kind::parameter,
                 const Instrument& instrument = {}) {
    const auto capacity = count_of(keys);
    const std::vector<V> values = numbered_values<V>(capacity);
    Trial trial(capacity, kind);
    const auto input = trial.input("keys", keys);
    const auto k = trial.input("k", Words{0});
    options.values = trial.input("values", values);
    options.output_keys = trial.output<K>("chosen keys", most);
    options.output_indices = trial.output("chosen indices", most);
    options.output_values = trial.output<V>("chosen values", most);
    options.output_count = trial.output("count", 1);
    const auto scope = weir::testing::instrument(trial.graph, instrument);
    top_k<K, V>(trial.graph, input, trial.graph.count_in(k, 0, most), options);
    for (const Case& one : cases) {
        SCOPED_TRACE(std::string("the first ") + std::to_string(one.k) + " of " + std::to_string(one.n));
        trial.refill(k, Words{one.k});
        trial.run(one.n);
        const Words order = first_in_order(keys, {one.n, std::min(one.k, most)}, options.descending, options.sorted);
        trial.expect(options.output_keys, at_indices(keys, order));
        trial.expect(options.output_indices, order);
        trial.expect(options.output_values, at_indices(values, order));
        trial.expect(options.output_count, {count_of(order)});
        trial.expect_unchanged(input, keys);
    }
}

/// Returns cases with n around the boundaries of workgroups' shares and of tiles, and with extreme k.
std::vector<Case> cases_up_to(std::uint32_t most, std::uint32_t most_k) {
    std::vector<Case> cases;
    for (const std::uint32_t n : {0U, 1U, 2U, 63U, 64U, 65U, 95U, 96U, 97U, 128U, 193U, most - 1, most}) {
        for (const std::uint32_t k : {0U, 1U, n / 3, n - std::min(n, 1U), n, n + 1, most_k}) {
            cases.push_back({std::min(n, most), k});
        }
    }
    return cases;
}

template <class K>
class TopKByType : public testing::Test {};
TYPED_TEST_SUITE(TopKByType, KeyTypes);

TYPED_TEST(TopKByType, AscendingAndDescending) {
    const std::vector<TypeParam> keys = mixed_keys<TypeParam>(500);
    const auto number = static_cast<std::uint32_t>(sizeof(TypeParam) / 4 + (std::is_signed_v<TypeParam> ? 1 : 0));
    for (const bool descending : {false, true}) {
        for (const bool sorted : {false, true}) {
            if (is_turn(number + (descending ? 1 : 0) + (sorted ? 2 : 0), configurations)) {
                check_top_k(keys, 500, cases_up_to(500, 500),
                            {.descending = descending, .sorted = sorted, .tuning = small_shapes()});
            }
        }
    }
}

/// Checks kth_element against a sort, for each case. k is on the GPU.
template <class K>
void check_kth_element(const std::vector<K>& keys, const std::vector<Case>& cases, KthElementOptions<K> options = {},
                       Count::Kind kind = Count::Kind::parameter) {
    const auto capacity = count_of(keys);
    Trial trial(capacity, kind);
    const auto input = trial.input("keys", keys);
    const auto k = trial.input("k", Words{0});
    options.output = trial.output<K>("key", 1);
    kth_element(trial.graph, input, trial.graph.count_in(k, 0, ~0U), options);
    for (const Case& one : cases) {
        SCOPED_TRACE(std::string("place ") + std::to_string(one.k) + " of " + std::to_string(one.n));
        trial.refill(k, Words{one.k});
        trial.run(one.n);
        const Words order =
            sorted_order(keys, std::min(one.n, capacity), RadixSortOptions<K>{.descending = options.descending});
        std::vector<K> expected;
        if (!order.empty()) {
            expected.push_back(keys[order[std::min<std::size_t>(one.k, order.size() - 1)]]);
        }
        trial.expect(options.output, expected);
    }
}

TYPED_TEST(TopKByType, KthElement) {
    const std::vector<TypeParam> keys = mixed_keys<TypeParam>(300);
    std::vector<Case> cases{{0, 0}, {0, 5}, {1, 0}, {1, 1}, {300, 300}, {300, ~0U}, {299, 150}};
    for (std::uint32_t k = 0; k < 300; k += 7) {
        cases.push_back({300, k});
    }
    const bool descending = std::is_signed_v<TypeParam> == (sizeof(TypeParam) == 8);
    check_kth_element(keys, cases, {.descending = descending, .tuning = small_shapes().select});
    if (is_turn(static_cast<std::uint32_t>(sizeof(TypeParam) / 4), configurations)) {
        check_kth_element(keys, cases, {.descending = !descending}); // by one workgroup
    }
}

// The sample yields enough candidates, too few (because it covers few places), or too many (because of equal keys).
TYPED_TEST(TopKByType, CandidatesFromSample) {
    TopKTuning tuning = small_shapes();
    tuning.select.sample_from = 1;
    const auto number = static_cast<std::uint32_t>(sizeof(TypeParam) / 4 + (std::is_signed_v<TypeParam> ? 1 : 0));
    if (!is_turn(number, configurations)) {
        return;
    }
    const bool descending = std::is_signed_v<TypeParam>;
    std::vector<TypeParam> keys = mixed_keys<TypeParam>(3000);
    check_top_k(keys, 200, {{0, 0}, {0, 3}, {1, 0}, {1, 1}, {100, 200}, {2999, 0}, {3000, 1}, {3000, 50}, {3000, 200}},
                {.descending = descending, .tuning = tuning});
    check_top_k(keys, 200, {{3000, 7}, {3000, 200}, {5, 200}, {3000, 1}},
                {.descending = !descending, .sorted = false, .tuning = tuning}, Count::Kind::gpu);
    std::fill(keys.begin() + 40, keys.end() - 40, keys[100]);
    check_top_k(keys, 200, {{3000, 1}, {3000, 200}, {150, 30}}, {.descending = descending, .tuning = tuning});
}

TEST(TopK, KindsOfInput) {
    const std::uint32_t n = 40000; // three shares of workgroups on a CPU
    Words sorted(n), reversed(n), few(n), close(n);
    Random random(3);
    for (std::uint32_t i = 0; i < n; ++i) {
        sorted[i] = i * 1000;
        reversed[i] = ~sorted[i];
        few[i] = random.uniform(0U, 3U) << 20;
        close[i] = 0x12345000 + random.uniform(0U, 0xFFFU);
    }
    for (const Words& keys : {Words(n, 7), sorted, reversed, few, close, random_words(n, 4)}) {
        check_top_k(keys, n, {{n, 1}, {n, n / 2}, {n, n - 1}, {n, n}, {n / 2, 1000}, {17, 30}}, {.sorted = false});
    }
}

TEST(TopK, ListsWithAndWithoutOverflow) {
    // A workgroup's share has 64 keys. In turn, 64, 8, 9 or 0 of them agree with the searched key in their first one,
    // two or three digits.
    Random random(5);
    std::vector<std::uint64_t> keys = random.vector<std::uint64_t>(64 * 12 + 5);
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
        const std::uint32_t alike[] = {64, 8, 9, 0}, digit_ends[] = {53, 42, 32};
        const std::uint32_t end = digit_ends[i / 64 % 3];
        const bool is_alike = i % 64 < alike[i / 64 % 4];
        const std::uint64_t low = keys[i] & ((std::uint64_t{1} << end) - 1);
        keys[i] = is_alike ? (std::uint64_t{0x12345678} << 32 >> end << end) | low : keys[i];
    }
    const auto n = count_of(keys);
    std::vector<Case> cases;
    for (std::uint32_t k = 0; k <= n; k += 19) {
        cases.push_back({n, k});
    }
    check_top_k(keys, n, cases, {.sorted = false, .tuning = small_shapes()});
}

TEST(TopK, CountsOnTheGpu) {
    const std::vector<float> keys = mixed_keys<float>(1000);
    const std::vector<Case> cases{{0, 0},  {0, 10},   {1000, 10}, {1, 0},    {~0U, 64},
                                  {5, 10}, {1000, 0}, {64, 64},   {65, ~0U}, {1000, 63}};
    check_top_k(keys, 64, cases, {.tuning = small_shapes()}, Count::Kind::gpu);
    check_kth_element(keys, cases, {}, Count::Kind::gpu);
}

TEST(TopK, ValuesOfAnySize) {
    using Value = std::array<std::uint32_t, 5>;
    const std::vector<std::int64_t> keys = mixed_keys<std::int64_t>(300);
    check_top_k<Value>(keys, 20, {{300, 20}, {300, 7}, {0, 7}},
                       TopKOptions<std::int64_t, Value>{.descending = true, .tuning = small_shapes()});
}

TEST(TopK, FaultsDoNotChangeResults) {
    const Words keys = mixed_keys<std::uint32_t>(900);
    for (const auto kind : all_faults) {
        check_top_k(keys, 900, {{900, 10}, {900, 600}}, {.sorted = false, .tuning = small_shapes()},
                    Count::Kind::parameter, {.one_in = 2, .kind = kind});
    }
    for (const auto order : tile_orders) {
        check_top_k(keys, 900, {{900, 10}, {900, 600}}, {.sorted = false, .tuning = small_shapes()},
                    Count::Kind::parameter, {.seed = 3U, .order = order});
    }
}

// Outputs are transients, and k is a constant or a parameter.
TEST(TopK, CreatesOnlyRequestedOutputs) {
    const Words keys = mixed_keys<std::uint32_t>(500);
    const TopKTuning tuning = small_shapes();
    const auto n = count_of(keys);
    Trial trial(n);
    const auto input = trial.input("keys", keys);
    const auto least = top_k(trial.graph, input, 5, {.tuning = tuning});
    EXPECT_TRUE(least.keys.valid() && !least.indices.valid() && !least.values.valid());
    const auto where =
        top_k(trial.graph, input, trial.seed, {.want_keys = false, .want_indices = true, .tuning = tuning});
    EXPECT_TRUE(!where.keys.valid() && where.indices.valid());
    EXPECT_EQ(where.indices.capacity, n);
    const auto moved = top_k(trial.graph, input, trial.input("values", keys), 5,
                             {.sorted = false, .want_keys = false, .tuning = tuning});
    EXPECT_TRUE(!moved.keys.valid() && !moved.indices.valid() && moved.values.valid());
    const auto median = kth_element(trial.graph, input, n / 2, {.tuning = tuning.select});
    // Each reduction has the count of the choice before it.
    const auto sum = trial.output("sum", 1), where_sum = trial.output("sum of places", 1);
    const auto moved_sum = trial.output("sum of values", 1), found = trial.output("median", 1);
    reduce(trial.graph, least.keys, {.output = sum});
    reduce(trial.graph, where.indices, {.output = where_sum});
    reduce(trial.graph, moved.values, {.output = moved_sum});
    reduce(trial.graph, median, {.output = found});
    for (const Case one : {Case{n, 100}, Case{3, 2}, Case{0, 9}}) {
        trial.run(one.n, one.k);
        const Words first = first_in_order(keys, {one.n, 5}, false, true);
        const Words places = first_in_order(keys, one, false, true);
        const Words all = first_in_order(keys, {one.n, n}, false, true);
        const Words of_first = at_indices(keys, first);
        const std::uint32_t key_sum = std::accumulate(of_first.begin(), of_first.end(), 0U);
        trial.expect(sum, {key_sum});
        trial.expect(where_sum, {std::accumulate(places.begin(), places.end(), 0U)});
        trial.expect(moved_sum, {key_sum});
        if (one.n != 0) {
            trial.expect(found, {keys[all[std::min(n / 2, one.n - 1)]]});
        }
    }
}

TEST(TopK, RejectsInvalidArguments) {
    expect_refused("top k: the input is null", [](Graph& g) { top_k(g, Ref{}, 10); });
    expect_refused("kth element: the input", [](Graph& g) { kth_element(g, Ref{}, 10); });
    expect_refused("kth element: place 100, counted from 0, exceeds the last of at most 100 keys",
                   [](Graph& g, Ref in) { kth_element(g, in, 100); });
    expect_refused("an output is also an input", [](Graph& g, Ref in) { kth_element(g, in, 10, {.output = in}); });
    expect_refused("30 keys per workgroup",
                   [](Graph& g, Ref in) { kth_element(g, in, 10, {.tuning = {.group_keys = 30}}); });
    expect_refused("a workgroup of 48 invocations",
                   [](Graph& g, Ref in) { kth_element(g, in, 10, {.tuning = {.workgroup = 48}}); });
    EXPECT_EQ(error_of([](Graph& g, Ref in) { top_k(g, in, 10); }), "no error");
    expect_refused("nothing is requested", [](Graph& g, Ref in) { top_k(g, in, 10, {.want_keys = false}); });
    expect_refused("output_values is set but .values is null",
                   [](Graph& g, Ref in) { top_k(g, in, 10, {.output_values = imported(g, 10)}); });
    expect_refused("output_keys requires a capacity of at least 10 elements",
                   [](Graph& g, Ref in) { top_k(g, in, 10, {.output_keys = imported(g, 9)}); });
    expect_refused(".values has fewer elements than the keys",
                   [](Graph& g, Ref in) { top_k(g, in, 10, {.values = imported(g, 99)}); });
    expect_refused("top k: an output is also an input",
                   [](Graph& g, Ref in) { top_k(g, in, 10, {.sorted = false, .output_keys = in}); });
}

} // namespace
} // namespace weir::tests::top_k_test

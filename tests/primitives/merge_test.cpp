#include <limits>

#include "tests/primitives/sorted_arrays.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::merge_test {
namespace {

const Sweeps sweeps{"Merge.ManyKeys", "Merge.MergeByKeyIsStable", "Merge.EveryType*"};

/// Merges the first n keys of `some` with all keys of `all`, for each n in `counts`, in both orders of the arguments.
template <class K>
void check_keys(const std::vector<K>& some, const std::vector<K>& all, const Words& counts,
                Count::Kind kind = Count::Kind::parameter) {
    const std::uint32_t most = count_of(some) + count_of(all);
    const auto merged = [](auto& a, auto& b, auto out) {
        std::merge(a.begin(), a.end(), b.begin(), b.end(), out, comes_before);
    };
    check_operations<K>({{"both", most,
                          [](Graph& g, auto first, auto second, auto keys, auto count) {
                              merge(g, first, second, {.output_keys = keys, .output_count = count});
                          },
                          merged},
                         {"swapped", most,
                          [](Graph& g, auto first, auto second, auto keys, auto count) {
                              merge(g, second, first, {.output_keys = keys, .output_count = count});
                          },
                          merged}},
                        some, all, counts, kind);
}

TEST(Merge, EveryTypeOfNumbers) {
    const Words counts{0, 1, 500, 2000};
    check_keys(few_sorted<std::uint32_t>(2000, 1), few_sorted<std::uint32_t>(1500, 2), counts);
    check_keys(few_sorted<std::int32_t>(2000, 3), few_sorted<std::int32_t>(1500, 4), counts, Count::Kind::gpu);
    check_keys(few_sorted<float>(2000, 5), few_sorted<float>(1500, 6), counts);
    check_keys(few_sorted<std::uint64_t>(2000, 7), few_sorted<std::uint64_t>(1500, 8), counts, Count::Kind::gpu);
    check_keys(few_sorted<std::int64_t>(2000, 9), few_sorted<std::int64_t>(1500, 10), counts);
    check_keys(few_sorted<double>(2000, 11), few_sorted<double>(1500, 12), counts, Count::Kind::gpu);
}

TEST(Merge, AroundTiles) {
    // Together with the 101 keys of the other array: around 8 keys per lane of a subgroup, and 1024 per workgroup.
    const Words counts{0,   1,   2,   26,  27,  28,  154,  155,  156,  410, 411,
                       412, 921, 922, 923, 924, 925, 1946, 1947, 1948, 5000};
    check_keys(sorted_words(5000, 13), sorted_words(101, 14), counts);
    check_keys(sorted_words(5000, 15), sorted_words(100000, 16), {0, 1, 4999, 5000}, Count::Kind::gpu);
}

// If arrays are not sorted, each merged key is still one of their keys, and nothing is written beyond the output.
TEST(Merge, UnsortedKeysStayInBounds) {
    const std::uint32_t n = 3000;
    const Words some = random_words(n, 25);
    for (const std::uint32_t size : {n, 300000U}) {
        const Words all = random_words(size, 26);
        Trial trial(n, Count::Kind::parameter);
        const auto both = trial.output("both", n + size);
        merge(trial.graph, trial.input("some", some), trial.input("all", all).with_count(size), {.output_keys = both});
        trial.run(n);
        const Words found = trial.words_in(both, n + size);
        trial.expect(both, found);
        Words keys = some;
        keys.insert(keys.end(), all.begin(), all.end());
        std::sort(keys.begin(), keys.end());
        for (const std::uint32_t key : found) {
            ASSERT_TRUE(std::binary_search(keys.begin(), keys.end(), key)) << key;
        }
    }
}

// Many keys: a separate first dispatch does the searches of all tiles.
TEST(Merge, ManyKeys) {
    check_keys(sorted_words(5000, 17), sorted_words(300000, 18), {0, 1, 4999, 5000}, Count::Kind::gpu);
    check_keys(few_sorted<double>(150000, 19), few_sorted<double>(150001, 20), {0, 1038, 1039, 1040, 150000});
    // 2048 keys per workgroup, and 16 per lane.
    const std::uint32_t half = 1U << 19;
    check_keys(sorted_words(half, 21), sorted_words(half, 22), {0, 1, 127, 128, 2047, 2048, 2049, half});
    check_keys(few_sorted<std::int64_t>(half, 23), few_sorted<std::int64_t>(half, 24), {0, half - 1}, Count::Kind::gpu);
}

TEST(Merge, DisjointAndEqualKeys) {
    const Words low = ascending(4000), high = ascending(3000, 10000);
    check_keys(low, high, {0, 2303, 2304, 4000});
    check_keys(high, low, {0, 2303, 2304, 3000});
    check_keys(Words(4000, ~0U), Words(3000, ~0U), {4000});
    check_keys(Words(150000, ~0U), Words(150000, 0), {0, 1, 150000});
    check_keys(Words(4000, 0), Words(1, 0), {0, 1, 4000});
}

TEST(Merge, FloatsInTotalOrder) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> floats = sorted(std::vector<float>{nan, -nan, infinity, -infinity, 0.0F, -0.0F, 1.0F});
    check_keys(floats, floats, {7, 4});
}

template <std::size_t value_words>
void check_pairs(Count::Kind kind, std::uint32_t most = 2500, std::uint32_t size = 2001) {
    using V = std::array<std::uint32_t, value_words>;
    // Both arrays have equal keys. Values identify their array and place.
    const auto values_from = [](std::uint32_t n, std::uint32_t from) {
        return tabulated(n, [from](std::uint32_t i) {
            V value;
            value.fill(from + i);
            value.back() = ~i;
            return value;
        });
    };
    const Words some_keys = sorted_words(most, 1000000, 300), all_keys = sorted_words(size, 2000000, 300);
    const std::vector<V> some_values = values_from(most, 1000000), all_values = values_from(size, 2000000);
    Trial trial(most, kind);
    const auto keys = trial.output("keys", most + size);
    const auto values = trial.output<V>("values", most + size);
    merge_by_key(trial.graph, trial.input("first keys", some_keys), trial.input("first values", some_values),
                 trial.input("second keys", all_keys).with_count(size), trial.input("second values", all_values),
                 {.output_keys = keys, .output_values = values});
    for (const std::uint32_t n : {0U, 1U, 1000U, most}) {
        Words both_keys(some_keys.begin(), some_keys.begin() + n);
        std::vector<V> both_values(some_values.begin(), some_values.begin() + n);
        both_keys.insert(both_keys.end(), all_keys.begin(), all_keys.end());
        both_values.insert(both_values.end(), all_values.begin(), all_values.end());
        const Words order =
            stable_order(n + size, [&](std::uint32_t a, std::uint32_t b) { return both_keys[a] < both_keys[b]; });
        trial.run(n);
        trial.expect(keys, at_indices(both_keys, order));
        trial.expect(values, at_indices(both_values, order));
    }
}

TEST(Merge, MergeByKeyIsStable) {
    check_pairs<1>(Count::Kind::parameter);
    check_pairs<3>(Count::Kind::gpu);
    check_pairs<4>(Count::Kind::parameter);
    check_pairs<2>(Count::Kind::gpu, 300000, 1000);
    check_pairs<1>(Count::Kind::parameter, 1U << 20, 77777);
}

TEST(Merge, RejectsInvalidArguments) {
    expect_refused("merge: the second keys' buffer is null", [](Graph& g, Ref a) { merge(g, a, Ref{}); });
    expect_refused("merge: the output's keys' buffer has a capacity of 100 elements; 150 are required",
                   [](Graph& g, Ref a, Ref b) { merge(g, a, b, {.output_keys = a}); });
    expect_refused("merge: an output is also an input",
                   [](Graph& g, Ref a, Ref b) { merge(g, a.with_count(50), b.with_count(50), {.output_keys = a}); });
    EXPECT_EQ(error_of([](Graph& g, Ref a, Ref b) { merge_by_key(g, a, a, b, a.with_count(10)); }), "no error");
    expect_refused("merge by key: the first values' buffer has a capacity of 50 elements; 100 are required",
                   [](Graph& g, Ref a, Ref b) { merge_by_key(g, a, b, b, a); });
}

} // namespace
} // namespace weir::tests::merge_test

#include <functional>
#include <limits>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::merge_test {
namespace {

const Sweeps sweeps{"Merge.ManyKeys", "Merge.MergeByKeyIsStable", "Merge.EveryType*"};

using Words = std::vector<std::uint32_t>;

template <class T>
std::vector<T> sorted(std::vector<T> items) {
    std::sort(items.begin(), items.end(), comes_before);
    return items;
}

/// Merges the first n keys of `some` with all keys of `all`, for each n in `counts`, in both orders of the arguments.
template <class K>
void check_keys(const std::vector<K>& some, const std::vector<K>& all, const Words& counts,
                Count::Kind kind = Count::Kind::parameter) {
    const auto most = static_cast<std::uint32_t>(some.size()), size = static_cast<std::uint32_t>(all.size());
    Trial trial(most, kind);
    const auto both = trial.output<K>("both", most + size), swapped = trial.output<K>("swapped", most + size);
    const auto count = trial.output("count", 1);
    const auto first = trial.input("some", some), second = trial.input("all", all);
    const Count second_count =
        kind == Count::Kind::gpu ? trial.graph.count_in(trial.input("size", Words{size}), 0, size) : Count(size);
    merge(trial.graph, first, second.with_count(second_count), {.output_keys = both, .output_count = count});
    merge(trial.graph, second.with_count(second_count), first, {.output_keys = swapped});
    trial.compile();
    for (const std::uint32_t n : counts) {
        SCOPED_TRACE("n = " + std::to_string(n) + " and " + std::to_string(size));
        std::vector<K> expected(n + size);
        std::merge(some.begin(), some.begin() + n, all.begin(), all.end(), expected.begin(), comes_before);
        trial.run(n);
        trial.expect(both, words_of(expected));
        trial.expect(swapped, words_of(expected));
        trial.expect(count, {n + size});
    }
}

TEST(Merge, EveryTypeOfNumbers) {
    const Words counts{0, 1, 500, 2000};
    check_keys(sorted(few_numbers<std::uint32_t>(2000, 1)), sorted(few_numbers<std::uint32_t>(1500, 2)), counts);
    check_keys(sorted(few_numbers<std::int32_t>(2000, 3)), sorted(few_numbers<std::int32_t>(1500, 4)), counts,
               Count::Kind::gpu);
    check_keys(sorted(few_numbers<float>(2000, 5)), sorted(few_numbers<float>(1500, 6)), counts);
    check_keys(sorted(few_numbers<std::uint64_t>(2000, 7)), sorted(few_numbers<std::uint64_t>(1500, 8)), counts,
               Count::Kind::gpu);
    check_keys(sorted(few_numbers<std::int64_t>(2000, 9)), sorted(few_numbers<std::int64_t>(1500, 10)), counts);
    check_keys(sorted(few_numbers<double>(2000, 11)), sorted(few_numbers<double>(1500, 12)), counts, Count::Kind::gpu);
}

TEST(Merge, AroundTiles) {
    // Together with the 101 keys of the other array: around 8 keys per lane of a subgroup, and 1024 per workgroup.
    const Words counts{0,   1,   2,   26,  27,  28,  154,  155,  156,  410, 411,
                       412, 921, 922, 923, 924, 925, 1946, 1947, 1948, 5000};
    check_keys(sorted(random_words(5000, 13)), sorted(random_words(101, 14)), counts);
    check_keys(sorted(random_words(5000, 15)), sorted(random_words(100000, 16)), {0, 1, 4999, 5000}, Count::Kind::gpu);
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
        trial.compile();
        trial.run(n);
        const Words merged = trial.words_in(both, n + size);
        trial.expect(both, merged);
        Words keys = some;
        keys.insert(keys.end(), all.begin(), all.end());
        std::sort(keys.begin(), keys.end());
        for (const std::uint32_t key : merged) {
            ASSERT_TRUE(std::binary_search(keys.begin(), keys.end(), key)) << key;
        }
    }
}

// Many keys: a separate first dispatch does the searches of all tiles.
TEST(Merge, ManyKeys) {
    check_keys(sorted(random_words(5000, 17)), sorted(random_words(300000, 18)), {0, 1, 4999, 5000}, Count::Kind::gpu);
    check_keys(sorted(few_numbers<double>(150000, 19)), sorted(few_numbers<double>(150001, 20)),
               {0, 1038, 1039, 1040, 150000});
    // 2048 keys per workgroup, and 16 per lane.
    const std::uint32_t half = 1U << 19;
    check_keys(sorted(random_words(half, 21)), sorted(random_words(half, 22)),
               {0, 1, 127, 128, 2047, 2048, 2049, half});
    check_keys(sorted(few_numbers<std::int64_t>(half, 23)), sorted(few_numbers<std::int64_t>(half, 24)), {0, half - 1},
               Count::Kind::gpu);
}

TEST(Merge, DisjointAndEqualKeys) {
    Words low(4000), high(3000);
    for (std::uint32_t i = 0; i < 4000; ++i) {
        low[i] = i;
        high[i % 3000] = 10000 + i % 3000;
    }
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
    struct Pair {
        std::uint32_t key;
        V value;
    };
    // Both arrays have equal keys. Values identify their array and place.
    const auto pairs = [](std::uint32_t n, std::uint32_t from) {
        Words keys = sorted(Random(from).vector<std::uint32_t>(n, 0, 300));
        std::vector<V> values(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            values[i].fill(from + i);
            values[i].back() = ~i;
        }
        return std::pair(keys, values);
    };
    const auto [some_keys, some_values] = pairs(most, 1000000);
    const auto [all_keys, all_values] = pairs(size, 2000000);
    Trial trial(most, kind);
    const auto keys = trial.output("keys", most + size);
    const auto values = trial.output<V>("values", most + size);
    merge_by_key(trial.graph, trial.input("first keys", some_keys), trial.input("first values", some_values),
                 trial.input("second keys", all_keys).with_count(size), trial.input("second values", all_values),
                 {.output_keys = keys, .output_values = values});
    trial.compile();
    for (const std::uint32_t n : {0U, 1U, 1000U, most}) {
        SCOPED_TRACE("n = " + std::to_string(n));
        std::vector<Pair> both;
        for (std::uint32_t i = 0; i < n + size; ++i) {
            both.push_back(i < n ? Pair{some_keys[i], some_values[i]} : Pair{all_keys[i - n], all_values[i - n]});
        }
        std::stable_sort(both.begin(), both.end(), [](const Pair& a, const Pair& b) { return a.key < b.key; });
        Words expected_keys;
        std::vector<V> expected_values;
        for (const Pair& pair : both) {
            expected_keys.push_back(pair.key);
            expected_values.push_back(pair.value);
        }
        trial.run(n);
        trial.expect(keys, expected_keys);
        trial.expect(values, words_of(expected_values));
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
    using Ref = BufferRef<std::uint32_t>;
    const auto error = [](const std::function<void(Graph&, Ref, Ref)>& build) {
        Graph graph(test_context());
        build(graph, graph.import_buffer<std::uint32_t>("a", 100), graph.import_buffer<std::uint32_t>("b", 50));
        return plan_error(graph);
    };
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref) { merge(graph, a, Ref{}); }),
                HasSubstr("merge: the second keys' buffer is null"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) { merge(graph, a, b, {.output_keys = a}); }),
                HasSubstr("merge: the output's keys' buffer has a capacity of 100 elements; 150 are required"));
    EXPECT_THAT(
        error([](Graph& graph, Ref a, Ref b) { merge(graph, a.with_count(50), b.with_count(50), {.output_keys = a}); }),
        HasSubstr("merge: an output is also an input"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) { merge_by_key(graph, a, a, b, a.with_count(10)); }),
                testing::Not(HasSubstr("merge")));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) { merge_by_key(graph, a, b, b, a); }),
                HasSubstr("merge by key: the first values' buffer has a capacity of 50 elements; 100 are required"));
}

} // namespace
} // namespace weir::tests::merge_test

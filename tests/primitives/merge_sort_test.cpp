#include <functional>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::merge_sort_test {
namespace {

const Sweeps sweeps{"MergeSort.Every*", "MergeSort.KeysOfUpTo16Words", "MergeSort.VectorsAndNumbers",
                    "MergeSort.Comparator*"};

using Words = std::vector<std::uint32_t>;

/// Tiles of 64 * 2 keys, so that few keys make many tiles.
constexpr MergeSortTuning small_shape{.workgroup = 64, .keys_per_invocation = 2};
/// Tiles of that size, with a separate pass that finds where they begin.
constexpr MergeSortTuning small_split_shape{.workgroup = 64, .keys_per_invocation = 2, .splits_from = 1};

/// Sorts the first n keys with their indices, for each n in `counts`, and compares with std::stable_sort.
template <class K>
void check_sort(const std::vector<K>& keys, const Comparator& order,
                const std::function<bool(const K&, const K&)>& less, const Words& counts,
                Count::Kind kind = Count::Kind::parameter, MergeSortTuning tuning = small_shape) {
    const auto most = static_cast<std::uint32_t>(keys.size());
    Trial trial(most, kind);
    const auto sorted = trial.output<K>("sorted", most);
    const auto places = trial.output("places", most);
    merge_sort(trial.graph, trial.input("keys", keys), order,
               {.want_indices = true, .output_keys = sorted, .output_values = places, .tuning = tuning});
    trial.compile();
    for (const std::uint32_t n : counts) {
        SCOPED_TRACE("n = " + std::to_string(n) + " of " + std::to_string(most));
        Words expected_places(n);
        std::iota(expected_places.begin(), expected_places.end(), 0U);
        std::stable_sort(expected_places.begin(), expected_places.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return less(keys[a], keys[b]); });
        std::vector<K> expected(n);
        std::transform(expected_places.begin(), expected_places.end(), expected.begin(),
                       [&](std::uint32_t place) { return keys[place]; });
        trial.run(n);
        trial.expect(places, expected_places);
        trial.expect(sorted, words_of(expected));
    }
}

bool less_by_remainder(const std::uint32_t& a, const std::uint32_t& b) {
    return a % 100 < b % 100;
}

TEST(MergeSort, AroundTiles) {
    for (const auto& [kind, tuning] :
         {std::pair(Count::Kind::parameter, small_shape), std::pair(Count::Kind::gpu, small_shape),
          std::pair(Count::Kind::gpu, small_split_shape)}) {
        check_sort<std::uint32_t>(
            random_words(1100, 1), {"a % 100u < b % 100u"}, less_by_remainder,
            {0, 1, 2, 3, 127, 128, 129, 255, 256, 257, 383, 385, 512, 513, 1023, 1024, 1025, 1100}, kind, tuning);
    }
}

TEST(MergeSort, EveryCountUpToFiveTiles) {
    Words counts(650);
    std::iota(counts.begin(), counts.end(), 0U);
    for (const MergeSortTuning& tuning : {small_shape, small_split_shape}) {
        check_sort<std::uint32_t>(random_words(650, 2), {"a % 100u < b % 100u"}, less_by_remainder, counts,
                                  Count::Kind::gpu, tuning);
    }
}

// All keys of one word have the same comparator, so that its GLSL is compiled once. Indices distinguish equal keys.
TEST(MergeSort, EveryUsualShapeAndInputOrder) {
    const auto below = [](std::uint32_t end, std::uint32_t n, std::uint64_t seed) {
        return Random(seed).vector<std::uint32_t>(n, 0, end - 1);
    };
    // The default tiles of CPUs and of GPUs, and tiles of GPUs on any device.
    check_sort<std::uint32_t>(random_words(100000, 3), {"a < b"}, std::less<>(),
                              {1791, 1792, 1793, 5631, 5632, 5633, 100000}, Count::Kind::parameter, {});
    check_sort<std::uint32_t>(below(1000, 20000, 12), {"a < b"}, std::less<>(),
                              {1, 17, 18, 2175, 2176, 2177, 4351, 4352, 4353, 8704, 8705, 20000}, Count::Kind::gpu,
                              {.workgroup = 128, .keys_per_invocation = 17, .splits_from = 4});
    const Capabilities& device = test_context().capabilities();
    if (device.max_workgroup_invocations >= 512 && device.max_workgroup_memory >= 24576) {
        check_sort<std::uint32_t>(below(1000, 20000, 16), {"a < b"}, std::less<>(), {5631, 5632, 5633, 20000},
                                  Count::Kind::gpu, {.workgroup = 512, .keys_per_invocation = 11});
    }
    check_sort<std::uint64_t>(few_numbers<std::uint64_t>(30000, 4), {"a.y < b.y || a.y == b.y && a.x < b.x"},
                              std::less<>(), {1791, 1792, 1793, 2815, 2816, 2817, 30000}, Count::Kind::gpu, {});
    check_sort<std::uint32_t>(below(2, 300001, 5), {"a < b"}, std::less<>(), {65, 300001}, Count::Kind::parameter,
                              {.workgroup = 128, .keys_per_invocation = 3});
    check_sort<std::uint32_t>(Words(5000, 7), {"a < b"}, std::less<>(), {5000}, Count::Kind::parameter, {});
    Words ascending(3000), descending(3000);
    for (std::uint32_t i = 0; i < 3000; ++i) {
        ascending[i] = i / 3;
        descending[i] = 1000 - i / 3;
    }
    check_sort<std::uint32_t>(ascending, {"a < b"}, std::less<>(), {2999, 3000});
    check_sort<std::uint32_t>(descending, {"a < b"}, std::less<>(), {2999, 3000});
}

struct Splat {
    float depth;
    std::uint32_t id;
    std::array<std::uint32_t, 2> rest;
};

std::vector<Splat> splats(std::uint32_t n) {
    const Words words = random_words(n, 6);
    std::vector<Splat> all(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        all[i] = {static_cast<float>(words[i] % 61) - 30.5F, words[i] / 64 % 5, {i, ~i}};
    }
    return all;
}

TEST(MergeSort, StructsByFields) {
    check_sort<Splat>(
        splats(1500),
        {"a.depth < b.depth || a.depth == b.depth && a.id > b.id", {"float depth", "uint id", "uvec2 rest"}},
        [](const Splat& a, const Splat& b) { return a.depth < b.depth || (a.depth == b.depth && a.id > b.id); },
        {0, 1, 700, 1500}, Count::Kind::gpu, {});
}

template <std::size_t words>
void check_words(MergeSortTuning tuning) {
    struct Many {
        std::array<std::uint32_t, words> all;
    };
    const Words random = random_words(700 * words, words);
    std::vector<Many> keys(700);
    std::memcpy(keys.data(), random.data(), random.size() * 4);
    for (Many& key : keys) {
        key.all[words - 1] %= 50;
    }
    const std::string at = "[" + std::to_string(words - 1) + "]";
    check_sort<Many>(
        keys, {.expression = words == 1 ? "a < b" : "a" + at + " < b" + at},
        [](const Many& a, const Many& b) { return a.all[words - 1] < b.all[words - 1]; }, {1, 130, 700},
        Count::Kind::parameter, tuning);
}

TEST(MergeSort, KeysOfUpTo16Words) {
    std::uint32_t number = 0; // a run has every other one, because each has shaders of its own
    const auto check = [&](auto words, MergeSortTuning tuning) {
        if (is_turn(number++, 2)) {
            check_words<words()>(tuning);
        }
    };
    check(std::integral_constant<std::size_t, 1>(), {});
    check(std::integral_constant<std::size_t, 2>(), {.workgroup = 64, .keys_per_invocation = 3, .splits_from = 1});
    check(std::integral_constant<std::size_t, 3>(), {});
    check(std::integral_constant<std::size_t, 4>(), {.workgroup = 64, .keys_per_invocation = 2, .splits_from = 1});
    check(std::integral_constant<std::size_t, 5>(), {.workgroup = 64, .keys_per_invocation = 1, .splits_from = 1});
    check(std::integral_constant<std::size_t, 7>(), {});
    check(std::integral_constant<std::size_t, 15>(), {});
    check(std::integral_constant<std::size_t, 16>(), {});
    check(std::integral_constant<std::size_t, 16>(), {.workgroup = 64, .keys_per_invocation = 2, .splits_from = 1});
}

/// Sorts inputs of equal size by an expression that is not a valid order. It may use `number`, the index of the input.
/// Checks that indices are in range, that each key has its own index, and that nothing else is written.
template <class K>
void check_nonsense(const std::vector<std::vector<K>>& inputs, const char* expression, MergeSortTuning tuning) {
    const auto most = static_cast<std::uint32_t>(inputs.front().size());
    Trial trial(most);
    const auto sorted = trial.output<K>("sorted", most);
    const auto places = trial.output("places", most);
    const auto input = trial.input("keys", inputs.front());
    const Comparator order{.expression = expression, .values = {{"number", trial.seed}}};
    merge_sort(trial.graph, input, order,
               {.want_indices = true, .output_keys = sorted, .output_values = places, .tuning = tuning});
    trial.compile();
    for (std::uint32_t number = 0; number < inputs.size(); ++number) {
        const std::vector<K>& keys = inputs[number];
        trial.refill(input, keys);
        for (const std::uint32_t n : {most, most - 1, most / 2 + 1, 129U}) {
            SCOPED_TRACE("n = " + std::to_string(n) + ", input " + std::to_string(number) + ", " + expression);
            trial.run(n, number);
            const Words found = trial.words_in(places, n);
            ASSERT_LT(*std::max_element(found.begin(), found.end()), n);
            std::vector<K> expected(n);
            std::transform(found.begin(), found.end(), expected.begin(),
                           [&](std::uint32_t place) { return keys[place]; });
            trial.expect(places, found);
            trial.expect(sorted, words_of(expected));
        }
    }
}

TEST(MergeSort, InvalidOrderStaysInBounds) {
    std::vector<float> floats = few_numbers<float>(3000, 13);
    for (std::size_t i = 0; i < floats.size(); i += 3) {
        floats[i] = std::numeric_limits<float>::quiet_NaN();
    }
    // Keys keep their places until runs of two tiles are merged. Then the comparison depends only on the place along
    // the merge path: at the beginning of a tile, the path has alternately taken all keys of the first run and none.
    Words ascending(3000);
    std::iota(ascending.begin(), ascending.end(), 0U);
    // The comparison is always true for the third input, and always false for the fourth.
    const char* expression = "number == 0u   ? a / 256u != b / 256u && ((a + b) / 128u & 1u) != 0u\n"
                             "    : number == 1u ? ((a * 2654435761u ^ b * 40503u) >> 7 & 1u) != 0u\n"
                             "                   : number == 2u";
    const std::vector<Words> inputs{ascending, random_words(3000, 14), random_words(3000, 15), random_words(3000, 15)};
    for (const MergeSortTuning& tuning : {small_shape, small_split_shape}) {
        check_nonsense<std::uint32_t>(inputs, expression, tuning);
        check_nonsense<float>({floats}, "a < b", tuning);
    }
}

TEST(MergeSort, VectorsAndNumbers) {
    std::vector<std::array<float, 2>> vectors(1000);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        vectors[i] = {static_cast<float>(i * 7 % 31), static_cast<float>(i * 5 % 13)};
    }
    check_sort<std::array<float, 2>>(
        vectors, {"dot(a, a) < dot(b, b)"},
        [](const auto& a, const auto& b) { return a[0] * a[0] + a[1] * a[1] < b[0] * b[0] + b[1] * b[1]; }, {1000});
    check_sort<float>(few_numbers<float>(1000, 8), {"abs(a) > abs(b)"},
                      [](float a, float b) { return std::abs(a) > std::abs(b); }, {999});
    check_sort<std::int32_t>(few_numbers<std::int32_t>(1000, 9), {"a < b"}, std::less<>(), {1000});
}

TEST(MergeSort, ComparatorReadsBuffersAndValues) {
    const Words ranks = random_words(1000, 10);
    Words keys(1000);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        keys[i] = i * 7 % 1000;
    }
    Trial trial(1000);
    const auto sorted = trial.output("sorted", 1000);
    const Comparator order{.expression = "rank(a) < rank(b)",
                           .functions = "uint rank(uint key) {\n    return (ranks[key] ^ flip) & 0xFFu;\n}",
                           .buffers = {{"uint ranks[]", read(trial.input("ranks", ranks))}},
                           .values = {{"flip", trial.seed}}};
    merge_sort(trial.graph, trial.input("keys", keys), order, {.output_keys = sorted, .tuning = small_shape});
    trial.compile();
    for (const std::uint32_t flip : {1U, 200U}) {
        Words expected = keys;
        std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
            return ((ranks[a] ^ flip) & 0xFF) < ((ranks[b] ^ flip) & 0xFF);
        });
        trial.run(1000, flip);
        trial.expect(sorted, expected);
    }
}

/// Sorts keys with values of `words` words, in place or not, and checks both.
template <std::size_t words>
void check_values(bool in_place, Count::Kind kind, MergeSortTuning tuning = small_shape) {
    using V = std::array<std::uint32_t, words>;
    const std::uint32_t most = 1000;
    const Words keys = random_words(most, 11);
    std::vector<V> values(most);
    for (std::uint32_t i = 0; i < most; ++i) {
        values[i].fill(i);
        values[i].back() = ~i;
    }
    Trial trial(most, kind);
    auto sorted_keys = trial.output("sorted keys", most);
    auto sorted_values = trial.output<V>("sorted values", most);
    if (in_place) { // a copy of the inputs is sorted
        trial.graph.add_copy("copy keys", trial.input("keys", keys), sorted_keys, most * 4);
        trial.graph.add_copy("copy values", trial.input("values", values), sorted_values, most * words * 4);
        merge_sort(trial.graph, sorted_keys.with_count(trial.count), sorted_values, "a % 100u < b % 100u",
                   {.output_keys = sorted_keys, .output_values = sorted_values, .tuning = tuning});
    } else {
        merge_sort(trial.graph, trial.input("keys", keys), trial.input("values", values), "a % 100u < b % 100u",
                   {.output_keys = sorted_keys, .output_values = sorted_values, .tuning = tuning});
    }
    trial.compile();
    for (const std::uint32_t n : {0U, 1U, 100U, 128U, 129U, 300U, 513U, most}) { // zero to three rounds of merges
        SCOPED_TRACE("n = " + std::to_string(n));
        Words order(n);
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return keys[a] % 100 < keys[b] % 100; });
        Words expected_keys(n);
        std::vector<V> expected_values(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            expected_keys[i] = keys[order[i]];
            expected_values[i] = values[order[i]];
        }
        if (in_place) { // elements beyond n are unchanged
            expected_keys.insert(expected_keys.end(), keys.begin() + n, keys.end());
            expected_values.insert(expected_values.end(), values.begin() + n, values.end());
        }
        trial.run(n);
        trial.expect(sorted_keys, expected_keys);
        trial.expect(sorted_values, words_of(expected_values));
    }
}

TEST(MergeSort, SortsValuesWithKeys) {
    check_values<1>(false, Count::Kind::gpu);
    check_values<3>(true, Count::Kind::gpu);
}

TEST(MergeSort, EveryValueSize) {
    check_values<2>(true, Count::Kind::parameter);
    check_values<1>(true, Count::Kind::gpu, {.workgroup = 64, .keys_per_invocation = 1, .splits_from = 1});
    check_values<2>(false, Count::Kind::gpu, {.workgroup = 64, .keys_per_invocation = 5, .splits_from = 1});
    check_values<4>(false, Count::Kind::parameter);
}

TEST(MergeSort, RejectsInvalidArguments) {
    using Ref = BufferRef<std::uint32_t>;
    const auto error = [](const std::function<void(Graph&, Ref, Ref)>& build) {
        Graph graph(test_context());
        build(graph, graph.import_buffer<std::uint32_t>("a", 100), graph.import_buffer<std::uint32_t>("b", 50));
        return plan_error(graph);
    };
    EXPECT_THAT(error([](Graph& graph, Ref, Ref) { merge_sort(graph, Ref{}, "a < b"); }),
                HasSubstr("merge sort: the keys' buffer is null"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref) { merge_sort(graph, a, ""); }),
                HasSubstr("merge sort: the comparator has no expression"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) { merge_sort(graph, a, "a < b", {.output_keys = b}); }),
                HasSubstr("merge sort: the output's keys' buffer has a capacity of 50 elements; 100 are required"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) { merge_sort(graph, a, b, "a < b"); }),
                HasSubstr("merge sort: the values' buffer has a capacity of 50 elements; 100 are required"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref) {
                    merge_sort(graph, a, {"a.x < b.x", {"uvec2 x"}});
                }),
                HasSubstr("merge sort: keys have 1 words, the fields of comparator 'comparator' have 2"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref) {
                    merge_sort(graph, a, {"a.x < b.x", {"half x"}});
                }),
                HasSubstr("comparator 'comparator': field 'half x' is not a type and a name"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref) {
                    merge_sort(graph, a, "a < b", {.want_indices = true, .output_keys = a, .output_values = a});
                }),
                HasSubstr("merge sort: two outputs are the same buffer"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) { merge_sort(graph, a, "a < b", {.output_values = b}); }),
                HasSubstr("merge sort: .output_values is set, but neither .values nor .want_indices is"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref) { merge_sort(graph, a, "a < b", {.tuning = {.workgroup = 96}}); }),
                HasSubstr("merge sort: a workgroup of 96 invocations"));
    EXPECT_THAT(
        error([](Graph& graph, Ref a, Ref) { merge_sort(graph, a, "a < b", {.tuning = {.keys_per_invocation = 64}}); }),
        HasSubstr("bytes of workgroup memory"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) {
                    Comparator order{.expression = "a < b", .buffers = {{"uint other[]", write(b)}}};
                    merge_sort(graph, a, order);
                }),
                HasSubstr("merge sort: the buffers of a comparator must be read-only"));
}

TEST(MergeSort, CompileErrorsNameTheUsersLine) {
    Graph graph(test_context());
    const Comparator order{.expression = "a <\nnothing", .name = "nearer"};
    graph.export_buffer(merge_sort(graph, graph.import_buffer<float>("in", 10), order).keys);
    const auto program = compile(test_context(), graph);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().code, ErrorCode::shader_compilation);
    EXPECT_THAT(program.error().message, HasSubstr("nearer:2"));
}

} // namespace
} // namespace weir::tests::merge_sort_test

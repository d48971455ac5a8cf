#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::merge_sort_test {
namespace {

const Sweeps sweeps{"MergeSort.Every*", "MergeSort.KeysOfUpTo16Words", "MergeSort.VectorsAndNumbers",
                    "MergeSort.Comparator*"};

/// Tiles of 64 * 2 keys, so that few keys make many tiles.
constexpr MergeSortTuning small_shape{.workgroup = 64, .keys_per_invocation = 2};
/// Tiles of that size, with a separate pass that finds where they begin.
constexpr MergeSortTuning small_split_shape{.workgroup = 64, .keys_per_invocation = 2, .splits_from = 1};

/// Sorts the first n keys with their indices, for each n in `counts`, and compares with std::stable_sort.
template <class K>
void check_sort(const std::vector<K>& keys, const Comparator& order,
                const std::function<bool(const K&, const K&)>& less, const Words& counts,
                Count::Kind kind = Count::Kind::parameter, MergeSortTuning tuning = small_shape) {
    const auto most = count_of(keys);
    Trial trial(most, kind);
    const auto sorted = trial.output<K>("sorted", most);
    const auto places = trial.output("places", most);
    merge_sort(trial.graph, trial.input("keys", keys), order,
               {.want_indices = true, .output_keys = sorted, .output_values = places, .tuning = tuning});
    for (const std::uint32_t n : counts) {
        const Words order = stable_order(n, [&](std::uint32_t a, std::uint32_t b) { return less(keys[a], keys[b]); });
        trial.run(n);
        trial.expect(places, order);
        trial.expect(sorted, at_indices(keys, order));
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
    for (const MergeSortTuning& tuning : {small_shape, small_split_shape}) {
        check_sort<std::uint32_t>(random_words(650, 2), {"a % 100u < b % 100u"}, less_by_remainder, ascending(650),
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
    check_sort<std::uint32_t>(tabulated(3000, [](std::uint32_t i) { return i / 3; }), {"a < b"}, std::less<>(),
                              {2999, 3000});
    check_sort<std::uint32_t>(tabulated(3000, [](std::uint32_t i) { return 1000 - i / 3; }), {"a < b"}, std::less<>(),
                              {2999, 3000});
}

struct Splat {
    float depth;
    std::uint32_t id;
    std::array<std::uint32_t, 2> rest;
};

std::vector<Splat> splats(std::uint32_t n) {
    const Words words = random_words(n, 6);
    return tabulated(n, [&](std::uint32_t i) {
        return Splat{static_cast<float>(words[i] % 61) - 30.5F, words[i] / 64 % 5, {i, ~i}};
    });
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
    const auto most = count_of(inputs.front());
    Trial trial(most);
    const auto sorted = trial.output<K>("sorted", most);
    const auto places = trial.output("places", most);
    const auto input = trial.input("keys", inputs.front());
    const Comparator order{.expression = expression, .values = {{"number", trial.seed}}};
    merge_sort(trial.graph, input, order,
               {.want_indices = true, .output_keys = sorted, .output_values = places, .tuning = tuning});
    for (std::uint32_t number = 0; number < inputs.size(); ++number) {
        const std::vector<K>& keys = inputs[number];
        trial.refill(input, keys);
        for (const std::uint32_t n : {most, most - 1, most / 2 + 1, 129U}) {
            SCOPED_TRACE("n = " + std::to_string(n) + ", input " + std::to_string(number) + ", " + expression);
            trial.run(n, number);
            const Words found = trial.words_in(places, n);
            ASSERT_LT(*std::max_element(found.begin(), found.end()), n);
            trial.expect(places, found);
            trial.expect(sorted, at_indices(keys, found));
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
    // The comparison is always true for the third input, and always false for the fourth.
    const char* expression = "number == 0u   ? a / 256u != b / 256u && ((a + b) / 128u & 1u) != 0u\n"
                             "    : number == 1u ? ((a * 2654435761u ^ b * 40503u) >> 7 & 1u) != 0u\n"
                             "                   : number == 2u";
    const std::vector<Words> inputs{ascending(3000), random_words(3000, 14), random_words(3000, 15),
                                    random_words(3000, 15)};
    for (const MergeSortTuning& tuning : {small_shape, small_split_shape}) {
        check_nonsense<std::uint32_t>(inputs, expression, tuning);
        check_nonsense<float>({floats}, "a < b", tuning);
    }
}

TEST(MergeSort, VectorsAndNumbers) {
    const auto vectors = tabulated(1000, [&](std::uint32_t i) {
        return std::array<float, 2>{static_cast<float>(i * 7 % 31), static_cast<float>(i * 5 % 13)};
    });
    check_sort<std::array<float, 2>>(
        vectors, {"dot(a, a) < dot(b, b)"},
        [](const auto& a, const auto& b) { return a[0] * a[0] + a[1] * a[1] < b[0] * b[0] + b[1] * b[1]; }, {1000});
    check_sort<float>(few_numbers<float>(1000, 8), {"abs(a) > abs(b)"},
                      [](float a, float b) { return std::abs(a) > std::abs(b); }, {999});
    check_sort<std::int32_t>(few_numbers<std::int32_t>(1000, 9), {"a < b"}, std::less<>(), {1000});
}

TEST(MergeSort, ComparatorReadsBuffersAndValues) {
    const Words ranks = random_words(1000, 10);
    const auto keys = tabulated(1000, [&](std::uint32_t i) { return i * 7 % 1000; });
    Trial trial(1000);
    const auto sorted = trial.output("sorted", 1000);
    const Comparator order{.expression = "rank(a) < rank(b)",
                           .functions = "uint rank(uint key) {\n    return (ranks[key] ^ flip) & 0xFFu;\n}",
                           .buffers = {{"uint ranks[]", read(trial.input("ranks", ranks))}},
                           .values = {{"flip", trial.seed}}};
    merge_sort(trial.graph, trial.input("keys", keys), order, {.output_keys = sorted, .tuning = small_shape});
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
    const auto values = tabulated(most, [](std::uint32_t i) {
        V value;
        value.fill(i);
        value.back() = ~i;
        return value;
    });
    Trial trial(most, kind);
    const auto key_input = in_place ? trial.in_place("keys", keys) : trial.input("keys", keys);
    const auto value_input = in_place ? trial.in_place("values", values) : trial.input("values", values);
    const auto sorted_keys = in_place ? key_input : trial.output("sorted keys", most);
    const auto sorted_values = in_place ? value_input : trial.output<V>("sorted values", most);
    merge_sort(trial.graph, key_input, value_input, "a % 100u < b % 100u",
               {.output_keys = sorted_keys, .output_values = sorted_values, .tuning = tuning});
    for (const std::uint32_t n : {0U, 1U, 100U, 128U, 129U, 300U, 513U, most}) { // zero to three rounds of merges
        const Words order =
            stable_order(n, [&](std::uint32_t a, std::uint32_t b) { return less_by_remainder(keys[a], keys[b]); });
        trial.run(n);
        trial.expect(sorted_keys, at_indices(keys, order));
        trial.expect(sorted_values, at_indices(values, order));
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
    expect_refused("merge sort: the keys' buffer is null", [](Graph& g) { merge_sort(g, Ref{}, "a < b"); });
    expect_refused("merge sort: the comparator has no expression", [](Graph& g, Ref a) { merge_sort(g, a, ""); });
    expect_refused("merge sort: the output's keys' buffer has a capacity of 50 elements; 100 are required",
                   [](Graph& g, Ref a, Ref b) { merge_sort(g, a, "a < b", {.output_keys = b}); });
    expect_refused("merge sort: the values' buffer has a capacity of 50 elements; 100 are required",
                   [](Graph& g, Ref a, Ref b) { merge_sort(g, a, b, "a < b"); });
    expect_refused("merge sort: keys have 1 words, the fields of comparator 'comparator' have 2", [](Graph& g, Ref a) {
        merge_sort(g, a, {"a.x < b.x", {"uvec2 x"}});
    });
    expect_refused("comparator 'comparator': field 'half x' is not a type and a name", [](Graph& g, Ref a) {
        merge_sort(g, a, {"a.x < b.x", {"half x"}});
    });
    expect_refused("merge sort: two outputs are the same buffer", [](Graph& g, Ref a) {
        merge_sort(g, a, "a < b", {.want_indices = true, .output_keys = a, .output_values = a});
    });
    expect_refused("merge sort: .output_values is set, but neither .values nor .want_indices is",
                   [](Graph& g, Ref a, Ref b) { merge_sort(g, a, "a < b", {.output_values = b}); });
    expect_refused("merge sort: a workgroup of 96 invocations",
                   [](Graph& g, Ref a) { merge_sort(g, a, "a < b", {.tuning = {.workgroup = 96}}); });
    expect_refused("bytes of workgroup memory",
                   [](Graph& g, Ref a) { merge_sort(g, a, "a < b", {.tuning = {.keys_per_invocation = 64}}); });
    expect_refused("merge sort: the buffers of a comparator must be read-only", [](Graph& g, Ref a, Ref b) {
        Comparator order{.expression = "a < b", .buffers = {{"uint other[]", write(b)}}};
        merge_sort(g, a, order);
    });
}

TEST(MergeSort, CompileErrorsNameTheUsersLine) {
    Graph graph(test_context());
    const Comparator order{.expression = "a <\nnothing", .name = "nearer"};
    graph.export_buffer(merge_sort(graph, graph.import_buffer<float>("in", 10), order).keys);
    expect_shader_error(graph, "nearer:2");
}

} // namespace
} // namespace weir::tests::merge_sort_test

// Primitives whose buffers are larger than a binding may be: they run in windows. Most tests reduce the limit of the
// device, so that small buffers have many windows.

#include <bit>
#include <iterator>
#include <numeric>

#include "tests/primitives/radix_sort_trial.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/long_tests.hpp"

namespace weir::tests::windows_test {
namespace {

const Sweeps sweeps{"Windows.ScansOfManyKinds"};

constexpr std::uint64_t range = 16384, sort_range = 65536;

/// Returns the number of elements in a window of buffers with elements of `words` words.
constexpr std::uint32_t window_of(std::uint64_t bytes, std::uint32_t words = 1) {
    return static_cast<std::uint32_t>((bytes / 4 - 64) / words / 64 * 64);
}

/// Returns numbers of elements around the borders of windows, at most `most`.
Words borders(std::uint32_t window, std::uint32_t most) {
    return {0, 1, window - 1, window, window + 1, 2 * window - 1, 2 * window, 2 * window + 1, most};
}

constexpr auto all_counts = {Count::Kind::parameter, Count::Kind::gpu};

TEST(Windows, Reduce) {
    constexpr std::uint32_t window = window_of(range), most = 3 * window + 77;
    const Words input = random_words(most, 1);
    for (const auto kind : all_counts) {
        Trial trial(most, kind, device_with_range(range));
        const auto in = trial.input("in", input);
        const auto sum = trial.output("sum", 1), low = trial.output("minimum", 1);
        reduce(trial.graph, in, {.initial = 5, .output = sum});
        reduce(trial.graph, in, {.op = Operator::min, .output = low});
        for (const std::uint32_t n : borders(window, most)) {
            trial.run(n);
            const auto end = input.begin() + n;
            trial.expect(sum, Words{std::accumulate(input.begin(), end, 5U)});
            trial.expect(low, Words{n == 0 ? ~0U : *std::min_element(input.begin(), end)});
        }
    }
}

TEST(Windows, ReduceInOrder) {
    constexpr std::uint32_t window = window_of(range, 2), most = 3 * window + 77;
    const auto input = random_brackets(most, 2);
    Trial trial(most, Count::Kind::parameter, device_with_range(range));
    const auto out = trial.output<Bicyclic>("out", 1);
    reduce(trial.graph, trial.input("in", input), {.op = bicyclic, .initial = Bicyclic{1, 3}, .output = out});
    for (const std::uint32_t n : borders(window, most)) {
        trial.run(n);
        trial.expect(out, std::vector{std::accumulate(input.begin(), input.begin() + n, Bicyclic{1, 3}, combine)});
    }
}

TEST(Windows, ReduceOfNoFloats) {
    Trial trial(2 * window_of(range), Count::Kind::gpu, device_with_range(range));
    const auto out = trial.output<float>("out", 1);
    reduce(trial.graph, trial.input("in", std::vector<float>(2 * window_of(range), -0.0F)), {.output = out});
    trial.run(0);
    trial.expect(out, std::vector{0.0F}); // the identity of the kernel is -0
    trial.run(window_of(range) + 1);
    trial.expect(out, std::vector{-0.0F});
}

TEST(Windows, Scan) {
    constexpr std::uint32_t window = window_of(range), most = 3 * window + 77;
    for (const auto kind : all_counts) {
        ScanProgram program({.other = true,
                             .total = true,
                             .initial = true,
                             .capacity = most,
                             .count = kind,
                             .tuning = small_scan(),
                             .max_storage_range = range});
        for (const std::uint32_t n : borders(window, most)) {
            program.check(n, n + 1);
        }
    }
}

TEST(Windows, ScansOfManyKinds) {
    const std::uint32_t n = 3 * window_of(range, 4) + 77;
    std::uint32_t number = 0;
    for (const ElementType element : all_elements) {
        for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive}) {
            ++number;
            const Operator op = number % 3 == 0 ? Operator::max : Operator::add;
            if (exists(element, op) && (is_turn(number, 4) || long_tests())) {
                check({.element = element,
                       .op = op,
                       .kind = kind,
                       .total = number % 2 == 0,
                       .initial = number % 5 == 0,
                       .in_place = number % 4 == 1,
                       .capacity = number % 4 == 1 ? 3 * window_of(range, element.words()) + 1 : n,
                       .tuning = small_scan(),
                       .max_storage_range = range});
            }
        }
    }
}

TEST(Windows, ScanWithLayoutsAndFaults) {
    check({.total = true,
           .in = {.offset = 70, .stride = 3},
           .out = {.offset = 5, .stride = 2},
           .capacity = 3 * window_of(range, 3) + 77,
           .instrument = {.one_in = 3},
           .tuning = small_scan(),
           .max_storage_range = range});
    check({.in_place = true,
           .capacity = 3 * window_of(range) + 77,
           .instrument = {.order = Instrument::Order::reversed},
           .tuning = small_scan(),
           .max_storage_range = range},
          3);
}

TEST(Windows, ScanInOrder) {
    std::vector<Bicyclic> items = random_brackets(3 * window_of(range, 2) + 77, 3);
    Trial trial(count_of(items), Count::Kind::constant, device_with_range(range));
    const auto both = trial.in_place("in and out", items);
    scan(trial.graph, both, {.op = bicyclic, .output = both});
    trial.run(count_of(items));
    std::partial_sum(items.begin(), items.end(), items.begin(), combine_brackets);
    trial.expect(both, items);
}

TEST(Windows, FillAndIota) {
    constexpr std::uint32_t window = window_of(range), most = 3 * window + 77;
    for (const auto kind : all_counts) {
        Trial trial(most, kind, device_with_range(range));
        const auto filled = trial.output("filled", most), counted = trial.output("counted", most);
        const auto wide = trial.output<std::uint64_t>("counted in 64 bits", most);
        fill(trial.graph, filled.with_count(trial.count), 7);
        iota(trial.graph, counted.with_count(trial.count), 5, 3);
        iota(trial.graph, wide.with_count(trial.count), ~0U, 0x100000003);
        for (const std::uint32_t n : borders(window, most)) {
            trial.run(n);
            trial.expect(filled, Words(n, 7));
            trial.expect(counted, tabulated(n, [](std::uint32_t i) { return 5 + 3 * i; }));
            trial.expect(wide,
                         tabulated(n, [](std::uint32_t i) { return 0xFFFFFFFF + i * std::uint64_t{0x100000003}; }));
        }
    }
}

/// Checks 256 bins of the low byte, or `bins` bins, which do not fit in workgroup memory.
void check_histogram(std::uint32_t bins, Count::Kind kind) {
    const std::uint32_t window = window_of(range), most = 3 * window + 77;
    const Words input = random_words(most, bins);
    Trial trial(most, kind, device_with_range(range));
    const auto counts = trial.output("counts", bins);
    histogram(trial.graph, trial.input("in", input), Bins::digit(0, static_cast<std::uint32_t>(std::countr_zero(bins))),
              {.output = counts, .tuning = {.group_items = 1024}});
    for (const std::uint32_t n : borders(window, most)) {
        Words expected(bins, 0);
        std::for_each(input.begin(), input.begin() + n, [&](std::uint32_t word) { ++expected[word % bins]; });
        trial.run(n);
        trial.expect(counts, expected);
    }
}

TEST(Windows, Histogram) {
    check_histogram(256, Count::Kind::parameter);
    check_histogram(256, Count::Kind::gpu);
    check_histogram(2, Count::Kind::parameter);
}

TEST(Windows, HistogramOfBytes) {
    const Words input = random_words(3 * window_of(range) + 77, 4);
    Trial trial(count_of(input), Count::Kind::constant, device_with_range(range));
    const auto counts = trial.output("counts", 256);
    histogram(trial.graph, trial.input("in", input), Bins::bytes(), {.output = counts});
    Words expected(256, 0);
    for (const std::uint32_t word : input) {
        for (std::uint32_t byte = 0; byte < 4; ++byte) {
            ++expected[word >> 8 * byte & 255];
        }
    }
    trial.run(count_of(input));
    trial.expect(counts, expected);
}

/// Checks a sort of the first n keys with `options` for some n. `values`: none, values of two words, or indices.
enum class Moves : std::uint8_t { keys, values, indices };
template <class K>
void check_sort(const std::vector<K>& keys, RadixSortOptions<K> options, Moves moves = Moves::keys,
                Count::Kind kind = Count::Kind::parameter, const Instrument& faults = {}, bool in_place = false) {
    if (!test_context().capabilities().buffer_address) {
        GTEST_SKIP() << "the device has no buffer addresses";
    }
    using Pair = std::array<std::uint32_t, 2>;
    const std::uint32_t most = count_of(keys);
    const std::uint32_t window = window_of(sort_range, moves == Moves::values ? 2 : sizeof(K) / 4);
    const std::vector<Pair> numbers = numbered_values<Pair>(most);
    Trial trial(most, kind, device_with_range(sort_range));
    options.tuning = {.keys_per_invocation = 8, .single_workgroup_keys = 1, .ranks = options.tuning.ranks};
    const auto in = in_place ? trial.in_place("keys", keys) : trial.input("keys", keys);
    const auto sorted = in_place ? in : trial.output<K>("sorted keys", most);
    BufferRef<Pair> moved;
    Ref places;
    {
        const auto scope = weir::testing::instrument(trial.graph, faults);
        if (moves == Moves::values) {
            moved = trial.output<Pair>("sorted values", most);
            RadixSortOptions<K, Pair> pairs{.descending = options.descending,
                                            .first_bit = options.first_bit,
                                            .end_bit = options.end_bit,
                                            .output_keys = sorted,
                                            .output_values = moved,
                                            .tuning = options.tuning};
            radix_sort(trial.graph, in, trial.input("values", numbers), pairs);
        } else {
            options.output_keys = options.want_keys ? sorted : BufferRef<K>{};
            if (moves == Moves::indices) {
                options.want_indices = true;
                options.output_values = places = trial.output("indices", most);
            }
            radix_sort(trial.graph, in, options);
        }
    }
    for (const std::uint32_t n : kind == Count::Kind::constant ? Words{most} : Words{0, 1, window, window + 1, most}) {
        const Words order = sorted_order(keys, n, options);
        if (in_place) {
            trial.refill(in, keys);
        }
        trial.run(n);
        if (options.want_keys && !(in_place && n < most)) { // in place, keys beyond n may be undefined
            trial.expect(sorted, at_indices(keys, order));
        }
        if (moves == Moves::values) {
            trial.expect(moved, at_indices(numbers, order));
        } else if (moves == Moves::indices) {
            trial.expect(places, order);
        }
    }
}

constexpr std::uint32_t sorted_keys = 3 * window_of(sort_range) + 77;

TEST(Windows, SortKeys) {
    check_sort<std::uint32_t>(random_words(sorted_keys, 1), {});
    check_sort<std::uint32_t>(random_words(sorted_keys, 2), {.descending = true}, Moves::keys, Count::Kind::gpu);
    check_sort<std::uint32_t>(random_words(sorted_keys, 3), {.first_bit = 3, .end_bit = 21});
    for (const Words& keys : special_inputs(sorted_keys)) {
        check_sort<std::uint32_t>(keys, {}, Moves::keys, Count::Kind::constant);
    }
}

TEST(Windows, SortKeysOfOtherTypes) {
    const std::uint32_t n = 3 * window_of(sort_range, 2) + 77;
    check_sort<std::uint64_t>(mixed_keys<std::uint64_t>(n), {});
    check_sort<double>(mixed_keys<double>(n), {});
    check_sort<float>(mixed_keys<float>(sorted_keys), {.descending = true});
    check_sort<std::int32_t>(mixed_keys<std::int32_t>(sorted_keys), {});
}

TEST(Windows, SortPairs) {
    const std::uint32_t n = 3 * window_of(sort_range, 2) + 77;
    check_sort<std::uint32_t>(Random(1).vector<std::uint32_t>(n, 0, 1000), {}, Moves::values);
    check_sort<std::uint32_t>(Random(2).vector<std::uint32_t>(sorted_keys, 0, 1000), {}, Moves::indices,
                              Count::Kind::gpu);
    check_sort<std::uint64_t>(mixed_keys<std::uint64_t>(n), {.want_keys = false}, Moves::indices);
}

TEST(Windows, SortInPlace) {
    check_sort<std::uint32_t>(random_words(sorted_keys, 1), {}, Moves::keys, Count::Kind::parameter, {}, true);
    check_sort<std::uint32_t>(random_words(sorted_keys, 2), {.end_bit = 24}, Moves::keys, Count::Kind::parameter, {},
                              true);
}

TEST(Windows, SortWithFaults) {
    check_sort<std::uint32_t>(random_words(sorted_keys, 1), {}, Moves::keys, Count::Kind::parameter, {.one_in = 3});
    check_sort<std::uint32_t>(random_words(sorted_keys, 2), {}, Moves::indices, Count::Kind::parameter,
                              {.order = Instrument::Order::reversed});
    RadixSortOptions<> checked;
    checked.tuning.ranks = RadixRanks::checked;
    check_sort<std::uint32_t>(random_words(sorted_keys, 3), checked);
    check_sort<std::uint32_t>(random_words(sorted_keys, 4), checked, Moves::keys, Count::Kind::parameter,
                              out_of_order(3));
}

} // namespace
} // namespace weir::tests::windows_test

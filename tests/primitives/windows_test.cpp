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

const OnOneDriver on_one_driver{"Windows.Refusals", "Windows.SortKeysOfOtherTypes", "Windows.SortPairs",
                                "Windows.SortWithFaults"};
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

/// Checks selections of odd words, with indices, with room for `room` elements.
void check_select(std::uint32_t room, Count::Kind kind, const Instrument& faults = {}) {
    if (!test_context().capabilities().buffer_address) {
        GTEST_SKIP() << "the device has no buffer addresses";
    }
    constexpr std::uint32_t window = window_of(range) / 2048 * 2048, most = 3 * window + 77;
    const Words input = random_words(most, room);
    Words flags, bits((most + 31) / 32);
    for (std::uint32_t i = 0; i < most; ++i) {
        flags.push_back(input[i] & 1);
        bits[i / 32] |= (input[i] & 1) << i % 32;
    }
    Trial trial(most, kind, device_with_range(range));
    const auto in = trial.input("in", input);
    struct Outputs {
        Ref items, indices, count;
    };
    const auto outputs = [&] {
        return Outputs{trial.output("items", room), trial.output("indices", room), trial.output("count", 1)};
    };
    const auto options = [](const Outputs& to) {
        return SelectOptions<std::uint32_t>{.output = to.items,
                                            .output_indices = to.indices,
                                            .output_count = to.count,
                                            .tuning = {.workgroup = std::min(64U, max_workgroup()), .rows = 2}};
    };
    const Outputs greater = outputs(), flagged = outputs(), by_bits = outputs();
    {
        const auto scope = weir::testing::instrument(trial.graph, faults);
        select_if(trial.graph, in, Predicate::compare(Comparison::greater, 1U << 31), options(greater));
        select_flagged(trial.graph, in, trial.input("flags", flags), options(flagged));
        select_by_bits(trial.graph, in, trial.input("bits", bits), options(by_bits));
    }
    for (const std::uint32_t n : borders(window, most)) {
        trial.run(n);
        const auto expect = [&](const Outputs& found, const auto& is_selected) {
            Words items, indices;
            for (std::uint32_t i = 0; i < n; ++i) {
                if (is_selected(i)) {
                    items.push_back(input[i]);
                    indices.push_back(i);
                }
            }
            trial.expect(found.count, Words{count_of(items)});
            trial.expect(found.items, at_most(items, room));
            trial.expect(found.indices, at_most(indices, room));
        };
        expect(greater, [&](std::uint32_t i) { return input[i] > 1U << 31; });
        expect(flagged, [&](std::uint32_t i) { return flags[i] != 0; });
        expect(by_bits, [&](std::uint32_t i) { return flags[i] != 0; });
    }
}

TEST(Windows, Select) {
    check_select(3 * window_of(range), Count::Kind::parameter);
    check_select(window_of(range) + 7, Count::Kind::gpu);
    check_select(3 * window_of(range), Count::Kind::parameter, {.one_in = 3});
}

TEST(Windows, SelectWithLayouts) {
    if (!test_context().capabilities().buffer_address) {
        GTEST_SKIP() << "the device has no buffer addresses";
    }
    const std::uint32_t n = 2 * window_of(range, 5) + 77;
    const Words input = random_words(5 * n + 70, 7);
    Trial trial(n, Count::Kind::constant, device_with_range(range));
    const auto out = trial.output("items", 3 * n + 66), count = trial.output("count", 1);
    const auto in = trial.input("in", input);
    select_if(trial.graph, in.with_count(n), Predicate::compare(Comparison::less, 1U << 30),
              {.output = out,
               .output_count = count,
               .input_layout = {.offset = 70, .stride = 5},
               .output_layout = {.offset = 66, .stride = 3}});
    trial.run(n);
    Words expected = poisoned(3 * n + 66);
    std::uint32_t selected = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (input[70 + 5 * i] < 1U << 30) {
            expected[66 + 3 * selected++] = input[70 + 5 * i];
        }
    }
    trial.expect(count, Words{selected});
    trial.expect(out, expected);
}

/// Creates a program for a device with small bindings, and binds its buffers.
class LargeTrial {
public:
    LargeTrial() : graph(device_with_range(sort_range)) {}

    template <class T>
    LargeBuffer<T> buffer(const char* name, const std::vector<T>& items) {
        const auto large = graph.import_large_buffer<T>(name, items.size());
        buffers_.emplace_back(large, buffer_of(items));
        return large;
    }
    template <class T>
    LargeBuffer<T> output(const char* name, std::size_t size) {
        return buffer(name, poisoned<T>(size));
    }

    void run() {
        Program program = ok(compile(test_context(), graph));
        for (const auto& [id, buffer] : buffers_) {
            ok(program.bind(id, buffer));
        }
        ok(program.run());
    }

    template <class T>
    void expect(LargeBuffer<T> output, const std::vector<T>& items) {
        const auto found =
            std::find_if(buffers_.begin(), buffers_.end(), [&](const auto& bound) { return bound.first == output.id; });
        expect_equal(contents<std::uint32_t>(found->second, items.size() * sizeof(T) / 4), words_of(items), "output");
    }

    Graph graph;

private:
    std::vector<std::pair<BufferId, Buffer>> buffers_;
};

TEST(Windows, LargeBuffers) {
    for (const std::uint32_t n : {100U, 3 * window_of(sort_range) + 77}) { // without windows and with them
        LargeTrial trial;
        const Words input = random_words(n, n);
        const auto in = trial.buffer("in", input), scanned = trial.output<std::uint32_t>("scanned", n),
                   other = trial.output<std::uint32_t>("other", n), filled = trial.output<std::uint32_t>("filled", n),
                   counted = trial.output<std::uint32_t>("counted", n), both = trial.buffer("both", input);
        const auto total = trial.output<std::uint32_t>("total", 1), sum = trial.output<std::uint32_t>("sum", 1);
        const auto counts = trial.output<std::uint64_t>("counts", 2);
        scan(trial.graph, in,
             {.output = scanned, .output_other = other, .output_total = trial.graph.part(total, 0, 1)});
        reduce(trial.graph, in, {.output = trial.graph.part(sum, 0, 1)});
        fill(trial.graph, filled, 9);
        iota(trial.graph, counted, 4);
        histogram(trial.graph, in, Bins::digit(0, 1), {.output = trial.graph.part(counts, 0, 2)});
        Words sorted = input;
        std::sort(sorted.begin(), sorted.end());
        const bool sorts = trial.graph.capabilities().buffer_address || n == 100;
        if (sorts) {
            radix_sort(trial.graph, both, {.output_keys = both, .tuning = {.keys_per_invocation = 8}});
        }
        const auto items = trial.output<std::uint32_t>("items", n);
        const auto selected = trial.output<std::uint64_t>("selected", 1);
        if (trial.graph.capabilities().buffer_address) {
            select_if(trial.graph, in, Predicate::compare(Comparison::less, 1U << 30),
                      {.output = items, .output_count = trial.graph.part(selected, 0, 1)});
        }
        trial.run();
        Words inclusive(n), exclusive(n);
        std::partial_sum(input.begin(), input.end(), inclusive.begin());
        std::exclusive_scan(input.begin(), input.end(), exclusive.begin(), 0U);
        trial.expect(scanned, inclusive);
        trial.expect(other, exclusive);
        trial.expect(total, Words{inclusive.back()});
        trial.expect(sum, Words{inclusive.back()});
        trial.expect(filled, Words(n, 9));
        trial.expect(counted, ascending(n, 4));
        const auto odd =
            static_cast<std::uint64_t>(std::count_if(input.begin(), input.end(), [](auto x) { return x % 2; }));
        trial.expect(counts, std::vector<std::uint64_t>{n - odd, odd});
        if (sorts) {
            trial.expect(both, sorted);
        }
        if (trial.graph.capabilities().buffer_address) {
            Words low;
            std::copy_if(input.begin(), input.end(), std::back_inserter(low), [](auto x) { return x < 1U << 30; });
            trial.expect(selected, std::vector<std::uint64_t>{low.size()});
            low.resize(n, poisoned(1)[0]);
            trial.expect(items, low);
        }
    }
}

TEST(Windows, Refusals) {
    const auto expect = [](const std::string& message, const auto& add,
                           const Capabilities& device = device_with_range(4096)) {
        Graph graph(device);
        add(graph, graph.import_buffer<std::uint32_t>("large", 2000));
        EXPECT_THAT(plan_error(graph), HasSubstr(message));
    };
    expect("histogram: the input exceeds 4096 bytes (maxStorageBufferRange), which is not supported with custom bins",
           [](Graph& graph, Ref large) { histogram(graph, large, Bins::by(4, "i % 4")); });
    expect("scan: elements at a distance of 900 words; a binding has at most 4096 bytes (maxStorageBufferRange)",
           [](Graph& graph, Ref large) {
               scan(graph, large.with_count(3),
                    {.output = large, .input_layout = {.stride = 900}, .output_layout = {.stride = 900}});
           });
    expect("iota: the output exceeds 4096 bytes (maxStorageBufferRange), which is supported for integers only",
           [](Graph& graph, Ref large) { iota(graph, large.as<float>()); });
    Capabilities device = device_with_range(4096);
    device.buffer_address = false;
    const auto sort = [](Graph& graph, Ref large) { radix_sort(graph, large); };
    expect("radix sort: keys or values of more than 4096 bytes (maxStorageBufferRange) require buffer addresses "
           "(bufferDeviceAddress), which the device does not support",
           sort, device);
    device.buffer_address = true;
    expect(
        "radix sort: keys or values of more than 4096 bytes (maxStorageBufferRange) are not supported for keys of 8 "
        "bits",
        [](Graph& graph, Ref) { radix_sort(graph, graph.import_buffer<std::uint8_t>("bytes", 5000)); }, device);
    expect("no error", sort, device);
    const auto odd = [](Graph& graph, Ref large) { select_if(graph, large, "x % 2 == 1"); };
    expect(
        "select: a buffer exceeds 4096 bytes (maxStorageBufferRange), which is not supported for predicates that are "
        "expressions",
        odd, device);
    device.buffer_address = false;
    expect("select: buffers of more than 4096 bytes (maxStorageBufferRange) require buffer addresses "
           "(bufferDeviceAddress), which the device does not support",
           odd, device);
}

} // namespace
} // namespace weir::tests::windows_test

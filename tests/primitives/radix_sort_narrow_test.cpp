#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/primitives/radix_sort_trial.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::radix_sort_narrow_test {
namespace {

const Sweeps sweeps{"RadixSortNarrow/*.BitRanges",
                    "RadixSortNarrow/*.CountOnTheGpu",
                    "RadixSortNarrow/*.InPlace",
                    "RadixSortNarrow/*.AroundTileBoundaries",
                    "RadixSortNarrowKeys.FaultsDoNotChangeResults",
                    "RadixSortNarrowKeys.TransientOutputs",
                    "RadixSortNarrowKeys.WithAndWithoutNarrowStorage"};

using Value3 = std::array<std::uint32_t, 3>;

template <class K>
class RadixSortNarrow : public testing::Test {};
struct TypeNames {
    template <class K>
    static std::string GetName(int /*index*/) {
        return std::string(mantissa_bits<K> != 0 ? "f"
                           : std::is_signed_v<K> ? "i"
                                                 : "u") +
               std::to_string(sizeof(K) * 8);
    }
};
using NarrowTypes = testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, Half>;
TYPED_TEST_SUITE(RadixSortNarrow, NarrowTypes, TypeNames);

/// Returns true if this run sorts keys of type K by kind `what`. Most of the time goes to compiling kernels, so each
/// driver runs some kinds of some types.
template <class K>
bool is_turn_of(SortOf what) {
    constexpr std::uint32_t type = sizeof(K) + (mantissa_bits<K> != 0 ? 3 : std::is_signed_v<K> ? 2 : 0); // 1 to 5
    return is_turn(static_cast<std::uint32_t>(what) + type, configurations);
}

TYPED_TEST(RadixSortNarrow, EveryCountUpTo23) {
    const std::vector<TypeParam> keys = mixed_keys<TypeParam>(23);
    Words counts(24);
    std::iota(counts.begin(), counts.end(), 0U);
    for (const bool descending : {false, true}) {
        SCOPED_TRACE(descending ? "descending" : "ascending");
        for (const auto what : {SortOf::keys, SortOf::indices}) {
            if (is_turn_of<TypeParam>(what)) {
                check_sort(keys, what, counts, {.descending = descending});
            }
        }
        if (is_turn_of<TypeParam>(SortOf::pairs)) {
            const RadixSortOptions<TypeParam, Value3> options{.descending = descending};
            check_sort<Value3>(keys, SortOf::pairs, counts, options);
        }
    }
}

TYPED_TEST(RadixSortNarrow, AroundTileBoundaries) {
    // Tiles of sweeps, and of the passes that widen and narrow: at most 256 invocations with four keys each.
    const std::uint32_t tile = small_tile(), most = 2 * std::max(tile, 1024U) + 7;
    const Words counts{tile - 1, tile, tile + 1, 1023, 1024, 1025, 1026, 1027, 0, 3, most - 1, most};
    const std::vector<TypeParam> keys = mixed_keys<TypeParam>(most);
    for (const auto what : {SortOf::keys, SortOf::pairs, SortOf::indices}) {
        for (const bool descending : {false, true}) {
            if (is_turn_of<TypeParam>(what)) {
                SCOPED_TRACE(descending ? "descending" : "ascending");
                check_sort(keys, what, counts, {.descending = descending, .tuning = small_shape()});
            }
        }
    }
}

TYPED_TEST(RadixSortNarrow, BitRanges) {
    const std::uint32_t n = small_tile() + 77, bits = sizeof(TypeParam) * 8;
    const std::vector<TypeParam> keys = mixed_keys<TypeParam>(n);
    const std::uint32_t ranges[][2] = {{0, 0}, {bits, bits}, {bits - 1, bits}, {0, 5}, {bits - 6, bits - 1}, {1, bits}};
    for (const auto& [first, end] : ranges) {
        SCOPED_TRACE("bits " + std::to_string(first) + " to " + std::to_string(end));
        const bool down = end % 2 == 1;
        // A sort by no bits copies the whole capacity, so only n = capacity can be checked.
        check_sort(keys, SortOf::pairs, {n, first == end ? n : n - 2},
                   {.descending = down, .first_bit = first, .end_bit = end, .tuning = small_shape()});
        check_sort(keys, SortOf::pairs, {n}, {.descending = !down, .first_bit = first, .end_bit = end});
    }
}

TYPED_TEST(RadixSortNarrow, CountOnTheGpu) {
    const std::uint32_t capacity = small_tile() + 101;
    const Words counts{0, 1, 6, small_tile() + 1, 0, capacity - 1, capacity, capacity + 1, ~0U};
    const RadixSortTuning tuning = is_turn(0, 2) ? small_shape() : RadixSortTuning{};
    check_sort(mixed_keys<TypeParam>(capacity), SortOf::keys, counts, {.tuning = tuning}, Count::Kind::gpu);
}

/// Sorts the keys in place, and also the values if `values_too`.
template <class K>
void check_in_place(bool values_too, const RadixSortTuning& tuning) {
    const std::uint32_t capacity = small_tile() + 33;
    const std::vector<K> keys = mixed_keys<K>(capacity);
    const Words values = numbered_values<std::uint32_t>(capacity);
    Trial trial(capacity);
    RadixSortOptions<K> options{.tuning = tuning};
    const auto input = trial.input("keys", keys);
    options.output_keys = input;
    options.values = trial.input("values", values);
    options.output_values = values_too ? options.values : trial.output("sorted values", capacity);
    radix_sort(trial.graph, input, options);
    trial.graph.export_buffer(input);
    trial.graph.export_buffer(options.output_values);
    trial.compile();
    for (const std::uint32_t n : {capacity, capacity - 1, capacity - 2, capacity - 3, 5U, 0U}) {
        SCOPED_TRACE("n = " + std::to_string(n));
        trial.refill(input, keys);
        trial.refill(options.values, values);
        trial.run(n);
        const Words order = sorted_order(keys, n, options);
        std::vector<K> expected = in_order(keys, order); // the following keys are unchanged
        expected.insert(expected.end(), keys.begin() + n, keys.end());
        const std::size_t words = capacity * sizeof(K) / 4;
        expect_equal(trial.words_in(input, words), words_of(expected), "keys");
        expect_equal(trial.words_in(options.output_values, n), in_order(values, order), "values");
    }
}

TYPED_TEST(RadixSortNarrow, InPlace) {
    check_in_place<TypeParam>(true, small_shape());
    check_in_place<TypeParam>(false, small_shape());
    check_in_place<TypeParam>(true, {});
}

TEST(RadixSortNarrowKeys, FaultsDoNotChangeResults) {
    const std::vector<Half> keys = mixed_keys<Half>(12 * small_tile() + 3);
    const auto n = static_cast<std::uint32_t>(keys.size());
    check_sort(keys, SortOf::pairs, {n, n, n}, {.tuning = small_shape()}, Count::Kind::parameter,
               {.one_in = 3, .kind = Instrument::Kind::never_post, .seed = 1U});
}

TEST(RadixSortNarrowKeys, EveryHalf) {
    std::vector<Half> keys(1U << 16);
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
        keys[i].bits = static_cast<std::uint16_t>(i * 40503U);
    }
    for (const auto what : {SortOf::keys, SortOf::pairs, SortOf::indices}) {
        if (is_turn_of<Half>(what)) {
            check_sort(keys, what, {1U << 16}, {.tuning = small_shape()});
        }
    }
}

// No other pass writes the transients, so the graph knows that they have no contents to keep.
TEST(RadixSortNarrowKeys, TransientOutputs) {
    const std::vector<std::int16_t> keys = mixed_keys<std::int16_t>(101);
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::int16_t>("in", 101);
    const auto sorted =
        radix_sort(graph, in, {.descending = true, .output_keys = graph.transient_buffer<std::int16_t>("down", 101)});
    const auto again = radix_sort(graph, sorted.keys);
    graph.export_buffer(sorted.keys);
    graph.export_buffer(again.keys);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(keys);
    ok(program.bind(in, buffer));
    ok(program.run());
    std::vector<std::int16_t> expected = keys;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(contents<std::int16_t>(program.view(again.keys), 101), expected);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(contents<std::int16_t>(program.view(sorted.keys), 101), expected);
}

TEST(RadixSortNarrowKeys, KeepTransientContentsBeyondCount) {
    const std::vector<std::uint8_t> keys{9, 8, 7, 6, 5, 4, 3};
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint8_t>("in", 7, Count(5));
    const auto out = graph.transient_buffer<std::uint8_t>("out", 7);
    graph.add_fill("fill", out, 0xABABABAB);
    radix_sort(graph, in, {.output_keys = out});
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(keys);
    ok(program.bind(in, buffer));
    ok(program.run());
    EXPECT_EQ(contents<std::uint8_t>(program.view(out), 8),
              (std::vector<std::uint8_t>{5, 6, 7, 8, 9, 0xAB, 0xAB, 0xAB}));
}

/// Sorts on a device that reports 8- and 16-bit storage, or does not.
void check_storage(bool narrow_storage) {
    Capabilities device = test_context().capabilities();
    device.narrow_storage = narrow_storage;
    const std::vector<std::int16_t> keys = mixed_keys<std::int16_t>(small_tile() + 51);
    const auto n = static_cast<std::uint32_t>(keys.size());
    Graph graph(device);
    const auto in = graph.import_buffer<std::int16_t>("in", n);
    const auto sorted = radix_sort(graph, in, {.tuning = small_shape()});
    graph.export_buffer(sorted.keys);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(keys);
    ok(program.bind(in, buffer));
    ok(program.run());
    const auto widens = HasSubstr("widens keys"), narrows = HasSubstr("narrows keys");
    EXPECT_THAT(program.plan().text(), narrow_storage ? testing::Not(testing::AnyOf(widens, narrows))
                                                      : testing::Matcher<std::string>(testing::AllOf(widens, narrows)));
    std::vector<std::int16_t> expected = keys;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(contents<std::int16_t>(program.view(sorted.keys), n), expected);
}

TEST(RadixSortNarrowKeys, WithAndWithoutNarrowStorage) {
    check_storage(false);
    if (test_context().capabilities().narrow_storage) {
        check_storage(true);
    }
}

TEST(RadixSortNarrowKeys, RejectsInvalidArguments) {
    const auto error = [](const RadixSortOptions<std::uint8_t>& options) {
        Graph graph(test_context());
        radix_sort(graph, graph.import_buffer<std::uint8_t>("in", 1000), options);
        return plan_error(graph);
    };
    EXPECT_THAT(error({.end_bit = 9}), HasSubstr("keys have bits 0 to 8"));
    EXPECT_THAT(error({.first_bit = 5, .end_bit = 4}), HasSubstr("bits 5 to 4"));
    EXPECT_THAT(error({.want_keys = false}), HasSubstr("nothing is requested"));
    Graph small(test_context());
    radix_sort(small, small.import_buffer<Half>("in", 1000), {.output_keys = small.import_buffer<Half>("out", 999)});
    EXPECT_THAT(plan_error(small), HasSubstr("capacity of 999"));
    Graph large(test_context());
    radix_sort(large, large.import_buffer<std::uint8_t>("in", 1U << 30));
    EXPECT_THAT(plan_error(large), HasSubstr("at most 1073741823"));
    Graph one(test_context()), other(test_context());
    radix_sort(one, other.import_buffer<std::uint8_t>("elsewhere", 10));
    EXPECT_THAT(plan_error(one), HasSubstr("another graph"));
}

TEST(RadixSortNarrowKeys, BuffersMustHaveWholeWords) {
    Graph graph(test_context());
    const auto keys = graph.import_buffer<std::uint8_t>("keys", 1001);
    radix_sort(graph, keys, {.output_keys = keys});
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = poisoned_buffer<std::uint8_t>(1001);
    const auto bound = program.bind(keys, {buffer.handle(), 0, 1001});
    ASSERT_FALSE(bound);
    EXPECT_THAT(bound.error().message, HasSubstr("1001 bytes; the graph requires 1004"));
    EXPECT_TRUE(program.bind(keys, {buffer.handle(), 0, 1004}));
}

} // namespace
} // namespace weir::tests::radix_sort_narrow_test

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
using NarrowTypes = testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, Half>;
TYPED_TEST_SUITE(RadixSortNarrow, NarrowTypes, KeyTypeNames);

/// Returns true if this run sorts keys of type K by kind `what`. Most of the time goes to compiling kernels, so each
/// driver runs some kinds of some types.
template <class K>
bool is_turn_of(SortOf what) {
    constexpr std::uint32_t type = sizeof(K) + (mantissa_bits<K> != 0 ? 3 : std::is_signed_v<K> ? 2 : 0); // 1 to 5
    return is_turn(static_cast<std::uint32_t>(what) + type, configurations);
}

TYPED_TEST(RadixSortNarrow, EveryCountUpTo23) {
    const std::vector<TypeParam> keys = mixed_keys<TypeParam>(23);
    const Words counts = ascending(24);
    for (const bool descending : {false, true}) {
        SCOPED_TRACE(descending ? "descending" : "ascending");
        for (const auto what : {SortOf::keys, SortOf::indices}) {
            if (is_turn_of<TypeParam>(what)) {
                check_sort(keys, what, counts, {.descending = descending});
            }
        }
        if (is_turn_of<TypeParam>(SortOf::pairs)) {
            check_sort<Value3>(keys, SortOf::pairs, counts,
                               RadixSortOptions<TypeParam, Value3>{.descending = descending});
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
    check_sort(mixed_keys<TypeParam>(capacity), SortOf::keys, counts, {.tuning = tuning}, {.kind = Count::Kind::gpu});
}

TYPED_TEST(RadixSortNarrow, InPlace) {
    const std::uint32_t capacity = small_tile() + 33;
    const auto keys = mixed_keys<TypeParam>(capacity);
    const Words counts{capacity, capacity - 1, capacity - 2, capacity - 3, 5, 0};
    check_sort(keys, SortOf::pairs, counts, {.tuning = small_shape()}, {.in_place = {true, true}});
    check_sort(keys, SortOf::pairs, counts, {.tuning = small_shape()}, {.in_place = {true, false}});
    check_sort(keys, SortOf::pairs, counts, {}, {.in_place = {true, true}});
}

TEST(RadixSortNarrowKeys, FaultsDoNotChangeResults) {
    const std::vector<Half> keys = mixed_keys<Half>(12 * small_tile() + 3);
    const std::uint32_t n = count_of(keys);
    check_sort(keys, SortOf::pairs, {n, n, n}, {.tuning = small_shape()},
               {.instrument = {.one_in = 3, .kind = Instrument::Kind::never_post, .seed = 1U}});
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

TEST(RadixSortNarrowKeys, EveryBFloat16) {
    std::vector<BFloat16> keys(1U << 16);
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
        keys[i].bits = static_cast<std::uint16_t>(i * 40503U);
    }
    check_sort(keys, SortOf::keys, {1U << 16}, {.tuning = small_shape()});
}

// No other pass writes the transients, so the graph knows that they have no contents to keep.
TEST(RadixSortNarrowKeys, TransientOutputs) {
    std::vector<std::int16_t> keys = mixed_keys<std::int16_t>(101);
    Trial trial(101, Count::Kind::constant);
    const auto down = trial.graph.transient_buffer<std::int16_t>("down", 101);
    const auto sorted = trial.exported(
        radix_sort(trial.graph, trial.input("in", keys), {.descending = true, .output_keys = down}).keys);
    const auto again = trial.exported(radix_sort(trial.graph, sorted).keys);
    trial.run(101);
    std::sort(keys.begin(), keys.end());
    trial.expect_exported(again, keys);
    std::reverse(keys.begin(), keys.end());
    trial.expect_exported(sorted, keys);
}

TEST(RadixSortNarrowKeys, KeepTransientContentsBeyondCount) {
    Trial trial(5, Count::Kind::constant);
    const auto in = trial.input("in", std::vector<std::uint8_t>{9, 8, 7, 6, 5, 4, 3});
    const auto out = trial.exported(trial.graph.transient_buffer<std::uint8_t>("out", 7));
    trial.graph.add_fill("fill", out, 0xABABABAB);
    radix_sort(trial.graph, in, {.output_keys = out});
    trial.run(5);
    trial.expect_exported(out, std::vector<std::uint8_t>{5, 6, 7, 8, 9, 0xAB, 0xAB, 0xAB});
}

TEST(RadixSortNarrowKeys, WithAndWithoutNarrowStorage) {
    const std::uint32_t n = small_tile() + 51;
    Capabilities device = test_context().capabilities();
    for (const bool has_storage : {false, device.narrow_storage}) {
        device.narrow_storage = has_storage;
        RadixSorter<std::int16_t> sorter(mixed_keys<std::int16_t>(n), SortOf::keys, {.tuning = small_shape()},
                                         {.kind = Count::Kind::constant, .device = device});
        sorter.check(n);
        for (const char* pass : {"widens keys", "narrows keys"}) {
            EXPECT_EQ(sorter.plan().find(pass) == std::string::npos, has_storage) << pass;
        }
    }
}

TEST(RadixSortNarrowKeys, RejectsInvalidArguments) {
    const auto with = [](const RadixSortOptions<std::uint8_t>& options) {
        return [options](Graph& g) { radix_sort(g, imported<std::uint8_t>(g), options); };
    };
    expect_refused("keys have bits 0 to 8", with({.end_bit = 9}));
    expect_refused("bits 5 to 4", with({.first_bit = 5, .end_bit = 4}));
    expect_refused("nothing is requested", with({.want_keys = false}));
    expect_refused("capacity of 99",
                   [](Graph& g) { radix_sort(g, imported<Half>(g), {.output_keys = imported<Half>(g, 99)}); });
    Graph many(device_with_range(1U << 30));
    radix_sort(many, imported<std::uint8_t>(many, 1U << 30));
    EXPECT_THAT(plan_error(many), HasSubstr("at most 1073741823"));
    Graph other(test_context());
    expect_refused("another graph", [&](Graph& g) { radix_sort(g, imported<std::uint8_t>(other)); });
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

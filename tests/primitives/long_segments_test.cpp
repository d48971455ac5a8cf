#include "tests/primitives/scan_cases.hpp"
#include "tests/primitives/segmented_sort_trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::long_segments_test {
namespace {

const Sweeps sweeps{"SegmentedSort.LongSegments*", "SegmentedSort.DefaultShapesForLongSegments"};

TEST(SegmentedSort, LongSegmentsOfOneLength) {
    const std::uint32_t tile = few(), n = 11 * tile + 5;
    const Words keys = random_words(n, 21);
    for (const std::uint32_t length : {tile + 1, 2 * tile, 3 * tile - 1, 5 * tile + 3, ~0U}) {
        SCOPED_TRACE("segments of " + std::to_string(length));
        SegmentSorter<std::uint32_t> sorter(keys, SortOf::pairs, {.length = length},
                                            {.end_bit = 12, .tuning = few_keys_and_sweeps()},
                                            {.kind = length % 2 == 0 ? Count::Kind::gpu : Count::Kind::parameter});
        for (const std::uint32_t count : {n, n - 1, tile + 1, 2 * tile, 1U, 0U, n}) {
            sorter.check(count);
        }
    }
}

TEST(SegmentedSort, LongSegmentsAtOffsets) {
    const std::uint32_t tile = few(), n = 12 * tile;
    for (const bool end_given : {false, true}) {
        SegmentSorter<std::uint32_t> sorter(random_words(n, 22), SortOf::pairs,
                                            {.most_offsets = 2 * n, .end_given = end_given},
                                            {.descending = end_given, .end_bit = 15, .tuning = few_keys_and_sweeps()});
        for (const Words& offsets :
             {Words{17}, Words{0, n}, Words{0, tile + 1, 2 * tile + 2, 2 * tile + 2, 5 * tile}, mixed_offsets(n),
              Words{5, 3 * tile + 5, 6 * tile + 6, n, n, ~0U}, ascending(n), random_offsets(9, 3 * tile, 3)}) {
            SCOPED_TRACE(std::to_string(offsets.size()) + " offsets");
            sorter.check(n, offsets);
            sorter.check(n / 2 + 1, offsets);
        }
        sorter.check(0, ascending(n));
    }
}

// Segments up to `long_keys` are sorted by one workgroup, longer ones by the device.
TEST(SegmentedSort, LongSegmentsAmongMediumOnes) {
    const std::uint32_t tile = few(), n = 15 * tile;
    SegmentedSortTuning tuning = few_keys_and_sweeps();
    tuning.long_keys = 2 * tile;
    SegmentSorter<std::uint32_t> sorter(random_words(n, 23), SortOf::pairs, {.most_offsets = 9},
                                        {.end_bit = 24, .longest = 5 * tile, .tuning = tuning});
    sorter.check(n, offsets_of({3, 2 * tile, 2 * tile + 1, tile + 1, 0, 5 * tile, tile, 7, 1}));
    sorter.check(n, offsets_of({tile, tile, tile}));
}

TEST(SegmentedSort, LongSegmentsByBitsAndInPlace) {
    const std::uint32_t n = 9 * few() + 1;
    const Words offsets{0, 2 * few() + 3, 3 * few(), 3 * few() + 1};
    const auto check = [&](std::uint32_t first, std::uint32_t end, InPlace in_place, bool listed) {
        SCOPED_TRACE("bits " + std::to_string(first) + " to " + std::to_string(end));
        SegmentSorter<std::uint32_t> sorter(
            random_words(n, end), SortOf::pairs, {.length = listed ? 0 : 4 * few() + 1, .most_offsets = 4},
            {.descending = end % 2 == 1, .first_bit = first, .end_bit = end, .tuning = few_keys_and_sweeps()},
            {.kind = Count::Kind::gpu, .in_place = in_place});
        sorter.check(n - 3, listed ? offsets : Words{});
    };
    check(7, 7, {true, true}, false);
    check(9, 25, {}, true);
    check(31, 32, {true, true}, true);
    check(0, 24, {true, true}, true);
    check(0, 16, {true, true}, false);
    if (is_turn(0, configurations)) {
        check(3, 5, {}, false);
        check(0, 8, {true, false}, false);
    }
    if (is_turn(1, configurations)) {
        check(7, 7, {}, true);
        check(0, 8, {false, true}, true);
    }
    if (is_turn(0, configurations)) {
        SegmentSorter<double>(mixed_keys<double>(n), SortOf::pairs, {.most_offsets = 4},
                              {.first_bit = 5, .end_bit = 61, .tuning = few_keys_and_sweeps()})
            .check(n, offsets);
    }
    if (is_turn(1, configurations)) {
        SegmentSorter<float>(mixed_keys<float>(n), SortOf::keys, {.length = 4 * few()},
                             {.end_bit = 24, .tuning = few_keys_and_sweeps()},
                             {.kind = Count::Kind::gpu, .in_place = {true, false}})
            .check(n);
    }
}

TEST(SegmentedSort, LongSegmentsOfEveryKindOfKeys) {
    const std::uint32_t n = 9 * few();
    const Words offsets{0, 7, 3 * few() + 3, 4 * few(), 4 * few()};
    for (const auto ranks : {RadixRanks::voted, RadixRanks::checked}) {
        SegmentedSortOptions<> options{.descending = ranks == RadixRanks::voted, .tuning = few_keys_and_sweeps()};
        options.tuning.ranks = options.tuning.sweeps.ranks = ranks;
        SegmentSorter<std::uint32_t> sorter(Words(n), SortOf::keys, {.most_offsets = 5}, options);
        for (const Words& keys : special_inputs(n)) {
            sorter.set_keys(keys);
            sorter.check(n, offsets);
        }
    }
}

// Tiles that publish nothing, late or torn values, in every order. Workgroups have as many invocations as possible,
// because lavapipe ends all loops after 2^16 iterations, and a late tile takes 4096 for each digit of an invocation.
TEST(SegmentedSort, LongSegmentsWithFaults) {
    const std::uint32_t tile = 2 * few(), n = 13 * tile + 3;
    const Words keys = random_words(n, 24), offsets{2, 5 * tile, 5 * tile + 9, 7 * tile};
    SegmentedSortTuning tuning = few_keys_and_sweeps();
    tuning.sweeps = {.workgroup = tile, .keys_per_invocation = 1};
    for (const auto kind : all_faults) {
        for (const std::uint32_t one_in : {1U, 2U, 3U}) {
            SCOPED_TRACE("fault " + std::to_string(static_cast<int>(kind)) + ", 1 in " + std::to_string(one_in));
            SegmentSorter<std::uint32_t> sorter(
                keys, SortOf::pairs, {.most_offsets = 4}, {.end_bit = 16, .tuning = tuning},
                {.kind = Count::Kind::gpu, .instrument = {.one_in = one_in, .kind = kind, .seed = 1U}});
            sorter.check(n, offsets);
            sorter.check(n, offsets, 2);
        }
    }
    using Order = Instrument::Order;
    for (const auto order : {Order::reversed, Order::both_ends, Order::random}) {
        for (const bool listed : {false, true}) {
            SCOPED_TRACE("order " + std::to_string(static_cast<int>(order)));
            SegmentSorter<std::uint32_t> sorter(
                keys, SortOf::keys, {.length = listed ? 0 : 3 * tile + 1, .most_offsets = 4}, {.tuning = tuning},
                {.kind = Count::Kind::gpu, .instrument = {.one_in = listed ? 2U : 0U, .order = order}});
            sorter.check(n, listed ? offsets : Words{});
        }
    }
}

TEST(SegmentedSort, LongSegmentsCountFallbacksWithinTheirSegment) {
    const std::uint32_t tile = few(), n = 20 * tile;
    SegmentSorter<std::uint32_t> sorter(random_words(n, 25), SortOf::pairs, {.length = 10 * tile},
                                        {.end_bit = 8, .tuning = few_keys_and_sweeps()},
                                        {.instrument = {.one_in = 1}, .counts = true});
    sorter.check(n);
    const LookBackCounters counted = sorter.counters();
    EXPECT_GE(counted.fallbacks, 18U);
    EXPECT_EQ(counted.tiles, 2 * 10U * 9 / 2); // without prefixes, each look-back goes to the first tile of its segment
}

TEST(SegmentedSort, LongSegmentsRepairTilesOutOfOrder) {
    const std::uint32_t n = 7 * few() + 3;
    SegmentedSortOptions<std::uint64_t> options{.tuning = few_keys_and_sweeps()};
    options.tuning.ranks = options.tuning.sweeps.ranks = RadixRanks::checked;
    SegmentSorter<std::uint64_t> sorter(mixed_keys<std::uint64_t>(n), SortOf::keys, {.length = 3 * few() + 1}, options,
                                        {.kind = Count::Kind::gpu, .instrument = out_of_order(1)});
    sorter.check(n);
}

// The default shape sorts few long rows in the passes of a radix sort, and a single pass suffices if no segment is
// long.
TEST(SegmentedSort, DefaultShapesForLongSegments) {
    const std::uint32_t n = 100000;
    SegmentSorter<std::uint32_t> rows(random_words(n, 26), SortOf::indices, {.length = 45000});
    rows.check(n);
    EXPECT_NE(rows.plan().find("sweep of bit 24"), std::string::npos);
    SegmentSorter<float> lists(mixed_keys<float>(n), SortOf::keys, {.most_offsets = 5}, {.longest = n});
    lists.check(n, {0, 10, 10, 40000, 99990});
    EXPECT_NE(lists.plan().find("sweep of bit 24"), std::string::npos);
    SegmentSorter<std::uint32_t> bounded(random_words(n, 27), SortOf::keys, {.most_offsets = 99}, {.longest = 2000});
    EXPECT_EQ(bounded.plan().find("sweep"), std::string::npos);
}

// Overlapping long segments exceed the list of tiles.
TEST(SegmentedSort, LongSegmentsInAnyOrderStayInBounds) {
    const std::uint32_t n = 10 * few();
    SegmentedSortTuning tuning = few_keys_and_sweeps();
    tuning.segments = 1;
    for (const std::uint32_t seed : {1U, 2U}) {
        Words starts = random_words(100, seed);
        for (std::uint32_t& start : starts) {
            start %= seed == 1 ? 2 * n : 2;
        }
        starts[50] = n;
        starts[52] = n;
        Trial trial(n, Count::Kind::gpu);
        const auto in = trial.input("keys", random_words(n, 9)), values = trial.input("values", random_words(n, 10));
        const auto offsets = trial.input("offsets", starts).with_count(100);
        const auto out_keys = trial.output("sorted keys", n), out_values = trial.output("sorted values", n);
        segmented_sort(
            trial.graph, in, Segments::at_offsets(offsets),
            {.values = values, .end_bit = 16, .output_keys = out_keys, .output_values = out_values, .tuning = tuning});
        for (int run = 0; run < 3; ++run) {
            trial.run(n - 10);
            trial.expect(out_keys, trial.words_in(out_keys, n - 10));
            trial.expect(out_values, trial.words_in(out_values, n - 10));
        }
    }
}

} // namespace
} // namespace weir::tests::long_segments_test

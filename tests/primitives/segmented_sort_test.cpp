#include "tests/primitives/scan_cases.hpp"
#include "tests/primitives/segmented_sort_trial.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::segmented_sort_test {
namespace {

const OnOneDriver on_one_driver{"SegmentedSort.KindsOfInput",   "SegmentedSort.InputsFrom*",
                                "SegmentedSort.CountsOnTheGpu", "SegmentedSort.Offsets*",
                                "SegmentedSort.IndicesWithin*", "SegmentedSort.RowsOf*"};
const Sweeps sweeps{"SegmentedSort.InPlace",
                    "SegmentedSort.Checks*",
                    "SegmentedSort.Every*",
                    "SegmentedSort.DefaultShapesByLength",
                    "SegmentedSort.MoreWork*",
                    "SegmentedSort.BitRanges",
                    "SegmentedSort.UnknownSubgroupSize",
                    "SegmentedSortByType/*",
                    "SegmentedSortValues.*"};

// Sorts by few bits, so that an unstable sort is detected and one or two passes are enough.
TEST(SegmentedSort, EveryLengthAtOffsets) {
    const std::uint32_t tile = few(), longest = tile + tile / 2 + 2;
    Words lengths = ascending(longest + 1);
    const std::uint32_t n = std::accumulate(lengths.begin(), lengths.end(), 0U);
    SegmentSorter<std::uint32_t> sorter(random_words(n, 1), SortOf::pairs, {.most_offsets = n},
                                        {.end_bit = 4, .tuning = few_keys()});
    sorter.check(n, offsets_of(lengths));
    std::reverse(lengths.begin(), lengths.end());
    sorter.check(n, offsets_of(lengths));
}

TEST(SegmentedSort, EveryUniformLength) {
    const std::uint32_t tile = few(), n = 3 * tile + 3;
    const Words keys = random_words(n, 2);
    for (const std::uint32_t length : {1U, 3U, tile / 2 + 1, tile, tile + 1, ~0U}) {
        SCOPED_TRACE("segments of " + std::to_string(length));
        SegmentSorter<std::uint32_t> sorter(keys, SortOf::keys, {.length = length},
                                            {.end_bit = 12, .tuning = few_keys()}, {.kind = Count::Kind::parameter});
        for (const std::uint32_t count : {n, n - 1, tile + 1, tile, 1U, 0U}) {
            sorter.check(count);
        }
    }
}

/// Checks pairs in segments at each of `cases`, for all and for half of the keys.
void check_offsets(const std::vector<Words>& cases, bool end_given) {
    const std::uint32_t n = 12 * few();
    SegmentSorter<std::uint32_t> sorter(random_words(n, 3), SortOf::pairs,
                                        {.most_offsets = 2 * n, .end_given = end_given},
                                        {.descending = true, .end_bit = 7, .tuning = few_keys()});
    for (const Words& offsets : cases) {
        SCOPED_TRACE(std::to_string(offsets.size()) + " offsets");
        for (const std::uint32_t count : {n, n / 2 + 1}) {
            sorter.check(count, offsets);
        }
    }
    sorter.check(0, ascending(n));
}

TEST(SegmentedSort, OffsetsOfEveryKind) {
    const std::uint32_t tile = few(), n = 12 * tile;
    check_offsets({Words{}, Words{17}, Words{n}, Words{~0U}, Words{0, n}, Words{5, tile + 5, 3 * tile},
                   Words{0, 9, n - 1, n, n + 1, ~0U}, Words(2 * n, 0), Words(700, n / 2), ascending(n),
                   random_offsets(n, 2, 1), random_offsets(50, tile / 2, 2), random_offsets(9, 3 * tile, 3)},
                  false);
}

TEST(SegmentedSort, OffsetsWithEndSortUpToTheEnd) {
    const std::uint32_t tile = few(), n = 12 * tile;
    check_offsets({Words{17}, Words{0, n}, Words{5, tile + 5, 3 * tile}, Words{7, 7, 7},
                   Words{0, 9, n - 1, n, n + 1, ~0U}, random_offsets(50, tile / 2, 2), random_offsets(9, 2 * tile, 3)},
                  true);
}

TEST(SegmentedSort, DefaultShapesByLength) {
    for (const std::uint32_t longest : {4U, 300U}) {
        const Words lengths = Random(longest).vector<std::uint32_t>(3000 / longest, 0, longest);
        const std::uint32_t n = std::accumulate(lengths.begin(), lengths.end(), 1U);
        const auto most = count_of(lengths);
        SCOPED_TRACE("segments of up to " + std::to_string(longest));
        SegmentSorter<std::uint32_t>(random_words(n, longest), SortOf::pairs, {.most_offsets = most},
                                     {.end_bit = 16, .longest = longest})
            .check(n, offsets_of(lengths));
        if (long_tests()) {
            SegmentSorter<std::uint32_t>(random_words(n, longest), SortOf::pairs, {.most_offsets = most})
                .check(n, offsets_of(lengths));
            SegmentSorter<std::uint32_t>(random_words(50000, 1), SortOf::keys, {.length = 50 * longest}).check(50000);
        }
    }
}

TEST(SegmentedSort, MoreWorkgroupsThanADispatchRow) {
    const std::uint32_t segments = 70000, n = 5000;
    Words offsets = random_words(segments, 1);
    for (std::uint32_t& offset : offsets) {
        offset %= n;
    }
    std::sort(offsets.begin(), offsets.end());
    SegmentedSortTuning tuning = few_keys();
    tuning.segments = 1;
    SegmentSorter<std::uint32_t>(random_words(n, 2), SortOf::keys, {.most_offsets = segments},
                                 {.end_bit = 8, .longest = few(), .tuning = tuning})
        .check(n, offsets);
}

TEST(SegmentedSort, BitRanges) {
    const std::uint32_t n = 7 * few();
    const Words offsets = mixed_offsets(n);
    const std::uint32_t ranges[][2] = {{7, 7}, {3, 5}, {9, 25}, {4, 28}, {31, 32}};
    for (const auto [first, end] : ranges) {
        SCOPED_TRACE("bits " + std::to_string(first) + " to " + std::to_string(end));
        SegmentSorter<std::uint32_t>(
            random_words(n, 4), SortOf::pairs, {.most_offsets = n},
            {.descending = end % 3 == 0, .first_bit = first, .end_bit = end, .tuning = few_keys()})
            .check(n, offsets);
    }
    const std::uint32_t wide_ranges[][2] = {{28, 36}, {5, 61}, {40, 48}, {0, 31}, {64, 64}};
    for (const auto [first, end] : wide_ranges) {
        SCOPED_TRACE("bits " + std::to_string(first) + " to " + std::to_string(end) + " of 64");
        SegmentSorter<double>(mixed_keys<double>(n), SortOf::pairs, {.most_offsets = n},
                              {.first_bit = first, .end_bit = end, .tuning = few_keys()})
            .check(n, offsets);
    }
}

TEST(SegmentedSort, KindsOfInput) {
    const std::uint32_t n = 7 * few();
    const Words offsets = mixed_offsets(n);
    for (const bool down : {false, true}) {
        SegmentSorter<std::uint32_t> sorter(Words(n), SortOf::pairs, {.most_offsets = n},
                                            {.descending = down, .tuning = few_keys()});
        for (const Words& keys : special_inputs(n)) {
            sorter.set_keys(keys);
            sorter.check(n, offsets);
        }
    }
}

// Checked ranks, in order and forced out of order, with several segments per tile and by some bits only.
TEST(SegmentedSort, ChecksTheOrderOfTiles) {
    const std::uint32_t n = 5 * few() + 3;
    for (const bool faulty : {false, true}) {
        SegmentedSortOptions<std::uint32_t> options{.descending = faulty, .tuning = few_keys()};
        options.tuning.ranks = RadixRanks::checked;
        if (faulty) {
            options.first_bit = 1;
            options.end_bit = 30;
        }
        SegmentSorter<std::uint32_t> pairs(mixed_keys<std::uint32_t>(n), SortOf::pairs, {.length = few() / 5 + 1},
                                           options,
                                           {.kind = Count::Kind::gpu, .instrument = out_of_order(faulty ? 1 : 0)});
        pairs.check(n);
        pairs.check(few() / 2);
    }
    SegmentedSortOptions<std::uint64_t> wide{.tuning = few_keys()};
    wide.tuning.ranks = RadixRanks::checked;
    SegmentSorter<std::uint64_t> sorter(mixed_keys<std::uint64_t>(n), SortOf::keys, {.most_offsets = 4}, wide,
                                        {.kind = Count::Kind::gpu, .instrument = out_of_order(1)});
    sorter.check(n, {0, few() / 3, few() / 2, 3 * few()});
}

TEST(SegmentedSort, InPlace) {
    const std::uint32_t n = 7 * few();
    const Words keys = random_words(n, 5), offsets = mixed_offsets(n);
    const auto check = [&](InPlace in_place, std::uint32_t end_bit) {
        SCOPED_TRACE("bits to " + std::to_string(end_bit));
        SegmentSorter<std::uint32_t>(keys, SortOf::pairs, {.most_offsets = n},
                                     {.end_bit = end_bit, .tuning = few_keys()},
                                     {.kind = Count::Kind::gpu, .in_place = in_place})
            .check(n - 3, offsets);
    };
    check({true, true}, 16);
    check({true, true}, 8); // an odd number of passes
    check({true, true}, 0);
    if (is_turn(0, configurations)) {
        check({true, false}, 24);
    }
    if (is_turn(1, configurations)) {
        check({false, true}, 24);
    }
    SegmentSorter<float, std::array<std::uint32_t, 3>>(mixed_keys<float>(n), SortOf::pairs, {.length = few() / 4 + 1},
                                                       {.tuning = few_keys()},
                                                       {.kind = Count::Kind::gpu, .in_place = {true, true}})
        .check(n);
}

TEST(SegmentedSort, CountsOnTheGpu) {
    const std::uint32_t n = 7 * few();
    const Words keys = random_words(n, 6), offsets = mixed_offsets(n);
    SegmentSorter<std::uint32_t> at_offsets(keys, SortOf::pairs, {.most_offsets = n},
                                            {.end_bit = 8, .tuning = few_keys()});
    SegmentSorter<std::uint32_t> of_length(keys, SortOf::indices, {.length = 30}, {.end_bit = 8, .tuning = few_keys()});
    for (const std::uint32_t count : {0U, 1U, few(), n - 1, n, n + 1, ~0U}) {
        at_offsets.check(count, offsets);
        at_offsets.check(count, Words(offsets.begin(), offsets.begin() + 5));
        of_length.check(count);
    }
}

template <class K>
class SegmentedSortByType : public testing::Test {};
TYPED_TEST_SUITE(SegmentedSortByType, KeyTypes, KeyTypeNames);

TYPED_TEST(SegmentedSortByType, KeysPairsAndIndicesBothWays) {
    const std::uint32_t n = 7 * few();
    const auto keys = mixed_keys<TypeParam>(n);
    const Words offsets = mixed_offsets(n);
    for (const auto what : {SortOf::keys, SortOf::pairs, SortOf::indices}) {
        if (!is_turn(static_cast<std::uint32_t>(what) + number_of_kernels<TypeParam>, configurations)) {
            continue;
        }
        for (const bool descending : {false, true}) {
            SegmentSorter<TypeParam>(keys, what, {.most_offsets = n}, {.descending = descending, .tuning = few_keys()})
                .check(n, offsets);
            SegmentSorter<TypeParam>(keys, what, {.length = 3 * few() + 1},
                                     {.descending = descending, .tuning = few_keys_and_sweeps()})
                .check(n);
        }
    }
}

TEST(SegmentedSortValues, TwoToFourWords) {
    const std::uint32_t n = 7 * few();
    const Words offsets = mixed_offsets(n);
    if (is_turn(0, configurations)) {
        SegmentSorter<std::uint32_t, std::uint64_t>(random_words(n, 1), SortOf::pairs, {.most_offsets = n},
                                                    {.end_bit = 16, .tuning = few_keys()})
            .check(n, offsets);
    }
    if (is_turn(1, configurations)) {
        SegmentSorter<std::uint64_t, std::array<std::uint32_t, 4>>(mixed_keys<std::uint64_t>(n), SortOf::pairs,
                                                                   {.most_offsets = n}, {.tuning = few_keys()})
            .check(n, offsets);
    }
}

// If all segments fit a tile, the sort needs no scratch memory.
TEST(SegmentedSort, LongestFitsOneTile) {
    const std::uint32_t tile = few();
    const Words lengths{tile, tile, 0, tile - 1, 1, tile, tile, 2, tile, tile / 2, tile};
    const std::uint32_t n = std::accumulate(lengths.begin(), lengths.end(), 0U);
    SegmentSorter<std::uint32_t> sorter(random_words(n, 7), SortOf::pairs, {.most_offsets = n},
                                        {.longest = tile, .tuning = few_keys()});
    sorter.check(n, offsets_of(lengths));
    sorter.check(n - 4, offsets_of(lengths));
}

/// Returns `keys` sorted within each of `ranges`. Other keys are poisoned.
Words sorted_between(const Words& keys, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ranges) {
    Words expected = poisoned(keys.size());
    for (const auto& [first, end] : ranges) {
        std::partial_sort_copy(keys.begin() + first, keys.begin() + end, expected.begin() + first,
                               expected.begin() + end);
    }
    return expected;
}

// A segment that is longer than `longest`, which is a tile here, is not sorted. Its neighbors are sorted.
TEST(SegmentedSort, LongerThanLongestIsNotSorted) {
    const std::uint32_t tile = few(), n = 3 * tile;
    const Words keys = random_words(n + tile, 8);
    Trial trial(n + tile);
    const auto in = trial.input("keys", keys);
    const auto offsets = trial.input("offsets", Words{0, 10, 2 * tile + 10}).with_count(3);
    const auto out = trial.output("sorted keys", n + tile);
    segmented_sort(trial.graph, in, Segments::at_offsets(offsets),
                   {.output_keys = out, .longest = tile, .tuning = few_keys()});
    trial.run(n);
    trial.expect(out, sorted_between(keys, {{0, 10}, {2 * tile + 10, n}}));
}

// If offsets do not ascend, results are undefined but nothing is written outside the outputs.
TEST(SegmentedSort, OffsetsInAnyOrderStayInBounds) {
    const std::uint32_t n = 10 * few();
    Words starts = random_words(100, 1);
    for (std::uint32_t& start : starts) {
        start %= 2 * n;
    }
    Trial trial(n, Count::Kind::gpu);
    const auto in = trial.input("keys", random_words(n, 9)), values = trial.input("values", random_words(n, 10));
    const auto number = trial.input("number of segments", Words{100});
    const auto offsets = trial.input("offsets", starts).with_count(trial.graph.count_in(number, 0, 100));
    const auto out_keys = trial.output("sorted keys", n), out_values = trial.output("sorted values", n);
    segmented_sort(
        trial.graph, in, Segments::at_offsets(offsets),
        {.values = values, .end_bit = 16, .output_keys = out_keys, .output_values = out_values, .tuning = few_keys()});
    trial.run(n - 10);
    trial.expect(out_keys, trial.words_in(out_keys, n - 10));
    trial.expect(out_values, trial.words_in(out_values, n - 10));
}

// If keys were sorted twice, offsets that fall repeatedly would cost segments times keys.
TEST(SegmentedSort, FallingOffsetsSortNoKeyTwice) {
    const std::uint32_t tile = few(), n = 6 * tile + 5;
    SegmentedSortTuning tuning = few_keys();
    tuning.segments = 16; // all in one workgroup
    const Words keys = random_words(n, 11);
    Trial trial(n);
    const auto in = trial.input("keys", keys);
    const auto offsets = trial.input("offsets", Words{5, 2 * tile, 0, 4 * tile, tile, 6 * tile, 3}).with_count(7);
    const auto out = trial.output("sorted keys", n);
    segmented_sort(trial.graph, in, Segments::at_offsets(offsets), {.output_keys = out, .tuning = tuning});
    trial.run(n);
    trial.expect(out, sorted_between(keys, {{5, 2 * tile}, {2 * tile, 4 * tile}, {4 * tile, 6 * tile}, {6 * tile, n}}));
}

TEST(SegmentedSort, IndicesWithinSegments) {
    const std::uint32_t tile = few(), n = 12 * tile;
    const Words keys = random_words(n, 28), lengths{4, 0, 5, 2 * tile + 1, 3, tile, 1, 5 * tile};
    const Words offsets = offsets_of(lengths);
    for (const std::uint32_t long_keys : {1U, ~0U}) {
        SegmentedSortTuning tuning = few_keys_and_sweeps();
        tuning.long_keys = long_keys;
        Trial trial(n);
        const auto in = trial.input("keys", keys);
        const auto begins = trial.input("offsets", offsets).with_count(count_of(offsets));
        const auto out = trial.output("indices", n);
        segmented_argsort(trial.graph, in, Segments::at_offsets(begins),
                          {.local_indices = true, .output_values = out, .tuning = tuning});
        trial.run(n);
        Words expected;
        for (std::size_t s = 0; s < offsets.size(); ++s) {
            const std::uint32_t end = s + 1 < offsets.size() ? offsets[s + 1] : n;
            for (const std::uint32_t i : sorted_order(keys, offsets[s], end, SegmentedSortOptions<>{})) {
                expected.push_back(i - offsets[s]);
            }
        }
        trial.expect(out, expected);
    }
}

// One program sorts matrices of many shapes.
TEST(SegmentedSort, RowsOfAnyShape) {
    const std::uint32_t tile = few(), n = 12 * tile;
    const Words keys = random_words(n, 29);
    for (const bool on_gpu : {false, true}) {
        Trial trial(n);
        const auto in = trial.input("keys", keys), shape = trial.input("shape", Words{0, 0});
        const Count rows = on_gpu ? trial.graph.count_in(shape, 0, 4) : trial.graph.parameter("rows", 4);
        const Count length =
            on_gpu ? trial.graph.count_in(shape, 1, 3 * tile) : trial.graph.parameter("length", 3 * tile);
        const auto out = trial.output("sorted keys", n), indices = trial.output("indices", n);
        segmented_sort(trial.graph, in, Segments::of_rows(rows, length),
                       {.want_indices = true,
                        .local_indices = true,
                        .output_keys = out,
                        .output_values = indices,
                        .tuning = few_keys_and_sweeps()});
        const std::uint32_t shapes[][2] = {{4, 3 * tile}, {1, 3 * tile - 1}, {4, 7}, {3, tile + 1}, {0, 5},
                                           {3, 0},        {2, tile}};
        for (const auto [height, width] : shapes) {
            SCOPED_TRACE(std::to_string(height) + " rows of " + std::to_string(width));
            if (on_gpu) {
                trial.refill(shape, Words{height, width});
            } else {
                trial.set(rows, height);
                trial.set(length, width);
            }
            trial.run(n);
            Words sorted, places;
            for (std::uint32_t row = 0; row < height; ++row) {
                for (const std::uint32_t i :
                     sorted_order(keys, row * width, (row + 1) * width, SegmentedSortOptions<>{})) {
                    sorted.push_back(keys[i]);
                    places.push_back(i - row * width);
                }
            }
            trial.expect(out, sorted);
            trial.expect(indices, places);
        }
    }
}

TEST(SegmentedSort, UnknownSubgroupSize) {
    SegmentSorter<std::uint32_t> sorter(random_words(1000, 10), SortOf::keys, {.length = 70},
                                        {.tuning = {.keys_per_invocation = 1}},
                                        {.kind = Count::Kind::constant, .device = without_known_subgroup_size()});
    sorter.check(1000);
}

TEST(SegmentedSort, InputsFromOtherPrimitives) {
    struct Point {
        float x, y;
    };
    const auto sort = [](Graph& g, Ref lengths) {
        const auto keys = imported<float>(g, 1000);
        const auto starts = scan(g, lengths, {.kind = ScanKind::exclusive});
        const auto order = segmented_argsort(g, keys, Segments::at_offsets(starts));
        g.export_buffer(gather(g, keys, order));
        const SortResult<float, Point> sorted =
            segmented_sort(g, keys, imported<Point>(g, 1000), Segments::of_length(20));
        g.export_buffer(sorted.values);
    };
    EXPECT_EQ(error_of(sort), "no error");
}

TEST(SegmentedSort, RejectsInvalidArguments) {
    const Segments tens = Segments::of_length(10);
    const auto with = [](const Segments& segments, const SegmentedSortOptions<>& options = {}) {
        return [=](Graph& g, Ref in) { segmented_sort(g, in, segments, options); };
    };
    expect_refused("segmented sort: the length of segments must be at least 1", with(Segments::of_length(0)));
    expect_refused("of one length or at offsets", with({}));
    expect_refused("of one length or at offsets",
                   [](Graph& g, Ref in) { segmented_sort(g, in, Segments::at_flags(in)); });
    expect_refused("the segments' offsets is null", with(Segments::at_offsets({})));
    expect_refused("bits 9 to 8", with(tens, {.first_bit = 9, .end_bit = 8}));
    expect_refused("bits 0 to 33", with(tens, {.end_bit = 33}));
    expect_refused("nothing is requested", with(tens, {.want_keys = false}));
    expect_refused("96 invocations", with(tens, {.tuning = {.workgroup = 96}}));
    expect_refused("65 keys per invocation", with(tens, {.tuning = {.keys_per_invocation = 65}}));
    expect_refused("1048576 segments per workgroup", with(tens, {.tuning = {.segments = 1U << 20}}));
    expect_refused("segmented sort: the output's keys' buffer has a capacity of 99 elements; 100 are required",
                   [&](Graph& g, Ref in) { segmented_sort(g, in, tens, {.output_keys = imported(g, 99)}); });
    expect_refused("segmented sort: at most 11 rows of at most 10 elements do not fit the capacity of 100 elements",
                   with(Segments::of_rows(11, 10)));
    expect_refused("segmented sort: .local_indices requires .want_indices", with(tens, {.local_indices = true}));
    expect_refused("share a buffer", [&](Graph& g, Ref in) { segmented_sort(g, in, tens, {.values = in}); });
}

} // namespace
} // namespace weir::tests::segmented_sort_test

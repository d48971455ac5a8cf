#include "tests/primitives/segmented_sort_trial.hpp"
#include "tests/support/turns.hpp"

// Sorts by shaders/sort/rank_sort.comp: radix_sort and segmented_sort of few keys.

namespace weir::tests::rank_sort_test {
namespace {

const Sweeps sweeps{"RankSortByType/*", "RankSort.BitRanges", "RankSort.ValuesOf*", "RankSort.Segments*"};
const OnOneDriver on_one_driver{"RankSort.Rows*", "RankSort.OffsetsInAnyOrder*"};

constexpr std::uint32_t staged_keys = 2048; // keys of one word that pass through workgroup memory at a time
constexpr RadixSortTuning by_ranks{.max_comparisons = ~std::uint64_t{0}};
constexpr SegmentedSortTuning segments_by_ranks{.max_comparisons = ~std::uint64_t{0}};

template <class K>
class RankSortByType : public testing::Test {};
using AllKeyTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double,
                                   std::uint8_t, std::int8_t, std::int16_t, Half>;
TYPED_TEST_SUITE(RankSortByType, AllKeyTypes, KeyTypeNames);

TYPED_TEST(RankSortByType, KeysPairsAndIndicesBothWays) {
    const std::uint32_t n = 600;
    const auto keys = mixed_keys<TypeParam>(n);
    for (const auto what : {SortOf::keys, SortOf::pairs, SortOf::indices}) {
        if (!is_turn(static_cast<std::uint32_t>(what) + number_of_kernels<TypeParam>, configurations)) {
            continue;
        }
        for (const bool descending : {false, true}) {
            RadixSorter<TypeParam> sorter(keys, what, {.descending = descending, .tuning = by_ranks});
            EXPECT_NE(sorter.plan().find("radix sort by ranks"), std::string::npos);
            sorter.check(n);
            sorter.check(n - 1);
        }
    }
}

TEST(RankSort, EveryCountUpTo70AndAroundStages) {
    Words keys = random_words(2 * staged_keys + 3, 1);
    for (std::uint32_t& key : keys) {
        key &= 0x8000000F; // equal keys show an unstable sort
    }
    RadixSorter<std::uint32_t> sorter(keys, SortOf::pairs, {.tuning = by_ranks}, {.kind = Count::Kind::gpu});
    for (std::uint32_t n = 0; n <= 70 && !HasFailure(); ++n) {
        sorter.check(n);
    }
    for (const std::uint32_t n : {staged_keys, 2 * staged_keys}) {
        for (const std::uint32_t m : {n - 1, n, n + 1, n + 3, ~0U}) {
            sorter.check(m);
        }
    }
}

TEST(RankSort, KindsOfInput) {
    const std::uint32_t n = 1000;
    RadixSorter<std::uint32_t> sorter(Words(n), SortOf::pairs, {.descending = true, .tuning = by_ranks});
    for (const Words& keys : special_inputs(n)) {
        sorter.set_keys(keys);
        sorter.check(n);
    }
}

TEST(RankSort, BitRanges) {
    const std::uint32_t n = 300, ranges[][2] = {{0, 0}, {0, 1}, {7, 9}, {31, 32}, {0, 32}, {13, 30}};
    for (const auto [first, end] : ranges) {
        SCOPED_TRACE("bits " + std::to_string(first) + " to " + std::to_string(end));
        check_sort(random_words(n, 4), SortOf::indices, {n},
                   {.descending = end % 2 == 1, .first_bit = first, .end_bit = end, .tuning = by_ranks});
    }
    const std::uint32_t wide_ranges[][2] = {{28, 36}, {0, 32}, {32, 64}, {40, 48}, {64, 64}, {63, 64}};
    for (const auto [first, end] : wide_ranges) {
        SCOPED_TRACE("bits " + std::to_string(first) + " to " + std::to_string(end) + " of 64");
        check_sort(mixed_keys<double>(n), SortOf::pairs, {n},
                   {.descending = end == 64, .first_bit = first, .end_bit = end, .tuning = by_ranks});
    }
}

TEST(RankSort, ValuesOfTwoToFourWords) {
    check_sort<std::uint64_t>(random_words(100, 1), SortOf::pairs, {99}, {.end_bit = 4, .tuning = by_ranks});
    check_sort<std::array<std::uint32_t, 4>>(mixed_keys<std::int64_t>(100), SortOf::pairs, {100}, {.tuning = by_ranks});
}

TEST(RankSort, InPlace) {
    for (const InPlace in_place : {InPlace{true, true}, InPlace{true, false}, InPlace{false, true}}) {
        check_sort(random_words(500, 2), SortOf::pairs, {500}, {.end_bit = 8, .tuning = by_ranks},
                   {.kind = Count::Kind::constant, .in_place = in_place});
    }
    check_sort(mixed_keys<std::int16_t>(501), SortOf::keys, {501}, {.tuning = by_ranks},
               {.kind = Count::Kind::constant, .in_place = {true, false}});
}

TEST(RankSort, SegmentsAtOffsets) {
    const std::uint32_t n = 12 * few();
    for (const bool end_given : {false, true}) {
        SegmentSorter<std::uint32_t> sorter(random_words(n, 3), SortOf::pairs,
                                            {.most_offsets = 2 * n, .end_given = end_given},
                                            {.descending = end_given, .end_bit = 4, .tuning = segments_by_ranks});
        EXPECT_NE(sorter.plan().find("segmented sort by ranks"), std::string::npos);
        for (const Words& offsets :
             {Words{17}, Words{n, n}, Words{0, n}, Words{5, 37, 69}, Words{0, 9, n - 1, n, n + 1, ~0U}, Words(2 * n, 0),
              Words(70, n / 2), ascending(n), mixed_offsets(n), random_offsets(n, 2, 1), random_offsets(9, 300, 3)}) {
            SCOPED_TRACE(std::to_string(offsets.size()) + " offsets");
            sorter.check(n, offsets);
            sorter.check(n / 2 + 1, offsets);
        }
        sorter.check(0, ascending(n));
    }
}

TEST(RankSort, SegmentsOfOneLength) {
    const std::uint32_t n = 4500;
    for (const std::uint32_t length : {1U, 2U, 3U, 31U, 64U, 257U, staged_keys + 5, ~0U}) {
        SCOPED_TRACE("segments of " + std::to_string(length));
        SegmentSorter<std::uint32_t> sorter(random_words(n, length), SortOf::pairs, {.length = length},
                                            {.end_bit = 5, .tuning = segments_by_ranks});
        for (const std::uint32_t count : {n, n - 1, 64U, 1U, 0U}) {
            sorter.check(count);
        }
    }
    SegmentSorter<double>(mixed_keys<double>(n), SortOf::keys, {.length = 1111}, {.tuning = segments_by_ranks})
        .check(n);
}

TEST(RankSort, RowsWithLocalIndices) {
    const std::uint32_t n = 1000;
    const Words keys = random_words(n, 29);
    Trial trial(n);
    const auto in = trial.input("keys", keys), shape = trial.input("shape", Words{0, 0});
    const auto out = trial.output("sorted keys", n), indices = trial.output("indices", n);
    segmented_sort(trial.graph, in,
                   Segments::of_rows(trial.graph.count_in(shape, 0, 4), trial.graph.count_in(shape, 1, 250)),
                   {.want_indices = true,
                    .local_indices = true,
                    .end_bit = 3,
                    .output_keys = out,
                    .output_values = indices,
                    .tuning = segments_by_ranks});
    const std::uint32_t shapes[][2] = {{4, 250}, {1, 249}, {4, 7}, {0, 5}, {3, 0}, {9, 999}};
    for (const auto [height, width] : shapes) {
        SCOPED_TRACE(std::to_string(height) + " rows of " + std::to_string(width));
        trial.refill(shape, Words{height, width});
        trial.run(n);
        Words sorted, places;
        const std::uint32_t length = std::min(width, 250U);
        for (std::uint32_t first = 0; first < std::min(height, 4U) * length; first += length) {
            for (const std::uint32_t i :
                 sorted_order(keys, first, first + length, SegmentedSortOptions<>{.end_bit = 3})) {
                sorted.push_back(keys[i]);
                places.push_back(i - first);
            }
        }
        trial.expect(out, sorted);
        trial.expect(indices, places);
    }
}

TEST(RankSort, OffsetsInAnyOrderStayInBounds) {
    const std::uint32_t n = 500;
    Words starts = random_words(100, 1);
    for (std::uint32_t& start : starts) {
        start %= 2 * n;
    }
    Trial trial(n, Count::Kind::gpu);
    const auto in = trial.input("keys", random_words(n, 9));
    const auto offsets = trial.input("offsets", starts);
    const auto out = trial.output("sorted keys", n);
    segmented_sort(trial.graph, in, Segments::between_offsets(offsets, 99),
                   {.output_keys = out, .tuning = segments_by_ranks});
    trial.run(n - 10);
    trial.expect(out, trial.words_in(out, n - 10));
}

// Few comparisons are made by this kernel, many are not. Setting another member of the tuning selects the radix sort.
TEST(RankSort, PlansByNumberOfComparisons) {
    const auto plan = [](std::uint32_t n, const RadixSortTuning& tuning) {
        return RadixSorter<std::uint32_t>(Words(n), SortOf::keys, {.tuning = tuning}).plan();
    };
    EXPECT_NE(plan(100, {.max_comparisons = 10000}).find("by ranks"), std::string::npos);
    EXPECT_EQ(plan(101, {.max_comparisons = 10000}).find("by ranks"), std::string::npos);
    EXPECT_EQ(plan(100, {.single_workgroup_keys = 1}).find("by ranks"), std::string::npos);
    EXPECT_EQ(plan(1U << 15, {}).find("by ranks"), std::string::npos);
}

} // namespace
} // namespace weir::tests::rank_sort_test

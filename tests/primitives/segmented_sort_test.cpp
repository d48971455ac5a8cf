#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/primitives/radix_sort_trial.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::segmented_sort_test {
namespace {

const OnOneDriver on_one_driver{"SegmentedSort.KindsOfInput", "SegmentedSort.InputsFrom*",
                                "SegmentedSort.CountsOnTheGpu", "SegmentedSort.Offsets*"};
const Sweeps sweeps{
    "SegmentedSort.InPlace",   "SegmentedSort.Checks*",   "SegmentedSort.Every*", "SegmentedSort.DefaultShapes*",
    "SegmentedSort.MoreWork*", "SegmentedSort.BitRanges", "SegmentedSort.Long*",  "SegmentedSort.UnknownSubgroupSize",
    "SegmentedSortByType/*",   "SegmentedSortValues.*"};

/// Returns a shape with few keys per tile, so that short segments fill a tile and long segments take many. All tests
/// share this shape and few combinations of keys, values and indices, because compiling kernels takes most of the time.
SegmentedSortTuning few_keys() {
    return {.workgroup = 4 * test_context().capabilities().subgroup_size, .keys_per_invocation = 2, .segments = 7};
}
std::uint32_t few() {
    return few_keys().workgroup * 2;
}

struct Segmentation {
    std::uint32_t length = 0;       ///< of each segment; 0: segments are at offsets
    std::uint32_t most_offsets = 1; ///< maximum number of offsets; the number is on the GPU
    bool end_given = false;         ///< the last offset is the end
};

struct InPlace {
    bool keys = false, values = false;
};

/// Sorts segments of the first n keys, into buffers with guard words or in place, and compares with std::stable_sort.
template <class K, class V = std::uint32_t>
class SegmentSorter {
public:
    using Options = SegmentedSortOptions<K, V>;

    SegmentSorter(const std::vector<K>& keys, SortOf what, Segmentation segments, const Options& options = {},
                  InPlace in_place = {}, Count::Kind kind = Count::Kind::gpu, const Instrument& instrument = {})
        : keys_(keys), values_(numbered_values<V>(capacity())), options_(options), segments_(segments),
          in_place_(in_place), trial_(capacity(), kind) {
        key_input_ = trial_.input("keys", keys_);
        if (what == SortOf::pairs) {
            options_.values = trial_.input("values", values_);
        }
        options_.want_indices = what == SortOf::indices;
        options_.want_keys = what != SortOf::indices;
        if (options_.want_keys) {
            options_.output_keys = in_place.keys ? key_input_ : trial_.template output<K>("sorted keys", capacity());
        }
        if (what != SortOf::keys) {
            options_.output_values =
                in_place.values ? options_.values : trial_.template output<V>("sorted values", capacity());
        }
        Segments given = Segments::of_length(segments.length);
        if (segments.length == 0) {
            const Words most(segments.most_offsets);
            const auto number = trial_.input("number of segments", Words{0});
            offsets_ = trial_.input("offsets", most);
            number_ = number;
            const Count count = trial_.graph.count_in(number, 0, segments.most_offsets - (segments.end_given ? 1 : 0));
            given = segments.end_given ? Segments::between_offsets(offsets_, count)
                                       : Segments::at_offsets(offsets_.with_count(count));
        }
        const auto scope = weir::testing::instrument(trial_.graph, instrument);
        segmented_sort<K, V>(trial_.graph, key_input_, given, options_);
        trial_.compile();
    }

    /// Replaces the keys for the following checks. Precondition: the number of keys is unchanged.
    void set_keys(const std::vector<K>& keys) { keys_ = keys; }

    void check(std::uint32_t n, const Words& offsets = {}) {
        trial_.refill(key_input_, keys_);
        if (options_.values.valid()) {
            trial_.refill(options_.values, values_);
        }
        if (segments_.length == 0) {
            const auto number = static_cast<std::uint32_t>(offsets.size()) - (segments_.end_given ? 1 : 0);
            trial_.refill(number_, Words{number});
            if (!offsets.empty()) {
                trial_.refill(offsets_, offsets);
            }
        }
        trial_.run(n);
        const auto order = order_of(std::min(n, capacity()), offsets);
        if (options_.want_keys) {
            expect_moved(options_.output_keys, keys_, order, in_place_.keys, "keys");
        }
        if (options_.want_indices) {
            Words places(capacity());
            std::iota(places.begin(), places.end(), 0U);
            expect_moved(options_.output_values, places, order, false, "indices");
        } else if (options_.output_values.valid()) {
            expect_moved(options_.output_values, values_, order, in_place_.values, "values");
        }
    }

    [[nodiscard]] std::uint32_t capacity() const { return static_cast<std::uint32_t>(keys_.size()); }

private:
    static constexpr std::uint32_t none = ~0U;

    /// Returns the index of the key that moves to each place, and `none` for places that are not written.
    Words order_of(std::uint32_t n, Words starts) const {
        for (std::uint32_t at = 0; segments_.length != 0 && at < n; at += segments_.length) {
            starts.push_back(at);
        }
        Words order(capacity(), none);
        for (std::size_t s = 0; s + (segments_.end_given ? 1 : 0) < starts.size(); ++s) {
            const std::uint32_t first = std::min(starts[s], n);
            const std::uint32_t end = s + 1 < starts.size() ? std::min(starts[s + 1], n) : n;
            const Words sorted = sorted_order(keys_, first, end, options_);
            std::copy(sorted.begin(), sorted.end(), order.begin() + first);
        }
        return order;
    }

    template <class T>
    void expect_moved(BufferId output, const std::vector<T>& items, const Words& order, bool in_place,
                      const char* what) {
        auto expected = in_place ? items : poisoned<T>(items.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            expected[i] = order[i] == none ? expected[i] : items[order[i]];
        }
        if (in_place) {
            const Words words = words_of(expected);
            expect_equal(trial_.words_in(output, words.size()), words, what);
        } else {
            trial_.expect(output, words_of(expected));
        }
    }

    std::vector<K> keys_;
    std::vector<V> values_;
    Options options_;
    Segmentation segments_;
    InPlace in_place_;
    Trial trial_;
    BufferRef<K> key_input_;
    BufferRef<std::uint32_t> offsets_, number_;
};

/// Returns the offsets of segments with the given lengths.
Words offsets_of(const Words& lengths) {
    Words offsets(lengths.size());
    std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0U);
    return offsets;
}

Words random_offsets(std::uint32_t segments, std::uint32_t longest, std::uint64_t seed) {
    return offsets_of(Random(seed).vector<std::uint32_t>(segments, 0, longest));
}

/// Returns offsets of segments that cover n keys: some are empty, some share a tile, some fill one and some take
/// several.
Words mixed_offsets(std::uint32_t n) {
    const std::uint32_t tile = few();
    const Words lengths{0, 1, 2, 3, tile, 1, tile - 1, tile + 1, 0, 0, tile / 2, tile / 2, 5, 3 * tile + 7, 1, 2};
    Words offsets{0};
    for (std::size_t i = 0; offsets.back() < n; ++i) {
        offsets.push_back(offsets.back() + lengths[i % lengths.size()]);
    }
    offsets.push_back(n); // the last segment is empty too
    return offsets;
}

// Sorts by few bits, so that an unstable sort is detected and one or two passes are enough.
TEST(SegmentedSort, EveryLengthAtOffsets) {
    const std::uint32_t tile = few(), longest = tile + tile / 2 + 2;
    Words lengths(longest + 1);
    std::iota(lengths.begin(), lengths.end(), 0U);
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
                                            {.end_bit = 12, .tuning = few_keys()}, {}, Count::Kind::parameter);
        for (const std::uint32_t count : {n, n - 1, tile + 1, tile, 1U, 0U}) {
            sorter.check(count);
        }
    }
}

TEST(SegmentedSort, OffsetsOfEveryKind) {
    const std::uint32_t tile = few(), n = 12 * tile;
    SegmentSorter<std::uint32_t> sorter(random_words(n, 3), SortOf::pairs, {.most_offsets = 2 * n},
                                        {.descending = true, .end_bit = 7, .tuning = few_keys()});
    Words each(n);
    std::iota(each.begin(), each.end(), 0U);
    for (const Words& offsets :
         {Words{}, Words{17}, Words{n}, Words{~0U}, Words{0, n}, Words{5, tile + 5, 3 * tile},
          Words{0, 9, n - 1, n, n + 1, ~0U}, Words(2 * n, 0), Words(700, n / 2), each, random_offsets(n, 2, 1),
          random_offsets(50, tile / 2, 2), random_offsets(9, 3 * tile, 3)}) {
        SCOPED_TRACE(std::to_string(offsets.size()) + " offsets");
        for (const std::uint32_t count : {n, n / 2 + 1}) {
            sorter.check(count, offsets);
        }
    }
    sorter.check(0, each);
}

TEST(SegmentedSort, OffsetsWithEndSortUpToTheEnd) {
    const std::uint32_t tile = few(), n = 12 * tile;
    SegmentSorter<std::uint32_t> sorter(random_words(n, 3), SortOf::pairs, {.most_offsets = 2 * n, .end_given = true},
                                        {.descending = true, .end_bit = 7, .tuning = few_keys()});
    for (const Words& offsets :
         {Words{17}, Words{0, n}, Words{5, tile + 5, 3 * tile}, Words{7, 7, 7}, Words{0, 9, n - 1, n, n + 1, ~0U},
          random_offsets(50, tile / 2, 2), random_offsets(9, 2 * tile, 3)}) {
        SCOPED_TRACE(std::to_string(offsets.size()) + " offsets");
        for (const std::uint32_t count : {n, n / 2 + 1}) {
            sorter.check(count, offsets);
        }
    }
}

TEST(SegmentedSort, DefaultShapesByLength) {
    for (const std::uint32_t longest : {4U, 300U}) {
        const Words lengths = Random(longest).vector<std::uint32_t>(3000 / longest, 0, longest);
        const std::uint32_t n = std::accumulate(lengths.begin(), lengths.end(), 1U);
        const auto most = static_cast<std::uint32_t>(lengths.size());
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
    Words ascending(n), descending(n), one_other(n, 3), powers(n);
    std::iota(ascending.begin(), ascending.end(), 0U);
    std::iota(descending.rbegin(), descending.rend(), 0xFFFF0000U);
    one_other[n / 2] = 2;
    for (std::uint32_t i = 0; i < n; ++i) {
        powers[i] = 1U << i % 32;
    }
    const Words offsets = mixed_offsets(n);
    for (const bool down : {false, true}) {
        SegmentSorter<std::uint32_t> sorter(ascending, SortOf::pairs, {.most_offsets = n},
                                            {.descending = down, .tuning = few_keys()});
        for (const Words& keys : {Words(n, 0), Words(n, ~0U), ascending, descending, one_other, powers}) {
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
                                           options, {}, Count::Kind::gpu,
                                           {.one_in = faulty ? 1U : 0U, .kind = Instrument::Kind::out_of_order});
        pairs.check(n);
        pairs.check(few() / 2);
    }
    SegmentedSortOptions<std::uint64_t> wide{.tuning = few_keys()};
    wide.tuning.ranks = RadixRanks::checked;
    SegmentSorter<std::uint64_t> sorter(mixed_keys<std::uint64_t>(n), SortOf::keys, {.most_offsets = 4}, wide, {},
                                        Count::Kind::gpu, {.one_in = 1, .kind = Instrument::Kind::out_of_order});
    sorter.check(n, {0, few() / 3, few() / 2, 3 * few()});
}

TEST(SegmentedSort, InPlace) {
    const std::uint32_t n = 7 * few();
    const Words keys = random_words(n, 5), offsets = mixed_offsets(n);
    const auto check = [&](InPlace in_place, std::uint32_t end_bit) {
        SCOPED_TRACE("bits to " + std::to_string(end_bit));
        SegmentSorter<std::uint32_t>(keys, SortOf::pairs, {.most_offsets = n},
                                     {.end_bit = end_bit, .tuning = few_keys()}, in_place)
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
                                                       {.tuning = few_keys()}, {true, true})
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
struct TypeNames {
    template <class K>
    static std::string GetName(int /*index*/) {
        return to_string(element_type<K>);
    }
};
using KeyTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(SegmentedSortByType, KeyTypes, TypeNames);

TYPED_TEST(SegmentedSortByType, KeysPairsAndIndicesBothWays) {
    const std::uint32_t n = 7 * few();
    const auto keys = mixed_keys<TypeParam>(n);
    const Words offsets = mixed_offsets(n);
    for (const auto what : {SortOf::keys, SortOf::pairs, SortOf::indices}) {
        constexpr std::uint32_t kernel =
            (sizeof(TypeParam) == 8 ? 2 : 0) + (std::is_floating_point_v<TypeParam> ? 1 : 0);
        // Types with equal numbers share kernels.
        if (!is_turn(static_cast<std::uint32_t>(what) + kernel, configurations)) {
            continue;
        }
        for (const bool descending : {false, true}) {
            SegmentSorter<TypeParam>(keys, what, {.most_offsets = n}, {.descending = descending, .tuning = few_keys()})
                .check(n, offsets);
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

// A segment that is longer than `longest`, which is a tile here, is not sorted. Its neighbors are sorted.
TEST(SegmentedSort, LongerThanLongestIsNotSorted) {
    const std::uint32_t tile = few(), n = 4 * tile;
    const Words keys = random_words(n, 8), starts{0, 10, 2 * tile + 10};
    Trial trial(n);
    const auto in = trial.input("keys", keys);
    const auto offsets = trial.input("offsets", starts).with_count(3);
    const auto out = trial.output("sorted keys", n);
    segmented_sort(trial.graph, in, Segments::at_offsets(offsets),
                   {.output_keys = out, .longest = tile, .tuning = few_keys()});
    trial.compile();
    trial.run(n - tile);
    Words expected = poisoned(n - tile);
    std::partial_sort_copy(keys.begin(), keys.begin() + 10, expected.begin(), expected.begin() + 10);
    std::partial_sort_copy(keys.begin() + 2 * tile + 10, keys.begin() + n - tile, expected.begin() + 2 * tile + 10,
                           expected.end());
    trial.expect(out, expected);
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
    trial.compile();
    trial.run(n - 10);
    trial.expect(out_keys, trial.words_in(out_keys, n - 10));
    trial.expect(out_values, trial.words_in(out_values, n - 10));
}

// If keys were sorted twice, offsets that fall repeatedly would cost segments times keys.
TEST(SegmentedSort, FallingOffsetsSortNoKeyTwice) {
    const std::uint32_t tile = few(), n = 6 * tile + 5;
    const Words starts{5, 2 * tile, 0, 4 * tile, tile, 6 * tile, 3};
    const Words sorted_from{5, 2 * tile, 4 * tile, 6 * tile, n};
    SegmentedSortTuning tuning = few_keys();
    tuning.segments = 16; // all in one workgroup
    const Words keys = random_words(n, 11);
    Trial trial(n);
    const auto in = trial.input("keys", keys), offsets = trial.input("offsets", starts).with_count(7);
    const auto out = trial.output("sorted keys", n);
    segmented_sort(trial.graph, in, Segments::at_offsets(offsets), {.output_keys = out, .tuning = tuning});
    trial.compile();
    trial.run(n);
    Words expected = poisoned(n);
    for (std::size_t s = 0; s + 1 < sorted_from.size(); ++s) {
        std::partial_sort_copy(keys.begin() + sorted_from[s], keys.begin() + sorted_from[s + 1],
                               expected.begin() + sorted_from[s], expected.begin() + sorted_from[s + 1]);
    }
    trial.expect(out, expected);
}

TEST(SegmentedSort, UnknownSubgroupSize) {
    const std::uint32_t n = 1000, length = 70;
    const Words keys = random_words(n, 10);
    Graph graph(without_known_subgroup_size());
    const auto in = graph.import_buffer<std::uint32_t>("in", n);
    const auto sorted = segmented_sort(graph, in, Segments::of_length(length), {.tuning = {.keys_per_invocation = 1}});
    graph.export_buffer(sorted.keys);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(keys);
    ok(program.bind(in, buffer));
    ok(program.run());
    Words expected = keys;
    for (std::uint32_t first = 0; first < n; first += length) {
        std::sort(expected.begin() + first, expected.begin() + std::min(first + length, n));
    }
    expect_equal(contents(program.view(sorted.keys), n), expected, "sorted keys");
}

TEST(SegmentedSort, InputsFromOtherPrimitives) {
    Graph graph(test_context());
    const auto lengths = graph.import_buffer<std::uint32_t>("lengths", 100);
    const auto keys = graph.import_buffer<float>("keys", 1000);
    const auto starts = scan(graph, lengths, {.kind = ScanKind::exclusive});
    const auto order = segmented_argsort(graph, keys, Segments::at_offsets(starts));
    graph.export_buffer(gather(graph, keys, order));
    struct Point {
        float x, y;
    };
    const auto points = graph.import_buffer<Point>("points", 1000);
    const SortResult<float, Point> sorted = segmented_sort(graph, keys, points, Segments::of_length(20));
    graph.export_buffer(sorted.values);
    EXPECT_EQ(plan_error(graph), "no error");
}

TEST(SegmentedSort, RejectsInvalidArguments) {
    const auto error = [](const Segments& segments, const SegmentedSortOptions<>& options = {}) {
        Graph graph(test_context());
        segmented_sort(graph, graph.import_buffer<std::uint32_t>("in", 1000), segments, options);
        return plan_error(graph);
    };
    const Segments tens = Segments::of_length(10);
    EXPECT_THAT(error(Segments::of_length(0)), HasSubstr("segmented sort: the length of segments must be at least 1"));
    EXPECT_THAT(error({}), HasSubstr("of one length or at offsets"));
    EXPECT_THAT(error(Segments::at_offsets({})), HasSubstr("the segments' offsets is null"));
    EXPECT_THAT(error(tens, {.first_bit = 9, .end_bit = 8}), HasSubstr("bits 9 to 8"));
    EXPECT_THAT(error(tens, {.end_bit = 33}), HasSubstr("bits 0 to 33"));
    EXPECT_THAT(error(tens, {.want_keys = false}), HasSubstr("nothing is requested"));
    EXPECT_THAT(error(tens, {.tuning = {.workgroup = 96}}), HasSubstr("96 invocations"));
    EXPECT_THAT(error(tens, {.tuning = {.keys_per_invocation = 65}}), HasSubstr("65 keys per invocation"));
    EXPECT_THAT(error(tens, {.tuning = {.segments = 1U << 20}}), HasSubstr("1048576 segments per workgroup"));
    Graph flags(test_context());
    const auto words = flags.import_buffer<std::uint32_t>("in", 1000);
    segmented_sort(flags, words, Segments::at_flags(flags.import_buffer<std::uint32_t>("flags", 1000)));
    EXPECT_THAT(plan_error(flags), HasSubstr("of one length or at offsets"));
    Graph small(test_context());
    const auto keys = small.import_buffer<std::uint32_t>("in", 1000);
    segmented_sort(small, keys, tens, {.output_keys = small.import_buffer<std::uint32_t>("out", 999)});
    EXPECT_THAT(plan_error(small), HasSubstr("capacity of 999"));
    Graph shared(test_context());
    const auto both = shared.import_buffer<std::uint32_t>("in", 1000);
    segmented_sort(shared, both, tens, {.values = both});
    EXPECT_THAT(plan_error(shared), HasSubstr("share a buffer"));
}

} // namespace
} // namespace weir::tests::segmented_sort_test

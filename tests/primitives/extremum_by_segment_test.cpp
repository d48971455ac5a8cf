// The minimum and the maximum of each segment, with their positions.

#include <limits>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::extremum_by_segment_test {
namespace {

const Sweeps sweeps{"ExtremumBySegment.EveryType*", "ExtremumBySegment.Faults*"};

/// Segments as pairs of begin and end. Ends may be beyond the elements.
struct Ranges {
    Words begins, ends;
};

/// Returns ranges with gaps, empty ranges and one range that begins beyond `n`.
Ranges ranges_of(std::uint32_t n, std::uint32_t mean, std::uint64_t seed) {
    Random random(seed);
    Ranges ranges;
    std::uint32_t at = random.uniform(0U, 3U);
    while (at <= n) {
        const std::uint32_t end = at + random.uniform(0U, 2 * mean);
        ranges.begins.push_back(at);
        ranges.ends.push_back(end);
        at = end + (random.uniform(0, 2) == 0 ? random.uniform(0U, mean) : 0);
    }
    ranges.begins.push_back(at + 1000);
    ranges.ends.push_back(at + 1001);
    return ranges;
}

template <class T>
struct Outputs {
    BufferRef<T> value;
    Ref position;
};

template <class T>
Outputs<T> outputs(Trial& trial, const char* value, const char* position, std::uint32_t segments) {
    return {trial.output<T>(value, segments), trial.output(position, segments)};
}

/// Checks values and positions of the extrema of `items` in each range.
template <class T>
void expect_extrema(Trial& trial, const Outputs<T>& found, const std::vector<T>& items, const Ranges& ranges,
                    std::uint32_t n, bool greatest, bool in_segments) {
    std::vector<T> values(ranges.begins.size());
    const Words nothing = poisoned(sizeof(T) / 4);
    Words positions;
    for (std::size_t s = 0; s < ranges.begins.size(); ++s) {
        const std::uint32_t begin = ranges.begins[s], end = std::min(ranges.ends[s], n);
        std::uint32_t best = ~0U;
        for (std::uint32_t i = begin; i < end; ++i) {
            if (best == ~0U || comes_before(greatest ? items[best] : items[i], greatest ? items[i] : items[best])) {
                best = i;
            }
        }
        std::memcpy(&values[s], best == ~0U ? static_cast<const void*>(nothing.data()) : &items[best], sizeof(T));
        positions.push_back(best == ~0U || !in_segments ? best : best - begin);
    }
    trial.expect(found.value, values);
    trial.expect(found.position, positions);
}

/// The functions to check. Most of the time goes to compiling their kernels.
enum class Search { min, max, both, all };

/// Checks functions with segments in `ranges`.
template <class T>
void check(const std::vector<T>& items, const Ranges& ranges, Search search, bool in_segments,
           const Instrument& instrument = {}) {
    const ScanTuning tuning = small_scan();
    const auto searches = [=](Search which) { return search == which || search == Search::all; };
    const std::uint32_t n = count_of(items), segments = count_of(ranges.begins);
    Trial trial(n);
    const auto input = trial.input("items", items);
    const auto by = Segments::of_ranges(trial.input("begins", ranges.begins).with_count(segments),
                                        trial.input("ends", ranges.ends));
    const auto least = outputs<T>(trial, "least", "at", segments), most = outputs<T>(trial, "most", "at", segments),
               low = outputs<T>(trial, "low", "at", segments), high = outputs<T>(trial, "high", "at", segments);
    const auto scope = weir::testing::instrument(trial.graph, with_seed(instrument, trial.seed));
    if (searches(Search::min)) {
        min_element_by_segment(trial.graph, input, by,
                               {.positions_in_segments = in_segments,
                                .output_value = least.value,
                                .output_position = least.position,
                                .tuning = tuning});
    }
    if (searches(Search::max)) {
        max_element_by_segment(trial.graph, input, by,
                               {.positions_in_segments = in_segments,
                                .output_value = most.value,
                                .output_position = most.position,
                                .tuning = tuning});
    }
    if (searches(Search::both)) {
        minmax_element_by_segment(trial.graph, input, by,
                                  {.positions_in_segments = in_segments,
                                   .output_min = low.value,
                                   .output_max = high.value,
                                   .output_min_position = low.position,
                                   .output_max_position = high.position,
                                   .tuning = tuning});
    }
    for (const std::uint32_t count : {n, 0U, 1U, n / 2}) {
        trial.run(count);
        if (searches(Search::min)) {
            expect_extrema(trial, least, items, ranges, count, false, in_segments);
        }
        if (searches(Search::max)) {
            expect_extrema(trial, most, items, ranges, count, true, in_segments);
        }
        if (searches(Search::both)) {
            expect_extrema(trial, low, items, ranges, count, false, in_segments);
            expect_extrema(trial, high, items, ranges, count, true, in_segments);
        }
    }
}

TEST(ExtremumBySegment, EveryTypeOfNumbers) {
    const std::uint32_t n = 5 * small_scan_tile() + 3;
    check(few_numbers<std::uint32_t>(n, 1), ranges_of(n, 20, 1), Search::both, false);
    check(few_numbers<std::int32_t>(n, 2), ranges_of(n, 300, 2), Search::min, true);
    check(few_numbers<float>(n, 3), ranges_of(n, 1, 3), Search::max, false);
    check(few_numbers<std::uint64_t>(n, 4), ranges_of(n, 50, 4), Search::max, true);
    check(few_numbers<std::int64_t>(n, 5), ranges_of(n, 1000, 5), Search::both, false);
    check(few_numbers<double>(n, 6), ranges_of(n, 10, 6), Search::min, true);
}

TEST(ExtremumBySegment, TiesAndNaNs) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> items{3, 3, 3, infinity, nan, 1, nan, -nan, 0.0F, -0.0F, 5, -0.0F, 7, 7};
    check(items, {{0, 3, 6, 8, 12}, {3, 6, 8, 12, 20}}, Search::all, true);
    check(std::vector<std::uint64_t>(1000, ~std::uint64_t{0}), {{0, 400}, {400, 1000}}, Search::both, false);
}

TEST(ExtremumBySegment, FaultsDoNotChangeResults) {
    const std::uint32_t n = 40 * small_scan_tile() + 3;
    for (const auto kind : all_faults) {
        check(few_numbers<float>(n, 7), ranges_of(n, 2 * small_scan_tile(), 7), Search::both, true,
              {.one_in = 3, .kind = kind});
    }
}

// Rows of one length as a parameter, the first two words of each element of five.
TEST(ExtremumBySegment, RowsOfVariableLengthWithStride) {
    const std::uint32_t most = 1200;
    const Words words = random_words(3 + 5 * most, 8);
    std::vector<std::uint64_t> items;
    for (std::uint32_t i = 0; i < most; ++i) {
        items.push_back(words[3 + 5 * i] | std::uint64_t{words[4 + 5 * i]} << 32);
    }
    Trial trial(most);
    const auto length = trial.graph.parameter("length", most);
    const auto found = outputs<std::uint64_t>(trial, "most", "at", most);
    const Ref in = trial.input("input", words);
    BufferRef<std::uint64_t> wide;
    wide.id = in.id;
    wide.capacity = in.capacity / 2;
    wide.count = trial.count;
    max_element_by_segment(trial.graph, wide, Segments::of_length(length),
                           {.positions_in_segments = true,
                            .output_value = found.value,
                            .output_position = found.position,
                            .input_layout = {.offset = 3, .stride = 5},
                            .tuning = small_scan()});
    for (const std::uint32_t of : {1U, 7U, 300U, most}) {
        const std::uint32_t n = most - 5;
        Ranges rows;
        for (std::uint32_t begin = 0; begin < n; begin += of) {
            rows.begins.push_back(begin);
            rows.ends.push_back(begin + of);
        }
        trial.set(length, of);
        trial.run(n);
        expect_extrema(trial, found, items, rows, n, true, true);
    }
}

// At offsets, without and with an end, and with the default shape.
TEST(ExtremumBySegment, AtOffsets) {
    const std::uint32_t n = 5000;
    const auto items = few_numbers<std::int32_t>(n, 9);
    const Words offsets{3, 700, 700, 4096, 4900};
    Trial trial(n, Count::Kind::gpu);
    const auto input = trial.input("items", items);
    const auto starts = trial.input("offsets", offsets);
    const auto to_end = outputs<std::int32_t>(trial, "to the end", "at", 5);
    const auto between = outputs<std::int32_t>(trial, "between", "at", 4);
    min_element_by_segment(trial.graph, input, Segments::at_offsets(starts.with_count(trial.fixed(5))),
                           {.output_value = to_end.value, .output_position = to_end.position});
    min_element_by_segment(trial.graph, input, Segments::between_offsets(starts, 4),
                           {.output_value = between.value, .output_position = between.position});
    for (const std::uint32_t count : {n, 4096U, 2U}) {
        trial.run(count);
        expect_extrema(trial, to_end, items, {offsets, {700, 700, 4096, 4900, n}}, count, false, false);
        expect_extrema(trial, between, items, {{3, 700, 700, 4096}, {700, 700, 4096, 4900}}, count, false, false);
    }
}

TEST(ExtremumBySegment, CreatesItsOutputs) {
    Trial trial(6, Count::Kind::constant);
    const auto found =
        minmax_element_by_segment(trial.graph, trial.input("in", Words{4, 2, 9, 1, 1, 7}), Segments::of_length(3));
    const auto low = trial.exported(found.min.value), high = trial.exported(found.max.value);
    const auto low_at = trial.exported(found.min.position), high_at = trial.exported(found.max.position);
    trial.run(6);
    trial.expect_exported(low, {2, 1});
    trial.expect_exported(low_at, {1, 3});
    trial.expect_exported(high, {9, 7});
    trial.expect_exported(high_at, {2, 5});
}

TEST(ExtremumBySegment, RejectsInvalidArguments) {
    const auto rows = Segments::of_length(10);
    expect_refused("min element by segment: the input is null",
                   [=](Graph& g) { min_element_by_segment(g, Ref{}, rows); });
    expect_refused("max element by segment: segments must have one length, be at offsets or be in ranges",
                   [](Graph& g, Ref in) { max_element_by_segment(g, in, Segments::at_flags(imported(g))); });
    expect_refused("the output of positions has a capacity of 9 elements; 10 are required",
                   [=](Graph& g, Ref in) { min_element_by_segment(g, in, rows, {.output_position = imported(g, 9)}); });
    expect_refused("the output of values has a capacity of 9 words",
                   [=](Graph& g, Ref in) { minmax_element_by_segment(g, in, rows, {.output_max = imported(g, 9)}); });
    expect_refused("an output is also an input",
                   [=](Graph& g, Ref in) { min_element_by_segment(g, in, rows, {.output_position = in}); });
    expect_refused("two outputs are the same buffer", [=](Graph& g, Ref in) {
        const auto out = imported(g, 10);
        minmax_element_by_segment(g, in, rows, {.output_min = out, .output_max = out});
    });
}

} // namespace
} // namespace weir::tests::extremum_by_segment_test

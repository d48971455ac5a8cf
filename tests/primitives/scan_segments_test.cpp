// Scans that restart at every segment, for every type and operator, and reductions of segments.

#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scan_segments_test {
namespace {

const OnOneDriver on_one_driver{"ReduceBySegment.FewElements", "ReduceBySegment.Rejects*"};
const Sweeps sweeps{"SegmentedScan.*",
                    "Scan/ScanSegmentTypes.*",
                    "Scan/ScanSegments.EveryCount*",
                    "Scan/ScanSegments.LargeInput*",
                    "Scan/ScanSegments.ShortAnd*",
                    "Scan/ScanSegments.Faults*",
                    "ReduceBySegment.OneLength*",
                    "ReduceBySegment.Large*",
                    "ReduceBySegment.CustomOperator",
                    "ReduceBySegment.Between*",
                    "ReduceBySegment.NoOffsets*"};

using Kind = Segments::Kind;

class ScanSegments : public testing::TestWithParam<Kind> {};
std::string name_of(const testing::TestParamInfo<Kind>& info) {
    static constexpr const char* names[] = {"none", "length", "flags", "bits", "keys", "offsets", "ranges"};
    return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Scan, ScanSegments,
                         testing::Values(Kind::length, Kind::flags, Kind::bits, Kind::keys, Kind::offsets,
                                         Kind::ranges),
                         name_of);

// From a head at every element to a single head.
TEST_P(ScanSegments, ShortAndLongSegments) {
    const std::uint32_t n = 9 * small_scan_tile() + 3;
    for (const std::uint32_t length : {1U, 3U, 64U, 256U, 700U, 100000U}) {
        check({.segments = GetParam(), .segment_length = length, .capacity = n, .tuning = small_scan()});
        check({.kind = ScanKind::exclusive,
               .initial = true,
               .segments = GetParam(),
               .segment_length = length,
               .key_words = 2,
               .capacity = n,
               .instrument = {.one_in = 2},
               .tuning = small_scan()});
    }
}

TEST_P(ScanSegments, EveryCountUpToTwoTiles) {
    const std::uint32_t most = 2 * small_scan_tile() + 1;
    for (const bool end_given : {false, true}) {
        if (end_given && GetParam() != Kind::offsets) {
            continue;
        }
        ScanProgram program({.other = true,
                             .segments = GetParam(),
                             .segment_length = 30,
                             .end_given = end_given,
                             .capacity = most,
                             .count = Count::Kind::gpu,
                             .tuning = small_scan()});
        for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
            program.check(n, n);
        }
    }
}

TEST_P(ScanSegments, FaultsOfEveryKindAndRate) {
    const std::uint32_t n = 70 * small_scan_tile() + 3;
    for (const auto kind : all_faults) {
        for (const std::uint32_t one_in : {16U, 1U}) {
            check({.segments = GetParam(),
                   .segment_length = 6 * small_scan_tile(),
                   .capacity = n,
                   .instrument = {.one_in = one_in, .kind = kind},
                   .tuning = small_scan()},
                  5);
        }
    }
}

// Large enough that tiles are scanned before the look-back.
TEST_P(ScanSegments, LargeInput) {
    const std::uint32_t n = (1U << 22) + 77;
    check({.kind = GetParam() == Kind::keys ? ScanKind::exclusive : ScanKind::inclusive,
           .segments = GetParam(),
           .segment_length = 1000,
           .capacity = n});
}

// Covers each pair of type, operator, kind of segments and variant in some case.
class ScanSegmentTypes : public testing::TestWithParam<ElementType> {};
std::string type_name(const testing::TestParamInfo<ElementType>& info) {
    return to_string(info.param);
}
INSTANTIATE_TEST_SUITE_P(Scan, ScanSegmentTypes, testing::ValuesIn(all_elements), type_name);

TEST_P(ScanSegmentTypes, EveryOperator) {
    const ElementType element = GetParam();
    std::uint32_t turn = 0;
    for (const Operator op : all_operators) {
        if (!exists(element, op)) {
            continue;
        }
        ScanCase scan{.element = element, .op = op, .tuning = small_scan()};
        scan.capacity = 7 * small_scan_tile(element) - 1;
        scan.segments = static_cast<Kind>(1 + turn % 6);
        scan.segment_length = turn % 2 == 0 ? 2 * small_scan_tile(element) : 10;
        scan.kind = turn % 2 == 0 ? ScanKind::inclusive : ScanKind::exclusive;
        scan.initial = turn % 3 == 0;
        scan.other = turn % 4 == 1;
        // Includes an operator and type that rounds.
        scan.in_place = (turn + static_cast<std::uint32_t>(element.scalar)) % 4 == 2;
        scan.in = turn % 3 == 1 ? WordLayout{.offset = 3, .stride = element.words() + 1} : WordLayout{};
        scan.out = scan.in_place ? scan.in : WordLayout{};
        scan.instrument = {.one_in = 3, .kind = static_cast<Instrument::Kind>(turn % 3)};
        if (is_turn(turn + number_of(element), 4 * configurations)) {
            check(scan);
        }
        ++turn;
    }
}

TEST(ReduceBySegment, OneLengthAtOffsetsAndInRanges) {
    const std::uint32_t n = 9 * small_scan_tile() + 3;
    for (const Kind kind : {Kind::length, Kind::offsets, Kind::ranges}) {
        for (const std::uint32_t length : {1U, 5U, 300U, 1000U, 100000U}) {
            ScanCase scan{.initial = true,
                          .segments = kind,
                          .segment_length = length,
                          .segment_ends = true,
                          .capacity = n,
                          .instrument = {.one_in = 3},
                          .tuning = small_scan()};
            check(scan);
            scan.initial = false;
            scan.element = {Scalar::f32, 2};
            scan.op = kind == Kind::length ? Operator::add : Operator::min; // one kernel for all lengths of a kind
            scan.count = Count::Kind::gpu;
            check(scan);
        }
    }
}

TEST(ReduceBySegment, FewElements) {
    for (const Kind kind : {Kind::length, Kind::offsets, Kind::ranges}) {
        ScanProgram program({.op = Operator::min,
                             .segments = kind,
                             .segment_length = 3,
                             .segment_ends = true,
                             .capacity = 12,
                             .count = Count::Kind::gpu});
        for (std::uint32_t n = 0; n <= 12; ++n) {
            program.check(n, n);
        }
    }
}

TEST(ReduceBySegment, BetweenOffsetsReducesUpToLastOffset) {
    const std::uint32_t most = 3 * small_scan_tile() + 5;
    ScanProgram program({.segments = Kind::offsets,
                         .segment_length = 9,
                         .end_given = true,
                         .segment_ends = true,
                         .capacity = most,
                         .count = Count::Kind::gpu,
                         .tuning = small_scan()});
    for (const std::uint32_t n : {0U, 1U, small_scan_tile(), small_scan_tile() + 1, most - 1, most}) {
        for (std::uint64_t seed = 1; seed <= 8 && !HasFailure(); ++seed) {
            program.check(n, seed);
        }
    }
}

TEST(ReduceBySegment, RangesOfEveryCount) {
    const std::uint32_t most = 2 * small_scan_tile() + 5;
    ScanProgram program({.initial = true,
                         .segments = Kind::ranges,
                         .segment_length = 7,
                         .segment_ends = true,
                         .capacity = most,
                         .count = Count::Kind::gpu,
                         .tuning = small_scan()});
    for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
        program.check(n, n);
    }
}

// One program for every length. The maximum is that of ScanProgram, more than the number of elements.
TEST(SegmentedScan, LengthsAsParametersAndOnTheGpu) {
    const std::uint32_t n = 5 * small_scan_tile() + 3;
    for (const auto count : {Count::Kind::parameter, Count::Kind::gpu}) {
        for (const bool ends : {false, true}) {
            for (const std::uint32_t length : {1U, 3U, 64U, small_scan_tile() + 1, n + 9}) {
                check({.segments = Kind::length,
                       .segment_length = length,
                       .segment_ends = ends,
                       .variable_length = true,
                       .capacity = n,
                       .count = count,
                       .tuning = small_scan()});
            }
        }
    }
}

// A length that is set to 0 counts as 1. The same program runs with other lengths.
TEST(SegmentedScan, LengthOfZeroCountsAsOne) {
    const std::uint32_t n = 500;
    const auto input = random_words(n, 14);
    Trial trial(n);
    const auto in = trial.input("in", input);
    const auto length = trial.graph.parameter("length", n);
    const auto out = trial.output("out", n);
    scan(trial.graph, in, {.output = out, .segments = Segments::of_length(length), .tuning = small_scan()});
    for (const std::uint32_t of : {0U, 1U, 7U, n}) {
        trial.set(length, of);
        trial.run(n);
        Words expected = input;
        for (std::uint32_t i = 0; i < n; ++i) {
            expected[i] += of == 0 || i % of == 0 ? 0 : expected[i - 1];
        }
        trial.expect(out, expected);
    }
}

// Ranges that overlap, descend or are anywhere have undefined results, but nothing is written outside the output.
TEST(ReduceBySegment, RangesInAnyOrderStayInTheOutput) {
    const std::uint32_t n = 5000, segments = 300;
    Trial trial(n, Count::Kind::constant);
    const auto in = trial.input("in", random_words(n, 1));
    const auto begins = trial.input("begins", Random(1).vector<std::uint32_t>(segments, 0, 2 * n - 1));
    const auto ends = trial.input("ends", Random(2).vector<std::uint32_t>(segments, 0, 2 * n - 1));
    const auto out = trial.output("out", segments + 100);
    reduce_by_segment(trial.graph, in, Segments::of_ranges(begins.with_count(segments), ends),
                      {.output = out, .tuning = small_scan()});
    trial.run(n);
    trial.expect(out, trial.words_in(out, segments));
}

/// Checks that segments without offsets write nothing. Runs the same kernel as the test that calls it.
void check_that_no_offsets_write_nothing() {
    Trial trial(1000, Count::Kind::constant);
    const auto in = trial.input("in", random_words(1000, 1)), starts = trial.input("starts", Words(4));
    const auto out = trial.output("out", 4);
    reduce_by_segment(trial.graph, in, Segments::at_offsets(starts.with_count(0)),
                      {.output = out, .tuning = small_scan()});
    trial.run(1000);
    trial.expect(out, Words{});
}

// If offsets do not ascend, results are undefined but nothing is written outside the output.
TEST(ReduceBySegment, NoOffsetsAndOffsetsInAnyOrder) {
    check_that_no_offsets_write_nothing();
    const std::uint32_t n = 5000, segments = 300;
    Trial trial(n, Count::Kind::constant);
    const auto in = trial.input("in", random_words(n, 1));
    const auto starts = trial.input("starts", Random(1).vector<std::uint32_t>(segments, 0, 2 * n - 1));
    const auto out = trial.output("out", segments + 100);
    reduce_by_segment(trial.graph, in, Segments::at_offsets(starts.with_count(segments)),
                      {.output = out, .tuning = small_scan()});
    trial.run(n);
    trial.expect(out, trial.words_in(out, segments));
}

TEST(ReduceBySegment, LargeInput) {
    const std::uint32_t n = (1U << 22) + 77;
    for (const Kind kind : {Kind::length, Kind::offsets, Kind::ranges}) {
        check({.segments = kind, .segment_length = 333, .segment_ends = true, .capacity = n});
    }
}

// The first offset is after whole tiles, within a tile, or beyond the elements.
TEST(SegmentedScan, ElementsBeforeTheFirstOffsetAreNotWritten) {
    const std::uint32_t tile = small_scan_tile(), n = 5 * tile + 3;
    const auto input = random_words(n, 12);
    Trial trial(n);
    const auto in = trial.input("in", input);
    const auto starts = trial.input("starts", Words(3)).with_count(3);
    const auto out = trial.output("out", n), other = trial.output("other", n);
    scan(trial.graph, in,
         {.output = out, .output_other = other, .segments = Segments::at_offsets(starts), .tuning = small_scan()});
    for (const std::uint32_t first : {0U, 1U, tile - 1, tile, tile + 1, 2 * tile + 7, n - 1, n, ~0U - 5}) {
        SCOPED_TRACE("from " + std::to_string(first));
        const Words offsets{first, first + 3, first + 5};
        trial.refill(starts, offsets);
        trial.run(n);
        auto inclusive = poisoned(n), exclusive = poisoned(n);
        std::uint32_t sum = 0;
        for (std::uint32_t i = std::min(first, n); i < n; ++i) {
            sum = std::ranges::count(offsets, i) != 0 ? 0 : sum;
            exclusive[i] = sum;
            inclusive[i] = sum += input[i];
        }
        trial.expect(out, inclusive);
        trial.expect(other, exclusive);
    }
}

// Segments between offsets. The first offset is not 0, and the last one is not the number of elements.
TEST(SegmentedScan, FusedStoreRunsOnlyInSegments) {
    const std::uint32_t n = 3 * small_scan_tile() + 3, first = small_scan_tile() + 3, second = first + 9, end = n - 10;
    const auto input = random_words(n, 13);
    Trial trial(n);
    const auto in = trial.input("in", input);
    const auto offsets = trial.input("offsets", Words{first, second, end});
    const auto out = trial.output("out", n);
    fused_scan(trial.graph, {.monoid = {.name = "sum",
                                        .fields = {"uint v"},
                                        .identity = "T(0)",
                                        .combine = "return T(left.v + right.v);",
                                        .exact = true},
                             .count = n,
                             .buffers = {{"uint x[]", read(in)}, {"uint y[]", write(out)}},
                             .load = "return T(x[i]);",
                             .store = "y[i] = inclusive.v;",
                             .segments = Segments::between_offsets(offsets, 2),
                             .tuning = small_scan()});
    trial.run(n);
    auto expected = poisoned(n);
    for (std::uint32_t i = first; i < end; ++i) {
        expected[i] = input[i] + (i == first || i == second ? 0 : expected[i - 1]);
    }
    trial.expect(out, expected);
}

// Gaps hold NaNs. `store` runs for no element of a gap, and no NaN spreads.
TEST(SegmentedScan, FusedStoreSkipsGaps) {
    const std::uint32_t n = 4 * small_scan_tile() + 3;
    const Words begins{2, small_scan_tile() - 1, 2 * small_scan_tile() + 1, 3 * small_scan_tile()};
    const Words ends{5, 2 * small_scan_tile() - 1, 2 * small_scan_tile() + 1, n + 7};
    std::vector<float> input(n, std::numeric_limits<float>::quiet_NaN());
    auto expected = poisoned(n);
    for (std::size_t s = 0; s < begins.size(); ++s) {
        float sum = 0;
        for (std::uint32_t i = begins[s]; i < std::min(ends[s], n); ++i) {
            input[i] = static_cast<float>(i % 9);
            expected[i] = std::bit_cast<std::uint32_t>(sum += input[i]);
        }
    }
    Trial trial(n);
    const auto in = trial.input("in", input);
    const auto from = trial.input("begins", begins).with_count(4), to = trial.input("ends", ends);
    const auto out = trial.output<float>("out", n);
    fused_scan(
        trial.graph,
        {.monoid = {.name = "sum", .fields = {"float v"}, .identity = "T(0)", .combine = "return T(left.v + right.v);"},
         .count = n,
         .buffers = {{"float x[]", read(in)}, {"float y[]", write(out)}},
         .load = "return T(x[i]);",
         .store = "y[i] = inclusive.v;",
         .segments = Segments::of_ranges(from, to),
         .tuning = small_scan()});
    trial.run(n);
    trial.expect(out, expected);
}

// Through the public function with typed buffers: a running maximum for each key.
TEST(SegmentedScan, KeysOfTwoWords) {
    const std::uint32_t n = 5003;
    std::vector<std::uint64_t> keys(n);
    std::vector<float> values(n), expected(n);
    Random random(1);
    for (std::uint32_t i = 0; i < n; ++i) {
        values[i] = static_cast<float>(random.uniform<int>(-1000, 1000));
        const bool head = i == 0 || random.uniform<int>(0, 40) == 0;
        keys[i] = head ? random.uniform<std::uint64_t>() : keys[i - 1];
        expected[i] = head ? values[i] : std::max(expected[i - 1], values[i]);
    }
    Trial trial(n, Count::Kind::constant);
    const auto in = trial.input("values", values);
    const auto key = trial.input("keys", keys);
    const auto out = trial.exported(scan(trial.graph, in, {.op = Operator::max, .segments = Segments::of_keys(key)}));
    trial.run(n);
    trial.expect_exported(out, expected);
}

// Bracket depths of each line, with a custom operator whose elements are computed by the load.
TEST(SegmentedScan, FusedLoadsAndStores) {
    const std::uint32_t n = 9001;
    const Words drawn = random_words(n, 2);
    Words line(n / 32 + 1), expected(n);
    Bicyclic depth{};
    for (std::uint32_t i = 0; i < n; ++i) {
        if (i == 0 || drawn[i] % 50 == 0) {
            line[i / 32] |= 1U << i % 32;
            depth = {};
        }
        depth = combine(depth, drawn[i] / 64 % 2 != 0 ? Bicyclic{0, 1} : Bicyclic{1, 0});
        expected[i] = depth.close << 16 | depth.open;
    }
    Trial trial(n, Count::Kind::constant);
    const auto in = trial.input("in", drawn), bits = trial.input("lines", line), out = trial.output("out", n);
    const auto scope = weir::testing::instrument(trial.graph, {.one_in = 3});
    fused_scan(trial.graph, {.monoid = bicyclic,
                             .count = n,
                             .buffers = {{"uint counts[]", read(in)}, {"uint heads[]", write(out)}},
                             .load = "return counts[i] / 64 % 2 != 0 ? T(0, 1) : T(1, 0);",
                             .store = "heads[i] = inclusive.close << 16 | inclusive.open;",
                             .segments = Segments::at_bits(bits),
                             .tuning = small_scan()});
    trial.run(n);
    trial.expect(out, expected);
}

// The search for offsets depends on the subgroup size.
TEST(SegmentedScan, UnknownSubgroupSize) {
    const std::uint32_t n = 5003;
    Words sums = random_words(n, 11);
    Trial trial(n, Count::Kind::constant, without_known_subgroup_size());
    const auto in = trial.input("in", sums), out = trial.output("out", n);
    const auto starts = trial.input("starts", tabulated(700, [](std::uint32_t i) { return 8 * i; })).with_count(700);
    const auto scope = weir::testing::instrument(trial.graph, {.one_in = 2});
    scan(trial.graph, in, {.output = out, .segments = Segments::at_offsets(starts), .tuning = small_scan()});
    trial.run(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        sums[i] += i % 8 == 0 ? 0 : sums[i - 1];
    }
    trial.expect(out, sums);
}

// Float sums have the same bits in every run, whichever tiles are silent.
TEST(SegmentedScan, FloatSumsHaveSameBits) {
    const std::uint32_t n = 70 * small_scan_tile() + 3;
    BitsOfSums sums(n, {.segments = Segments::of_length(11 * small_scan_tile() + 100), .tuning = small_scan()});
    for (const auto kind : all_faults) {
        for (std::uint32_t one_in = 64; one_in >= 1; one_in /= 4) {
            sums.check({.one_in = one_in, .kind = kind}, 10);
        }
    }
}

TEST(SegmentedScan, RejectsInvalidArguments) {
    const auto with = [](const Segments& segments) {
        return [segments](Graph& g, Ref in) { scan(g, in, {.segments = segments}); };
    };
    expect_refused("the length of segments must be at least 1", with(Segments::of_length(0)));
    expect_refused("the segments' flags is null", with(Segments::at_flags({})));
    expect_refused("the segments' flags has a capacity of 99 elements; 100 are required",
                   [](Graph& g, Ref in) { scan(g, in, {.segments = Segments::at_flags(imported(g, 99))}); });
    expect_refused("bit words has a capacity of 3 elements; 4 are required",
                   [](Graph& g, Ref in) { scan(g, in, {.segments = Segments::at_bits(imported(g, 3))}); });
    expect_refused("the segments' offsets has a capacity of 5 elements; 6 are required",
                   [](Graph& g, Ref in) { scan(g, in, {.segments = Segments::between_offsets(imported(g, 5), 5)}); });
    expect_refused("the segments' ends has a capacity of 4 elements; 5 are required", [](Graph& g, Ref in) {
        scan(g, in, {.segments = Segments::of_ranges(imported(g, 5).with_count(5), imported(g, 4))});
    });
    expect_refused("the segments' ends is null", with(Segments::of_ranges({}, {})));
    expect_refused("variable_length is set, but the segments are not of one length", [](Graph& g, Ref in) {
        Segments segments = Segments::at_flags(imported(g, 100));
        segments.variable_length = g.parameter("length", 5);
        scan(g, in, {.segments = segments});
    });
    expect_refused(
        "segmented sort: segments in ranges are supported by scans and reductions only",
        [](Graph& g, Ref in) { segmented_sort(g, in, Segments::of_ranges(imported(g, 5), imported(g, 5))); });
    expect_refused("segmented sort: the length of segments must be a constant",
                   [](Graph& g, Ref in) { segmented_sort(g, in, Segments::of_length(g.parameter("length", 5))); });
    expect_refused("a total is not supported for a scan of segments", [](Graph& g, Ref in) {
        scan(g, in, {.output_total = imported(g, 1), .segments = Segments::of_length(2)});
    });
    expect_refused("declares buffer 'buffer' twice",
                   [](Graph& g, Ref in) { scan(g, in, {.output = in, .segments = Segments::of_keys(in)}); });
    // The tile needs workgroup memory for one bit per element, and more.
    const bool fits = max_workgroup() * 64 * 4 / 8 < test_context().capabilities().max_workgroup_memory;
    expect_refused(fits ? "no error" : "bytes of workgroup memory", [](Graph& g, Ref in, Ref starts) {
        scan(g, in, {.segments = Segments::at_offsets(starts), .tuning = {.workgroup = max_workgroup(), .chunks = 64}});
    });
}

} // namespace
} // namespace weir::tests::scan_segments_test

// Scans that restart at every segment, for every type and operator, and reductions of segments.

#include <cmath>

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

ScanTuning small_shape() {
    return {.workgroup = std::min(64U, max_workgroup()), .chunks = 1};
}
std::uint32_t small_tile(ElementType element = {}) {
    const std::uint32_t words = element.words();
    return small_shape().workgroup * (words % 4 == 0 ? 1 : words % 2 == 0 ? 2 : 4);
}

class ScanSegments : public testing::TestWithParam<Kind> {};
std::string name_of(const testing::TestParamInfo<Kind>& info) {
    static constexpr const char* names[] = {"none", "length", "flags", "bits", "keys", "offsets"};
    return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Scan, ScanSegments,
                         testing::Values(Kind::length, Kind::flags, Kind::bits, Kind::keys, Kind::offsets), name_of);

// From a head at every element to a single head.
TEST_P(ScanSegments, ShortAndLongSegments) {
    const std::uint32_t n = 9 * small_tile() + 3;
    for (const std::uint32_t length : {1U, 3U, 64U, 256U, 700U, 100000U}) {
        check({.segments = GetParam(), .segment_length = length, .capacity = n, .n = n, .tuning = small_shape()});
        check({.kind = ScanKind::exclusive,
               .initial = true,
               .segments = GetParam(),
               .segment_length = length,
               .key_words = 2,
               .capacity = n,
               .n = n,
               .instrument = {.one_in = 2},
               .tuning = small_shape()});
    }
}

TEST_P(ScanSegments, EveryCountUpToTwoTiles) {
    const std::uint32_t most = 2 * small_tile() + 1;
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
                             .tuning = small_shape()});
        for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
            program.check(n, n);
        }
    }
}

TEST_P(ScanSegments, FaultsOfEveryKindAndRate) {
    const std::uint32_t n = 70 * small_tile() + 3;
    for (const auto kind : {Instrument::Kind::never_post, Instrument::Kind::late_post, Instrument::Kind::torn_post}) {
        for (const std::uint32_t one_in : {16U, 1U}) {
            check({.segments = GetParam(),
                   .segment_length = 6 * small_tile(),
                   .capacity = n,
                   .n = n,
                   .instrument = {.one_in = one_in, .kind = kind},
                   .tuning = small_shape()},
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
           .capacity = n,
           .n = n});
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
        ScanCase scan{.element = element, .op = op, .tuning = small_shape()};
        scan.n = scan.capacity = 7 * small_tile(element) - 1;
        scan.segments = static_cast<Kind>(1 + turn % 5);
        scan.segment_length = turn % 2 == 0 ? 2 * small_tile(element) : 10;
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

TEST(ReduceBySegment, OneLengthAndAtOffsets) {
    const std::uint32_t n = 9 * small_tile() + 3;
    for (const Kind kind : {Kind::length, Kind::offsets}) {
        for (const std::uint32_t length : {1U, 5U, 300U, 1000U, 100000U}) {
            ScanCase scan{.initial = true,
                          .segments = kind,
                          .segment_length = length,
                          .segment_ends = true,
                          .capacity = n,
                          .n = n,
                          .instrument = {.one_in = 3},
                          .tuning = small_shape()};
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
    for (const Kind kind : {Kind::length, Kind::offsets}) {
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
    const std::uint32_t most = 3 * small_tile() + 5;
    ScanProgram program({.segments = Kind::offsets,
                         .segment_length = 9,
                         .end_given = true,
                         .segment_ends = true,
                         .capacity = most,
                         .count = Count::Kind::gpu,
                         .tuning = small_shape()});
    for (const std::uint32_t n : {0U, 1U, small_tile(), small_tile() + 1, most - 1, most}) {
        for (std::uint64_t seed = 1; seed <= 8 && !HasFailure(); ++seed) {
            program.check(n, seed);
        }
    }
}

/// Checks that segments without offsets write nothing. Runs the same kernel as the test that calls it.
void check_that_no_offsets_write_nothing() {
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", 1000);
    const auto starts = graph.import_buffer<std::uint32_t>("starts", 4);
    const auto out = graph.import_buffer<std::uint32_t>("out", 4);
    reduce_by_segment(graph, in, Segments::at_offsets(starts.with_count(0)), {.output = out, .tuning = small_shape()});
    Program program = ok(compile(test_context(), graph));
    const Buffer in_buffer = buffer_of(random_words(1000, 1)), starts_buffer = poisoned_buffer(4),
                 out_buffer = poisoned_buffer(4);
    ok(program.bind(in, in_buffer));
    ok(program.bind(starts, starts_buffer));
    ok(program.bind(out, out_buffer));
    ok(program.run());
    expect_equal(contents(out_buffer, 4), poisoned(4), "nothing is written");
}

// If offsets do not ascend, results are undefined but nothing is written outside the output.
TEST(ReduceBySegment, NoOffsetsAndOffsetsInAnyOrder) {
    check_that_no_offsets_write_nothing();
    const std::uint32_t n = 5000, segments = 300;
    auto offsets = random_words(segments, 1);
    for (std::uint32_t& offset : offsets) {
        offset %= 2 * n;
    }
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", n);
    const auto starts = graph.import_buffer<std::uint32_t>("starts", segments);
    const auto out = graph.import_buffer<std::uint32_t>("out", segments + 100);
    reduce_by_segment(graph, in, Segments::at_offsets(starts), {.output = out, .tuning = small_shape()});
    Program program = ok(compile(test_context(), graph));
    const Buffer in_buffer = buffer_of(random_words(n, 1)), starts_buffer = buffer_of(offsets),
                 out_buffer = poisoned_buffer(segments + 100);
    ok(program.bind(in, in_buffer));
    ok(program.bind(starts, starts_buffer));
    ok(program.bind(out, out_buffer));
    ok(program.run());
    auto found = contents(out_buffer, segments + 100);
    found.erase(found.begin(), found.begin() + segments);
    expect_equal(found, poisoned(100), "after the output");
}

TEST(ReduceBySegment, LargeInput) {
    const std::uint32_t n = (1U << 22) + 77;
    for (const Kind kind : {Kind::length, Kind::offsets}) {
        check({.segments = kind, .segment_length = 333, .segment_ends = true, .capacity = n, .n = n});
    }
}

// The first offset is after whole tiles, within a tile, or beyond the elements.
TEST(SegmentedScan, ElementsBeforeTheFirstOffsetAreNotWritten) {
    const std::uint32_t tile = small_tile(), n = 5 * tile + 3;
    const auto input = random_words(n, 12);
    Trial trial(n);
    const auto in = trial.input("in", input);
    const auto starts = trial.input("starts", std::vector<std::uint32_t>(3)).with_count(3);
    const auto out = trial.output("out", n), other = trial.output("other", n);
    scan(trial.graph, in,
         {.output = out, .output_other = other, .segments = Segments::at_offsets(starts), .tuning = small_shape()});
    trial.compile();
    for (const std::uint32_t first : {0U, 1U, tile - 1, tile, tile + 1, 2 * tile + 7, n - 1, n, ~0U - 5}) {
        SCOPED_TRACE("from " + std::to_string(first));
        const std::vector<std::uint32_t> offsets{first, first + 3, first + 5};
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
    const std::uint32_t n = 3 * small_tile() + 3, first = small_tile() + 3, second = first + 9, end = n - 10;
    const auto input = random_words(n, 13);
    Trial trial(n);
    const auto in = trial.input("in", input);
    const auto offsets = trial.input("offsets", std::vector<std::uint32_t>{first, second, end});
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
                             .tuning = small_shape()});
    trial.compile();
    trial.run(n);
    auto expected = poisoned(n);
    for (std::uint32_t i = first; i < end; ++i) {
        expected[i] = input[i] + (i == first || i == second ? 0 : expected[i - 1]);
    }
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
    Graph graph(test_context());
    const auto in = graph.import_buffer<float>("values", n);
    const auto key = graph.import_buffer<std::uint64_t>("keys", n);
    const auto out = scan(graph, in, {.op = Operator::max, .segments = Segments::of_keys(key)});
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer value_buffer = buffer_of(values), key_buffer = buffer_of(keys);
    ok(program.bind(in, value_buffer));
    ok(program.bind(key, key_buffer));
    ok(program.run());
    EXPECT_EQ(contents<float>(program.view(out), n), expected);
}

// Bracket depths of each line, with a custom operator whose elements are computed by the load.
TEST(SegmentedScan, FusedLoadsAndStores) {
    const std::uint32_t n = 9001;
    const auto drawn = random_words(n, 2);
    std::vector<std::uint32_t> line(n / 32 + 1), expected(n);
    for (std::uint32_t i = 0, close = 0, open = 0; i < n; ++i) {
        if (i == 0 || drawn[i] % 50 == 0) {
            line[i / 32] |= 1U << i % 32;
            close = open = 0;
        }
        if (drawn[i] / 64 % 2 != 0) {
            ++open;
        } else if (open > 0) {
            --open;
        } else {
            ++close;
        }
        expected[i] = close << 16 | open;
    }
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", n), out = graph.import_buffer<std::uint32_t>("out", n);
    const auto bits = graph.import_buffer<std::uint32_t>("lines", n / 32 + 1);
    const auto scope = weir::testing::instrument(graph, {.one_in = 3});
    fused_scan(graph, {.monoid = {.name = "brackets",
                                  .fields = {"uint close", "uint open"},
                                  .identity = "T(0, 0)",
                                  .combine = "const uint matched = min(left.open, right.close);\n"
                                             "return T(left.close + right.close - matched,\n"
                                             "         left.open + right.open - matched);"},
                       .count = n,
                       .buffers = {{"uint counts[]", read(in)}, {"uint heads[]", write(out)}},
                       .load = "return counts[i] / 64 % 2 != 0 ? T(0, 1) : T(1, 0);",
                       .store = "heads[i] = inclusive.close << 16 | inclusive.open;",
                       .segments = Segments::at_bits(bits),
                       .tuning = small_shape()});
    Program program = ok(compile(test_context(), graph));
    const Buffer in_buffer = buffer_of(drawn), out_buffer = poisoned_buffer(n), bits_buffer = buffer_of(line);
    ok(program.bind(in, in_buffer));
    ok(program.bind(out, out_buffer));
    ok(program.bind(bits, bits_buffer));
    ok(program.run());
    expect_equal(contents(out_buffer, n), expected, "depths");
}

// The search for offsets depends on the subgroup size.
TEST(SegmentedScan, UnknownSubgroupSize) {
    const std::uint32_t n = 5003, segments = 700;
    const auto input = random_words(n, 11);
    std::vector<std::uint32_t> offsets(segments), expected(n);
    for (std::uint32_t s = 0; s < segments; ++s) {
        offsets[s] = s * 8;
    }
    Graph graph(without_known_subgroup_size());
    const auto in = graph.import_buffer<std::uint32_t>("in", n);
    const auto starts = graph.import_buffer<std::uint32_t>("starts", segments);
    const auto scope = weir::testing::instrument(graph, {.one_in = 2});
    const auto out = scan(graph, in, {.segments = Segments::at_offsets(starts), .tuning = small_shape()});
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(input), starts_buffer = buffer_of(offsets);
    ok(program.bind(in, buffer));
    ok(program.bind(starts, starts_buffer));
    ok(program.run());
    for (std::uint32_t i = 0; i < n; ++i) {
        expected[i] = input[i] + (i % 8 == 0 ? 0 : expected[i - 1]);
    }
    expect_equal(contents(program.view(out), n), expected, "out");
}

// Float sums have the same bits in every run, whichever tiles are silent.
TEST(SegmentedScan, FloatSumsHaveSameBits) {
    const std::uint32_t n = 70 * small_tile() + 3;
    std::vector<float> input(n);
    Random random(1);
    for (float& item : input) {
        item = std::ldexp(static_cast<float>(random.uniform<int>(-1000000, 1000000)), random.uniform<int>(-20, 20));
    }
    const Buffer in_buffer = buffer_of(input), out_buffer = poisoned_buffer(n);
    std::vector<std::uint32_t> first;
    for (const auto kind : {Instrument::Kind::never_post, Instrument::Kind::late_post, Instrument::Kind::torn_post}) {
        for (std::uint32_t one_in = 64; one_in >= 1; one_in /= 4) {
            Graph graph(test_context());
            const auto in = graph.import_buffer<float>("in", n), out = graph.import_buffer<float>("out", n);
            const auto scope = weir::testing::instrument(graph, {.one_in = one_in, .kind = kind});
            scan(graph, in,
                 {.output = out, .segments = Segments::of_length(11 * small_tile() + 100), .tuning = small_shape()});
            Program program = ok(compile(test_context(), graph));
            ok(program.bind(in, in_buffer));
            ok(program.bind(out, out_buffer));
            for (int run = 0; run < 10; ++run) {
                ok(program.run());
                const auto found = contents(out_buffer, n);
                if (first.empty()) {
                    first = found;
                }
                expect_equal(found, first, "1 in " + std::to_string(one_in) + ", run " + std::to_string(run));
            }
        }
    }
}

TEST(SegmentedScan, RejectsInvalidArguments) {
    const auto error = [](const std::function<void(Graph&, BufferRef<std::uint32_t>)>& build) {
        Graph graph(test_context());
        build(graph, graph.import_buffer<std::uint32_t>("in", 1000));
        return plan_error(graph);
    };
    const auto with = [](const Segments& segments) {
        return [segments](Graph& graph, auto in) { scan(graph, in, {.segments = segments}); };
    };
    EXPECT_THAT(error(with(Segments::of_length(0))), HasSubstr("the length of segments must be at least 1"));
    // The tile needs workgroup memory for one bit per element, and more.
    Graph graph(test_context());
    const auto elements = graph.import_buffer<std::uint32_t>("elements", 1000);
    const auto starts = graph.import_buffer<std::uint32_t>("starts", 10);
    scan(graph, elements,
         {.segments = Segments::at_offsets(starts), .tuning = {.workgroup = max_workgroup(), .chunks = 64}});
    if (max_workgroup() * 64 * 4 / 8 >= test_context().capabilities().max_workgroup_memory) {
        EXPECT_THAT(plan_error(graph), HasSubstr("bytes of workgroup memory"));
    } else {
        EXPECT_EQ(plan_error(graph), "no error");
    }
    EXPECT_THAT(error(with(Segments::at_flags({}))), HasSubstr("the segments' flags is null"));
    EXPECT_THAT(error([](Graph& graph, auto in) {
                    scan(graph, in, {.segments = Segments::at_flags(graph.import_buffer<std::uint32_t>("flags", 999))});
                }),
                HasSubstr("the segments' flags has a capacity of 999 elements; 1000 are required"));
    EXPECT_THAT(error([](Graph& graph, auto in) {
                    scan(graph, in, {.segments = Segments::at_bits(graph.import_buffer<std::uint32_t>("bits", 31))});
                }),
                HasSubstr("bit words has a capacity of 31 elements; 32 are required"));
    EXPECT_THAT(error([](Graph& graph, auto in) {
                    scan(graph, in,
                         {.segments = Segments::between_offsets(graph.import_buffer<std::uint32_t>("ends", 5), 5)});
                }),
                HasSubstr("the segments' offsets has a capacity of 5 elements; 6 are required"));
    EXPECT_THAT(
        error([](Graph& graph, auto in) {
            scan(graph, in,
                 {.output_total = graph.import_buffer<std::uint32_t>("total", 1), .segments = Segments::of_length(2)});
        }),
        HasSubstr("a total is not supported for a scan of segments"));
    EXPECT_THAT(
        error([](Graph& graph, auto in) { scan(graph, in, {.output = in, .segments = Segments::of_keys(in)}); }),
        HasSubstr("declares buffer 'in' twice"));
}

} // namespace
} // namespace weir::tests::scan_segments_test

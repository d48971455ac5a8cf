// Errors of primitives that are added to a graph, before anything is compiled: too many elements, buffers and operators
// that do not fit together, and shapes that the device cannot run, including those whose numbers overflow.

#include <array>
#include <functional>
#include <limits>

#include <weir/graph/description.hpp>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/instrument.hpp"
#include "tests/primitives/small_device.hpp"

namespace weir::tests::refusals_test {
namespace {

using testing::AllOf;
using testing::StartsWith;
using Ref = BufferRef<std::uint32_t>;
using Wide = std::array<std::uint32_t, 16>;

using Add = std::function<void(Graph& graph)>;

void expect_error(const Add& add, ErrorCode code, const std::string& message,
                  const Capabilities& device = small_device()) {
    SCOPED_TRACE(message);
    Graph graph(device);
    add(graph);
    ASSERT_TRUE(graph.error());
    EXPECT_EQ(graph.error()->code, code);
    EXPECT_THAT(graph.error()->message, StartsWith(message));
}

void expect_limit(const Add& add, const std::string& message, const Capabilities& device = small_device()) {
    expect_error(add, ErrorCode::limit_exceeded, message, device);
}

void expect_invalid(const Add& add, const std::string& message) {
    expect_error(add, ErrorCode::invalid_argument, message);
}

template <class T = std::uint32_t>
BufferRef<T> of(Graph& graph, std::uint32_t capacity = 100) {
    return graph.import_buffer<T>("buffer", capacity);
}

TEST(PrimitiveErrors, TooManyElements) {
    constexpr std::uint32_t most = ~0U, half = 1U << 31;
    expect_limit(
        [](Graph& g) {
            copy_ranges(g, of(g), of(g), {of(g), of(g), of(g)}, {.most = most});
        },
        "copy ranges: 4294967295 elements; less than 4293918720 are supported");
    expect_limit([](Graph& g) { merge(g, of(g, half), of(g, half)); },
                 "merge: 4294967296 keys; less than 4293918720 are supported");
    expect_limit([](Graph& g) { set_union(g, of(g, half), of(g, half)); },
                 "set union: 4294967296 keys; less than 4293918720 are supported");
    expect_limit([](Graph& g) { shuffle(g, of(g, half + 1), 0); },
                 "shuffle: 2147483649 elements; at most 2147483648 are supported");
    expect_limit([](Graph& g) { kth_element(g, of(g, most), 0); },
                 "kth element: 4294967295 keys; less than 4293918720 are supported");
    expect_limit([](Graph& g) { merge_sort(g, of(g, half), "a < b"); },
                 "merge sort: 2147483648 keys; at most 1073741824 can be sorted");
    expect_limit([](Graph& g) { histogram(g, of(g, 1U << 30), Bins::bytes()); },
                 "histogram: 1073741824 elements; less than 1073741824 are supported");
    expect_limit([](Graph& g) { scan_columns(g, of(g, most), {.rows = half + 1, .columns = 1}); },
                 "scan of columns: 2147483649 rows; at most 2147483648");
    expect_limit(
        [](Graph& g) { radix_sort(g, of(g, half / 2 - 1), {.tuning = {.workgroup = 64, .keys_per_invocation = 1}}); },
        "radix sort: 1073741823 keys in tiles of 64 need more than 2^31 words of digit counters; use larger tiles");
}

TEST(PrimitiveErrors, TooManyTiles) {
    constexpr std::uint32_t tiles = 262140;
    const auto select = [](std::uint32_t count) {
        return [count](Graph& g) {
            select_if(g, of(g, count), Predicate::compare(Comparison::less, 5U),
                      {.tuning = {.workgroup = 64, .rows = 1}});
        };
    };
    expect_limit(select(tiles * 64 + 1),
                 "select: 16776961 elements are 262141 tiles of 64; at most 262140 can be chained");
    Graph graph(small_device());
    select(tiles * 64)(graph);
    EXPECT_FALSE(graph.error());
    // An invocation holds at most 64 words of large elements.
    expect_limit(
        [](Graph& g) {
            select_if(g, of<std::array<std::uint32_t, 4>>(g, 300'000'000), Predicate{.expression = "x.x > 5"},
                      {.tuning = {.workgroup = 64}});
        },
        "select: 300000000 elements are 292969 tiles of 1024; at most 262140 can be chained");
    // Keys of two words have tiles of 1280.
    expect_limit([](Graph& g) { set_union(g, of<std::uint64_t>(g, tiles * 1280), of<std::uint64_t>(g, 1)); },
                 "set union: 335539201 keys are 262141 tiles of 1280; at most 262140 can be chained");
}

TEST(PrimitiveErrors, TooManyWords) {
    expect_limit([](Graph& g) { fill(g, of<Wide>(g, 300'000'000), Wide{}); },
                 "fill: the output has 300000000 elements of 16 words; less than 2^32 words are addressable");
    expect_limit([](Graph& g) { scan(g, of(g, 4), {.input_layout = {.offset = 7, .stride = 1'500'000'000}}); },
                 "scan: the input ends at word 4500000008; 2^32 words are addressable");
    Graph graph(small_device());
    fill(graph, of<Wide>(graph, (1U << 28) - 1), Wide{});
    EXPECT_FALSE(graph.error());
}

// Tiles of large elements are small. They grow if there would be too many of them.
TEST(PrimitiveErrors, ManyLargeElementsAreAccepted) {
    for (const std::uint32_t count : {1000U, 200'000'000U}) {
        Graph graph(small_device());
        select_flagged(graph, of<Wide>(graph, count), of(graph, count));
        scan(graph, of<std::array<std::uint32_t, 4>>(graph, 5 * count), {.op = Operator::max});
        EXPECT_FALSE(graph.error()) << graph.error()->message;
    }
}

TEST(HistogramErrors, EvenBinsOfFloats_ImpossibleRange_NamesTheReason) {
    const auto even = [](std::uint32_t count, float lower, float upper) {
        return [=](Graph& g) { histogram(g, of<float>(g), Bins::even(count, lower, upper)); };
    };
    constexpr float infinity = std::numeric_limits<float>::infinity();
    expect_invalid(even(4, 3.5F, -1e30F), "histogram: even bins of [3.5, -1e+30): the range is empty");
    expect_invalid(even(4, 1, infinity), "histogram: even bins of [1, inf): the bounds must be finite");
    expect_invalid(even(4, std::numeric_limits<float>::quiet_NaN(), 1),
                   "histogram: even bins of [nan, 1): the bounds must be finite");
    expect_invalid(even(1000, 0, 1e-37F), "histogram: 1000 even bins of [0, 1e-37) are narrower than "
                                          "1.1754944e-38, the minimum normal float");
    expect_invalid([](Graph& g) { histogram(g, of<std::int32_t>(g), Bins::even(4, 5, -6)); },
                   "histogram: even bins of [5, -6): the range is empty");
    expect_invalid([](Graph& g) { histogram(g, of<std::int32_t>(g), Bins::even(4, 5.0F, 6.0F)); },
                   "histogram: even bins must have the type of the elements");
    for (const float upper : {3e38F, 1e-37F}) {
        Graph graph(small_device());
        even(4, -upper, upper)(graph);
        EXPECT_FALSE(graph.error()) << graph.error()->message;
    }
}

TEST(SegmentErrors, BetweenOffsets_NoOffsetForTheEnd_IsRefused) {
    const auto between = [](Graph& g) { return Segments::between_offsets(of(g, 9), 9); };
    expect_invalid([&](Graph& g) { scan(g, of(g), {.segments = between(g)}); },
                   "scan: the buffer of the segments' offsets has a capacity of 9 elements; 10 are required");
    expect_invalid([&](Graph& g) { segmented_sort(g, of(g), between(g)); },
                   "segmented sort: the buffer of the segments' offsets has a capacity of 9 elements; 10 are required");
    expect_invalid(
        [&](Graph& g) { segmented_top_k(g, of(g), between(g), 2); },
        "segmented top k: the buffer of the segments' offsets has a capacity of 9 elements; 10 are required");
    Segments rows = Segments::of_length(3);
    rows.end_given = true;
    expect_invalid([&](Graph& g) { scan(g, of(g), {.segments = rows}); },
                   "scan: end_given is set, but the segments are not at offsets");
}

TEST(PrimitiveErrors, OverlappingLayouts) {
    using Pair = std::array<std::uint32_t, 2>;
    const WordLayout narrow{.stride = 1};
    expect_invalid([&](Graph& g) { select_flagged(g, of<Pair>(g), of(g), {.output_layout = narrow}); },
                   "select: elements have 2 words, which exceeds their stride");
    expect_invalid(
        [&](Graph& g) { run_length_decode(g, of<Pair>(g), of(g), {.capacity = 10, .output_layout = narrow}); },
        "run-length decode: elements have 2 words, which exceeds their stride");
    expect_invalid(
        [](Graph& g) {
            const Ref items = of(g, 1000);
            scan(g, items.with_count(10), {.output = items, .output_layout = {.offset = 1}});
        },
        "scan: input and output are the same buffer but have different layouts");
}

TEST(PrimitiveErrors, BufferUsedTwice) {
    expect_invalid(
        [](Graph& g) {
            const Ref items = of(g);
            scan(g, items, {.output_other = items});
        },
        "scan: the other output is also the input");
    expect_invalid(
        [](Graph& g) {
            const Ref output = of(g);
            scan(g, of(g), {.output = output, .output_other = output});
        },
        "scan: the other output is also the output");
    const char* const names[] = {"input", "output", "other output"};
    for (int which = 0; which < 3; ++which) {
        SCOPED_TRACE(which);
        expect_invalid(
            [which](Graph& g) {
                const Ref buffers[] = {of(g), of(g), of(g)};
                scan(g, buffers[0], {.output = buffers[1], .output_other = buffers[2], .output_total = buffers[which]});
            },
            std::string("scan: the total is in the buffer of the ") + names[which]);
    }
    const auto seeing = [](auto what, Ref seen) {
        what.buffers = {{"uint seen[]", read(seen)}};
        return what;
    };
    const char* const apart = "an output is also an input or a count";
    expect_invalid(
        [&](Graph& g) {
            const Ref counts = of(g);
            histogram(g, of(g), Bins::by(9, seeing(Expression{.text = "seen[x]"}, counts)), {.output = counts});
        },
        std::string("histogram: ") + apart);
    expect_invalid(
        [&](Graph& g) {
            const Ref output = of(g);
            partition_point(g, of(g), seeing(Predicate{.expression = "seen[i] < 5"}, output), {.output = output});
        },
        std::string("partition point: ") + apart);
    Graph graph(small_device());
    const Ref seen = of(graph);
    histogram(graph, of(graph), Bins::by(9, seeing(Expression{.text = "seen[x]"}, seen)));
    ASSERT_FALSE(graph.error()) << graph.error()->message;
    const auto& bindings = std::get<Pass>(graph.description().passes.back().work).bindings;
    EXPECT_EQ(bindings.back().resource, ResourceId(seen.id));
}

TEST(PrimitiveErrors, InvalidInputBuffers) {
    expect_invalid([](Graph& g) { expand_offsets(g, Ref{}, 9); }, "expand: the input is null");
    Graph other(small_device());
    const Ref foreign = of(other);
    expect_invalid([&](Graph& g) { expand_offsets(g, foreign, 9); }, "expand: the input is of another graph");
}

TEST(PrimitiveErrors, InvalidSegmentsAndTotals) {
    expect_invalid(
        [](Graph& g) {
            Segments segments = Segments::of_keys(of(g));
            segments.key_words = 17;
            scan(g, of(g), {.segments = segments});
        },
        "scan: keys of 17 words; 1 to 16 are supported");
    FusedScan sum{.monoid = {.name = "sum",
                             .fields = {"vec2 v"},
                             .identity = "T(vec2(0))",
                             .combine = "return T(left.v + right.v);"},
                  .count = 100,
                  .load = "return T(vec2(i));",
                  .store = ""};
    const auto adding = [&](const FusedScan& scan) {
        return [&scan](Graph& g) {
            FusedScan of_graph = scan;
            of_graph.buffers = {{"vec2 y[]", write(of(g))}};
            if (scan.output_total.capacity != 0) {
                of_graph.output_total = of(g, scan.output_total.capacity);
            }
            fused_scan(g, of_graph);
        };
    };
    sum.output_total.capacity = 1;
    expect_invalid(adding(sum), "scan: the total has a capacity of 1 words; 2 are required");
    sum.output_total.capacity = 2;
    Graph graph(small_device());
    adding(sum)(graph);
    EXPECT_FALSE(graph.error());
    sum.segments = Segments::of_length(10);
    expect_invalid(adding(sum), "scan: a total is not supported for a scan of segments");
    sum.segments.length = 0;
    expect_invalid(adding(sum), "scan: the length of segments must be at least 1");
}

TEST(PrimitiveErrors, UnsupportedOperators) {
    const Monoid unknown{.name = "thing", .fields = {"thing t"}, .identity = "T(0)", .combine = "return left;"};
    Monoid pair = bicyclic;
    const auto message = [](const Add& add) {
        Graph graph(small_device());
        add(graph);
        return graph.error() ? graph.error()->message : "no error";
    };
    const auto one_word = [&](const Monoid& op) {
        return std::vector<std::string>{message([&](Graph& g) { scan(g, of(g), {.op = op}); }), message([&](Graph& g) {
                                            scan_columns(g, of(g), {.rows = 10, .columns = 10}, {.op = op});
                                        }),
                                        message([&](Graph& g) { reduce(g, of(g), {.op = op}); }),
                                        message([&](Graph& g) { reduce_by_key(g, of(g), of(g), {.op = op}); })};
    };
    EXPECT_THAT(one_word(unknown), testing::Each(StartsWith("monoid 'thing': ")));
    EXPECT_THAT(one_word(pair), testing::Each(HasSubstr("the struct of monoid 'bicyclic' has 2")));
    EXPECT_THAT(message([&](Graph& g) { scan(g, of<Bicyclic>(g), {.op = Operator::add}); }),
                StartsWith("scan: the operator 'add' is not supported for custom structs"));
    const auto doubles = [](const char* primitive, const Add& add) {
        expect_error(add, ErrorCode::unsupported,
                     std::string(primitive) +
                         ": the operator 'add' is not supported for doubles: the device has no 64-bit floats");
    };
    doubles("scan", [](Graph& g) { scan(g, of<double>(g)); });
    doubles("scan of columns", [](Graph& g) { scan_columns(g, of<double>(g), {.rows = 10, .columns = 10}); });
    Graph graph(small_device()); // max compares doubles as integers, without float64
    scan(graph, of<double>(graph), {.op = Operator::max});
    EXPECT_FALSE(graph.error());
}

TEST(PrimitiveErrors, UnsupportedTileStatesAndStrategies) {
    const auto unsupported = [](const Add& add, const std::string& message) {
        expect_error(add, ErrorCode::unsupported, message);
    };
    unsupported(
        [](Graph& g) {
            const auto scope = weir::testing::instrument(g, {.tile_states = TileStates::packed});
            scan(g, of(g));
        },
        "scan: packed tile states are not supported: the device has no 64-bit atomics");
    Capabilities device = small_device();
    device.int64 = device.int64_atomics = true;
    Graph graph(device);
    const auto scope = weir::testing::instrument(graph, {.tile_states = TileStates::packed});
    scan(graph, of(graph));
    EXPECT_FALSE(graph.error());
    unsupported(
        [](Graph& g) {
            const auto scope = weir::testing::instrument(g, {.strategy = ScanStrategy::scan_then_propagate});
            scan(g, of(g), {.output_other = of(g)});
        },
        "scan: strategy scan_then_propagate is not supported with another output");
}

TEST(PrimitiveErrors, UnsupportedSubgroupSizes) {
    Capabilities device = small_device();
    device.subgroup_size = 32;
    device.subgroup_size_min = 8;
    device.subgroup_size_max = 64;
    device.subgroup_size_selectable = true;
    const auto with_size = [](std::uint32_t size) {
        return [size](Graph& g) { scan(g, of(g), {.tuning = {.subgroup_size = size}}); };
    };
    for (const std::uint32_t size : {4U, 24U, 128U}) {
        expect_error(with_size(size), ErrorCode::unsupported,
                     "scan: subgroup size " + std::to_string(size) + " is not supported: the device cannot require it",
                     device);
    }
    const auto required = [&](std::uint32_t size) {
        Graph graph(device);
        with_size(size)(graph);
        return std::get<Pass>(graph.description().passes.back().work).subgroup_size;
    };
    EXPECT_EQ(required(8), 8U);
    EXPECT_EQ(required(64), 64U);
    EXPECT_EQ(required(0), 32U);
    device.subgroup_size_selectable = false;
    expect_error(with_size(32), ErrorCode::unsupported,
                 "scan: subgroup size 32 is not supported: the device cannot require it", device);
    EXPECT_EQ(required(0), 0U);
}

TEST(PrimitiveErrors, ShapesExceedWorkgroupMemory) {
    Capabilities device = small_device();
    device.max_workgroup_memory = 4096;
    const auto expect_too_large = [&](const std::string& primitive, const Add& add) {
        SCOPED_TRACE(primitive);
        Graph graph(device);
        add(graph);
        ASSERT_TRUE(graph.error());
        EXPECT_EQ(graph.error()->code, ErrorCode::limit_exceeded);
        EXPECT_THAT(graph.error()->message, AllOf(StartsWith(primitive + ": the shape requires "),
                                                  HasSubstr(" bytes of workgroup memory; the device's limit is 4096")));
    };
    const Monoid wide{.name = "wide",
                      .fields = {"uvec4 a", "uvec4 b", "uvec4 c", "uvec4 d"},
                      .identity = "T(uvec4(0), uvec4(0), uvec4(0), uvec4(0))",
                      .combine = "return left;"};
    expect_too_large("scan", [&](Graph& g) { scan(g, of<Wide>(g), {.op = wide, .tuning = {.workgroup = 256}}); });
    expect_too_large("reduce", [&](Graph& g) { reduce(g, of<Wide>(g), {.op = wide, .tuning = {.workgroup = 256}}); });
    expect_too_large("scan of columns", [&](Graph& g) {
        scan_columns(g, of<Wide>(g), {.rows = 10, .columns = 10}, {.op = wide, .tuning = {.workgroup = 256}});
    });
    expect_too_large("expand",
                     [](Graph& g) { expand(g, of(g), {.capacity = 10, .tuning = {.workgroup = 256, .rows = 32}}); });
    device.max_workgroup_invocations = 2048;
    expect_error(
        [](Graph& g) { merge_sort(g, of(g), "a < b", {.tuning = {.workgroup = 2048, .keys_per_invocation = 64}}); },
        ErrorCode::invalid_argument, "merge sort: tiles of 131072 keys; at most 65536 are supported", device);
}

/// A primitive and two numbers of its tuning.
struct Tuned {
    const char* name;
    std::function<void(Graph& graph, std::uint32_t workgroup, std::uint32_t items)> add;
    bool is_bound = false; ///< one of the numbers is only an upper bound of the chosen one
};

const Tuned tuned[] = {
    {"scan",
     [](Graph& g, std::uint32_t w, std::uint32_t n) { scan(g, of(g), {.tuning = {.workgroup = w, .chunks = n}}); }},
    {"scan_columns",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         scan_columns(g, of(g), {.rows = 10, .columns = 10}, {.tuning = {.workgroup = w, .rows = n}});
     }},
    {"scan_columns of one",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         scan_columns(g, of(g), {.rows = 10, .columns = 10}, {.tuning = {.workgroup = w, .width = 1, .rows = n}});
     }},
    {"width of scan_columns",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         scan_columns(g, of(g), {.rows = 10, .columns = 10}, {.tuning = {.width = w, .rows = n}});
     }},
    {"reduce",
     [](Graph& g, std::uint32_t w, std::uint32_t n) { reduce(g, of(g), {.tuning = {.workgroup = w, .chunks = n}}); }},
    {"workgroups of reduce",
     [](Graph& g, std::uint32_t w, std::uint32_t n) { reduce(g, of(g), {.tuning = {.chunks = n, .workgroups = w}}); },
     true},
    {"min_element", [](Graph& g, std::uint32_t w,
                       std::uint32_t n) { min_element(g, of(g), {.tuning = {.workgroup = w, .chunks = n}}); }},
    {"reduce_by_key",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         reduce_by_key(g, of(g), of(g), {.tuning = {.workgroup = w, .chunks = n}});
     }},
    {"select_flagged",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         select_flagged(g, of(g), of(g), {.tuning = {.workgroup = w, .rows = n}});
     }},
    {"run_length_encode",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         run_length_encode(g, of(g), {.tuning = {.workgroup = w, .rows = n}});
     }},
    {"expand", [](Graph& g, std::uint32_t w,
                  std::uint32_t n) { expand(g, of(g), {.capacity = 10, .tuning = {.workgroup = w, .rows = n}}); }},
    {"histogram",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         histogram(g, of(g), Bins::digit(0), {.tuning = {.workgroup = w, .group_items = n}});
     }},
    {"copies of histogram",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         histogram(g, of(g), Bins::digit(0), {.tuning = {.workgroup = w, .copies = n}});
     },
     true},
    {"radix_sort",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         radix_sort(g, of(g), {.tuning = {.workgroup = w, .keys_per_invocation = n, .single_workgroup_keys = 1}});
     }},
    {"radix_sort by one workgroup",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         radix_sort(g, of(g), {.tuning = {.workgroup = w, .single_workgroup_keys = n}});
     },
     true},
    {"segmented_sort",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         segmented_sort(g, of(g), Segments::of_length(7), {.tuning = {.workgroup = w, .keys_per_invocation = n}});
     }},
    {"segments of segmented_sort",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         segmented_sort(g, of(g), Segments::of_length(7), {.tuning = {.workgroup = w, .segments = n}});
     }},
    {"segmented_top_k",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         segmented_top_k(g, of(g), Segments::of_length(7), 3, {.tuning = {.workgroup = w, .parts = n}});
     }},
    {"merge_sort",
     [](Graph& g, std::uint32_t w, std::uint32_t n) {
         merge_sort(g, of(g), "a < b", {.tuning = {.workgroup = w, .keys_per_invocation = n}});
     }},
    {"kth_element", [](Graph& g, std::uint32_t w,
                       std::uint32_t n) { kth_element(g, of(g), 3, {.tuning = {.workgroup = w, .group_keys = n}}); }},
};

TEST(PrimitiveErrors, UnsupportedItemsAndRounds) {
    for (const std::uint32_t items : {6U, (1U << 18) + 4}) {
        expect_invalid([items](Graph& g) { histogram(g, of(g), Bins::digit(0), {.tuning = {.group_items = items}}); },
                       "histogram: " + std::to_string(items) + " elements per workgroup");
    }
    expect_invalid([](Graph& g) { radix_sort(g, of(g, 1U << 20), {.tuning = {.rounds = 65}}); },
                   "radix sort: 65 exchange rounds; at most 64 are supported");
    Graph graph(small_device());
    histogram(graph, of(graph), Bins::digit(0), {.tuning = {.group_items = 1U << 18}});
    radix_sort(graph, of(graph, 1U << 20), {.tuning = {.rounds = 64}});
    EXPECT_FALSE(graph.error()) << graph.error()->message;
}

// Products of these powers of two wrap to 0 in 32 or 64 bits.
TEST(PrimitiveErrors, HugeShapeNumbersGiveErrors) {
    for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::discrete}) {
        Capabilities device = small_device();
        device.kind = kind;
        for (const Tuned& primitive : tuned) {
            for (std::uint32_t workgroup = 0; workgroup <= 32; ++workgroup) {
                for (std::uint32_t items = 0; items <= 32; ++items) {
                    const auto power = [](std::uint32_t bit) { return bit == 0 ? 0 : 1U << (bit - 1); };
                    SCOPED_TRACE(testing::Message()
                                 << primitive.name << " of 2^" << workgroup << "-1, 2^" << items << "-1");
                    Graph graph(device);
                    primitive.add(graph, power(workgroup), power(items));
                    if (!primitive.is_bound && (workgroup > 17 || items > 20)) { // more than any primitive allows
                        ASSERT_TRUE(graph.error());
                    }
                    if (graph.error()) {
                        ASSERT_THAT(graph.error()->code,
                                    testing::AnyOf(ErrorCode::invalid_argument, ErrorCode::limit_exceeded))
                            << graph.error()->message;
                    }
                }
            }
        }
    }
}

} // namespace
} // namespace weir::tests::refusals_test

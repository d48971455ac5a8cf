// Errors of primitives that are added to a graph, before anything is compiled: too many elements, buffers and operators
// that do not fit together, and shapes that the device cannot run, including those whose numbers overflow.

#include <array>
#include <limits>

#include <weir/graph/description.hpp>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/instrument.hpp"
#include "tests/primitives/small_device.hpp"

namespace weir::tests::refusals_test {
namespace {

using testing::AllOf;
using testing::StartsWith;
using Wide = std::array<std::uint32_t, 16>;

using Add = std::function<void(Graph& graph)>;

void expect_error(ErrorCode code, const std::string& message, const Add& add,
                  const Capabilities& device = small_device()) {
    SCOPED_TRACE(message);
    Graph graph(device);
    add(graph);
    ASSERT_TRUE(graph.error());
    EXPECT_EQ(graph.error()->code, code);
    EXPECT_THAT(graph.error()->message, StartsWith(message));
}

void expect_limit(const std::string& message, const Add& add, const Capabilities& device = small_device()) {
    expect_error(ErrorCode::limit_exceeded, message, add, device);
}
/// Returns a device whose bindings have any size, so that primitives do not divide buffers into windows.
Capabilities device_with_large_bindings() {
    Capabilities device = small_device();
    device.max_storage_range = 1ULL << 40;
    return device;
}
void expect_invalid(const std::string& message, const Add& add) {
    expect_error(ErrorCode::invalid_argument, message, add);
}
void expect_unsupported(const std::string& message, const Add& add, const Capabilities& device = small_device()) {
    expect_error(ErrorCode::unsupported, message, add, device);
}
void expect_accepted(const Add& add, const Capabilities& device = small_device()) {
    Graph graph(device);
    add(graph);
    EXPECT_FALSE(graph.error()) << graph.error()->message;
}

TEST(PrimitiveErrors, TooManyElements) {
    constexpr std::uint32_t most = ~0U, half = 1U << 31;
    expect_limit("copy ranges: 4294967295 elements; less than 4293918720 are supported", [](Graph& g) {
        copy_ranges(g, imported(g), imported(g), {imported(g), imported(g), imported(g)}, {.max_elements = most});
    });
    expect_limit("merge: 4294967296 keys; less than 4293918720 are supported",
                 [](Graph& g) { merge(g, imported(g, half), imported(g, half)); });
    expect_limit("set union: 4294967296 keys; less than 4293918720 are supported",
                 [](Graph& g) { set_union(g, imported(g, half), imported(g, half)); });
    expect_limit("shuffle: 2147483649 elements; at most 2147483648 are supported",
                 [](Graph& g) { shuffle(g, imported(g, half + 1), 0); });
    expect_limit("kth element: 4294967295 keys; less than 4293918720 are supported",
                 [](Graph& g) { kth_element(g, imported(g, most), 0); });
    expect_limit("merge sort: 2147483648 keys; at most 1073741824 can be sorted",
                 [](Graph& g) { merge_sort(g, imported(g, half), "a < b"); });
    expect_limit(
        "histogram: 1073741824 elements; less than 1073741824 are supported",
        [](Graph& g) { histogram(g, imported(g, 1U << 30), Bins::bytes()); }, device_with_large_bindings());
    expect_limit("scan of columns: 2147483649 rows; at most 2147483648",
                 [](Graph& g) { scan_columns(g, imported(g, most), {.rows = half + 1, .columns = 1}); });
    expect_limit(
        "radix sort: 1073741823 keys in tiles of 64 need more than 2^31 words of digit counters; use larger tiles",
        [](Graph& g) {
            radix_sort(g, imported(g, half / 2 - 1), {.tuning = {.workgroup = 64, .keys_per_invocation = 1}});
        },
        device_with_large_bindings());
}

TEST(PrimitiveErrors, TooManyTiles) {
    constexpr std::uint32_t tiles = 262140;
    const auto select = [](std::uint32_t count) {
        return [count](Graph& g) {
            select_if(g, imported(g, count), Predicate::compare(Comparison::less, 5U),
                      {.tuning = {.workgroup = 64, .rows = 1}});
        };
    };
    expect_limit("select: 16776961 elements are 262141 tiles of 64; at most 262140 can be chained",
                 select(tiles * 64 + 1));
    expect_accepted(select(tiles * 64));
    // An invocation holds at most 64 words of large elements.
    expect_limit(
        "select: 300000000 elements are 292969 tiles of 1024; at most 262140 can be chained",
        [](Graph& g) {
            select_if(g, imported<std::array<std::uint32_t, 4>>(g, 300'000'000), Predicate{.expression = "x.x > 5"},
                      {.tuning = {.workgroup = 64}});
        },
        device_with_large_bindings());
    // Keys of two words have tiles of 1280.
    expect_limit("set union: 335539201 keys are 262141 tiles of 1280; at most 262140 can be chained", [](Graph& g) {
        set_union(g, imported<std::uint64_t>(g, tiles * 1280), imported<std::uint64_t>(g, 1));
    });
}

TEST(PrimitiveErrors, TooManyWords) {
    expect_limit(
        "fill: the output has 300000000 elements of 16 words; less than 2^32 words are addressable",
        [](Graph& g) { fill(g, imported<Wide>(g, 300'000'000), Wide{}); }, device_with_large_bindings());
    expect_limit("scan: the input ends at word 4500000008; 2^32 words are addressable",
                 [](Graph& g) { scan(g, imported(g, 4), {.input_layout = {.offset = 7, .stride = 1'500'000'000}}); });
    expect_accepted([](Graph& g) { fill(g, imported<Wide>(g, (1U << 28) - 1), Wide{}); });
}

// Tiles of large elements are small. They grow if there would be too many of them.
TEST(PrimitiveErrors, ManyLargeElementsAreAccepted) {
    for (const std::uint32_t count : {1000U, 200'000'000U}) {
        expect_accepted(
            [count](Graph& g) {
                select_flagged(g, imported<Wide>(g, count), imported(g, count));
                scan(g, imported<std::array<std::uint32_t, 4>>(g, 5 * count), {.op = Operator::max});
            },
            device_with_large_bindings());
    }
}

TEST(HistogramErrors, EvenBinsOfFloats_ImpossibleRange_NamesTheReason) {
    const auto even = [](std::uint32_t count, float lower, float upper) {
        return [=](Graph& g) { histogram(g, imported<float>(g), Bins::even(count, lower, upper)); };
    };
    constexpr float infinity = std::numeric_limits<float>::infinity();
    expect_invalid("histogram: even bins of [3.5, -1e+30): the range is empty", even(4, 3.5F, -1e30F));
    expect_invalid("histogram: even bins of [1, inf): the bounds must be finite", even(4, 1, infinity));
    expect_invalid("histogram: even bins of [nan, 1): the bounds must be finite",
                   even(4, std::numeric_limits<float>::quiet_NaN(), 1));
    expect_invalid("histogram: 1000 even bins of [0, 1e-37) are narrower than "
                   "1.1754944e-38, the minimum normal float",
                   even(1000, 0, 1e-37F));
    expect_invalid("histogram: even bins of [5, -6): the range is empty",
                   [](Graph& g) { histogram(g, imported<std::int32_t>(g), Bins::even(4, 5, -6)); });
    expect_invalid("histogram: even bins must have the type of the elements",
                   [](Graph& g) { histogram(g, imported<std::int32_t>(g), Bins::even(4, 5.0F, 6.0F)); });
    for (const float upper : {3e38F, 1e-37F}) {
        expect_accepted(even(4, -upper, upper));
    }
}

TEST(SegmentErrors, BetweenOffsets_NoOffsetForTheEnd_IsRefused) {
    const auto between = [](Graph& g) { return Segments::between_offsets(imported(g, 9), 9); };
    expect_invalid("scan: the buffer of the segments' offsets has a capacity of 9 elements; 10 are required",
                   [&](Graph& g) { scan(g, imported(g), {.segments = between(g)}); });
    expect_invalid("segmented sort: the buffer of the segments' offsets has a capacity of 9 elements; 10 are required",
                   [&](Graph& g) { segmented_sort(g, imported(g), between(g)); });
    expect_invalid("segmented top k: the buffer of the segments' offsets has a capacity of 9 elements; 10 are required",
                   [&](Graph& g) { segmented_top_k(g, imported(g), between(g), 2); });
    Segments rows = Segments::of_length(3);
    rows.end_given = true;
    expect_invalid("scan: end_given is set, but the segments are not at offsets",
                   [&](Graph& g) { scan(g, imported(g), {.segments = rows}); });
}

TEST(PrimitiveErrors, OverlappingLayouts) {
    using Pair = std::array<std::uint32_t, 2>;
    const WordLayout narrow{.stride = 1};
    expect_invalid("select: elements have 2 words, which exceeds their stride",
                   [&](Graph& g) { select_flagged(g, imported<Pair>(g), imported(g), {.output_layout = narrow}); });
    expect_invalid("run-length decode: elements have 2 words, which exceeds their stride", [&](Graph& g) {
        run_length_decode(g, imported<Pair>(g), imported(g), {.capacity = 10, .output_layout = narrow});
    });
    expect_invalid("scan: input and output are the same buffer but have different layouts", [](Graph& g) {
        const Ref items = imported(g, 1000);
        scan(g, items.with_count(10), {.output = items, .output_layout = {.offset = 1}});
    });
}

TEST(PrimitiveErrors, BufferUsedTwice) {
    expect_invalid("scan: the other output is also the input", [](Graph& g) {
        const Ref items = imported(g);
        scan(g, items, {.output_other = items});
    });
    expect_invalid("scan: the other output is also the output", [](Graph& g) {
        const Ref output = imported(g);
        scan(g, imported(g), {.output = output, .output_other = output});
    });
    const char* const names[] = {"input", "output", "other output"};
    for (int which = 0; which < 3; ++which) {
        SCOPED_TRACE(which);
        expect_invalid(std::string("scan: the total is in the buffer of the ") + names[which], [which](Graph& g) {
            const Ref buffers[] = {imported(g), imported(g), imported(g)};
            scan(g, buffers[0], {.output = buffers[1], .output_other = buffers[2], .output_total = buffers[which]});
        });
    }
    const auto seeing = [](auto what, Ref seen) {
        what.buffers = {{"uint seen[]", read(seen)}};
        return what;
    };
    const char* const apart = "an output is also an input or a count";
    expect_invalid(std::string("histogram: ") + apart, [&](Graph& g) {
        const Ref counts = imported(g);
        histogram(g, imported(g), Bins::by(9, seeing(Expression{.text = "seen[x]"}, counts)), {.output = counts});
    });
    expect_invalid(std::string("partition point: ") + apart, [&](Graph& g) {
        const Ref output = imported(g);
        partition_point(g, imported(g), seeing(Predicate{.expression = "seen[i] < 5"}, output), {.output = output});
    });
    Graph graph(small_device());
    const Ref seen = imported(graph);
    histogram(graph, imported(graph), Bins::by(9, seeing(Expression{.text = "seen[x]"}, seen)));
    ASSERT_FALSE(graph.error()) << graph.error()->message;
    const auto& bindings = graph.description().passes.back().compute_pass()->bindings;
    EXPECT_EQ(bindings.back().resource, ResourceId(seen.id));
}

TEST(PrimitiveErrors, InvalidInputBuffers) {
    expect_invalid("expand: the input is null", [](Graph& g) { expand_offsets(g, Ref{}, 9); });
    Graph other(small_device());
    const Ref foreign = imported(other);
    expect_invalid("expand: the input is of another graph", [&](Graph& g) { expand_offsets(g, foreign, 9); });
}

TEST(PrimitiveErrors, InvalidSegmentsAndTotals) {
    expect_invalid("scan: keys of 17 words; 1 to 16 are supported", [](Graph& g) {
        Segments segments = Segments::of_keys(imported(g));
        segments.key_words = 17;
        scan(g, imported(g), {.segments = segments});
    });
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
            of_graph.buffers = {{"vec2 y[]", write(imported(g))}};
            if (scan.output_total.capacity != 0) {
                of_graph.output_total = imported(g, scan.output_total.capacity);
            }
            fused_scan(g, of_graph);
        };
    };
    sum.output_total.capacity = 1;
    expect_invalid("scan: the total has a capacity of 1 words; 2 are required", adding(sum));
    sum.output_total.capacity = 2;
    expect_accepted(adding(sum));
    sum.segments = Segments::of_length(10);
    expect_invalid("scan: a total is not supported for a scan of segments", adding(sum));
    sum.segments.length = 0;
    expect_invalid("scan: the length of segments must be at least 1", adding(sum));
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
        return std::vector<std::string>{
            message([&](Graph& g) { scan(g, imported(g), {.op = op}); }),
            message([&](Graph& g) { scan_columns(g, imported(g), {.rows = 10, .columns = 10}, {.op = op}); }),
            message([&](Graph& g) { reduce(g, imported(g), {.op = op}); }),
            message([&](Graph& g) { reduce_by_key(g, imported(g), imported(g), {.op = op}); })};
    };
    EXPECT_THAT(one_word(unknown), testing::Each(StartsWith("monoid 'thing': ")));
    EXPECT_THAT(one_word(pair), testing::Each(HasSubstr("the struct of monoid 'bicyclic' has 2")));
    EXPECT_THAT(message([&](Graph& g) { scan(g, imported<Bicyclic>(g), {.op = Operator::add}); }),
                StartsWith("scan: the operator 'add' is not supported for custom structs"));
    const auto doubles = [](const char* primitive, const Add& add) {
        expect_unsupported(std::string(primitive) + ": the operator 'add' is not supported for doubles: the device has "
                                                    "no 64-bit floats",
                           add);
    };
    doubles("scan", [](Graph& g) { scan(g, imported<double>(g)); });
    doubles("scan of columns", [](Graph& g) { scan_columns(g, imported<double>(g), {.rows = 10, .columns = 10}); });
    // max compares doubles as integers, without float64.
    expect_accepted([](Graph& g) { scan(g, imported<double>(g), {.op = Operator::max}); });
}

TEST(PrimitiveErrors, UnsupportedTileStates) {
    const Add with_packed_states = [](Graph& g) {
        const auto scope = weir::testing::instrument(g, {.tile_states = TileStates::packed});
        scan(g, imported(g));
    };
    expect_unsupported("scan: packed tile states are not supported: the device has no 64-bit atomics",
                       with_packed_states);
    Capabilities device = small_device();
    device.int64 = device.int64_atomics = true;
    expect_accepted(with_packed_states, device);
}

TEST(PrimitiveErrors, UnsupportedSubgroupSizes) {
    Capabilities device = small_device();
    device.subgroup_size = 32;
    device.subgroup_size_min = 8;
    device.subgroup_size_max = 64;
    device.subgroup_size_selectable = true;
    const auto with_size = [](std::uint32_t size) {
        return [size](Graph& g) { scan(g, imported(g), {.tuning = {.subgroup_size = size}}); };
    };
    const auto refused = [](std::uint32_t size) {
        return "scan: subgroup size " + std::to_string(size) + " is not supported: the device cannot require it";
    };
    for (const std::uint32_t size : {4U, 24U, 128U}) {
        expect_unsupported(refused(size), with_size(size), device);
    }
    const auto required = [&](std::uint32_t size) {
        Graph graph(device);
        with_size(size)(graph);
        EXPECT_FALSE(graph.error()) << size;
        return graph.description().passes.back().compute_pass()->subgroup_size;
    };
    EXPECT_EQ(required(8), 8U);
    EXPECT_EQ(required(64), 64U);
    EXPECT_EQ(required(0), 32U);
    device.subgroup_size_selectable = false;
    expect_unsupported(refused(32), with_size(32), device);
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
    expect_too_large("scan", [&](Graph& g) { scan(g, imported<Wide>(g), {.op = wide, .tuning = {.workgroup = 256}}); });
    expect_too_large("reduce",
                     [&](Graph& g) { reduce(g, imported<Wide>(g), {.op = wide, .tuning = {.workgroup = 256}}); });
    expect_too_large("scan of columns", [&](Graph& g) {
        scan_columns(g, imported<Wide>(g), {.rows = 10, .columns = 10}, {.op = wide, .tuning = {.workgroup = 256}});
    });
    expect_too_large(
        "expand", [](Graph& g) { expand(g, imported(g), {.capacity = 10, .tuning = {.workgroup = 256, .rows = 32}}); });
    device.max_workgroup_invocations = 2048;
    expect_error(
        ErrorCode::invalid_argument, "merge sort: tiles of 131072 keys; at most 65536 are supported",
        [](Graph& g) {
            merge_sort(g, imported(g), "a < b", {.tuning = {.workgroup = 2048, .keys_per_invocation = 64}});
        },
        device);
}

/// A primitive and two numbers of its tuning.
struct Tuned {
    const char* name;
    void (*add)(Graph& graph, Ref in, std::uint32_t workgroup, std::uint32_t items);
    bool is_bound = false; ///< one of the numbers is only an upper bound of the chosen one
};

const Tuned tuned[] = {
    {"scan", [](Graph& g, Ref in, auto w, auto n) { scan(g, in, {.tuning = {.workgroup = w, .chunks = n}}); }},
    {"scan_columns",
     [](Graph& g, Ref in, auto w, auto n) {
         scan_columns(g, in, {.rows = 10, .columns = 10}, {.tuning = {.workgroup = w, .rows = n}});
     }},
    {"scan_columns of one",
     [](Graph& g, Ref in, auto w, auto n) {
         scan_columns(g, in, {.rows = 10, .columns = 10}, {.tuning = {.workgroup = w, .width = 1, .rows = n}});
     }},
    {"width of scan_columns",
     [](Graph& g, Ref in, auto w, auto n) {
         scan_columns(g, in, {.rows = 10, .columns = 10}, {.tuning = {.width = w, .rows = n}});
     }},
    {"reduce", [](Graph& g, Ref in, auto w, auto n) { reduce(g, in, {.tuning = {.workgroup = w, .chunks = n}}); }},
    {"workgroups of reduce",
     [](Graph& g, Ref in, auto w, auto n) { reduce(g, in, {.tuning = {.chunks = n, .workgroups = w}}); }, true},
    {"min_element",
     [](Graph& g, Ref in, auto w, auto n) { min_element(g, in, {.tuning = {.workgroup = w, .chunks = n}}); }},
    {"reduce_by_key", [](Graph& g, Ref in, auto w,
                         auto n) { reduce_by_key(g, in, imported(g), {.tuning = {.workgroup = w, .chunks = n}}); }},
    {"select_flagged", [](Graph& g, Ref in, auto w,
                          auto n) { select_flagged(g, in, imported(g), {.tuning = {.workgroup = w, .rows = n}}); }},
    {"run_length_encode",
     [](Graph& g, Ref in, auto w, auto n) { run_length_encode(g, in, {.tuning = {.workgroup = w, .rows = n}}); }},
    {"expand",
     [](Graph& g, Ref in, auto w, auto n) { expand(g, in, {.capacity = 10, .tuning = {.workgroup = w, .rows = n}}); }},
    {"histogram", [](Graph& g, Ref in, auto w,
                     auto n) { histogram(g, in, Bins::digit(0), {.tuning = {.workgroup = w, .group_items = n}}); }},
    {"copies of histogram",
     [](Graph& g, Ref in, auto w, auto n) {
         histogram(g, in, Bins::digit(0), {.tuning = {.workgroup = w, .copies = n}});
     },
     true},
    {"radix_sort",
     [](Graph& g, Ref in, auto w, auto n) {
         radix_sort(g, in, {.tuning = {.workgroup = w, .keys_per_invocation = n, .single_workgroup_keys = 1}});
     }},
    {"radix_sort by one workgroup",
     [](Graph& g, Ref in, auto w, auto n) {
         radix_sort(g, in, {.tuning = {.workgroup = w, .single_workgroup_keys = n}});
     },
     true},
    {"segmented_sort",
     [](Graph& g, Ref in, auto w, auto n) {
         segmented_sort(g, in, Segments::of_length(7), {.tuning = {.workgroup = w, .keys_per_invocation = n}});
     }},
    {"segments of segmented_sort",
     [](Graph& g, Ref in, auto w, auto n) {
         segmented_sort(g, in, Segments::of_length(7), {.tuning = {.workgroup = w, .segments = n}});
     }},
    {"segmented_top_k",
     [](Graph& g, Ref in, auto w, auto n) {
         segmented_top_k(g, in, Segments::of_length(7), 3, {.tuning = {.workgroup = w, .parts = n}});
     }},
    {"merge_sort", [](Graph& g, Ref in, auto w,
                      auto n) { merge_sort(g, in, "a < b", {.tuning = {.workgroup = w, .keys_per_invocation = n}}); }},
    {"kth_element",
     [](Graph& g, Ref in, auto w, auto n) { kth_element(g, in, 3, {.tuning = {.workgroup = w, .group_keys = n}}); }},
};

TEST(PrimitiveErrors, UnsupportedItemsAndRounds) {
    for (const std::uint32_t items : {6U, (1U << 18) + 4}) {
        expect_invalid("histogram: " + std::to_string(items) + " elements per workgroup", [items](Graph& g) {
            histogram(g, imported(g), Bins::digit(0), {.tuning = {.group_items = items}});
        });
    }
    expect_invalid("radix sort: 65 exchange rounds; at most 64 are supported",
                   [](Graph& g) { radix_sort(g, imported(g, 1U << 20), {.tuning = {.rounds = 65}}); });
    expect_accepted([](Graph& g) {
        histogram(g, imported(g), Bins::digit(0), {.tuning = {.group_items = 1U << 18}});
        radix_sort(g, imported(g, 1U << 20), {.tuning = {.rounds = 64}});
    });
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
                    primitive.add(graph, imported(graph), power(workgroup), power(items));
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

// Counts that can exceed the capacity of their buffer. Every primitive rejects them.

#include <string_view>
#include <utility>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/small_device.hpp"

namespace weir::tests::room_test {
namespace {

constexpr std::uint32_t capacity = 100;

/// Returns a graph for a device with the minimum limits that Weir supports, and with doubles.
Graph empty_graph() {
    Capabilities device = small_device();
    device.float64 = true;
    return Graph(device);
}

/// Returns counts of all kinds with the maximum `most`.
std::vector<Count> counts_up_to(Graph& graph, std::uint32_t most) {
    return {Count(most), graph.parameter("n", most),
            graph.count_in(graph.import_buffer<std::uint32_t>("count", 4), 1, most)};
}

using Ref = BufferRef<std::uint32_t>;

/// A primitive on the elements of `counted`, the buffer under test. Other inputs are large enough.
struct Primitive {
    const char* name;
    std::function<void(Graph& graph, Ref counted)> add;
};

template <class K>
BufferRef<K> counted_like(Graph& graph, Ref counted) {
    return graph.import_buffer<K>("keys", capacity).with_count(counted.count);
}

Ref large(Graph& graph, std::uint32_t count = 10) {
    return graph.import_buffer<std::uint32_t>("large", 10'000).with_count(count);
}

template <class K>
Primitive sort_of(const char* name) {
    return {name, [](Graph& graph, Ref counted) { radix_sort(graph, counted_like<K>(graph, counted)); }};
}

std::vector<Primitive> sorts() {
    return {
        sort_of<std::uint8_t>("radix_sort of u8"),
        sort_of<std::uint16_t>("radix_sort of u16"),
        sort_of<std::uint32_t>("radix_sort of u32"),
        sort_of<std::int64_t>("radix_sort of i64"),
        sort_of<double>("radix_sort of f64"),
        {"radix_sort of pairs", [](Graph& g, Ref in) { radix_sort(g, in, {.values = large(g)}); }},
        {"radix_sort in place", [](Graph& g, Ref in) { radix_sort(g, in, {.output_keys = in}); }},
        {"radix_sort of no bits", [](Graph& g, Ref in) { radix_sort(g, in, {.first_bit = 8, .end_bit = 8}); }},
        {"argsort", [](Graph& g, Ref in) { argsort(g, in); }},
        {"argsort of halfs", [](Graph& g, Ref in) { argsort(g, counted_like<Half>(g, in)); }},
        {"segmented_sort", [](Graph& g, Ref in) { segmented_sort(g, in, Segments::of_length(7)); }},
        {"segmented_sort at offsets", [](Graph& g, Ref in) { segmented_sort(g, in, Segments::at_offsets(large(g))); }},
        {"offsets of a segmented_sort",
         [](Graph& g, Ref in) { segmented_sort(g, large(g), Segments::at_offsets(in)); }},
        {"segmented_argsort", [](Graph& g, Ref in) { segmented_argsort(g, in, Segments::of_length(7)); }},
        {"top_k", [](Graph& g, Ref in) { top_k(g, in, 3); }},
        {"kth_element", [](Graph& g, Ref in) { kth_element(g, in, 3); }},
    };
}

std::vector<Primitive> scans() {
    return {
        {"scan", [](Graph& g, Ref in) { scan(g, in); }},
        {"scan by keys", [](Graph& g, Ref in) { scan(g, large(g), {.segments = Segments::at_offsets(in)}); }},
        {"reduce", [](Graph& g, Ref in) { reduce(g, in); }},
        {"reduce_by_segment", [](Graph& g, Ref in) { reduce_by_segment(g, in, Segments::of_length(7)); }},
        {"offsets of a reduce_by_segment",
         [](Graph& g, Ref in) { reduce_by_segment(g, large(g), Segments::at_offsets(in)); }},
        {"reduce_by_key", [](Graph& g, Ref in) { reduce_by_key(g, in, large(g)); }},
        {"values of a reduce_by_key", [](Graph& g, Ref in) { reduce_by_key(g, large(g).with_count(in.count), in); }},
        {"select_if", [](Graph& g, Ref in) { select_if(g, in, Predicate::compare(Comparison::less, 5U)); }},
        {"select_flagged", [](Graph& g, Ref in) { select_flagged(g, in, large(g)); }},
        {"flags of a select_flagged", [](Graph& g, Ref in) { select_flagged(g, large(g).with_count(in.count), in); }},
        {"select_by_bits", [](Graph& g, Ref in) { select_by_bits(g, in, large(g)); }},
        {"partition", [](Graph& g, Ref in) { partition(g, in, {Predicate::compare(Comparison::less, 5U)}); }},
        {"unique", [](Graph& g, Ref in) { unique(g, in); }},
        {"unique_by_key", [](Graph& g, Ref in) { unique_by_key(g, in, large(g)); }},
        {"values of a unique_by_key", [](Graph& g, Ref in) { unique_by_key(g, large(g).with_count(in.count), in); }},
        {"run_length_encode", [](Graph& g, Ref in) { run_length_encode(g, in); }},
        {"run_length_decode", [](Graph& g, Ref in) { run_length_decode(g, large(g), in, {.capacity = 9}); }},
        {"values of a run_length_decode",
         [](Graph& g, Ref in) { run_length_decode(g, in, large(g).with_count(in.count), {.capacity = 9}); }},
        {"expand", [](Graph& g, Ref in) { expand(g, in, {.capacity = 9}); }},
        {"expand_offsets", [](Graph& g, Ref in) { expand_offsets(g, in, 9); }},
    };
}

std::vector<Primitive> elementwise() {
    return {
        {"transform", [](Graph& g, Ref in) { transform<std::uint32_t>(g, in, "x + 1"); }},
        {"histogram", [](Graph& g, Ref in) { histogram(g, in, Bins::digit(0)); }},
        {"histogram of bytes", [](Graph& g, Ref in) { histogram(g, in, Bins::bytes()); }},
        {"min_element", [](Graph& g, Ref in) { min_element(g, in); }},
        {"lower_bound", [](Graph& g, Ref in) { lower_bound(g, in, large(g)); }},
        {"keys of an upper_bound", [](Graph& g, Ref in) { upper_bound(g, large(g), in); }},
        {"merge", [](Graph& g, Ref in) { merge(g, in, large(g)); }},
        {"second of a merge", [](Graph& g, Ref in) { merge(g, large(g), in); }},
        {"merge_by_key", [](Graph& g, Ref in) { merge_by_key(g, in, large(g), large(g), large(g)); }},
        {"indices of a gather", [](Graph& g, Ref in) { gather(g, large(g), in); }},
        {"gather", [](Graph& g, Ref in) { gather(g, in, large(g)); }},
        {"scatter", [](Graph& g, Ref in) { scatter(g, in, large(g), large(g)); }},
        {"fill", [](Graph& g, Ref in) { fill(g, in, 1U); }},
        {"iota", [](Graph& g, Ref in) { iota(g, in); }},
        {"adjacent_difference", [](Graph& g, Ref in) { adjacent_difference(g, in); }},
    };
}

/// Returns the error of a primitive on a buffer of `capacity` elements, for each kind of count with the maximum `most`.
/// The error is empty on success.
std::vector<std::string> errors_of(const Primitive& primitive, std::uint32_t most) {
    std::vector<std::string> errors;
    for (std::size_t kind = 0; kind < 3; ++kind) {
        Graph graph = empty_graph();
        const Count count = counts_up_to(graph, most)[kind];
        primitive.add(graph, graph.import_buffer<std::uint32_t>("counted", capacity).with_count(count));
        errors.push_back(graph.error() ? graph.error()->message : "");
    }
    return errors;
}

TEST(Capacity, PrimitivesRejectLargerCounts) {
    for (const auto& primitives : {sorts(), scans(), elementwise()}) {
        for (const Primitive& primitive : primitives) {
            SCOPED_TRACE(primitive.name);
            EXPECT_THAT(errors_of(primitive, capacity), testing::Each("")) << "count equal to the capacity";
            EXPECT_THAT(errors_of(primitive, capacity + 1), testing::Each(HasSubstr("has a capacity of 100 ")))
                << "count one too large";
            EXPECT_THAT(errors_of(primitive, 4000), testing::Each(HasSubstr("has a capacity of 100 ")))
                << "count far too large";
        }
    }
}

// The primitives create their outputs.
TEST(Capacity, PrimitivesAcceptZeroElements) {
    for (const auto& primitives : {sorts(), scans(), elementwise()}) {
        for (const Primitive& primitive : primitives) {
            SCOPED_TRACE(primitive.name);
            const bool asks_for_one = std::string_view(primitive.name) == "kth_element";
            const std::string error = errors_of(primitive, 0).front();
            EXPECT_EQ(error.find("of at most 0 keys") != std::string::npos, asks_for_one) << error;
            EXPECT_EQ(error.empty(), !asks_for_one) << error;
        }
    }
}

TEST(Capacity, ErrorsNameTheBuffer) {
    Graph graph = empty_graph();
    radix_sort(graph, imported<std::uint16_t>(graph).with_count(4000));
    ASSERT_TRUE(graph.error());
    EXPECT_THAT(graph.error()->message,
                HasSubstr("radix sort: the keys' buffer has a capacity of 100 elements; 4000 are required"));
}

} // namespace
} // namespace weir::tests::room_test

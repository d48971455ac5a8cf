// Mistakes with a BufferRef that are detected: wrong element type, buffer of another graph, too small a buffer.

#include "tests/graph/graphs.hpp"
#include "tests/primitives/harness.hpp"
#include "tests/primitives/instrument.hpp"
#include "tests/primitives/small_device.hpp"

namespace weir::tests::references_test {
namespace {

using Doubles = BufferRef<double>;

template <class Options, class Ref>
concept has_such_output = requires(Ref ref) {
    Options{.output = ref};
};
template <class Ref>
concept has_such_values = requires(Ref ref) {
    RadixSortOptions<std::uint32_t>{.values = ref};
};
template <class Ref, class... Parts>
concept is_made_of = requires(Parts... parts) {
    Ref{parts...};
};

TEST(References, ElementTypesMustMatch) {
    EXPECT_TRUE((has_such_output<ScanOptions<std::uint32_t>, WordRef>));
    EXPECT_FALSE((has_such_output<ScanOptions<std::uint32_t>, Doubles>));
    EXPECT_FALSE((has_such_output<ScanOptions<std::uint32_t>, BufferId>));
    EXPECT_FALSE((has_such_output<ReduceOptions<double>, WordRef>));
    EXPECT_TRUE(has_such_values<WordRef>);
    EXPECT_FALSE(has_such_values<Doubles>);
    EXPECT_FALSE((is_made_of<WordRef, Doubles>));
    EXPECT_FALSE((is_made_of<WordRef, BufferId, std::uint32_t, Count>));
    EXPECT_FALSE((is_made_of<History<std::uint32_t>, Doubles, Doubles>));
    EXPECT_TRUE((std::is_convertible_v<Doubles, BufferId>));
    EXPECT_FALSE((std::is_convertible_v<Doubles, WordRef>));
}

TEST(References, ViewAsKeepsCapacityCountAndBuffer) {
    SomeGraph graph;
    const WordRef bits = graph.import_buffer<float>("floats", 10, 7).as<std::uint32_t>();
    EXPECT_EQ(bits.capacity, 10U);
    EXPECT_EQ(bits.count, Count(7));
    EXPECT_EQ(graph.description().resources[bits.id.index].name, "floats");
}

TEST(References, CountMustNotExceedCapacity) {
    for (const bool is_import : {true, false}) {
        SomeGraph graph;
        const Count count = graph.parameter("n", 101);
        if (is_import) {
            graph.import_buffer<float>("x", 100, count);
        } else {
            graph.transient_buffer<float>("x", 100, count);
        }
        EXPECT_EQ(graph.mistake(), "buffer 'x' has a capacity of 100 elements; its count can be up to 101");
    }
    SomeGraph graph;
    graph.import_buffer<float>("x", 100, graph.parameter("n", 100));
    EXPECT_FALSE(graph.error());
}

/// A primitive with the buffer under test as one of its arguments.
struct Place {
    const char* name = "";
    std::function<void(Graph&, WordRef numbers, WordRef other)> add = {};
    std::uint32_t least = 100; ///< minimum capacity of the buffer; 0: no minimum
};

/// Returns all kinds of places in primitives on 100 numbers.
std::vector<Place> places() {
    const auto length = Segments::of_length(10);
    const auto some = Predicate::compare(Comparison::less, 7U);
    return {
        {"scan", [](auto& g, auto in, auto it) { scan(g, in, {.output = it}); }},
        {"scan's input", [](auto& g, auto, auto it) { scan(g, it); }, 0},
        {"both scans", [](auto& g, auto in, auto it) { scan(g, in, {.output_other = it}); }},
        {"total", [](auto& g, auto in, auto it) { scan(g, in, {.output_total = it}); }, 1},
        {"counters",
         [](auto& g, auto in, auto it) {
             const auto scope = weir::testing::instrument(g, {.counters = it});
             scan(g, in);
         },
         4},
        {"flags", [](auto& g, auto in, auto it) { scan(g, in, {.segments = Segments::at_flags(it)}); }},
        {"bits", [](auto& g, auto in, auto it) { scan(g, in, {.segments = Segments::at_bits(it)}); }, 4},
        {"segments", [=](auto& g, auto in, auto it) { reduce_by_segment(g, in, length, {.output = it}); }, 10},
        {"reduce", [](auto& g, auto in, auto it) { reduce(g, in, {.output = it}); }, 1},
        {"extremum", [](auto& g, auto in, auto it) { min_element(g, in, {.output_value = it}); }, 1},
        {"position", [](auto& g, auto in, auto it) { max_element(g, in, {.output_position = it}); }, 1},
        {"by key", [](auto& g, auto in, auto it) { reduce_by_key(g, in, it, {}); }},
        {"by key, keys", [](auto& g, auto in, auto it) { reduce_by_key(g, in, in, {.output_keys = it}); }, 0},
        {"by key, count", [](auto& g, auto in, auto it) { reduce_by_key(g, in, in, {.output_count = it}); }, 1},
        {"select", [=](auto& g, auto in, auto it) { select_if(g, in, some, {.output = it}); }, 0},
        {"select, count", [=](auto& g, auto in, auto it) { select_if(g, in, some, {.output_count = it}); }, 1},
        {"flagged", [](auto& g, auto in, auto it) { select_flagged(g, in, it); }},
        {"partition", [=](auto& g, auto in, auto it) { partition(g, in, {some}, {.output_counts = it}); }, 2},
        {"unique", [](auto& g, auto in, auto it) { unique_by_key(g, in, it); }},
        {"runs", [](auto& g, auto in, auto it) { run_length_encode(g, in, {.output_lengths = it}); }, 0},
        {"decode", [](auto& g, auto in, auto it) { run_length_decode(g, it, in, {.capacity = 50}); }},
        {"expand", [](auto& g, auto in, auto it) { expand(g, in, {.capacity = 9, .output_offsets = it}); }},
        {"slots", [](auto& g, auto in, auto it) { expand_offsets(g, in, 70, {.output_sources = it}); }, 70},
        {"histogram", [](auto& g, auto in, auto it) { histogram(g, in, Bins::digit(0, 4), {.output = it}); }, 16},
        {"merge", [](auto& g, auto in, auto it) { merge(g, in, in, {.output_keys = it}); }, 200},
        {"set", [](auto& g, auto in, auto it) { set_union(g, in, in, {.output_keys = it}); }, 200},
        {"set, count", [](auto& g, auto in, auto it) { set_difference(g, in, in, {.output_count = it}); }, 1},
        {"search", [](auto& g, auto in, auto it) { lower_bound(g, in, in, {.output = it}); }},
        {"gather", [](auto& g, auto in, auto it) { gather(g, in, in, {.output = it}); }},
        {"scatter", [](auto& g, auto in, auto it) { scatter(g, in, in, it); }, 0},
        {"transform", [](auto& g, auto in, auto it) { transform<std::uint32_t>(g, in, "x", {.output = it}); }},
        {"differences", [](auto& g, auto in, auto it) { adjacent_difference(g, in, {.output = it}); }},
        {"sort", [](auto& g, auto in, auto it) { radix_sort(g, in, {.output_keys = it}); }},
        {"values", [](auto& g, auto in, auto it) { radix_sort(g, in, {.values = it}); }},
        {"argsort", [](auto& g, auto in, auto it) { argsort(g, in, {.output_values = it}); }},
        {"segmented sort", [=](auto& g, auto in, auto it) { segmented_sort(g, in, length, {.output_keys = it}); }},
        {"segmented top", [=](auto& g, auto in, auto it) { segmented_top_k(g, in, length, 3, {.output_keys = it}); },
         30},
        {"segmented top, indices",
         [=](auto& g, auto in, auto it) { segmented_top_k(g, in, length, 3, {.output_indices = it}); }, 30},
        {"kth", [](auto& g, auto in, auto it) { kth_element(g, in, 5, {.output = it}); }, 1},
        {"top", [](auto& g, auto in, auto it) { top_k(g, in, 10, {.output_keys = it}); }, 10},
        {"merge sort", [](auto& g, auto in, auto it) { merge_sort(g, in, "a < b", {.output_keys = it}); }},
        {"merge sort, values", [](auto& g, auto in, auto it) { merge_sort(g, in, it, "a < b"); }},
        {"fill", [](auto& g, auto, auto it) { fill(g, it, 7U); }, 0},
    };
}

TEST(References, PrimitivesRejectTooSmallBuffers) {
    for (const Place& place : places()) {
        for (const std::uint32_t missing : {0U, 1U}) {
            SCOPED_TRACE(testing::Message() << place.name << ", " << missing << " missing");
            SomeGraph graph(small_device());
            const WordRef numbers = graph.import_buffer<std::uint32_t>("numbers", 100);
            WordRef it = graph.import_buffer<std::uint32_t>("it", place.least == 0 ? 200 : place.least);
            it.capacity -= missing; // a minimum of one element becomes 0
            if (missing == 0 || place.least != 0) {
                place.add(graph, numbers, it);
                EXPECT_EQ(graph.error().has_value(), missing != 0) << (graph.error() ? graph.error()->message : "");
            }
        }
    }
}

TEST(References, PrimitivesRejectBuffersOfAnotherGraph) {
    for (const Place& place : places()) {
        SCOPED_TRACE(place.name);
        SomeGraph another(small_device());
        for (const char* name : {"has the index of a buffer of the graph", "has one that the graph does not have"}) {
            SomeGraph graph(small_device());
            const WordRef numbers = graph.import_buffer<std::uint32_t>("numbers", 100);
            place.add(graph, numbers, another.import_buffer<std::uint32_t>(name, 200));
            ASSERT_TRUE(graph.error());
            EXPECT_THAT(graph.error()->message, HasSubstr("of another graph"));
        }
    }
}

TEST(References, GraphsRejectHandlesOfAnotherGraph) {
    SomeGraph another;
    const WordRef theirs = another.import("theirs");
    const ImageId picture = another.image("picture");
    const Count parameter = another.parameter("n", 5), counted = another.count_in(theirs, 0, 5);
    const Switch flag = another.add_switch("flag");
    const std::pair<const char*, std::function<void(SomeGraph&, WordRef)>> uses[] = {
        {"count", [&](auto& graph, auto) { graph.count_in(theirs, 0, 1); }},
        {"binding", [&](auto& graph, auto) { graph.add_pass(pass("pass", {read(theirs)})); }},
        {"image", [&](auto& graph, auto) { graph.add_pass(pass("pass", {sampled(picture)})); }},
        {"elements", [&](auto& graph, auto) { graph.add_pass(pass("pass", {}, Dispatch::elements(counted, 1))); }},
        {"parameter", [&](auto& graph, auto) { graph.add_pass(pass("pass", {}, Dispatch::elements(parameter, 1))); }},
        {"arguments", [&](auto& graph, auto) { graph.add_pass(pass("pass", {}, Dispatch::indirect(theirs))); }},
        {"use",
         [&](auto& graph, auto) {
             graph.add_command_pass(command_pass("pass", {{theirs, Access::any}}));
         }},
        {"fill", [&](auto& graph, auto) { graph.add_fill("fill", theirs, 0); }},
        {"copy", [&](auto& graph, auto ours) { graph.add_copy("copy", ours, theirs, 4); }},
        {"export", [&](auto& graph, auto) { graph.export_buffer(theirs); }},
        {"export of an image", [&](auto& graph, auto) { graph.export_image(picture, Access::any); }},
        {"queues", [&](auto& graph, auto) { graph.set_queues(theirs, {}); }},
        {"condition", [&](auto& graph, auto) { const auto scope = graph.only_if(counted); }},
        {"condition on a parameter", [&](auto& graph, auto) { const auto scope = graph.only_if(parameter); }},
        {"switch", [&](auto& graph, auto) { const auto scope = graph.only_if(flag); }},
        {"connection, inside",
         [&](auto& graph, auto ours) {
             SomeGraph inner;
             inner.import("import");
             graph.add_graph(inner, {{theirs, ours}}, "inner");
         }},
        {"connection, outside",
         [&](auto& graph, auto) {
             SomeGraph inner;
             graph.add_graph(inner, {{inner.import("import"), theirs}}, "inner");
         }},
    };
    for (const auto& [name, use] : uses) {
        SCOPED_TRACE(name);
        SomeGraph graph;
        use(graph, graph.import("ours"));
        ASSERT_TRUE(graph.error());
        EXPECT_THAT(graph.error()->message, HasSubstr("another graph"));
    }
}

} // namespace
} // namespace weir::tests::references_test

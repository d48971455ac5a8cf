// Mistakes with a BufferRef that are detected: wrong element type, buffer of another graph, too small a buffer.

#include <functional>
#include <type_traits>

#include "tests/graph/graphs.hpp"
#include "tests/primitives/harness.hpp"
#include "tests/primitives/instrument.hpp"

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

/// Returns a device with the minimum limits that Weir supports.
Capabilities small_device() {
    Capabilities device = some_device();
    device.subgroup_size = device.subgroup_size_min = device.subgroup_size_max = 4;
    device.max_workgroup_invocations = 256;
    device.max_workgroup_subgroups = 64;
    device.max_workgroup_memory = 16384;
    return device;
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
        {"scan", [](Graph& graph, WordRef in, WordRef it) { scan(graph, in, {.output = it}); }},
        {"scan's input", [](Graph& graph, WordRef, WordRef it) { scan(graph, it); }, 0},
        {"both scans", [](Graph& graph, WordRef in, WordRef it) { scan(graph, in, {.output_other = it}); }},
        {"total", [](Graph& graph, WordRef in, WordRef it) { scan(graph, in, {.output_total = it}); }, 1},
        {"counters",
         [](Graph& graph, WordRef in, WordRef it) {
             const auto scope = weir::testing::instrument(graph, {.counters = it});
             scan(graph, in);
         },
         4},
        {"flags", [](Graph& graph, WordRef in, WordRef it) { scan(graph, in, {.segments = Segments::at_flags(it)}); }},
        {"bits", [](Graph& graph, WordRef in, WordRef it) { scan(graph, in, {.segments = Segments::at_bits(it)}); }, 4},
        {"segments",
         [=](Graph& graph, WordRef in, WordRef it) { reduce_by_segment(graph, in, length, {.output = it}); }, 10},
        {"reduce", [](Graph& graph, WordRef in, WordRef it) { reduce(graph, in, {.output = it}); }, 1},
        {"extremum", [](Graph& graph, WordRef in, WordRef it) { min_element(graph, in, {.output_value = it}); }, 1},
        {"position", [](Graph& graph, WordRef in, WordRef it) { max_element(graph, in, {.output_position = it}); }, 1},
        {"by key", [](Graph& graph, WordRef in, WordRef it) { reduce_by_key(graph, in, it, {}); }},
        {"by key, keys",
         [](Graph& graph, WordRef in, WordRef it) { reduce_by_key(graph, in, in, {.output_keys = it}); }, 0},
        {"by key, count",
         [](Graph& graph, WordRef in, WordRef it) { reduce_by_key(graph, in, in, {.output_count = it}); }, 1},
        {"select", [=](Graph& graph, WordRef in, WordRef it) { select_if(graph, in, some, {.output = it}); }, 0},
        {"select, count",
         [=](Graph& graph, WordRef in, WordRef it) { select_if(graph, in, some, {.output_count = it}); }, 1},
        {"flagged", [](Graph& graph, WordRef in, WordRef it) { select_flagged(graph, in, it); }},
        {"partition",
         [=](Graph& graph, WordRef in, WordRef it) { partition(graph, in, {some}, {.output_counts = it}); }, 2},
        {"unique", [](Graph& graph, WordRef in, WordRef it) { unique_by_key(graph, in, it); }},
        {"runs", [](Graph& graph, WordRef in, WordRef it) { run_length_encode(graph, in, {.output_lengths = it}); }, 0},
        {"decode", [](Graph& graph, WordRef in, WordRef it) { run_length_decode(graph, it, in, {.capacity = 50}); }},
        {"expand",
         [](Graph& graph, WordRef in, WordRef it) { expand(graph, in, {.capacity = 9, .output_offsets = it}); }},
        {"slots", [](Graph& graph, WordRef in, WordRef it) { expand_offsets(graph, in, 70, {.output_sources = it}); },
         70},
        {"histogram",
         [](Graph& graph, WordRef in, WordRef it) { histogram(graph, in, Bins::digit(0, 4), {.output = it}); }, 16},
        {"merge", [](Graph& graph, WordRef in, WordRef it) { merge(graph, in, in, {.output_keys = it}); }, 200},
        {"set", [](Graph& graph, WordRef in, WordRef it) { set_union(graph, in, in, {.output_keys = it}); }, 200},
        {"set, count",
         [](Graph& graph, WordRef in, WordRef it) { set_difference(graph, in, in, {.output_count = it}); }, 1},
        {"search", [](Graph& graph, WordRef in, WordRef it) { lower_bound(graph, in, in, {.output = it}); }},
        {"gather", [](Graph& graph, WordRef in, WordRef it) { gather(graph, in, in, {.output = it}); }},
        {"scatter", [](Graph& graph, WordRef in, WordRef it) { scatter(graph, in, in, it); }, 0},
        {"transform",
         [](Graph& graph, WordRef in, WordRef it) { transform<std::uint32_t>(graph, in, "x", {.output = it}); }},
        {"differences", [](Graph& graph, WordRef in, WordRef it) { adjacent_difference(graph, in, {.output = it}); }},
        {"sort", [](Graph& graph, WordRef in, WordRef it) { radix_sort(graph, in, {.output_keys = it}); }},
        {"values", [](Graph& graph, WordRef in, WordRef it) { radix_sort(graph, in, {.values = it}); }},
        {"argsort", [](Graph& graph, WordRef in, WordRef it) { argsort(graph, in, {.output_values = it}); }},
        {"segmented sort",
         [=](Graph& graph, WordRef in, WordRef it) { segmented_sort(graph, in, length, {.output_keys = it}); }},
        {"segmented top",
         [=](Graph& graph, WordRef in, WordRef it) { segmented_top_k(graph, in, length, 3, {.output_keys = it}); }, 30},
        {"segmented top, indices",
         [=](Graph& graph, WordRef in, WordRef it) { segmented_top_k(graph, in, length, 3, {.output_indices = it}); },
         30},
        {"kth", [](Graph& graph, WordRef in, WordRef it) { kth_element(graph, in, 5, {.output = it}); }, 1},
        {"top", [](Graph& graph, WordRef in, WordRef it) { top_k(graph, in, 10, {.output_keys = it}); }, 10},
        {"merge sort",
         [](Graph& graph, WordRef in, WordRef it) { merge_sort(graph, in, "a < b", {.output_keys = it}); }},
        {"merge sort, values", [](Graph& graph, WordRef in, WordRef it) { merge_sort(graph, in, it, "a < b"); }},
        {"fill", [](Graph& graph, WordRef, WordRef it) { fill(graph, it, 7U); }, 0},
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
        {"count", [&](SomeGraph& graph, WordRef) { graph.count_in(theirs, 0, 1); }},
        {"binding", [&](SomeGraph& graph, WordRef) { graph.add_pass(pass("pass", {read(theirs)})); }},
        {"image", [&](SomeGraph& graph, WordRef) { graph.add_pass(pass("pass", {sampled(picture)})); }},
        {"elements",
         [&](SomeGraph& graph, WordRef) { graph.add_pass(pass("pass", {}, Dispatch::elements(counted, 1))); }},
        {"parameter",
         [&](SomeGraph& graph, WordRef) { graph.add_pass(pass("pass", {}, Dispatch::elements(parameter, 1))); }},
        {"arguments", [&](SomeGraph& graph, WordRef) { graph.add_pass(pass("pass", {}, Dispatch::indirect(theirs))); }},
        {"use",
         [&](SomeGraph& graph, WordRef) {
             graph.add_command_pass(command_pass("pass", {{theirs, Access::any}}));
         }},
        {"fill", [&](SomeGraph& graph, WordRef) { graph.add_fill("fill", theirs, 0); }},
        {"copy", [&](SomeGraph& graph, WordRef ours) { graph.add_copy("copy", ours, theirs, 4); }},
        {"export", [&](SomeGraph& graph, WordRef) { graph.export_buffer(theirs); }},
        {"export of an image", [&](SomeGraph& graph, WordRef) { graph.export_image(picture, Access::any); }},
        {"queues", [&](SomeGraph& graph, WordRef) { graph.set_queues(theirs, {}); }},
        {"condition", [&](SomeGraph& graph, WordRef) { const auto scope = graph.only_if(counted); }},
        {"condition on a parameter", [&](SomeGraph& graph, WordRef) { const auto scope = graph.only_if(parameter); }},
        {"switch", [&](SomeGraph& graph, WordRef) { const auto scope = graph.only_if(flag); }},
        {"connection, inside",
         [&](SomeGraph& graph, WordRef ours) {
             SomeGraph inner;
             inner.import("import");
             graph.add_graph(inner, {{theirs, ours}}, "inner");
         }},
        {"connection, outside",
         [&](SomeGraph& graph, WordRef) {
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

// Shaders and pipelines do not depend on the number of elements or on the values that an application's functions see.

#include <gtest/gtest.h>

#include <weir/graph/description.hpp>
#include <weir/weir.hpp>

namespace weir::tests::sizes_test {
namespace {

Capabilities some_cpu() {
    Capabilities device;
    device.kind = DeviceKind::cpu;
    device.subgroup_size = device.subgroup_size_min = device.subgroup_size_max = 8;
    device.max_workgroup_invocations = 1024;
    device.max_workgroup_subgroups = 128;
    device.max_workgroup_memory = 32768;
    device.max_workgroup_count_x = device.max_workgroup_count_y = 65535;
    device.max_push_constants = 128;
    return device;
}

/// A graph of many primitives on `n` elements. Functions given as text see all constructor arguments except `bins`.
struct Everything {
    Graph graph{some_cpu()};

    Everything(std::uint32_t n, std::uint32_t bins, std::int32_t shift, float scale) {
        const auto items = graph.import_buffer<std::uint32_t>("items", n);
        const auto reals = graph.import_buffer<float>("reals", n);
        const auto pairs = graph.import_buffer<std::array<float, 2>>("pairs", n);
        const auto out = graph.import_buffer<std::uint32_t>("out", n);
        const std::vector<FusedValue> values = {{"shift", shift}, {"scale", scale}, {"width", n}, {"all", Count(n)}};
        scan(graph, items);
        scan(graph, reals);
        scan(graph, reals, {.segments = Segments::of_length(n / 10)});
        fused_scan(graph, {.monoid = {.name = "sum",
                                      .fields = {"float v"},
                                      .identity = "T(0.0)",
                                      .combine = "return T(left.v + right.v);"},
                           .count = n,
                           .buffers = {{"float x[]", read(reals)}, {"uint y[]", write(out)}},
                           .values = values,
                           .load = "return T(i < width ? x[i] * scale : 0.0);",
                           .store = "y[i] = is_last ? n : floatBitsToUint(exclusive.v) >> shift;"});
        const Predicate predicate{.expression = "x % width == uint(shift) && i < all", .values = values};
        const auto kept = select_if(graph, items, predicate, {.want_indices = true});
        partition(graph, items, {Predicate::compare(Comparison::less, n)});
        unique(graph, items);
        run_length_encode(graph, items);
        const Expression expression{.text = "vec2(x.y * scale, float(i % width))", .values = values};
        transform<std::array<float, 2>>(graph, pairs, expression);
        const Expression bin{.text = "x * uint(shift) + width", .values = values};
        histogram(graph, items, Bins::by(200, bin));
        histogram(graph, items, Bins::even(200, 0U, n));
        reduce(graph, items);
        fused_reduce<float>(graph, {.count = n,
                                    .buffers = {{"float x[]", read(reals)}},
                                    .values = values,
                                    .load = "return i < width ? x[i] * scale : float(shift);"});
        count_if(graph, items, predicate);
        is_sorted(graph, reals);
        partition_point(graph, items, predicate);
        reduce_by_key(graph, items, reals);
        expand(graph, items, {.capacity = n});
        radix_sort(graph, kept.items, {.values = kept.indices});
        segmented_sort(graph, items, Segments::of_length(100), {.tuning = {.keys_per_invocation = 4}});
        const Comparator order{.expression = "a % width < b % width", .values = values};
        merge_sort(graph, items.with_count(1000), order);
        top_k(graph, items, 100);
        fill(graph, out, bins);
    }
};

TEST(Sizes, ShadersAndPipelinesDoNotDependOnThem) {
    const Everything small(200000, 7, 3, 0.5F), large(2000000, 9, -1, 2.0F); // shapes.csv has one shape for both
    for (const Graph* graph : {&small.graph, &large.graph}) {
        ASSERT_FALSE(graph->error()) << graph->error()->message;
    }
    const auto& one = small.graph.description().passes;
    const auto& other = large.graph.description().passes;
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        SCOPED_TRACE(one[i].name);
        const auto *a = one[i].compute_pass(), *b = other[i].compute_pass();
        ASSERT_EQ(a == nullptr, b == nullptr);
        if (a != nullptr) {
            EXPECT_EQ(a->shader.text(), b->shader.text());
            EXPECT_EQ(a->shader.words(), b->shader.words());
            EXPECT_EQ(a->constants, b->constants);
            EXPECT_EQ(a->push.size(), b->push.size());
            EXPECT_LE(a->push.size() * 4, some_cpu().max_push_constants);
            EXPECT_EQ(a->bindings.size(), b->bindings.size());
        }
    }
}

std::string mistake_with(const FusedValue& value) {
    Graph graph(some_cpu());
    const auto items = graph.import_buffer<std::uint32_t>("items", 10);
    const Predicate predicate{.expression = "x == 1", .values = {value}};
    select_if(graph, items, predicate);
    return graph.error() ? graph.error()->message : "no mistake";
}

TEST(Sizes, ValuesNeedValidNamesAndHostCounts) {
    for (const char* name : {"_a1", "az09", "A", "Z"}) {
        EXPECT_EQ(mistake_with({name, 7U}), "no mistake");
    }
    // The last names contain the ASCII neighbors of letters and digits.
    for (const char* name : {"", "1a", "a b", "a;", "a.b", "a@", "a[", "a`", "a{", "a/", "a:"}) {
        EXPECT_NE(mistake_with({name, 7U}).find(std::string("'") + name + "' is not a valid name for a value"),
                  std::string::npos);
    }
    Graph graph(some_cpu());
    const auto counts = graph.import_buffer<std::uint32_t>("counts", 1);
    const Expression expression{.text = "x + n", .values = {{"n", graph.count_in(counts, 0, 5)}}};
    transform<std::uint32_t>(graph, graph.import_buffer<std::uint32_t>("items", 10), expression);
    ASSERT_TRUE(graph.error());
    EXPECT_NE(graph.error()->message.find("pushes a GPU count"), std::string::npos);
}

} // namespace
} // namespace weir::tests::sizes_test

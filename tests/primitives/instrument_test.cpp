// The scope of an instrument. The tests compare passes of graphs and need no device.

#include "tests/primitives/instrument.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <weir/graph/description.hpp>
#include <weir/weir.hpp>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/small_device.hpp"

namespace weir::tests::instrument_test {
namespace {

using Ref = BufferRef<std::uint32_t>;
using Add = std::function<void(Graph& graph, Ref in)>;

constexpr std::uint32_t n = 10000;

Ref input(Graph& graph) {
    return graph.import_buffer<std::uint32_t>("in", n);
}

std::vector<Pass> kernels(const Graph& graph) {
    std::vector<Pass> passes;
    for (const auto& node : graph.description().passes) {
        if (const auto* pass = node.compute_pass()) {
            passes.push_back(*pass);
        }
    }
    return passes;
}

bool is_instrumented(const Pass& pass) {
    return pass.shader.text().find("#define INSTRUMENTED") != std::string::npos;
}

/// Returns `one_in` of the faults of each scan in the graph, 0 for the kernel without faults and counters.
std::vector<std::uint32_t> rates(const Graph& graph) {
    Graph plain(small_device());
    scan(plain, input(plain));
    const std::size_t first = kernels(plain).front().push.size(); // the push constants of the instrument come last
    std::vector<std::uint32_t> found;
    for (const Pass& pass : kernels(graph)) {
        found.push_back(is_instrumented(pass) ? std::get<std::uint32_t>(pass.push.at(first)) : 0);
    }
    return found;
}

TEST(Instrument, InnermostScopeApplies) {
    Graph graph(small_device());
    const Ref in = input(graph);
    scan(graph, in);
    {
        const auto outer = weir::testing::instrument(graph, {.one_in = 3});
        scan(graph, in);
        {
            const auto inner = weir::testing::instrument(graph, {.one_in = 5});
            scan(graph, in);
        }
        {
            const auto inner = weir::testing::instrument(graph, {});
            scan(graph, in);
        }
        scan(graph, in);
    }
    scan(graph, in);
    EXPECT_EQ(rates(graph), (std::vector<std::uint32_t>{0, 3, 5, 0, 3, 0}));
    EXPECT_FALSE(graph.error());
}

const std::vector<std::pair<const char*, Add>> single_pass_primitives{
    {"scan", [](Graph& graph, Ref in) { scan(graph, in); }},
    {"fused scan",
     [](Graph& graph, Ref in) {
         fused_scan(graph, {.monoid = {.name = "sum",
                                       .fields = {"uint v"},
                                       .identity = "T(0)",
                                       .combine = "return T(left.v + right.v);"},
                            .count = n,
                            .buffers = {{"uint x[]", read(in)}},
                            .load = "return T(x[i]);"});
     }},
    {"reduce by segment", [](Graph& graph, Ref in) { reduce_by_segment(graph, in, Segments::of_length(7)); }},
    {"reduce by key", [](Graph& graph, Ref in) { reduce_by_key(graph, in, in); }},
    {"select", [](Graph& graph, Ref in) { select_if(graph, in, Predicate::compare(Comparison::less, 7U)); }},
    {"select of bytes",
     [](Graph& graph, Ref) {
         select_if(graph, graph.import_buffer<std::uint8_t>("bytes", n), Predicate::compare(Comparison::less, 7U));
     }},
    {"partition", [](Graph& graph, Ref in) { partition(graph, in, {Predicate::compare(Comparison::less, 7U)}); }},
    {"unique", [](Graph& graph, Ref in) { unique(graph, in); }},
    {"run-length encode", [](Graph& graph, Ref in) { run_length_encode(graph, in); }},
    {"run-length decode", [](Graph& graph, Ref in) { run_length_decode(graph, in, in, {.capacity = n}); }},
    {"expand", [](Graph& graph, Ref in) { expand(graph, in, {.capacity = n}); }},
    {"set union", [](Graph& graph, Ref in) { set_union(graph, in, in); }},
    {"radix sort", [](Graph& graph, Ref in) { radix_sort(graph, in, {.tuning = {.single_workgroup_keys = 1}}); }},
    {"segmented sort",
     [](Graph& graph, Ref in) { segmented_sort(graph, in, Segments::of_length(n), {.tuning = {.long_keys = 1}}); }},
    {"top k", [](Graph& graph, Ref in) { top_k(graph, in, 10); }},
};

/// Returns whether any kernel of the primitive is instrumented.
bool any_instrumented(const Add& add, const std::function<void(Graph&, const std::function<void()>&)>& within) {
    Graph graph(small_device());
    const Ref in = input(graph);
    within(graph, [&] { add(graph, in); });
    EXPECT_FALSE(graph.error()) << graph.error()->message;
    return std::ranges::any_of(kernels(graph), is_instrumented);
}

TEST(Instrument, InstrumentsEverySinglePassPrimitive) {
    for (const auto& [name, add] : single_pass_primitives) {
        SCOPED_TRACE(name);
        EXPECT_TRUE(any_instrumented(add, [](Graph& graph, const auto& primitive) {
            const auto scope = weir::testing::instrument(graph, {.order = Instrument::Order::reversed});
            primitive();
        }));
        EXPECT_TRUE(any_instrumented(add, [](Graph& graph, const auto& primitive) {
            const Ref counters = graph.import_buffer<std::uint32_t>("counters", 5);
            const auto scope = weir::testing::instrument(graph, {.counters = counters});
            primitive();
        }));
        EXPECT_FALSE(any_instrumented(add, [](Graph& graph, const auto& primitive) {
            { const auto scope = weir::testing::instrument(graph, {.one_in = 1}); }
            primitive();
        }));
    }
}

// The passes have the same kernels, constants, push constants and buffers.
TEST(Instrument, DefaultInstrumentChangesNothing) {
    for (const auto& [name, add] : single_pass_primitives) {
        SCOPED_TRACE(name);
        Graph plain(small_device()), instrumented(small_device());
        add(plain, input(plain));
        const auto scope = weir::testing::instrument(instrumented, {});
        add(instrumented, input(instrumented));
        EXPECT_EQ(ok(make_plan(plain.description())).text(), ok(make_plan(instrumented.description())).text());
        const std::vector<Pass> expected = kernels(plain), found = kernels(instrumented);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_EQ(found[i].shader.packed_words(), expected[i].shader.packed_words());
            EXPECT_EQ(found[i].shader.text(), expected[i].shader.text());
            EXPECT_EQ(found[i].constants, expected[i].constants);
            EXPECT_EQ(found[i].push.size(), expected[i].push.size());
            EXPECT_EQ(found[i].bindings.size(), expected[i].bindings.size());
        }
    }
}

TEST(Instrument, CountersAreZeroedOncePerScope) {
    Graph graph(small_device());
    const Ref in = input(graph), counters = graph.import_buffer<std::uint32_t>("counters", 5);
    const auto scope = weir::testing::instrument(graph, {.counters = counters});
    scan(graph, in);
    scan(graph, in);
    ASSERT_EQ(graph.description().passes.size(), 3U);
    EXPECT_EQ(graph.description().passes[0].name, "zero look-back counters");
    for (const Pass& pass : kernels(graph)) {
        EXPECT_TRUE(std::ranges::any_of(
            pass.bindings, [&](const Binding& binding) { return binding.resource.index == counters.id.index; }));
    }
}

TEST(Instrument, TooFewCounters_Fails) {
    Graph graph(small_device());
    const Ref counters = graph.import_buffer<std::uint32_t>("counters", 3);
    const auto scope = weir::testing::instrument(graph, {.counters = counters});
    EXPECT_THAT(plan_error(graph), HasSubstr("instrument: the counters have 3 words; at least 4 are required"));
}

} // namespace
} // namespace weir::tests::instrument_test

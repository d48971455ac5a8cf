// Programs of graphs that have graphs as nodes.

#include <algorithm>
#include <numeric>

#include <weir/weir.hpp>

#include "tests/graph/programs.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::nested_test {
namespace {

const OnOneDriver on_one_driver{"Nested.*"};

/// Sorts the first `n` inputs, adds the number of executions to each, and exports the results and their prefix sums.
struct Sorter {
    static constexpr std::uint32_t capacity = 3000;
    WordGraph graph;
    Count n = graph.parameter("n", capacity);
    WordRef in = graph.import("in", capacity, n);
    WordRef runs = graph.state("runs");
    WordRef out = graph.transient("out", capacity, n);
    WordRef sums;
    Switch counting = graph.add_switch("counting");

    Sorter() {
        {
            const auto scope = graph.only_if(counting);
            graph.add_pass(increment(runs, "count"));
        }
        const auto sorted = radix_sort(graph, in);
        graph.add_pass(word_pass("add runs",
                                 {{"source", read(sorted.keys)}, {"result", write(out)}, {"runs", read(runs)}},
                                 "result[i] = source[i] + runs[0];", n));
        sums = scan(graph, out);
        graph.export_buffer(out);
        graph.export_buffer(sums);
    }
};

Values sorted_plus(Values values, std::uint32_t n, std::uint32_t add) {
    values.resize(n);
    std::sort(values.begin(), values.end());
    return plus(std::move(values), add);
}

TEST(Nested, TwiceInOneGraph) {
    const Sorter sorter;
    WordGraph graph;
    const WordRef in = graph.import("in", 5000); // larger than the inner import
    const Subgraph one = graph.add_graph(sorter.graph, {{sorter.in, in}}, "one");
    const Subgraph two = graph.add_graph(sorter.graph, {{sorter.in, one.buffer(sorter.sums)}}, "two");
    graph.export_buffer(one.buffer(sorter.out));
    graph.export_buffer(two.buffer(sorter.out));
    Program program = ok(compile(test_context(), graph));
    const Values values = Random().vector(5000);
    const Buffer memory = buffer_of(values);
    ok(program.bind(in, memory));
    ok(program.set(two.flag(sorter.counting), false));
    for (std::uint32_t i = 1; i <= 4; ++i) {
        const std::uint32_t n = i * 700, fewer = i * 500;
        ok(program.set(one.count(sorter.n), n));
        ok(program.set(two.count(sorter.n), fewer));
        ok(program.run());
        Values first = sorted_plus(values, n, i);
        EXPECT_EQ(contents(program.view(one.buffer(sorter.out)), n), first);
        std::partial_sum(first.begin(), first.end(), first.begin());
        EXPECT_EQ(contents(program.view(two.buffer(sorter.out)), fewer), sorted_plus(first, fewer, 0));
    }
}

TEST(Nested, UnderConditions) {
    const Sorter sorter;
    WordGraph graph;
    const WordRef in = graph.import("in", Sorter::capacity), counts = graph.import("counts", 1);
    const WordRef by_host = graph.import("by host", Sorter::capacity);
    const WordRef by_gpu = graph.import("by gpu", Sorter::capacity);
    const Switch on = graph.add_switch("on");
    const auto add = [&](const char* name, const WordRef& out) {
        const Subgraph made = graph.add_graph(sorter.graph, {{sorter.in, in}}, name);
        graph.add_copy("copy", made.buffer(sorter.out), out, Sorter::capacity * 4);
    };
    {
        const auto scope = graph.only_if(on);
        add("host's", by_host);
    }
    {
        const auto scope = graph.only_if(graph.count_in(counts, 0, 3));
        add("gpu's", by_gpu);
    }
    Program program = ok(compile(test_context(), graph));
    const Values values = Random().vector(Sorter::capacity);
    const Buffer memory = buffer_of(values);
    ok(program.bind(in, memory));
    std::uint32_t host_runs = 0, gpu_runs = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const bool host = i % 3 != 0, gpu = i % 4 >= 2;
        const Buffer one = poisoned_buffer(Sorter::capacity), two = poisoned_buffer(Sorter::capacity),
                     count = buffer_of(Values{gpu ? i : 0});
        bind_all(program, {{by_host, one}, {by_gpu, two}, {counts, count}});
        ok(program.set(on, host));
        ok(program.run());
        host_runs += host ? 1 : 0;
        gpu_runs += gpu ? 1 : 0;
        const auto expected = [&](bool is_on, std::uint32_t runs) {
            return is_on ? sorted_plus(values, Sorter::capacity, runs) : poisoned<std::uint32_t>(Sorter::capacity);
        };
        EXPECT_EQ(contents(one, Sorter::capacity), expected(host, host_runs)) << i;
        EXPECT_EQ(contents(two, Sorter::capacity), expected(gpu, gpu_runs)) << i;
    }
}

} // namespace
} // namespace weir::tests::nested_test

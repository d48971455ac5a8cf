// Programs with parts that switches and counts on the GPU turn on and off.

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <weir/weir.hpp>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::switches_test {
namespace {

const OnOneDriver on_one_driver{"Switches.*"};

using testing::Each;
using testing::HasSubstr;

/// A scan, a sort and a selection of unique keys, which are turned on and off together.
struct Part : WordGraph {
    static constexpr std::uint32_t n = 5000;

    WordRef in = import("in", n);
    std::array<WordRef, 4> outputs{import("sums", n), import("keys", n), import("kept", n), import("count", 1)};

    void add() {
        const auto& [sums, keys, kept, count] = outputs;
        scan(*this, in, {.output = sums});
        const auto sorted = radix_sort(*this, in);
        add_copy("copy", sorted.keys, keys, n * 4);
        const auto selected = unique(*this, sorted.keys, {.output = kept});
        add_copy("copy count", selected.count, count, 4);
        for (const WordRef& output : outputs) {
            export_buffer(output);
        }
    }

    /// Runs the program on random numbers, and compares the outputs.
    void check(Program& program, std::uint32_t seed, bool on) const {
        SCOPED_TRACE(seed);
        Values input = Random(seed).vector(n, 0U, 2999U); // many are equal
        const Buffer from = buffer_of(input);
        ok(program.bind(in, from));
        std::vector<Buffer> results;
        for (const WordRef& output : outputs) {
            results.push_back(poisoned_buffer(output.capacity));
            ok(program.bind(output, results.back()));
        }
        ok(program.run());
        if (!on) {
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                EXPECT_EQ(contents(results[i], outputs[i].capacity), poisoned(outputs[i].capacity)) << i;
            }
            return;
        }
        Values sums = input;
        std::partial_sum(input.begin(), input.end(), sums.begin());
        EXPECT_EQ(contents(results[0], n), sums);
        std::sort(input.begin(), input.end());
        EXPECT_EQ(contents(results[1], n), input);
        input.erase(std::unique(input.begin(), input.end()), input.end());
        EXPECT_EQ(contents(results[2], input.size()), input);
        EXPECT_EQ(contents(results[3], 1), Values{static_cast<std::uint32_t>(input.size())});
    }
};

TEST(Switches, TurnPrimitivesOnAndOff) {
    Part graph;
    const Switch on = graph.add_switch("on", false);
    {
        const auto scope = graph.only_if(on);
        graph.add();
    }
    Program program = ok(compile(test_context(), graph));
    for (std::uint32_t i = 0; i < 6; ++i) {
        const bool is_on = i % 3 == 1;
        if (i > 0) { // off at first
            ok(program.set(on, is_on));
        }
        graph.check(program, i, is_on);
    }
    expect_error(program.set(Switch{}, true), ErrorCode::invalid_argument, HasSubstr("not of this program's graph"));
    expect_error(program.set(Graph(test_context()).add_switch("other"), true), ErrorCode::invalid_argument,
                 HasSubstr("the switch is of another graph"));
}

TEST(Switches, CountsOnTheGpuTurnPrimitivesOnAndOff) {
    Part graph;
    const WordRef counts = graph.import("counts", 3);
    const Count n = graph.parameter("n", 5);
    {
        const auto scope = graph.only_if(graph.count_in(counts, 2, 100)), by_host = graph.only_if(n);
        graph.add();
    }
    Program program = ok(compile(test_context(), graph));
    for (std::uint32_t i = 0; i < 8; ++i) {
        const bool gpu = i % 2 == 1, host = i / 2 % 2 == 0;
        const Buffer counted = buffer_of(Values{i % 3, 7, gpu ? i : 0});
        ok(program.bind(counts, counted));
        ok(program.set(n, host ? std::min(i + 1, 5U) : 0));
        graph.check(program, i, gpu && host);
    }
}

/// Returns a pass in which workgroup i writes i + 1 to marks[i], for i < 64.
Pass marking(const WordRef& out, const Dispatch& dispatch) {
    Pass pass = simple_pass("mark", R"(#version 460
#extension GL_GOOGLE_include_directive : require
#include <weir/dispatch.glsl>
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint marks[]; };
void main() {
    const uint i = weir_workgroup_index() + gl_WorkGroupID.z * weir_workgroup_count();
    if (i < 64) {
        marks[i] = i + 1;
    }
})",
                            {write(out)});
    pass.dispatch = dispatch;
    return pass;
}

TEST(Switches, EveryKindOfDispatchHasAGate) {
    WordGraph graph;
    const WordRef counts = graph.import("counts", 8);
    const Count n = graph.parameter("n", 64);
    const std::pair<Dispatch, std::uint32_t> dispatches[] = {
        {Dispatch::groups(2, 3, 4), 24},
        {Dispatch::elements(Count(10), 3), 4},
        {Dispatch::elements(n, 2), 5},
        {Dispatch::elements(graph.count_in(counts, 1, 64), 1), 7},
        {Dispatch::elements(graph.count_in(counts, 1, 64), 1, 9), 9},
        {Dispatch::indirect(counts, 2), 12},
    };
    std::vector<WordRef> outs;
    {
        const auto outer = graph.only_if(graph.count_in(counts, 0, 100)),
                   inner = graph.only_if(graph.count_in(counts, 5, 1));
        for (const auto& [dispatch, groups] : dispatches) {
            outs.push_back(graph.import("marks"));
            graph.add_pass(marking(outs.back(), dispatch));
        }
        outs.push_back(graph.import("filled", 300));
        graph.add_fill("fill", outs.back(), 42);
        outs.push_back(graph.import("copied", 300));
        graph.add_copy("copy", counts, outs.back(), 12);
    }
    Program program = ok(compile(test_context(), graph));
    for (const auto& [outer, inner] : {std::pair{0U, 0U}, {1U, 0U}, {0U, 5U}, {1U, 8U}, {60U, 1U}}) {
        const bool on = outer != 0 && inner != 0;
        const Values words = {outer, 7, 3, 2, 2, inner, 0, 0};
        const Buffer counted = buffer_of(words);
        ok(program.bind(counts, counted));
        ok(program.set(n, 9));
        std::vector<Buffer> marks;
        for (const WordRef& out : outs) {
            marks.push_back(poisoned_buffer(out.capacity));
            ok(program.bind(out, marks.back()));
        }
        ok(program.run());
        for (std::size_t i = 0; i < std::size(dispatches); ++i) {
            Values expected = poisoned<std::uint32_t>(64);
            for (std::uint32_t j = 0; on && j < (i == 5 ? 12 : dispatches[i].second); ++j) {
                expected[j] = j + 1;
            }
            EXPECT_EQ(contents(marks[i], 64), expected) << i;
        }
        EXPECT_EQ(contents(marks[6], 300), on ? Values(300, 42) : poisoned<std::uint32_t>(300));
        Values copied = poisoned<std::uint32_t>(300);
        std::copy_n(words.begin(), on ? 3 : 0, copied.begin());
        EXPECT_EQ(contents(marks[7], 300), copied);
    }
}

/// An unrolled loop: each round runs only if the count that the previous round left is not 0.
TEST(Switches, ScopeMayWriteItsOwnCount) {
    WordGraph graph;
    const WordRef left = graph.import("left", 1), rounds = graph.import("rounds", 2);
    for (int i = 0; i < 10; ++i) {
        const auto scope = graph.only_if(graph.count_in(left, 0, 100));
        graph.add_pass(word_pass("count down", {{"left", read_write(left)}, {"rounds", read_write(rounds)}},
                                 "--left[0]; ++rounds[0];", 1U));
        graph.add_pass(word_pass("after", {{"rounds", read_write(rounds)}}, "++rounds[1];", 1U));
    }
    Program program = ok(compile(test_context(), graph));
    for (const std::uint32_t begin : {0U, 1U, 4U, 10U, 12U}) {
        const Buffer count = buffer_of(Values{begin}), counted = buffer_of(Values{0, 0});
        run_with(program, {{left, count}, {rounds, counted}});
        const std::uint32_t run = std::min(begin, 10U);
        EXPECT_THAT(contents(count, 1), Each(begin - run));
        EXPECT_EQ(contents(counted, 2), (Values{run, run}));
    }
}

/// Passes depend on each other through skipped passes, while several recordings are in flight.
TEST(Switches, FramesInFlightHaveOwnSwitches) {
    WordGraph graph;
    const WordRef total = graph.state("total"), out = graph.import("out");
    std::vector<Switch> switches;
    for (int i = 0; i < 4; ++i) {
        switches.push_back(graph.add_switch("switch"));
        const auto scope = graph.only_if(switches.back());
        graph.add_pass(increment(total));
    }
    graph.add_copy("copy", total, out, 256);
    Program program = ok(compile(test_context(), graph));
    Recorder host;
    std::vector<Buffer> outs;
    Values expected;
    std::uint32_t sum = 0;
    for (std::uint32_t frame = 0; frame < 48; ++frame) {
        if (frame % 3 == 0) {
            host.wait();
        }
        for (std::uint32_t i = 0; i < 4; ++i) {
            const bool on = (frame >> i) % 2 == 0;
            ok(program.set(switches[i], on));
            sum += on ? 1 : 0;
        }
        outs.push_back(poisoned_buffer(64));
        expected.push_back(sum);
        ok(program.bind(out, outs.back()));
        host.submit(host.record(program));
    }
    host.wait();
    for (std::size_t frame = 0; frame < outs.size(); ++frame) {
        EXPECT_THAT(contents(outs[frame], 64), Each(expected[frame])) << frame;
    }
}

/// Each execution runs one branch. The scratch buffers of the branches share memory, and later passes see the result.
TEST(Switches, ExclusiveBranchesTakeTurns) {
    WordGraph graph;
    const WordRef in = graph.import("in", 64), out = graph.import("out", 64);
    const WordRef result = graph.transient("result", 64);
    const Switch adds = graph.add_switch("adds");
    const auto branch = [&](const std::string& name, const std::string& change) {
        const WordRef scratch = graph.transient(name, 64);
        graph.add_pass(
            word_pass(name, {{"from", read(in)}, {"to", write(scratch)}}, "to[i] = from[i] " + change + ";", 64U));
        graph.add_copy("copy " + name, scratch, result, 256);
    };
    {
        const auto scope = graph.only_if(adds);
        branch("sum", "+ 7");
    }
    {
        const auto scope = graph.unless(adds);
        branch("product", "* 3");
    }
    graph.add_copy("show", result, out, 256);
    Program program = ok(compile(test_context(), graph));
    EXPECT_EQ(program.plan().memory.bytes(), 512U) << program.plan().text();
    const Buffer numbers = buffer_of(Values(64, 5));
    ok(program.bind(in, numbers));
    for (const bool on : {true, false, false, true, true, false}) {
        const Buffer shown = poisoned_buffer(64);
        ok(program.set(adds, on));
        ok(program.bind(out, shown));
        ok(program.run());
        EXPECT_THAT(contents(shown, 64), Each(on ? 12U : 15U));
    }
}

} // namespace
} // namespace weir::tests::switches_test

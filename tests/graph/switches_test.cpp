// Programs with parts that switches and counts on the GPU turn on and off.

#include <algorithm>
#include <numeric>
#include <utility>

#include <weir/weir.hpp>

#include "engine/device/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/commands.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::switches_test {
namespace {

const OnOneDriver on_one_driver{"Switches.*"};

using testing::Each;
using testing::HasSubstr;

/// A scan, a sort and a selection of unique keys, which are turned on and off together. The test reads their results.
struct Part {
    static constexpr std::uint32_t n = 5000;

    BufferRef<std::uint32_t> in, sums, keys, kept, count;

    explicit Part(Graph& graph)
        : in(graph.import_buffer<std::uint32_t>("in", n)), sums(graph.import_buffer<std::uint32_t>("sums", n)),
          keys(graph.import_buffer<std::uint32_t>("keys", n)), kept(graph.import_buffer<std::uint32_t>("kept", n)),
          count(graph.import_buffer<std::uint32_t>("count", 1)) {}

    void add_to(Graph& graph) const {
        scan(graph, in, {.output = sums});
        const auto sorted = radix_sort(graph, in);
        graph.add_copy("copy", sorted.keys, keys, n * 4);
        const auto selected = unique(graph, sorted.keys, {.output = kept});
        graph.add_copy("copy count", selected.count, count, 4);
    }
    void export_from(Graph& graph) const {
        for (const auto& buffer : {sums, keys, kept, count}) {
            graph.export_buffer(buffer);
        }
    }

    struct Memory {
        Buffer in, sums = poisoned_buffer(n), keys = poisoned_buffer(n), kept = poisoned_buffer(n),
                   count = poisoned_buffer(1);
    };
    [[nodiscard]] Memory bind(Program& program, const Values& input) const {
        Memory memory{buffer_of(input)};
        ok(program.bind(in, memory.in));
        ok(program.bind(sums, memory.sums));
        ok(program.bind(keys, memory.keys));
        ok(program.bind(kept, memory.kept));
        ok(program.bind(count, memory.count));
        return memory;
    }
    static void expect(const Memory& memory, Values input, bool on) {
        if (!on) {
            EXPECT_EQ(contents(memory.sums, n), poisoned<std::uint32_t>(n));
            EXPECT_EQ(contents(memory.keys, n), poisoned<std::uint32_t>(n));
            EXPECT_EQ(contents(memory.kept, n), poisoned<std::uint32_t>(n));
            EXPECT_EQ(contents(memory.count, 1), poisoned<std::uint32_t>(1));
            return;
        }
        Values sums = input;
        std::partial_sum(input.begin(), input.end(), sums.begin());
        EXPECT_EQ(contents(memory.sums, n), sums);
        std::sort(input.begin(), input.end());
        EXPECT_EQ(contents(memory.keys, n), input);
        input.erase(std::unique(input.begin(), input.end()), input.end());
        EXPECT_EQ(contents(memory.count, 1), Values{static_cast<std::uint32_t>(input.size())});
        EXPECT_EQ(contents(memory.kept, input.size()), input);
    }
};

/// Returns random numbers below 3000, so that many are equal.
Values some_input(std::uint32_t seed) {
    Values input = Random(seed).vector(Part::n);
    for (std::uint32_t& value : input) {
        value %= 3000;
    }
    return input;
}

TEST(Switches, TurnPrimitivesOnAndOff) {
    Graph graph(test_context());
    const Part part(graph);
    const Switch on = graph.add_switch("on", false);
    {
        const auto scope = graph.only_if(on);
        part.add_to(graph);
    }
    part.export_from(graph);
    Program program = ok(compile(test_context(), graph));
    for (std::uint32_t i = 0; i < 6; ++i) {
        const Values input = some_input(i);
        const bool is_on = i % 3 == 1;
        const auto memory = part.bind(program, input);
        if (i > 0) { // off at first
            ok(program.set(on, is_on));
        }
        ok(program.run());
        Part::expect(memory, input, is_on);
    }
    expect_error(program.set(Switch{}, true), ErrorCode::invalid_argument, HasSubstr("not of this program's graph"));
    expect_error(program.set(Graph(test_context()).add_switch("other"), true), ErrorCode::invalid_argument,
                 HasSubstr("the switch is of another graph"));
}

TEST(Switches, CountsOnTheGpuTurnPrimitivesOnAndOff) {
    Graph graph(test_context());
    const Part part(graph);
    const auto counts = graph.import_buffer<std::uint32_t>("counts", 3);
    const Count n = graph.parameter("n", 5);
    {
        const auto scope = graph.only_if(graph.count_in(counts, 2, 100)), by_host = graph.only_if(n);
        part.add_to(graph);
    }
    part.export_from(graph);
    Program program = ok(compile(test_context(), graph));
    for (std::uint32_t i = 0; i < 8; ++i) {
        const Values input = some_input(i);
        const auto memory = part.bind(program, input);
        const bool gpu = i % 2 == 1, host = i / 2 % 2 == 0;
        const Buffer counted = buffer_of(Values{i % 3, 7, gpu ? i : 0});
        ok(program.bind(counts, counted));
        ok(program.set(n, host ? i + 1 > 5 ? 5 : i + 1 : 0));
        ok(program.run());
        Part::expect(memory, input, gpu && host);
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
    Graph graph(test_context());
    const WordRef counts = graph.import_buffer<std::uint32_t>("counts", 8);
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
            outs.push_back(graph.import_buffer<std::uint32_t>("marks", 64));
            graph.add_pass(marking(outs.back(), dispatch));
        }
        outs.push_back(graph.import_buffer<std::uint32_t>("filled", 300));
        graph.add_fill("fill", outs.back(), 42);
        outs.push_back(graph.import_buffer<std::uint32_t>("copied", 300));
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
    Graph graph(test_context());
    const WordRef left = graph.import_buffer<std::uint32_t>("left", 1),
                  rounds = graph.import_buffer<std::uint32_t>("rounds", 2);
    const char* const count_down = R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Left { uint left; };
layout(set = 0, binding = 1) buffer Rounds { uint rounds[2]; };
void main() { --left; ++rounds[0]; })";
    const char* const after = R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Rounds { uint rounds[2]; };
void main() { ++rounds[1]; })";
    for (int i = 0; i < 10; ++i) {
        const auto scope = graph.only_if(graph.count_in(left, 0, 100));
        graph.add_pass(simple_pass("count down", count_down, {read_write(left), read_write(rounds)}));
        graph.add_pass(simple_pass("after", after, {read_write(rounds)}));
    }
    Program program = ok(compile(test_context(), graph));
    for (const std::uint32_t begin : {0U, 1U, 4U, 10U, 12U}) {
        const Buffer count = buffer_of(Values{begin}), counted = buffer_of(Values{0, 0});
        ok(program.bind(left, count));
        ok(program.bind(rounds, counted));
        ok(program.run());
        const std::uint32_t run = std::min(begin, 10U);
        EXPECT_THAT(contents(count, 1), Each(begin - run));
        EXPECT_EQ(contents(counted, 2), (Values{run, run}));
    }
}

/// Passes depend on each other through skipped passes, while several recordings are in flight.
TEST(Switches, FramesInFlightHaveOwnSwitches) {
    Graph graph(test_context());
    const WordRef total = graph.state_buffer<std::uint32_t>("total", 64);
    const WordRef out = graph.import_buffer<std::uint32_t>("out", 64);
    std::vector<Switch> switches;
    for (int i = 0; i < 4; ++i) {
        switches.push_back(graph.add_switch("switch"));
        const auto scope = graph.only_if(switches.back());
        graph.add_pass(simple_pass("increment", increment_source, {read_write(total)}));
    }
    graph.add_copy("copy", total, out, 256);
    Program program = ok(compile(test_context(), graph));
    Commands host(ContextAccess::device(test_context())->vk(), test_context().device(), test_context().queue(),
                  test_context().queue_family());
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
        const VkCommandBuffer commands = host.begin();
        ok(program.record(commands));
        host.end(commands);
        host.submit(commands);
    }
    host.wait();
    for (std::size_t frame = 0; frame < outs.size(); ++frame) {
        EXPECT_THAT(contents(outs[frame], 64), Each(expected[frame])) << frame;
    }
}

} // namespace
} // namespace weir::tests::switches_test

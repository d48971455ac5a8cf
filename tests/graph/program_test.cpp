// Programs on a device: passes, bindings, parameters and results.

#include <algorithm>
#include <numeric>

#include "tests/graph/programs.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::program_test {
namespace {

const OnOneDriver on_one_driver{"Program.*"};

using testing::Each;
using testing::HasSubstr;

constexpr std::uint32_t poison = 0xA5A5A5A5;

TEST(Program, RunsPassFromText) {
    Adder adder;
    const Values input = Random().vector(1000);
    const Buffer in = buffer_of(input), out = poisoned_buffer(1000);
    bind_all(*adder.program, {{adder.in, in}, {adder.out, out}});
    const RunReport report = ok(adder.program->run());
    EXPECT_EQ(contents(out, 1000), plus(input, 1));
    EXPECT_EQ(report.gpu_ms.has_value(), test_context().capabilities().timestamp_bits > 0);
    EXPECT_GE(report.gpu_ms.value_or(0), 0);
    EXPECT_EQ(adder.program->memory(), 0U);
}

TEST(Program, RunsPassFromFile) {
    const TemporaryFolder folder;
    folder.write("parts/twice.glsl", "uint twice(uint x) { return 2 * x; }\n");
    folder.write("double.comp", R"(#version 460
#include "parts/twice.glsl"
#include <weir/dispatch.glsl>
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer In { uint source[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
void main() {
    const uint i = weir_workgroup_index();
    if (i < N) {
        result[i] = twice(source[i]);
    }
})");
    // More workgroups than the device runs in x, if that limit is low enough.
    const std::uint32_t count = test_context().capabilities().max_workgroup_count_x < 100000 ? 100000 : 1000;
    WordGraph graph;
    const WordRef in = graph.import("in", count), out = graph.import("out", count);
    Pass pass;
    pass.name = "double";
    pass.shader = ShaderSource::glsl_file(folder.name("double.comp")).define("N", std::to_string(count));
    pass.bindings = {read(in), write(out)};
    pass.dispatch = Dispatch::elements(in.count, 1);
    graph.add_pass(pass);
    Program program = ok(compile(test_context(), graph));
    Values input = Random().vector(count);
    const Buffer from = buffer_of(input), to = poisoned_buffer(count);
    run_with(program, {{in, from}, {out, to}});
    for (std::uint32_t& value : input) {
        value *= 2;
    }
    EXPECT_EQ(contents(to, count), input);
}

/// A shader as in the examples, with more workgroups than many devices run in x.
TEST(Program, SpreadDispatchWritesAllElements) {
    constexpr std::uint32_t count = 5'000'000;
    Capabilities limits = test_context().capabilities();
    limits.max_workgroup_count_x = 65535;
    WordGraph graph(limits);
    const WordRef out = graph.import("out", count);
    Pass pass = simple_pass("number", R"(
    #include <weir/dispatch.glsl>
    layout(local_size_x = 64) in;
    layout(binding = 0) writeonly buffer Out { uint result[]; };
    layout(push_constant) uniform Push { uint count; };
    void main() {
        const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
        if (i < count) {
            result[i] = i;
        }
    })",
                            {write(out)});
    pass.push = {count};
    pass.dispatch = Dispatch::elements(count, 64);
    graph.add_pass(pass);
    Program program = ok(compile(test_context(), graph));
    Values expected(count);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_TRUE(run_on(program, out, poisoned(count)) == expected); // a difference would print all elements
}

TEST(Program, RunsPassFromSpirv) {
    const auto words = ok(compile_shader(ShaderSource::glsl(R"(#version 460
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint add = 1;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] += add; })")));
    WordGraph graph;
    const WordRef data = graph.import("data", 256);
    Pass pass;
    pass.name = "from words";
    pass.shader = ShaderSource::spirv(words);
    pass.bindings = {read_write(data)};
    pass.constants = {32, 7};
    pass.dispatch = Dispatch::groups(8);
    graph.add_pass(pass);
    Program program = ok(compile(test_context(), graph));
    const Values input = Random().vector(256);
    EXPECT_EQ(run_on(program, data, input), plus(input, 7));
}

/// Each run binds a new buffer, which may have the handle of one that was destroyed.
TEST(Program, ParameterSetsNumberOfElements) {
    Adder adder(1000, 5);
    const Values input = Random().vector(1000);
    const Buffer in = buffer_of(input);
    ok(adder.program->bind(adder.in, in));
    for (const std::uint32_t n : {0U, 1U, 63U, 64U, 65U, 999U, 1000U}) {
        ok(adder.program->set(adder.n, n));
        Values expected(1000, poison);
        std::transform(input.begin(), input.begin() + n, expected.begin(), [](std::uint32_t x) { return x + 5; });
        EXPECT_EQ(run_on(*adder.program, adder.out, poisoned(1000)), expected) << n;
    }
}

TEST(Program, RebindingChangesInputAndOutput) {
    Adder adder;
    const Values a = Random(1).vector(1000), b = Random(2).vector(1000);
    const Buffer from_a = buffer_of(a), from_b = buffer_of(b), one = poisoned_buffer(1000), two = poisoned_buffer(1000);
    run_with(*adder.program, {{adder.in, from_a}, {adder.out, one}});
    run_with(*adder.program, {{adder.out, two}});
    EXPECT_EQ(contents(one, 1000), plus(a, 1));
    EXPECT_EQ(contents(two, 1000), plus(a, 1));
    run_with(*adder.program, {{adder.in, from_b}});
    EXPECT_EQ(contents(one, 1000), plus(a, 1));
    EXPECT_EQ(contents(two, 1000), plus(b, 1));
    EXPECT_EQ(adder.program->view(adder.out).buffer, two.handle());
}

TEST(Program, BindsPartOfBuffer) {
    const std::uint32_t step = std::max(test_context().capabilities().storage_offset_alignment, 4U);
    Adder adder(step / 4, 3);
    const Values input = Random().vector(3 * step / 4);
    const Buffer buffer = buffer_of(input);
    ok(adder.program->bind(adder.in, {buffer.handle(), 0, step}));
    ok(adder.program->bind(adder.out, {buffer.handle(), step, 2 * step})); // adjacent ranges do not overlap
    ok(adder.program->run());
    Values expected = input;
    for (std::uint32_t i = 0; i < step / 4; ++i) {
        expected[step / 4 + i] = input[i] + 3;
    }
    EXPECT_EQ(contents(buffer, input.size()), expected);
}

TEST(Program, ReadOnlyImportsMayOverlap) {
    WordGraph graph;
    const WordRef a = graph.import("a"), b = graph.import("b"), out = graph.import("out");
    graph.add_pass(word_pass("sum", {{"a", read(a)}, {"b", read(b)}, {"sum", write(out)}}, "sum[i] = a[i] + b[i];"));
    Program program = ok(compile(test_context(), graph));
    const Buffer in = buffer_of(Values(64, 21));
    bind_all(program, {{a, in}, {b, in}});
    EXPECT_EQ(run_on(program, out, poisoned(64)), Values(64, 42));
}

TEST(Program, StatesStartAtZeroAndPersist) {
    WordGraph graph;
    const WordRef runs = graph.state("runs"), out = graph.import("out");
    graph.add_pass(increment(runs, "count"));
    graph.add_copy("copy", runs, out, 256);
    Program program = ok(compile(test_context(), graph));
    for (std::uint32_t i = 1; i <= 3; ++i) {
        EXPECT_THAT(run_on(program, out, poisoned(64)), Each(i));
    }
    EXPECT_EQ(program.memory(), 256U);
}

/// For example, an exposure: this execution reads the value that the last one wrote after its read.
TEST(Program, StateFeedsNextExecution) {
    WordGraph graph;
    const WordRef exposure = graph.state("exposure"), out = graph.import("out");
    graph.add_pass(add_pass(exposure, out, 64U, 100));
    graph.add_pass(increment(exposure, "adapt"));
    Program program = ok(compile(test_context(), graph));
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_THAT(run_on(program, out, poisoned(64)), Each(100 + i));
    }
}

TEST(Program, ExportedTransientCanBeRead) {
    WordGraph graph;
    const WordRef in = graph.import("in", 100), hidden = graph.transient("hidden", 100);
    const WordRef out = graph.transient("out", 100);
    graph.add_pass(add_pass(in, hidden, 100U, 1));
    graph.add_pass(add_pass(hidden, out, 100U, 10));
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Values input = Random().vector(100);
    const Buffer from = buffer_of(input);
    EXPECT_EQ(program.view(in).buffer, VK_NULL_HANDLE);
    run_with(program, {{in, from}});
    EXPECT_EQ(program.view(in).buffer, from.handle());
    EXPECT_EQ(program.view(hidden).buffer, VK_NULL_HANDLE);
    EXPECT_EQ(program.view(BufferId{}).buffer, VK_NULL_HANDLE);
    EXPECT_EQ(program.view(Adder().out).buffer, VK_NULL_HANDLE); // of another graph
    EXPECT_EQ(program.view(out).size, 400U);
    EXPECT_EQ(contents(program.view(out), 100), plus(input, 11));
    EXPECT_EQ(program.memory(), 512U + 400U); // sizes in shared memory are multiples of 256 bytes
}

TEST(Program, FillsAndCopies) {
    WordGraph graph;
    const WordRef filled = graph.import("filled", 100), copied = graph.import("copied", 100);
    graph.add_fill("fill", filled, 0xC0FFEE);
    graph.add_copy("copy", filled, copied, 40);
    Program program = ok(compile(test_context(), graph));
    const std::uint32_t step = std::max(test_context().capabilities().storage_offset_alignment, 4U);
    const Buffer one = poisoned_buffer(200 + step / 4), two = poisoned_buffer(100);
    run_with(program, {{filled, {one.handle(), step, 800}}, {copied, two}});
    Values expected(200 + step / 4, poison);
    std::fill_n(expected.begin() + step / 4, 100, 0xC0FFEE);
    EXPECT_EQ(contents(one, expected.size()), expected); // fills only the 100 words of the import
    expected = Values(100, poison);
    std::fill_n(expected.begin(), 10, 0xC0FFEE);
    EXPECT_EQ(contents(two, 100), expected);
}

/// Writes arguments for one dispatch at word 3 and a count of 100 at word 0.
const char* const arguments_source = R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) writeonly buffer Arguments { uint data[]; };
void main() {
    data[0] = 100;
    data[3] = 2; data[4] = 1; data[5] = 1;
})";

TEST(Program, IndirectDispatches) {
    WordGraph graph;
    const WordRef arguments = graph.transient("arguments", 6), in = graph.import("in", 1000);
    std::vector<WordRef> outs;
    for (const char* name : {"by arguments", "by count", "by count, at most 10", "by count, at least 3 groups"}) {
        outs.push_back(graph.import(name, 1000));
    }
    graph.add_pass(simple_pass("arguments", arguments_source, {write(arguments)}));
    const auto add = [&](std::size_t out, const Dispatch& dispatch) {
        Pass pass = add_pass(in, outs[out], 1000U, 1); // 1000, so that only the dispatch limits it
        pass.dispatch = dispatch;
        graph.add_pass(pass);
    };
    add(0, Dispatch::indirect(arguments, 3));
    add(1, Dispatch::elements(graph.count_in(arguments, 0, 1000), 32));
    add(2, Dispatch::elements(graph.count_in(arguments, 0, 10), 64));
    add(3, Dispatch::elements(graph.count_in(arguments, 0, 1000), 100, 3));
    Program program = ok(compile(test_context(), graph));
    const Values input = Random().vector(1000);
    const Buffer from = buffer_of(input);
    ok(program.bind(in, from));
    std::vector<Buffer> results;
    for (const WordRef& out : outs) {
        results.push_back(poisoned_buffer(1000));
        ok(program.bind(out, results.back()));
    }
    ok(program.run());
    const std::uint32_t groups[] = {2, 4, 1, 3}; // of 64
    for (std::size_t i = 0; i < outs.size(); ++i) {
        Values expected(1000, poison);
        std::transform(input.begin(), input.begin() + groups[i] * 64, expected.begin(), [](auto x) { return x + 1; });
        EXPECT_EQ(contents(results[i], 1000), expected) << i;
    }
}

/// Three passes in two groups, and one that is culled.
struct Profiled {
    WordRef out;
    Buffer counts = buffer_of(Values(64, 0));
    std::optional<Program> program;

    Profiled() {
        WordGraph graph;
        const WordRef counted = graph.import("counted"), filled = graph.transient("filled");
        const WordRef unused = graph.transient("unused");
        out = graph.transient("out");
        graph.add_pass(increment(counted, "count"));
        graph.add_fill("fill", unused, 3);
        graph.add_fill("fill what is added to", filled, 7);
        graph.add_pass(add_pass(filled, out, 64U, 1));
        graph.export_buffer(out);
        program.emplace(ok(compile(test_context(), graph)));
        ok(program->bind(counted, counts));
    }

    void check(const Profile& profile, std::uint32_t executions) const {
        ASSERT_EQ(profile.passes.size(), 3U);
        const std::uint32_t passes[] = {0, 2, 3}, groups[] = {0, 0, 1};
        double before = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const PassTime& time = profile.passes[i];
            EXPECT_EQ(time.pass, passes[i]);
            EXPECT_EQ(time.group, groups[i]);
            EXPECT_EQ(time.begin_us, before);
            EXPECT_GE(time.end_us, time.begin_us);
            before = time.end_us;
        }
        EXPECT_EQ(profile.total_us(), before);
        const auto us = [&](std::size_t i) { return profile.passes[i].end_us - profile.passes[i].begin_us; };
        EXPECT_DOUBLE_EQ(profile.longest_chain_us(), std::max(us(0), us(1) + us(2))); // the count is independent
        EXPECT_DOUBLE_EQ(profile.two_queues_us(), std::max(profile.longest_chain_us(), (us(0) + us(1) + us(2)) / 2));
        EXPECT_TRUE(profile.statistics.empty());
        EXPECT_GT(before, 0);
        EXPECT_LT(before, 60e6);
        EXPECT_THAT(contents(program->view(out), 64), Each(8U));
        EXPECT_THAT(contents(counts, 64), Each(executions));
    }
};

// Vulkan does not require timestamps on compute queues. Without them profile() returns an error.
TEST(Program, Profile) {
    Profiled made;
    if (test_context().capabilities().timestamp_bits == 0) {
        expect_error(made.program->profile(), ErrorCode::unsupported, HasSubstr("not support timestamps"));
        return;
    }
    for (std::uint32_t i = 1; i < 4; ++i) {
        made.check(ok(made.program->profile()), i);
    }
}

// Most CPU drivers have no pipeline statistics. Those of GPUs report registers.
TEST(Program, ProfileWithStatistics) {
    ContextOptions options = validated();
    options.compiler.statistics = true;
    const Context gpu = ok(Context::create(options));
    WordGraph graph(gpu);
    const WordRef out = graph.transient("out");
    graph.add_fill("fill", out, 7);
    graph.add_pass(increment(out));
    graph.export_buffer(out);
    Program program = ok(compile(gpu, graph));
    if (gpu.capabilities().timestamp_bits == 0) {
        return;
    }
    const Profile profile = ok(program.profile());
    if (!gpu.capabilities().pipeline_statistics) {
        EXPECT_TRUE(profile.statistics.empty());
        return;
    }
    ASSERT_EQ(profile.statistics.size(), 2U);
    EXPECT_EQ(profile.statistics[0], ""); // no pipeline
    EXPECT_NE(profile.statistics[1], "");
    EXPECT_THAT(profile.text(), HasSubstr("increment (" + profile.statistics[1] + ")"));
}

TEST(Program, ProfileOfRecording) {
    if (test_context().capabilities().timestamp_bits == 0) {
        expect_error(Timestamps::create(test_context(), 3), ErrorCode::unsupported,
                     HasSubstr("not support timestamps"));
        return;
    }
    Profiled made;
    const Timestamps few = ok(Timestamps::create(test_context(), 3)), more = ok(Timestamps::create(test_context(), 7));
    ok(test_context().submit([&](VkCommandBuffer commands) -> Result<> {
        expect_error(made.program->record(commands, few), ErrorCode::invalid_argument,
                     HasSubstr("3 timestamps; the passes require 4"));
        return made.program->record(commands, more);
    }));
    made.check(ok(made.program->profile(more)), 1);
    expect_error(made.program->profile(few), ErrorCode::invalid_argument, HasSubstr("timestamps: cannot read 4 of 3"));
}

TEST(Program, ReserveCreatesAndReplacesTimestamps) {
    Profiled made;
    std::optional<Timestamps> timestamps;
    if (test_context().capabilities().timestamp_bits == 0) {
        expect_error(made.program->reserve(timestamps), ErrorCode::unsupported, HasSubstr("not support timestamps"));
        return;
    }
    ok(made.program->reserve(timestamps));
    EXPECT_EQ(timestamps->count(), 4U);
    timestamps = ok(Timestamps::create(test_context(), 3));
    ok(made.program->reserve(timestamps));
    EXPECT_EQ(timestamps->count(), 4U);
    timestamps = ok(Timestamps::create(test_context(), 7));
    ok(made.program->reserve(timestamps));
    EXPECT_EQ(timestamps->count(), 7U);
    ok(test_context().submit([&](VkCommandBuffer commands) { return made.program->record(commands, *timestamps); }));
    made.check(ok(made.program->profile(*timestamps)), 1);
}

TEST(Program, UnusedBindings) {
    WordGraph graph;
    const WordRef data = graph.import("data"), stand_in = graph.transient("stand_in", 4);
    graph.add_pass(simple_pass("pass", increment_source, {read_write(data), unused(stand_in)}));
    Program program = ok(compile(test_context(), graph));
    EXPECT_EQ(run_on(program, data, Values(64, 1)), Values(64, 2));
}

} // namespace
} // namespace weir::tests::program_test

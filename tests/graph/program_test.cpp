// Programs on a device: users' passes, bindings, parameters, recordings.

#include <algorithm>
#include <array>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/graph/program.hpp>

#include "engine/device.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/commands.hpp"
#include "tests/support/folder.hpp"

namespace weir::tests {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using Values = std::vector<std::uint32_t>;
using Words = BufferRef<std::uint32_t>;

constexpr std::uint32_t poison = 0xA5A5A5A5;

/// out[i] = in[i] + add for i < n.
const char* const add_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint source[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint n; uint add; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < n) {
        result[i] = source[i] + add;
    }
})";

/// data[i] += 1 for all of 64 elements.
const char* const increment_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] += 1; })";

Pass add_pass(const Words& in, const Words& out, const PushWord& n, std::uint32_t add) {
    Pass pass;
    pass.name = "add";
    pass.shader = ShaderSource::glsl(add_source, "add.comp");
    pass.bindings = {read(in), write(out)};
    pass.push = {n, add};
    pass.dispatch = Dispatch::elements(
        std::holds_alternative<Count>(n) ? std::get<Count>(n) : Count(std::get<std::uint32_t>(n)), 64);
    return pass;
}

Pass simple_pass(const std::string& name, const char* source, std::vector<Binding> bindings) {
    Pass pass;
    pass.name = name;
    pass.shader = ShaderSource::glsl(source, name);
    pass.bindings = std::move(bindings);
    return pass;
}

Values plus(Values values, std::uint32_t add) {
    for (std::uint32_t& value : values) {
        value += add;
    }
    return values;
}

/// in + add -> out, both imports of `capacity`.
struct Adder {
    explicit Adder(std::uint32_t capacity = 1000, std::uint32_t add = 1, const CompileOptions& options = {}) {
        Graph graph(test_context());
        n = graph.parameter("n", capacity);
        in = graph.import_buffer<std::uint32_t>("in", capacity);
        out = graph.import_buffer<std::uint32_t>("out", capacity);
        graph.add_pass(add_pass(in, out, n, add));
        graph.export_buffer(out);
        program.emplace(ok(compile(test_context(), graph, options)));
    }
    Words in, out;
    Count n;
    std::optional<Program> program;
};

Commands test_commands() {
    const Context& context = test_context();
    return {context.shared_device()->vk(), context.device(), context.queue(), context.queue_family()};
}

template <class T>
void expect_error(const Result<T>& result, ErrorCode code, const testing::Matcher<std::string>& message) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code) << result.error().message;
    EXPECT_THAT(result.error().message, message);
}

TEST(Program, RunsAPassOfText) {
    Adder adder;
    const Values input = Random().vector(1000);
    const Buffer in = buffer_of(input), out = poisoned_buffer(1000);
    ok(adder.program->bind(adder.in, in));
    ok(adder.program->bind(adder.out, out));
    const RunReport report = ok(adder.program->run());
    EXPECT_EQ(contents(out, 1000), plus(input, 1));
    EXPECT_EQ(report.gpu_ms.has_value(), test_context().capabilities().timestamp_bits > 0);
    EXPECT_GE(report.gpu_ms.value_or(0), 0);
    EXPECT_EQ(adder.program->memory(), 0U);
}

TEST(Program, RunsAPassOfAFile) {
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
    // More workgroups than fit in a row.
    const std::uint32_t count = test_context().capabilities().max_workgroup_count_x < 100000 ? 100000 : 1000;
    Graph graph(test_context());
    const Words in = graph.import_buffer<std::uint32_t>("in", count);
    const Words out = graph.import_buffer<std::uint32_t>("out", count);
    Pass pass;
    pass.name = "double";
    pass.shader = ShaderSource::glsl_file(folder.path() / "double.comp").define("N", std::to_string(count));
    pass.bindings = {read(in), write(out)};
    pass.dispatch = Dispatch::elements(in.count, 1);
    graph.add_pass(pass);
    Program program = ok(compile(test_context(), graph));
    Values input = Random().vector(count);
    const Buffer from = buffer_of(input), to = poisoned_buffer(count);
    ok(program.bind(in, from));
    ok(program.bind(out, to));
    ok(program.run());
    for (std::uint32_t& value : input) {
        value *= 2;
    }
    EXPECT_EQ(contents(to, count), input);
}

TEST(Program, RunsAPassOfSpirv) {
    const auto words = ok(compile_shader(ShaderSource::glsl(R"(#version 460
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint add = 1;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] += add; })")));
    Graph graph(test_context());
    const Words data = graph.import_buffer<std::uint32_t>("data", 256);
    Pass pass;
    pass.name = "from words";
    pass.shader = ShaderSource::spirv(words);
    pass.bindings = {read_write(data)};
    pass.constants = {32, 7};
    pass.dispatch = Dispatch::groups(8);
    graph.add_pass(pass);
    Program program = ok(compile(test_context(), graph));
    const Values input = Random().vector(256);
    const Buffer buffer = buffer_of(input);
    ok(program.bind(data, buffer));
    ok(program.run());
    EXPECT_EQ(contents(buffer, 256), plus(input, 7));
}

TEST(Program, ParametersSizeTheWork) {
    Adder adder(1000, 5);
    const Values input = Random().vector(1000);
    const Buffer in = buffer_of(input);
    ok(adder.program->bind(adder.in, in));
    for (const std::uint32_t n : {0U, 1U, 63U, 64U, 65U, 999U, 1000U}) {
        const Buffer out = poisoned_buffer(1000);
        ok(adder.program->bind(adder.out, out));
        ok(adder.program->set(adder.n, n));
        ok(adder.program->run());
        Values expected(1000, poison);
        std::transform(input.begin(), input.begin() + n, expected.begin(), [](std::uint32_t x) { return x + 5; });
        EXPECT_EQ(contents(out, 1000), expected) << n;
    }
}

TEST(Program, RebindingGivesOtherOutputs) {
    Adder adder;
    const Values a = Random(1).vector(1000), b = Random(2).vector(1000);
    const Buffer from_a = buffer_of(a), from_b = buffer_of(b), one = poisoned_buffer(1000), two = poisoned_buffer(1000);
    ok(adder.program->bind(adder.in, from_a));
    ok(adder.program->bind(adder.out, one));
    ok(adder.program->run());
    ok(adder.program->bind(adder.out, two));
    ok(adder.program->run());
    EXPECT_EQ(contents(one, 1000), plus(a, 1));
    EXPECT_EQ(contents(two, 1000), plus(a, 1));
    ok(adder.program->bind(adder.in, from_b));
    ok(adder.program->run());
    EXPECT_EQ(contents(one, 1000), plus(a, 1));
    EXPECT_EQ(contents(two, 1000), plus(b, 1));
    EXPECT_EQ(adder.program->view(adder.out).buffer, two.handle());
}

/// A new buffer may get the handle of one that was destroyed.
TEST(Program, RebindingAfterABufferIsGone) {
    Adder adder;
    const Values input = Random().vector(1000);
    const Buffer in = buffer_of(input);
    ok(adder.program->bind(adder.in, in));
    for (int i = 0; i < 8; ++i) {
        const Buffer out = poisoned_buffer(1000);
        ok(adder.program->bind(adder.out, out));
        ok(adder.program->run());
        EXPECT_EQ(contents(out, 1000), plus(input, 1));
    }
}

TEST(Program, APartOfABufferCanBeBound) {
    const std::uint32_t step = std::max(test_context().capabilities().storage_offset_alignment, 4U);
    Adder adder(step / 4, 3);
    const Values input = Random().vector(3 * step / 4);
    const Buffer buffer = buffer_of(input);
    ok(adder.program->bind(adder.in, {buffer.handle(), 0, step}));
    ok(adder.program->bind(adder.out, {buffer.handle(), step, 2 * step})); // side by side is no overlap
    ok(adder.program->run());
    Values expected = input;
    for (std::uint32_t i = 0; i < step / 4; ++i) {
        expected[step / 4 + i] = input[i] + 3;
    }
    EXPECT_EQ(contents(buffer, input.size()), expected);
}

TEST(Program, BindErrors) {
    Adder adder, other;
    Program& program = *adder.program;
    Graph with_transient(test_context());
    const Words transient = with_transient.transient_buffer<std::uint32_t>("transient", 4);
    with_transient.add_fill("fill", transient, 0);
    with_transient.export_buffer(transient);
    Program fills = ok(compile(test_context(), with_transient));

    const Buffer small = poisoned_buffer(999), right = poisoned_buffer(1000), large = poisoned_buffer(2000);
    const auto invalid = ErrorCode::invalid_argument;
    expect_error(program.bind(adder.in, small), invalid,
                 AllOf(HasSubstr("'in'"), HasSubstr("3996"), HasSubstr("4000")));
    expect_error(program.bind(adder.in, {right.handle(), 0, 100}), invalid, HasSubstr("100 bytes"));
    expect_error(program.bind(adder.in, {}), invalid, AllOf(HasSubstr("'in'"), HasSubstr("no buffer")));
    expect_error(program.bind(adder.in, {large.handle(), 2, 4000}), invalid, AllOf(HasSubstr("'in'"), HasSubstr("2")));
    expect_error(program.bind(BufferId{}, right), invalid, HasSubstr("not an import"));
    expect_error(program.bind(other.in, right), invalid, HasSubstr("not an import"));
    expect_error(fills.bind(transient, right), invalid, HasSubstr("not an import"));
}

TEST(Program, RecordingNeedsAllImports) {
    Adder adder;
    const Buffer in = poisoned_buffer(1000);
    expect_error(adder.program->run(), ErrorCode::invalid_argument, HasSubstr("'in' is not bound"));
    ok(adder.program->bind(adder.in, in));
    expect_error(adder.program->run(), ErrorCode::invalid_argument, HasSubstr("'out' is not bound"));
    const Buffer out = poisoned_buffer(1000);
    ok(adder.program->bind(adder.out, out));
    ok(adder.program->run()); // an error before is no obstacle
}

TEST(Program, ImportsThatOverlap) {
    Adder adder(64);
    const std::uint32_t step = std::max(test_context().capabilities().storage_offset_alignment, 4U);
    const Buffer buffer = poisoned_buffer(1000);
    ok(adder.program->bind(adder.in, buffer));
    ok(adder.program->bind(adder.out, buffer));
    const auto overlap = AllOf(HasSubstr("'in'"), HasSubstr("'out'"), HasSubstr("overlapping"));
    expect_error(adder.program->run(), ErrorCode::invalid_argument, overlap);
    if (step < 256) {
        ok(adder.program->bind(adder.out, {buffer.handle(), 256 - step, 256}));
        expect_error(adder.program->run(), ErrorCode::invalid_argument, overlap);
    }
    ok(adder.program->bind(adder.out, {buffer.handle(), 256, 256}));
    ok(adder.program->run());
}

TEST(Program, ImportsThatAreOnlyReadMayOverlap) {
    Graph graph(test_context());
    const Words a = graph.import_buffer<std::uint32_t>("a", 64), b = graph.import_buffer<std::uint32_t>("b", 64);
    const Words out = graph.import_buffer<std::uint32_t>("out", 64);
    graph.add_pass(simple_pass("sum", R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint sum[]; };
void main() { sum[gl_GlobalInvocationID.x] = a[gl_GlobalInvocationID.x] + b[gl_GlobalInvocationID.x]; })",
                               {read(a), read(b), write(out)}));
    Program program = ok(compile(test_context(), graph));
    const Buffer in = buffer_of(Values(64, 21)), result = poisoned_buffer(64);
    ok(program.bind(a, in));
    ok(program.bind(b, in));
    ok(program.bind(out, result));
    ok(program.run());
    EXPECT_EQ(contents(result, 64), Values(64, 42));
}

TEST(Program, SetErrors) {
    Adder adder, other;
    const auto invalid = ErrorCode::invalid_argument;
    expect_error(adder.program->set(adder.n, 1001), invalid,
                 AllOf(HasSubstr("'n'"), HasSubstr("1001"), HasSubstr("1000")));
    expect_error(adder.program->set(Count(5), 1), invalid, HasSubstr("not a parameter"));
    expect_error(adder.program->set(other.n, 1), invalid, HasSubstr("not a parameter"));
    ok(adder.program->set(adder.n, 1000));
}

TEST(Program, BuffersPastTheDevicesLimit) {
    const std::uint64_t most = test_context().capabilities().max_storage_range;
    const std::uint64_t capacity = most / 8 + 1;
    if (capacity > UINT32_MAX) {
        GTEST_SKIP() << "the device binds all that a graph can have";
    }
    for (const bool import : {true, false}) {
        Graph graph(test_context());
        const auto large = import
                               ? graph.import_buffer<std::uint64_t>("large", static_cast<std::uint32_t>(capacity))
                               : graph.transient_buffer<std::uint64_t>("large", static_cast<std::uint32_t>(capacity));
        graph.add_fill("fill", large, 0);
        graph.export_buffer(large);
        expect_error(compile(test_context(), graph), ErrorCode::limit_exceeded,
                     AllOf(HasSubstr("'large'"), HasSubstr(std::to_string(capacity * 8)),
                           HasSubstr(std::to_string(most)), HasSubstr("maxStorageBufferRange")));
    }
}

TEST(Program, PassesPastTheDevicesLimits) {
    const Capabilities& device = test_context().capabilities();
    const auto compiled = [&](auto change) {
        Graph graph(test_context());
        const Words data = graph.import_buffer<std::uint32_t>("data", 64);
        Pass pass = simple_pass("too much", increment_source, {read_write(data)});
        change(graph, pass);
        graph.add_pass(pass);
        return compile(test_context(), graph);
    };
    const auto names_pass = HasSubstr("pass 'too much'");
    const auto limit = ErrorCode::limit_exceeded;
    if (device.max_workgroup_count_x < UINT32_MAX) {
        expect_error(
            compiled([&](Graph&, Pass& pass) { pass.dispatch = Dispatch::groups(device.max_workgroup_count_x + 1); }),
            limit, names_pass);
    }
    if (device.max_workgroup_count_y < UINT32_MAX) {
        expect_error(compiled([&](Graph&, Pass& pass) {
                         pass.dispatch = Dispatch::groups(1, device.max_workgroup_count_y + 1);
                     }),
                     limit, names_pass);
    }
    expect_error(compiled([&](Graph&, Pass& pass) { pass.push.resize(device.max_push_constants / 4 + 1, 0U); }), limit,
                 AllOf(names_pass, HasSubstr("push constants")));
    if (device.max_storage_buffers < 1000) {
        expect_error(compiled([&](Graph& graph, Pass& pass) {
                         for (std::uint32_t i = 0; i < device.max_storage_buffers; ++i) {
                             pass.bindings.push_back(read(graph.import_buffer<std::uint32_t>("more", 1)));
                         }
                     }),
                     limit, AllOf(names_pass, HasSubstr("storage buffers")));
    }
}

TEST(Program, GlslThatDoesNotCompile) {
    Graph graph(test_context());
    const Words data = graph.import_buffer<std::uint32_t>("data", 64);
    graph.add_pass(simple_pass("mistaken", "#version 460\nlayout(local_size_x = 1) in;\nvoid main() { oops(); }\n",
                               {read_write(data)}));
    expect_error(compile(test_context(), graph), ErrorCode::shader_compilation,
                 AllOf(HasSubstr("pass 'mistaken'"), HasSubstr("mistaken:3"), HasSubstr("oops")));
}

TEST(Program, FilesThatDoNotCompile) {
    const TemporaryFolder folder;
    folder.write("part.glsl", "\nuint f() { return undefined_here; }\n");
    folder.write("whole.comp", "#version 460\n#include \"part.glsl\"\nvoid main() { f(); }\n");
    const auto compiled = [&](const char* name) {
        Graph graph(test_context());
        Pass pass;
        pass.name = "from a file";
        pass.shader = ShaderSource::glsl_file(folder.path() / name);
        pass.bindings = {read_write(graph.import_buffer<std::uint32_t>("data", 64))};
        graph.add_pass(pass);
        return compile(test_context(), graph);
    };
    expect_error(compiled("whole.comp"), ErrorCode::shader_compilation,
                 AllOf(HasSubstr("pass 'from a file'"), HasSubstr("part.glsl:2"), HasSubstr("undefined_here")));
    expect_error(compiled("none.comp"), ErrorCode::io, AllOf(HasSubstr("pass 'from a file'"), HasSubstr("none.comp")));
}

TEST(Program, SpirvThatIsNone) {
    Graph graph(test_context());
    Pass pass;
    pass.name = "nonsense";
    pass.shader = ShaderSource::spirv({1, 2, 3});
    pass.bindings = {write(graph.import_buffer<std::uint32_t>("data", 64))};
    graph.add_pass(pass);
    expect_error(compile(test_context(), graph), ErrorCode::invalid_argument, HasSubstr("pass 'nonsense'"));
}

TEST(Program, MistakesInTheGraphAreReported) {
    Graph graph(test_context());
    graph.add_fill("fill", {}, 0);
    expect_error(compile(test_context(), graph), ErrorCode::invalid_graph, HasSubstr("'fill'"));
}

TEST(Program, StatesAreZeroAtFirstAndKept) {
    Graph graph(test_context());
    const Words runs = graph.state_buffer<std::uint32_t>("runs", 64),
                out = graph.import_buffer<std::uint32_t>("out", 64);
    graph.add_pass(simple_pass("count", increment_source, {read_write(runs)}));
    graph.add_copy("copy", runs, out, 256);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = poisoned_buffer(64);
    ok(program.bind(out, buffer));
    for (std::uint32_t i = 1; i <= 3; ++i) {
        ok(program.run());
        EXPECT_THAT(contents(buffer, 64), Each(i));
    }
    EXPECT_EQ(program.memory(), 256U);
}

TEST(Program, AnExportedTransientIsRead) {
    Graph graph(test_context());
    const Words in = graph.import_buffer<std::uint32_t>("in", 100);
    const Words hidden = graph.transient_buffer<std::uint32_t>("hidden", 100);
    const Words out = graph.transient_buffer<std::uint32_t>("out", 100);
    graph.add_pass(add_pass(in, hidden, 100U, 1));
    graph.add_pass(add_pass(hidden, out, 100U, 10));
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Values input = Random().vector(100);
    const Buffer from = buffer_of(input);
    EXPECT_EQ(program.view(in).buffer, VK_NULL_HANDLE);
    ok(program.bind(in, from));
    ok(program.run());
    EXPECT_EQ(program.view(in).buffer, from.handle());
    EXPECT_EQ(program.view(hidden).buffer, VK_NULL_HANDLE);
    EXPECT_EQ(program.view(BufferId{}).buffer, VK_NULL_HANDLE);
    EXPECT_EQ(program.view(Adder().out).buffer, VK_NULL_HANDLE); // of another graph
    EXPECT_EQ(program.view(out).size, 400U);
    EXPECT_EQ(contents(program.view(out), 100), plus(input, 11));
    EXPECT_EQ(program.memory(), 800U);
}

TEST(Program, FillsAndCopies) {
    Graph graph(test_context());
    const Words filled = graph.import_buffer<std::uint32_t>("filled", 100);
    const Words copied = graph.import_buffer<std::uint32_t>("copied", 100);
    graph.add_fill("fill", filled, 0xC0FFEE);
    graph.add_copy("copy", filled, copied, 40);
    Program program = ok(compile(test_context(), graph));
    const std::uint32_t step = std::max(test_context().capabilities().storage_offset_alignment, 4U);
    const Buffer one = poisoned_buffer(200 + step / 4), two = poisoned_buffer(100);
    ok(program.bind(filled, {one.handle(), step, 800}));
    ok(program.bind(copied, two));
    ok(program.run());
    Values expected(200 + step / 4, poison);
    std::fill_n(expected.begin() + step / 4, 100, 0xC0FFEE);
    EXPECT_EQ(contents(one, expected.size()), expected); // its 100 words, and no more
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
    Graph graph(test_context());
    const Words arguments = graph.transient_buffer<std::uint32_t>("arguments", 6);
    const Words in = graph.import_buffer<std::uint32_t>("in", 1000);
    std::vector<Words> outs;
    for (const char* name : {"by arguments", "by count", "by count, at most 10", "by count, at least 3 groups"}) {
        outs.push_back(graph.import_buffer<std::uint32_t>(name, 1000));
    }
    graph.add_pass(simple_pass("arguments", arguments_source, {write(arguments)}));
    const auto add = [&](std::size_t out, const Dispatch& dispatch) {
        Pass pass = add_pass(in, outs[out], 1000U, 1); // so that the dispatch alone limits it
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
    for (const Words& out : outs) {
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

TEST(Program, BindingsThatAreNotUsed) {
    Graph graph(test_context());
    const Words data = graph.import_buffer<std::uint32_t>("data", 64);
    const Words placeholder = graph.transient_buffer<std::uint32_t>("placeholder", 4);
    graph.add_pass(simple_pass("pass", increment_source, {read_write(data), unused(placeholder)}));
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(Values(64, 1));
    ok(program.bind(data, buffer));
    ok(program.run());
    EXPECT_THAT(contents(buffer, 64), Each(2U));
}

TEST(Program, OneRecordingIsSubmittedManyTimes) {
    Graph graph(test_context());
    const Words data = graph.import_buffer<std::uint32_t>("data", 64),
                runs = graph.state_buffer<std::uint32_t>("runs", 64);
    const Words scratch = graph.transient_buffer<std::uint32_t>("scratch", 64),
                out = graph.transient_buffer<std::uint32_t>("out", 64);
    graph.add_pass(simple_pass("increment", increment_source, {read_write(data)}));
    graph.add_pass(simple_pass("count", increment_source, {read_write(runs)}));
    graph.add_pass(add_pass(data, scratch, 64U, 0));
    graph.add_pass(add_pass(runs, out, 64U, 100));
    graph.add_pass(add_pass(scratch, data, 64U, 10));
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(Values(64, 0));
    ok(program.bind(data, buffer));
    Commands host = test_commands();
    const VkCommandBuffer commands = host.begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    ok(program.record(commands));
    host.end(commands);
    for (int i = 0; i < 5; ++i) {
        host.submit(commands);
    }
    host.wait();
    EXPECT_THAT(contents(buffer, 64), Each(55U));
    EXPECT_THAT(contents(program.view(out), 64), Each(105U));
}

TEST(Program, SeveralExecutionsInOneCommandBuffer) {
    Graph graph(test_context());
    const Words data = graph.import_buffer<std::uint32_t>("data", 64);
    graph.add_pass(simple_pass("increment", increment_source, {read_write(data)}));
    graph.export_buffer(data);
    Program program = ok(compile(test_context(), graph));
    const Buffer one = buffer_of(Values(64, 0)), two = buffer_of(Values(64, 0));
    Commands host = test_commands();
    const VkCommandBuffer commands = host.begin();
    for (int i = 0; i < 3; ++i) {
        ok(program.bind(data, i == 1 ? two : one));
        ok(program.record(commands));
    }
    host.end(commands);
    host.submit(commands);
    host.wait();
    EXPECT_THAT(contents(one, 64), Each(2U));
    EXPECT_THAT(contents(two, 64), Each(1U));
}

TEST(Program, FramesInFlightHaveBindingsAndParametersOfTheirOwn) {
    constexpr std::uint32_t frames = 4;
    Adder adder(1000, 1, {.frames_in_flight = frames});
    const Values input = Random().vector(1000);
    const Buffer in = buffer_of(input);
    ok(adder.program->bind(adder.in, in));
    Commands host = test_commands();
    std::vector<Buffer> outs;
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        outs.push_back(poisoned_buffer(1000));
    }
    std::vector<VkCommandBuffer> recorded;
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        ok(adder.program->bind(adder.out, outs[frame]));
        ok(adder.program->set(adder.n, 100 * frame));
        recorded.push_back(host.begin());
        ok(adder.program->record(recorded.back()));
        host.end(recorded.back());
    }
    for (const VkCommandBuffer commands : recorded) {
        host.submit(commands);
    }
    host.wait();
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        Values expected(1000, poison);
        std::transform(input.begin(), input.begin() + 100 * frame, expected.begin(), [](auto x) { return x + 1; });
        EXPECT_EQ(contents(outs[frame], 1000), expected) << frame;
    }
}

TEST(Program, TwoAreRecordedByTwoThreads) {
    const Values input = Random().vector(1000);
    std::array<Values, 2> found;
    const Buffer in = buffer_of(input);
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 2; ++t) {
        threads.emplace_back([&, t] {
            Adder adder(1000, t + 1);
            const Buffer out = poisoned_buffer(1000);
            ok(adder.program->bind(adder.in, in));
            ok(adder.program->bind(adder.out, out));
            Commands host = test_commands();
            for (int i = 0; i < 100; ++i) {
                const VkCommandBuffer commands = host.begin();
                ok(adder.program->record(commands));
                host.end(commands);
            }
            ok(adder.program->run());
            found[t] = contents(out, 1000);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(found[0], plus(input, 1));
    EXPECT_EQ(found[1], plus(input, 2));
}

TEST(Program, KeepsWhatItNeedsAlive) {
    std::optional<Program> program;
    std::optional<Buffer> buffer;
    BufferId data;
    {
        const Context context = ok(Context::create(validated()));
        Graph graph(context);
        const Words import = graph.import_buffer<std::uint32_t>("data", 64);
        data = import;
        graph.add_pass(simple_pass("increment", increment_source, {read_write(import)}));
        program.emplace(ok(compile(context, graph)));
        buffer.emplace(ok(context.create_buffer(256)));
        ok(context.upload(*buffer, Values(64, 1)));
    }
    ok(program->bind(data, *buffer));
    ok(program->run());
    Program moved = std::move(*program);
    program.reset();
    ok(moved.run());
}

} // namespace
} // namespace weir::tests

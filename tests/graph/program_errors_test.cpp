// Errors of compile, bind, set and run.

#include <algorithm>
#include <array>

#include "tests/graph/programs.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::program_errors_test {
namespace {

const OnOneDriver on_one_driver{"ProgramErrors.*"};

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(ProgramErrors, BindErrors) {
    Adder adder, other;
    Program& program = *adder.program;
    WordGraph with_transient;
    const WordRef transient = with_transient.transient("transient", 4);
    with_transient.add_fill("fill", transient, 0);
    with_transient.export_buffer(transient);
    Program fills = ok(compile(test_context(), with_transient));

    const Buffer small = poisoned_buffer(999), right = poisoned_buffer(1000), large = poisoned_buffer(2000);
    const auto invalid = ErrorCode::invalid_argument;
    expect_error(program.bind(adder.in, small), invalid,
                 AllOf(HasSubstr("'in'"), HasSubstr("3996"), HasSubstr("4000")));
    expect_error(program.bind(adder.in, {right.handle(), 0, 100}), invalid, HasSubstr("100 bytes"));
    expect_error(program.bind(adder.in, {}), invalid, AllOf(HasSubstr("'in'"), HasSubstr("the buffer is null")));
    expect_error(program.bind(adder.in, {large.handle(), 2, 4000}), invalid, AllOf(HasSubstr("'in'"), HasSubstr("2")));
    expect_error(program.bind(BufferId{}, right), invalid, HasSubstr("not an import"));
    expect_error(program.bind(other.in, right), invalid, HasSubstr("of another graph"));
    expect_error(fills.bind(transient, right), invalid, HasSubstr("not an import"));
}

TEST(ProgramErrors, RecordingNeedsAllImports) {
    Adder adder;
    const Buffer in = poisoned_buffer(1000);
    expect_error(adder.program->run(), ErrorCode::invalid_argument, HasSubstr("'in' is not bound"));
    ok(adder.program->bind(adder.in, in));
    expect_error(adder.program->run(), ErrorCode::invalid_argument, HasSubstr("'out' is not bound"));
    const Buffer out = poisoned_buffer(1000);
    ok(adder.program->bind(adder.out, out));
    ok(adder.program->run()); // works after errors
}

TEST(ProgramErrors, OverlappingImports) {
    Adder adder(64);
    const std::uint32_t step = std::max(test_context().capabilities().storage_offset_alignment, 4U);
    const Buffer buffer = poisoned_buffer(1000);
    bind_all(*adder.program, {{adder.in, buffer}, {adder.out, buffer}});
    const auto overlap = AllOf(HasSubstr("'in'"), HasSubstr("'out'"), HasSubstr("overlapping"));
    expect_error(adder.program->run(), ErrorCode::invalid_argument, overlap);
    if (step < 256) {
        ok(adder.program->bind(adder.out, {buffer.handle(), 256 - step, 256}));
        expect_error(adder.program->run(), ErrorCode::invalid_argument, overlap);
    }
    run_with(*adder.program, {{adder.out, {buffer.handle(), 256, 256}}});
}

TEST(ProgramErrors, SetErrors) {
    Adder adder, other;
    const auto invalid = ErrorCode::invalid_argument;
    expect_error(adder.program->set(adder.n, 1001), invalid,
                 AllOf(HasSubstr("'n'"), HasSubstr("1001"), HasSubstr("1000")));
    expect_error(adder.program->set(Count(5), 1), invalid, HasSubstr("not a parameter"));
    expect_error(adder.program->set(other.n, 1), invalid, HasSubstr("the parameter is of another graph"));
    ok(adder.program->set(adder.n, 1000));
}

/// The limit applies only to bound buffers, not to fills, copies and addresses.
TEST(ProgramErrors, BufferExceedsDeviceLimit) {
    Capabilities limits = test_context().capabilities();
    limits.max_storage_range = 1000;
    for (const bool is_import : {true, false}) {
        WordGraph graph(limits);
        const auto large = is_import ? graph.import("large", 251) : graph.transient("large", 251);
        graph.add_fill("fill", large, 0);
        graph.export_buffer(large);
        EXPECT_TRUE(compile(test_context(), graph));
        graph.add_pass(increment(large));
        expect_error(compile(test_context(), graph), ErrorCode::limit_exceeded,
                     AllOf(HasSubstr("'large' has 1004 bytes"), HasSubstr("1000 (maxStorageBufferRange)")));
    }
}

TEST(ProgramErrors, PassExceedsDeviceLimits) {
    const Capabilities& device = test_context().capabilities();
    const auto compiled = [&](auto change) {
        WordGraph graph;
        const WordRef data = graph.import("data");
        Pass pass = increment(data, "too much");
        change(graph, pass);
        graph.add_pass(pass);
        return compile(test_context(), graph);
    };
    const auto names_pass = HasSubstr("pass 'too much'");
    const auto limit = ErrorCode::limit_exceeded;
    const std::array<std::uint32_t, 3> most{device.max_workgroup_count_x, device.max_workgroup_count_y,
                                            device.max_workgroup_count_z};
    for (std::size_t axis = 0; axis < most.size(); ++axis) {
        SCOPED_TRACE(axis);
        std::array<std::uint32_t, 3> groups{1, 1, 1};
        groups.at(axis) = most.at(axis) + 1; // 0 if the device has no limit
        if (groups.at(axis) != 0) {
            expect_error(compiled([&](Graph&, Pass& pass) {
                             pass.dispatch = Dispatch::groups(groups[0], groups[1], groups[2]);
                         }),
                         limit, names_pass);
        }
    }
    if (device.max_workgroup_count_x <= 65535 && device.max_workgroup_count_y <= 65535) {
        expect_error(compiled([&](WordGraph& graph, Pass& pass) {
                         const WordRef counts = graph.import("counts", 1);
                         pass.dispatch = Dispatch::elements(graph.count_in(counts, 0, UINT32_MAX), 1);
                     }),
                     limit, names_pass);
    }
    expect_error(compiled([&](Graph&, Pass& pass) { pass.push.resize(device.max_push_constants / 4 + 1, 0U); }), limit,
                 AllOf(names_pass, HasSubstr("push constants")));
    if (device.max_storage_buffers < 1000) {
        expect_error(compiled([&](WordGraph& graph, Pass& pass) {
                         for (std::uint32_t i = 0; i < device.max_storage_buffers; ++i) {
                             pass.bindings.push_back(read(graph.import("more", 1)));
                         }
                     }),
                     limit, AllOf(names_pass, HasSubstr("storage buffers")));
    }
}

TEST(ProgramErrors, SpreadDispatchWhoseShaderIgnoresY) {
    Capabilities limits = test_context().capabilities();
    for (const std::uint32_t most : {16U, 15U}) {
        limits.max_workgroup_count_x = most;
        WordGraph graph(limits);
        const WordRef in = graph.import("in", 1000), out = graph.import("out", 1000);
        graph.add_pass(add_pass(in, out, 1000U, 1));
        const auto program = compile(test_context(), graph);
        if (most == 16) {
            EXPECT_TRUE(program) << program.error().message;
            continue;
        }
        expect_error(program, ErrorCode::invalid_graph,
                     AllOf(StartsWith("pass 'add': shader 'add.comp' reads x"), HasSubstr("ignores y"),
                           HasSubstr("up to 16 workgroups are spread over 2 rows"), HasSubstr("at most 15 in x")));
    }
}

TEST(ProgramErrors, WorkgroupSizesFromConstants) {
    const Capabilities& device = test_context().capabilities();
    const auto compiled = [](std::vector<std::uint32_t> constants) {
        WordGraph graph;
        Pass pass = simple_pass("sized", R"(#version 460
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_LocalInvocationIndex] += gl_WorkGroupSize.x; })",
                                {read_write(graph.import("data"))});
        pass.constants = std::move(constants);
        graph.add_pass(pass);
        return compile(test_context(), graph);
    };
    EXPECT_TRUE(compiled({8, 2, 2}));
    EXPECT_TRUE(compiled({device.max_workgroup_invocations, 1, 1}));
    for (const std::uint32_t size : {1U << 20U, UINT32_MAX}) {
        expect_error(compiled({size, 1, 1}), ErrorCode::limit_exceeded,
                     AllOf(HasSubstr("pass 'sized': the shader has workgroups of " + std::to_string(size) + " x 1 x 1"),
                           HasSubstr("maxComputeWorkGroupSize")));
        expect_error(compiled({1, size, 1}), ErrorCode::limit_exceeded, HasSubstr("maxComputeWorkGroupSize"));
        expect_error(compiled({1, 1, size}), ErrorCode::limit_exceeded, HasSubstr("maxComputeWorkGroupSize"));
        expect_error(compiled({size, size, size}), ErrorCode::limit_exceeded, HasSubstr("maxComputeWorkGroupSize"));
    }
    expect_error(compiled({device.max_workgroup_invocations, 2, 1}), ErrorCode::limit_exceeded,
                 HasSubstr("maxComputeWorkGroupInvocations"));
    for (const std::vector<std::uint32_t>& none : {std::vector{0U, 1U, 1U}, {1U, 0U, 1U}, {1U, 1U, 0U}}) {
        expect_error(compiled(none), ErrorCode::invalid_graph, HasSubstr("each dimension must be at least 1"));
    }
}

TEST(ProgramErrors, UnknownQueueKind) {
    WordGraph graph;
    graph.add_fill("fill", graph.import("data"), 0);
    CompileOptions options;
    options.move_to = [](const std::string& /*pass*/, QueueKind /*queue*/) { return QueueKind(77); };
    expect_error(compile(test_context(), graph, options), ErrorCode::invalid_argument,
                 HasSubstr("pass 'fill' is moved to queue kind 77"));
}

TEST(ProgramErrors, GraphOfAnotherDevice) {
    Capabilities another = test_context().capabilities();
    another.device_name = "another";
    WordGraph graph(another);
    graph.add_fill("fill", graph.import("data"), 0);
    expect_error(compile(test_context(), graph), ErrorCode::invalid_argument,
                 AllOf(HasSubstr("built for another device, 'another'"),
                       HasSubstr("'" + test_context().capabilities().device_name + "'")));
}

TEST(ProgramErrors, GlslThatDoesNotCompile) {
    WordGraph graph;
    const WordRef data = graph.import("data");
    graph.add_pass(simple_pass("mistaken", "#version 460\nlayout(local_size_x = 1) in;\nvoid main() { oops(); }\n",
                               {read_write(data)}));
    expect_error(
        compile(test_context(), graph), ErrorCode::shader_compilation,
        AllOf(StartsWith("pass 'mistaken' (program_errors_test.cpp:"), HasSubstr("mistaken:3"), HasSubstr("oops")));
}

TEST(ProgramErrors, FilesThatDoNotCompile) {
    const TemporaryFolder folder;
    folder.write("part.glsl", "\nuint f() { return undefined_here; }\n");
    folder.write("whole.comp", "#version 460\n#include \"part.glsl\"\nvoid main() { f(); }\n");
    const auto compiled = [&](const char* name) {
        WordGraph graph;
        Pass pass;
        pass.name = "from a file";
        pass.shader = ShaderSource::glsl_file(folder.name(name));
        pass.dispatch = Dispatch::groups(1);
        pass.bindings = {read_write(graph.import("data"))};
        graph.add_pass(pass);
        return compile(test_context(), graph);
    };
    expect_error(compiled("whole.comp"), ErrorCode::shader_compilation,
                 AllOf(HasSubstr("pass 'from a file'"), HasSubstr("part.glsl:2"), HasSubstr("undefined_here")));
    expect_error(compiled("none.comp"), ErrorCode::io, AllOf(HasSubstr("pass 'from a file'"), HasSubstr("none.comp")));
}

TEST(ProgramErrors, InvalidSpirv) {
    WordGraph graph;
    Pass pass;
    pass.name = "nonsense";
    pass.shader = ShaderSource::spirv({1, 2, 3});
    pass.dispatch = Dispatch::groups(1);
    pass.bindings = {write(graph.import("data"))};
    graph.add_pass(pass);
    expect_error(compile(test_context(), graph), ErrorCode::invalid_argument, HasSubstr("pass 'nonsense'"));
}

TEST(ProgramErrors, MistakesInTheGraphAreReported) {
    WordGraph graph;
    graph.add_fill("fill", {}, 0);
    expect_error(compile(test_context(), graph), ErrorCode::invalid_graph, HasSubstr("'fill'"));
}

} // namespace
} // namespace weir::tests::program_errors_test

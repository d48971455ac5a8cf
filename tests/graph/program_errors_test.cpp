// What compiling, binding, setting and running refuse.

#include "tests/graph/programs.hpp"
#include "tests/support/folder.hpp"

namespace weir::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ProgramErrors, BindErrors) {
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

TEST(ProgramErrors, RecordingNeedsAllImports) {
    Adder adder;
    const Buffer in = poisoned_buffer(1000);
    expect_error(adder.program->run(), ErrorCode::invalid_argument, HasSubstr("'in' is not bound"));
    ok(adder.program->bind(adder.in, in));
    expect_error(adder.program->run(), ErrorCode::invalid_argument, HasSubstr("'out' is not bound"));
    const Buffer out = poisoned_buffer(1000);
    ok(adder.program->bind(adder.out, out));
    ok(adder.program->run()); // an error before is no obstacle
}

TEST(ProgramErrors, ImportsThatOverlap) {
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

TEST(ProgramErrors, SetErrors) {
    Adder adder, other;
    const auto invalid = ErrorCode::invalid_argument;
    expect_error(adder.program->set(adder.n, 1001), invalid,
                 AllOf(HasSubstr("'n'"), HasSubstr("1001"), HasSubstr("1000")));
    expect_error(adder.program->set(Count(5), 1), invalid, HasSubstr("not a parameter"));
    expect_error(adder.program->set(other.n, 1), invalid, HasSubstr("not a parameter"));
    ok(adder.program->set(adder.n, 1000));
}

/// What is bound, that is: fills, copies and addresses reach further.
TEST(ProgramErrors, BuffersPastTheDevicesLimit) {
    Capabilities limits = test_context().capabilities();
    limits.max_storage_range = 1000;
    for (const bool is_import : {true, false}) {
        Graph graph(limits);
        const auto large = is_import ? graph.import_buffer<std::uint32_t>("large", 251)
                                     : graph.transient_buffer<std::uint32_t>("large", 251);
        graph.add_fill("fill", large, 0);
        graph.export_buffer(large);
        EXPECT_TRUE(compile(test_context(), graph));
        graph.add_pass(simple_pass("increment", increment_source, {read_write(large)}));
        expect_error(compile(test_context(), graph), ErrorCode::limit_exceeded,
                     AllOf(HasSubstr("'large' has 1004 bytes"), HasSubstr("1000 (maxStorageBufferRange)")));
    }
}

TEST(ProgramErrors, PassesPastTheDevicesLimits) {
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

TEST(ProgramErrors, GlslThatDoesNotCompile) {
    Graph graph(test_context());
    const Words data = graph.import_buffer<std::uint32_t>("data", 64);
    graph.add_pass(simple_pass("mistaken", "#version 460\nlayout(local_size_x = 1) in;\nvoid main() { oops(); }\n",
                               {read_write(data)}));
    expect_error(compile(test_context(), graph), ErrorCode::shader_compilation,
                 AllOf(HasSubstr("pass 'mistaken'"), HasSubstr("mistaken:3"), HasSubstr("oops")));
}

TEST(ProgramErrors, FilesThatDoNotCompile) {
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

TEST(ProgramErrors, SpirvThatIsNone) {
    Graph graph(test_context());
    Pass pass;
    pass.name = "nonsense";
    pass.shader = ShaderSource::spirv({1, 2, 3});
    pass.bindings = {write(graph.import_buffer<std::uint32_t>("data", 64))};
    graph.add_pass(pass);
    expect_error(compile(test_context(), graph), ErrorCode::invalid_argument, HasSubstr("pass 'nonsense'"));
}

TEST(ProgramErrors, MistakesInTheGraphAreReported) {
    Graph graph(test_context());
    graph.add_fill("fill", {}, 0);
    expect_error(compile(test_context(), graph), ErrorCode::invalid_graph, HasSubstr("'fill'"));
}

} // namespace
} // namespace weir::tests

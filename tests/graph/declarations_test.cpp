// Declarations of a pass are checked against its shader.

#include "tests/graph/programs.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::declarations_test {
namespace {

const OnOneDriver on_one_driver{"Declarations.*"};

const std::string blocks = "#version 460\n"
                           "layout(local_size_x = 64) in;\n"
                           "layout(constant_id = 0) const bool FIRST = false;\n"
                           "layout(push_constant) uniform Push { uint n; uint flag; };\n"
                           "layout(binding = 0) buffer A { uint a[]; };\n"
                           "layout(binding = 1) buffer B { uint b[]; };\n";

/// Stand for the imports of the graph in bindings.
const BufferId in{{0}}, out{{1}};

/// A graph with imports 'in' and 'out', and one pass.
struct Declared {
    explicit Declared(const std::string& main) {
        pass.name = "pass";
        pass.shader = ShaderSource::glsl(blocks + main);
        pass.push = {1U, 0U};
        pass.dispatch = Dispatch::groups(1);
    }
    /// Checks the error of `compile` for these bindings, without "pass 'pass': " and the place. An empty `message`
    /// means no error.
    void expect(std::vector<Binding> bindings, const std::string& message = "",
                SourceLocation where = SourceLocation::current()) {
        const testing::ScopedTrace trace(where.file, static_cast<int>(where.line), "these bindings");
        WordGraph graph;
        const WordRef imports[] = {graph.import("in"), graph.import("out")};
        for (Binding& binding : bindings) {
            binding.resource = imports[binding.resource.index].id;
        }
        pass.bindings = std::move(bindings);
        graph.add_fill("in", imports[0], 0);
        graph.add_pass(pass, where);
        graph.export_buffer(imports[1]);
        const auto program = compile(test_context(), graph);
        if (message.empty()) {
            EXPECT_TRUE(program) << program.error().message;
        } else {
            expect_error(program, ErrorCode::invalid_graph, "pass 'pass': " + message + to_string(where));
        }
    }
    Pass pass;
};

TEST(Declarations, ReadBinding) {
    Declared copies("void main() { b[0] = a[0]; }");
    copies.expect({read(in), write(out)});
    copies.expect({read_write(in), read_write(out)});
    copies.expect({write(in), write(out)},
                  "binding 0, buffer 'in', is read by the shader; the pass declares it shader write");
    copies.expect({unused(in), write(out)},
                  "binding 0, buffer 'in', is read by the shader; the pass declares it unused");
}

TEST(Declarations, WrittenBinding) {
    Declared copies("void main() { b[0] = a[0]; }");
    copies.expect({read(in), read(in), write(out)},
                  "binding 1, buffer 'in', is written by the shader; the pass declares it shader read");
    copies.expect({read(in), unused(in), write(out)},
                  "binding 1, buffer 'in', is written by the shader; the pass declares it unused");
}

TEST(Declarations, ReadAndWrittenBinding) {
    Declared counts("void main() { atomicAdd(b[0], a[0]); }");
    counts.expect({read(in), read_write(out)});
    counts.expect({read(in), write(out)},
                  "binding 1, buffer 'out', is read by the shader; the pass declares it shader write");
    counts.expect({read(in), write_first(out)});
    counts.expect({read(in), unused(in), write(out)},
                  "binding 1, buffer 'in', is read and written by the shader; the pass declares it unused");
}

TEST(Declarations, BindingUsedOnlyForLength) {
    Declared asks("void main() { b[0] = a.length(); }");
    asks.expect({read(in), write(out)});
    asks.expect({unused(in), write(out)}, "binding 0, buffer 'in', is used by the shader; the pass declares it unused");
}

TEST(Declarations, ConstantsSelectCheckedVariant) {
    Declared chooses("void main() { if (FIRST) { b[0] = a[0]; } if (flag != 0) { b[n] = a[n]; } b[1] = 2; }");
    const char* const is_read = "binding 0, buffer 'in', is read by the shader; the pass declares it unused";
    chooses.expect({unused(in), write(out)});
    chooses.pass.constants = {1};
    chooses.expect({unused(in), write(out)}, is_read);
    chooses.pass.constants = {0};
    chooses.pass.push = {1U, 1U};
    chooses.expect({unused(in), write(out)}, is_read);
}

TEST(Declarations, ParametersMayHaveAnyValue) {
    WordGraph graph;
    const WordRef out = graph.import("out");
    const Count flag = graph.parameter("flag", 0);
    Pass pass = simple_pass("pass", "", {unused(out), write(out)});
    pass.shader = ShaderSource::glsl(blocks + "void main() { if (flag != 0) { b[0] = a[0]; } b[1] = n; }");
    pass.push = {Count(0), flag};
    graph.add_pass(pass);
    expect_error(compile(test_context(), graph), ErrorCode::invalid_graph, testing::HasSubstr("binding 0"));
}

TEST(Declarations, FullSubgroups) {
    Declared copies("void main() { b[0] = a[0]; }");
    copies.pass.full_subgroups = true;
    copies.pass.shader = ShaderSource::glsl("#version 460\nlayout(local_size_x = 3) in;\n"
                                            "layout(binding = 0) buffer A { uint a[]; };\n"
                                            "layout(binding = 1) buffer B { uint b[]; };\n"
                                            "void main() { b[0] = a[0]; }");
    copies.expect({read(in), write(out)},
                  "the shader has workgroups of 3 x 1 x 1; full subgroups require that x is a multiple of " +
                      std::to_string(test_context().capabilities().subgroup_size_max));
}

TEST(Declarations, MissingBindings) {
    Declared more("layout(binding = 3) buffer Histogram { uint bins[]; };\nvoid main() { b[0] = a[0]; bins[1] = 1; }");
    more.expect({read(in), write(out), unused(in)}, "the shader uses binding 3; the pass declares 3 bindings");
    // Vulkan requires the binding in the layout although the code never runs.
    Declared never(
        "layout(binding = 2) buffer C { uint c[]; };\nvoid main() { b[0] = a[0]; if (FIRST) { c[1] = 1; } }");
    never.expect({read(in), write(out)}, "the shader uses binding 2; the pass declares 2 bindings");
    never.expect({read(in), write(out), unused(in)});
}

TEST(Declarations, OtherSets) {
    Declared other("layout(set = 1, binding = 0) buffer C { uint c[]; };\nvoid main() { b[0] = c[0]; }");
    other.expect({read(in), write(out)}, "the shader uses binding 0 of set 1; the pass has set 0 only");
}

TEST(Declarations, OtherDescriptorTypes) {
    const auto expect = [](const std::string& declared, const std::string& use, const std::string& type) {
        SCOPED_TRACE(declared);
        Declared other(declared + "void main() { b[0] = " + use + "; }");
        other.expect({unused(in), write(out), read(in)},
                     "binding 2, buffer 'in', is " + type + " in the shader; the pass declares a storage buffer");
    };
    expect("layout(binding = 2) uniform C { uint c; };", "c", "a uniform buffer");
    expect("layout(binding = 2, r32ui) uniform uimage2D i;", "imageLoad(i, ivec2(0)).x", "a storage image");
    expect("layout(binding = 2) buffer C { uint c[]; } several[2];", "several[1].c[0]", "an array of storage buffers");
}

TEST(Declarations, UniformBuffers) {
    Declared other("layout(binding = 2) uniform C { uint c; };\nvoid main() { b[0] = c; }");
    other.expect({unused(in), write(out), uniform(in)});
    Declared copies("void main() { b[0] = a[0]; }");
    copies.expect({uniform(in), write(out)},
                  "binding 0, buffer 'in', is a storage buffer in the shader; the pass declares a uniform "
                  "buffer");
}

TEST(Declarations, PushConstants) {
    Declared pushes("void main() { b[n] = a[0]; }");
    const auto expect = [&](std::vector<PushWord> push, const std::string& message = "") {
        pushes.pass.push = std::move(push);
        pushes.expect({read(in), write(out)}, message);
    };
    expect({1U, 2U});
    expect({1U, 2U, 3U});
    expect({1U}, "the shader has 8 bytes of push constants; the pass declares 4");
    expect({}, "the shader has 8 bytes of push constants; the pass declares 0");
}

TEST(Declarations, ErrorsContainNamesFromShader) {
    // Adds a name as compilers do: OpName of the block's type.
    auto words = ok(compile_shader(ShaderSource::glsl(blocks + "void main() { b[0] = a[0]; }")));
    const auto named = [&](std::uint32_t binding, const std::vector<std::uint32_t>& name) {
        std::size_t after = 5, target = 0;
        for (std::size_t at = 5; at < words.size(); at += words[at] >> 16U) {
            const std::uint32_t operation = words[at] & 0xffffU;
            if (operation == 71 && words[at + 2] == 33 && words[at + 3] == binding) { // OpDecorate Binding
                target = words[at + 1];
            }
            if (operation == 16) { // OpExecutionMode: names may follow
                after = at + (words[at] >> 16U);
            }
        }
        std::vector<std::uint32_t> made{static_cast<std::uint32_t>((2 + name.size()) << 16U | 5),
                                        static_cast<std::uint32_t>(target)};
        made.insert(made.end(), name.begin(), name.end());
        words.insert(words.begin() + static_cast<std::ptrdiff_t>(after), made.begin(), made.end());
    };
    named(1, {0x70}); // "p"
    Declared copies("");
    copies.pass.shader = ShaderSource::spirv(words, "named");
    copies.expect({read(in), read(in), write(out)},
                  "binding 1, buffer 'in' ('p' in the shader), is written by the shader; the pass declares it "
                  "shader read");
    copies.expect({read_write(in)}, "the shader uses binding 1 ('p' in the shader); the pass declares 1 bindings");
}

} // namespace
} // namespace weir::tests::declarations_test

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

/// A graph with imports 'in' and 'out', and one pass.
struct Declared {
    explicit Declared(const std::string& main) {
        pass.name = "pass";
        pass.shader = ShaderSource::glsl(blocks + main);
        pass.push = {1U, 0U};
        pass.dispatch = Dispatch::groups(1);
    }
    /// Returns the error of `compile` for the bindings `made(in, out)`, without the place at the end. Returns an empty
    /// string if there is no error.
    template <class Made>
    std::string mistake(const Made& made) {
        Graph graph(test_context());
        const WordRef in = graph.import_buffer<std::uint32_t>("in", 64);
        const WordRef out = graph.import_buffer<std::uint32_t>("out", 64);
        pass.bindings = made(in, out);
        graph.add_fill("in", in, 0);
        const SourceLocation where = SourceLocation::current();
        graph.add_pass(pass, where);
        graph.export_buffer(out);
        const auto program = compile(test_context(), graph);
        if (program) {
            return "";
        }
        EXPECT_EQ(program.error().code, ErrorCode::invalid_graph);
        const std::string message = program.error().message, place = to_string(where);
        EXPECT_THAT(message, testing::EndsWith(place));
        return message.substr(0, message.size() - place.size());
    }
    Pass pass;
};

using Bindings = std::vector<Binding>;

TEST(Declarations, ReadBinding) {
    Declared copies("void main() { b[0] = a[0]; }");
    EXPECT_EQ(copies.mistake([](auto in, auto out) { return Bindings{read(in), write(out)}; }), "");
    EXPECT_EQ(copies.mistake([](auto in, auto out) { return Bindings{read_write(in), read_write(out)}; }), "");
    EXPECT_EQ(copies.mistake([](auto in, auto out) {
        return Bindings{write(in), write(out)};
    }),
              "pass 'pass': binding 0, buffer 'in', is read by the shader; the pass declares it shader write");
    EXPECT_EQ(copies.mistake([](auto in, auto out) {
        return Bindings{unused(in), write(out)};
    }),
              "pass 'pass': binding 0, buffer 'in', is read by the shader; the pass declares it unused");
}

TEST(Declarations, WrittenBinding) {
    Declared copies("void main() { b[0] = a[0]; }");
    EXPECT_EQ(copies.mistake([](auto in, auto out) {
        return Bindings{read(in), read(in), write(out)};
    }),
              "pass 'pass': binding 1, buffer 'in', is written by the shader; the pass declares it shader read");
    EXPECT_EQ(copies.mistake([](auto in, auto out) {
        return Bindings{read(in), unused(in), write(out)};
    }),
              "pass 'pass': binding 1, buffer 'in', is written by the shader; the pass declares it unused");
}

TEST(Declarations, PassDeclaredWithoutWrites) { // otherwise the pass would be culled without an error
    Declared copies("void main() { b[0] = a[0]; }");
    Graph graph(test_context());
    const WordRef in = graph.import_buffer<std::uint32_t>("in", 64),
                  out = graph.import_buffer<std::uint32_t>("out", 64);
    graph.add_fill("in", in, 0);
    graph.add_fill("out", out, 0);
    copies.pass.bindings = {read(in), read(out)};
    graph.add_pass(copies.pass);
    const auto program = compile(test_context(), graph);
    ASSERT_FALSE(program);
    EXPECT_THAT(
        program.error().message,
        testing::StartsWith(
            "pass 'pass': binding 1, buffer 'out', is written by the shader; the pass declares it shader read"));
}

TEST(Declarations, ReadAndWrittenBinding) {
    Declared counts("void main() { atomicAdd(b[0], a[0]); }");
    EXPECT_EQ(counts.mistake([](auto in, auto out) { return Bindings{read(in), read_write(out)}; }), "");
    EXPECT_EQ(counts.mistake([](auto in, auto out) {
        return Bindings{read(in), write(out)};
    }),
              "pass 'pass': binding 1, buffer 'out', is read by the shader; the pass declares it shader write");
    EXPECT_EQ(counts.mistake([](auto in, auto out) { return Bindings{read(in), write_first(out)}; }), "");
    EXPECT_EQ(counts.mistake([](auto in, auto out) {
        return Bindings{read(in), unused(in), write(out)};
    }),
              "pass 'pass': binding 1, buffer 'in', is read and written by the shader; the pass declares it unused");
}

TEST(Declarations, BindingUsedOnlyForLength) {
    Declared asks("void main() { b[0] = a.length(); }");
    EXPECT_EQ(asks.mistake([](auto in, auto out) { return Bindings{read(in), write(out)}; }), "");
    EXPECT_EQ(asks.mistake([](auto in, auto out) {
        return Bindings{unused(in), write(out)};
    }),
              "pass 'pass': binding 0, buffer 'in', is used by the shader; the pass declares it unused");
}

TEST(Declarations, ConstantsSelectCheckedVariant) {
    Declared chooses("void main() { if (FIRST) { b[0] = a[0]; } if (flag != 0) { b[n] = a[n]; } b[1] = 2; }");
    const auto unread = [](auto in, auto out) { return Bindings{unused(in), write(out)}; };
    EXPECT_EQ(chooses.mistake(unread), "");
    chooses.pass.constants = {1};
    EXPECT_EQ(chooses.mistake(unread),
              "pass 'pass': binding 0, buffer 'in', is read by the shader; the pass declares it unused");
    chooses.pass.constants = {0};
    chooses.pass.push = {1U, 1U};
    EXPECT_EQ(chooses.mistake(unread),
              "pass 'pass': binding 0, buffer 'in', is read by the shader; the pass declares it unused");
}

TEST(Declarations, ParametersMayHaveAnyValue) {
    Graph graph(test_context());
    const WordRef out = graph.import_buffer<std::uint32_t>("out", 64);
    const Count flag = graph.parameter("flag", 0);
    Pass pass = simple_pass("pass", "", {unused(out), write(out)});
    pass.shader = ShaderSource::glsl(blocks + "void main() { if (flag != 0) { b[0] = a[0]; } b[1] = n; }");
    pass.push = {Count(0), flag};
    graph.add_pass(pass);
    expect_error(compile(test_context(), graph), ErrorCode::invalid_graph, testing::HasSubstr("binding 0"));
}

TEST(Declarations, FullSubgroups) {
    Declared copies("void main() { b[0] = a[0]; }");
    const auto bindings = [](auto in, auto out) { return Bindings{read(in), write(out)}; };
    copies.pass.full_subgroups = true;
    copies.pass.shader = ShaderSource::glsl("#version 460\nlayout(local_size_x = 3) in;\n"
                                            "layout(binding = 0) buffer A { uint a[]; };\n"
                                            "layout(binding = 1) buffer B { uint b[]; };\n"
                                            "void main() { b[0] = a[0]; }");
    EXPECT_EQ(copies.mistake(bindings),
              "pass 'pass': the shader has workgroups of 3 x 1 x 1; full subgroups require that x is a multiple of " +
                  std::to_string(test_context().capabilities().subgroup_size_max));
}

TEST(Declarations, MissingBindings) {
    Declared more("layout(binding = 3) buffer Histogram { uint bins[]; };\nvoid main() { b[0] = a[0]; bins[1] = 1; }");
    EXPECT_EQ(more.mistake([](auto in, auto out) {
        return Bindings{read(in), write(out), unused(in)};
    }),
              "pass 'pass': the shader uses binding 3; the pass declares 3 bindings");
    // Vulkan requires the binding in the layout although the code never runs.
    Declared never(
        "layout(binding = 2) buffer C { uint c[]; };\nvoid main() { b[0] = a[0]; if (FIRST) { c[1] = 1; } }");
    EXPECT_EQ(never.mistake([](auto in, auto out) {
        return Bindings{read(in), write(out)};
    }),
              "pass 'pass': the shader uses binding 2; the pass declares 2 bindings");
    EXPECT_EQ(never.mistake([](auto in, auto out) { return Bindings{read(in), write(out), unused(in)}; }), "");
}

TEST(Declarations, OtherSets) {
    Declared other("layout(set = 1, binding = 0) buffer C { uint c[]; };\nvoid main() { b[0] = c[0]; }");
    EXPECT_EQ(other.mistake([](auto in, auto out) {
        return Bindings{read(in), write(out)};
    }),
              "pass 'pass': the shader uses binding 0 of set 1; the pass has set 0 only");
}

TEST(Declarations, OtherDescriptorTypes) {
    const auto declares = [](const std::string& declared, const std::string& use) {
        Declared other(declared + "void main() { b[0] = " + use + "; }");
        return other.mistake([](auto in, auto out) { return Bindings{unused(in), write(out), read(in)}; });
    };
    EXPECT_EQ(
        declares("layout(binding = 2) uniform C { uint c; };", "c"),
        "pass 'pass': binding 2, buffer 'in', is a uniform buffer in the shader; the pass declares a storage buffer");
    EXPECT_EQ(
        declares("layout(binding = 2, r32ui) uniform uimage2D i;", "imageLoad(i, ivec2(0)).x"),
        "pass 'pass': binding 2, buffer 'in', is a storage image in the shader; the pass declares a storage buffer");
    EXPECT_EQ(declares("layout(binding = 2) buffer C { uint c[]; } several[2];", "several[1].c[0]"),
              "pass 'pass': binding 2, buffer 'in', is an array of storage buffers in the shader; the pass declares a "
              "storage buffer");
}

TEST(Declarations, UniformBuffers) {
    Declared other("layout(binding = 2) uniform C { uint c; };\nvoid main() { b[0] = c; }");
    EXPECT_EQ(other.mistake([](auto in, auto out) { return Bindings{unused(in), write(out), uniform(in)}; }), "");
    Declared copies("void main() { b[0] = a[0]; }");
    EXPECT_EQ(copies.mistake([](auto in, auto out) {
        return Bindings{uniform(in), write(out)};
    }),
              "pass 'pass': binding 0, buffer 'in', is a storage buffer in the shader; the pass declares a uniform "
              "buffer");
}

TEST(Declarations, PushConstants) {
    Declared pushes("void main() { b[n] = a[0]; }");
    const auto declared = [&](std::vector<PushWord> push) {
        pushes.pass.push = std::move(push);
        return pushes.mistake([](auto in, auto out) { return Bindings{read(in), write(out)}; });
    };
    EXPECT_EQ(declared({1U, 2U}), "");
    EXPECT_EQ(declared({1U, 2U, 3U}), "");
    EXPECT_EQ(declared({1U}), "pass 'pass': the shader has 8 bytes of push constants; the pass declares 4");
    EXPECT_EQ(declared({}), "pass 'pass': the shader has 8 bytes of push constants; the pass declares 0");
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
    EXPECT_EQ(copies.mistake([](auto in, auto out) {
        return Bindings{read(in), read(in), write(out)};
    }),
              "pass 'pass': binding 1, buffer 'in' ('p' in the shader), is written by the shader; the pass declares it "
              "shader read");
    EXPECT_EQ(copies.mistake([](auto in, auto) { return Bindings{read_write(in)}; }),
              "pass 'pass': the shader uses binding 1 ('p' in the shader); the pass declares 1 bindings");
}

} // namespace
} // namespace weir::tests::declarations_test

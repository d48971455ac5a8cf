// Contexts with shaders and pipelines from files only, without a GLSL compiler.

#include <string>

#include <weir/weir.hpp>

#include "engine/base/files.hpp"
#include "engine/device/device.hpp"
#include "engine/shader/shader_cache.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::shipping_test {
namespace {

const OnOneDriver on_one_driver{"Shipping.*"};

using testing::AllOf;
using testing::HasSubstr;

/// Returns a graph that applies the GLSL `expression` to 0 ... 99 and sorts the results with the library's kernels.
Graph squares(const Context& context, const std::string& expression, WordRef& out) {
    WordGraph graph(context);
    const WordRef numbers = iota(graph, graph.transient("numbers", 100));
    out = radix_sort(graph, transform<std::uint32_t>(graph, numbers, expression)).keys;
    graph.export_buffer(out);
    return graph;
}

Context shipped(const std::string& shaders, const std::string& pipelines = "") {
    ContextOptions options = validated();
    options.pipeline_cache_directory = "none";
    options.compiler.shader_file = shaders;
    options.compiler.pipeline_file = pipelines;
    options.compiler.compiles_glsl = false;
    return ok(Context::create(options));
}

TEST(Shipping, RunsWithFilesAlone) {
    const TemporaryFolder folder;
    const std::string shaders = name_of(folder.path() / "shaders.bin"),
                      pipelines = name_of(folder.path() / "pipelines.bin");
    WordRef out;
    {
        const Context context = ok(Context::create(validated()));
        const Graph graph = squares(context, "x * x", out);
        ok(compile_ahead(graph, shaders));
        const Program program = ok(compile(context, graph));
        ok(context.write_pipelines(pipelines));
    }
    const Context context = shipped(shaders, pipelines);
    Program program = ok(compile(context, squares(context, "x * x", out)));
    ok(program.run());
    const Values result = ok(context.download<std::uint32_t>(program.view(out), 100));
    for (std::uint32_t i = 0; i < 100; ++i) {
        EXPECT_EQ(result[i], i * i);
    }
    EXPECT_EQ(ContextAccess::device(context)->shaders().compilations(), 0U);
}

TEST(Shipping, MissingShaderIsError) {
    const TemporaryFolder folder;
    const std::string shaders = name_of(folder.path() / "shaders.bin");
    WordRef out;
    ok(compile_ahead(squares(test_context(), "x * x", out), shaders));
    for (const std::string& file : {shaders, std::string()}) {
        const Context context = shipped(file);
        const auto program = compile(context, squares(context, "x + 1u", out));
        ASSERT_FALSE(program);
        EXPECT_EQ(program.error().code, ErrorCode::unsupported);
        EXPECT_THAT(program.error().message, AllOf(HasSubstr("transform"), HasSubstr("compiles_glsl")));
        if (!file.empty()) {
            EXPECT_THAT(program.error().message, HasSubstr("the context's shader file does not contain it"));
        }
        EXPECT_EQ(ContextAccess::device(context)->shaders().compilations(), 0U);
    }
}

} // namespace
} // namespace weir::tests::shipping_test

// Compiling a graph again, ahead of time, in parallel, and while programs run.

#include <atomic>
#include <filesystem>
#include <regex>
#include <thread>

#include <weir/graph/compile_ahead.hpp>
#include <weir/primitives/radix_sort.hpp>
#include <weir/primitives/reduce.hpp>
#include <weir/primitives/scan.hpp>
#include <weir/primitives/segmented_sort.hpp>
#include <weir/primitives/select.hpp>

#include "engine/device/device.hpp"
#include "engine/shader/shader_cache.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/pipeline_calls.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::compile_again_test {
namespace {

const OnOneDriver on_one_driver{"CompileAgain.*", "CompileAhead.*", "KeptPipelines.*", "CompileInParallel.*",
                                "ConcurrentCompile.*"};

using testing::HasSubstr;

/// data[i] += number.
Pass adding(const WordRef& data, std::uint32_t number) {
    Pass pass = simple_pass("add " + std::to_string(number), "", {read_write(data)});
    pass.shader = ShaderSource::glsl("layout(local_size_x = 64) in;\n"
                                     "layout(binding = 0) buffer Data { uint data[]; };\n"
                                     "void main() { data[gl_GlobalInvocationID.x] += " +
                                         std::to_string(number) + "; }\n",
                                     "adding");
    return pass;
}

/// A fused scan, a selection by an expression, a scan and two passes of the user. All except the plain scan are GLSL.
struct Frame {
    WordGraph graph;
    WordRef in;
    explicit Frame(const Capabilities& capabilities) : graph(capabilities), in(graph.import("in")) {
        const auto out = graph.import("out");
        const Monoid sum{
            .name = "sum", .fields = {"uint x"}, .identity = "T(0)", .combine = "return T(left.x + right.x);"};
        fused_scan(graph, {.monoid = sum,
                           .count = 64,
                           .buffers = {{"uint source[]", read(in)}, {"uint result[]", write(out)}},
                           .load = "return T(source[i]);",
                           .store = "result[i] = inclusive.x;"});
        const auto some = select_if(graph, out, "x % 3 == 1");
        const auto sums = scan(graph, some.items);
        graph.add_pass(adding(sums, 1));
        graph.add_pass(adding(sums, 2));
        graph.export_buffer(sums);
    }
};

TEST(CompileAgain, ReusesShadersAndPipelines) {
    CountedHost host;
    const Context context = ok(Context::adopt(host.adopted()));
    const ShaderCache& shaders = ContextAccess::device(context)->shaders();
    std::optional<Program> first = ok(compile(context, Frame(context.capabilities()).graph));
    const int modules = host.calls.modules, made = host.calls.made;
    const std::uint64_t compilations = shaders.compilations();
    EXPECT_EQ(compilations, 4U);
    EXPECT_EQ(modules, made);
    EXPECT_GT(made, 4);
    const Program second = ok(compile(context, Frame(context.capabilities()).graph));
    first.reset();
    const Program third = ok(compile(context, Frame(context.capabilities()).graph));
    EXPECT_EQ(host.calls.modules, modules);
    EXPECT_EQ(host.calls.made, made);
    EXPECT_EQ(host.calls.destroyed, 0);
    EXPECT_EQ(shaders.compilations(), compilations);
}

TEST(CompileAgain, NextProcessNeedsNoCompiler) {
    const TemporaryFolder folder;
    for (const std::uint64_t compilations : {4U, 0U}) {
        CountedHost host;
        AdoptedDevice adopted = host.adopted();
        adopted.shader_cache_directory = folder.name();
        const Context context = ok(Context::adopt(adopted));
        ok(compile(context, Frame(context.capabilities()).graph));
        EXPECT_EQ(ContextAccess::device(context)->shaders().compilations(), compilations);
    }
    ContextOptions options = validated();
    options.pipeline_cache_directory = folder.name();
    const Context context = ok(Context::create(options));
    ok(compile(context, Frame(context.capabilities()).graph));
    EXPECT_EQ(ContextAccess::device(context)->shaders().compilations(), 0U);
}

TEST(CompileAhead, NeedsNoCompilerLater) {
    const TemporaryFolder folder;
    const std::string file = folder.name("shaders");
    folder.write("own.comp", "#include \"sub/one.glsl\"\nlayout(local_size_x = 64) in;\n"
                             "layout(binding = 0) buffer Data { uint data[]; };\n"
                             "void main() { data[gl_GlobalInvocationID.x] += ONE; }\n");
    folder.write("sub/one.glsl", "#define ONE 1\n");
    const auto with_file = [&] {
        Frame frame(test_context().capabilities());
        Pass pass = simple_pass("own", "", {read_write(frame.in)});
        pass.shader = ShaderSource::glsl_file(folder.name("own.comp"));
        frame.graph.add_pass(pass);
        frame.graph.export_buffer(frame.in);
        return frame;
    };
    ok(compile_ahead(with_file().graph, file));
    std::filesystem::remove_all(folder.path() / "sub");
    std::filesystem::remove(folder.path() / "own.comp");
    ContextOptions options = validated();
    options.compiler.shader_file = file;
    const Context context = ok(Context::create(options));
    ok(compile(context, with_file().graph));
    EXPECT_EQ(ContextAccess::device(context)->shaders().compilations(), 0U);
    folder.write("own.comp", "changed"); // differs from the compiled text
    const auto changed = compile(context, with_file().graph);
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.error().code, ErrorCode::shader_compilation);
}

TEST(CompileAhead, NeedsNoDevice) {
    const TemporaryFolder folder;
    WordGraph graph{Capabilities{}};
    const auto keys = graph.import("keys", 100000);
    graph.export_buffer(scan(graph, keys));
    graph.export_buffer(reduce(graph, keys));
    graph.export_buffer(segmented_sort(graph, keys, Segments::of_length(100)).keys);
    const auto kept = select_if(graph, keys, "x % 3 == 0");
    graph.export_buffer(radix_sort(graph, kept.items).keys);
    ok(compile_ahead(graph, folder.name("shaders")));
}

TEST(CompileAhead, ReportsErrors) {
    const TemporaryFolder folder;
    const auto error_of = [](const auto& result) { return result ? Error{} : result.error(); };
    WordGraph graph;
    const auto data = graph.import("data");
    graph.add_pass(simple_pass("bad", "nonsense", {read_write(data)}));
    const Error bad = error_of(compile_ahead(graph, folder.name("shaders")));
    EXPECT_EQ(bad.code, ErrorCode::shader_compilation);
    const std::regex place("^pass 'bad' \\(compile_again_test.cpp:[0-9]+\\): bad:1: ");
    EXPECT_TRUE(std::regex_search(bad.message, place)) << bad.message;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "shaders"));
    const WordGraph empty;
    folder.write("file", "");
    EXPECT_EQ(error_of(compile_ahead(empty, folder.name("file/shaders"))).code, ErrorCode::io);
    ContextOptions options = validated();
    for (const char* contents : {"", "nonsense"}) {
        folder.write("shaders", contents);
        options.compiler.shader_file = folder.name("shaders");
        const Error error = error_of(Context::create(options));
        EXPECT_EQ(error.code, ErrorCode::io);
        EXPECT_THAT(error.message, HasSubstr("is not a shader archive"));
    }
    options.compiler.shader_file = folder.name("gone");
    EXPECT_THAT(error_of(Context::create(options)).message, HasSubstr("gone cannot be read"));
}

/// Returns `count` versions of a shader that differ in one number.
std::vector<std::shared_ptr<const CompiledShader>> edits(Device& device, std::uint32_t count) {
    const auto compiled = ok(device.shader(ShaderSource::glsl("layout(local_size_x = 1) in;\n"
                                                              "layout(binding = 0) buffer B { uint b; };\n"
                                                              "void main() { b = 0xedededed; }\n")));
    std::vector<std::uint32_t> words(compiled->words().begin(), compiled->words().end());
    const auto number = std::find(words.begin(), words.end(), 0xedededed);
    std::vector<std::shared_ptr<const CompiledShader>> out;
    for (std::uint32_t i = 0; i < count; ++i) {
        *number = i;
        out.push_back(ok(device.shader(ShaderSource::spirv(words))));
    }
    return out;
}

TEST(KeptPipelines, CountIsLimited) {
    CountedHost host;
    host.calls.pretend = true;
    AdoptedDevice adopted = host.adopted();
    adopted.compiler.kept_pipelines = 20;
    {
        const Context context = ok(Context::adopt(adopted));
        Device& device = *ContextAccess::device(context);
        PipelineInfo info{.bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}, .full_subgroups = false, .name = "edited"};
        const auto alive = [&] { return host.calls.made - host.calls.destroyed; };
        const auto shaders = edits(device, 1000);
        info.shader = shaders[0];
        std::shared_ptr<const Pipeline> used = ok(device.pipeline(info));
        const VkPipeline handle = used->handle();
        for (const auto& shader : shaders) {
            info.shader = shader;
            ok(device.pipeline(info));
            ASSERT_LE(alive(), 20 + 1);
        }
        EXPECT_EQ(host.calls.made, 1000);
        info.shader = shaders[0]; // a pipeline in use is found
        EXPECT_EQ(ok(device.pipeline(info))->handle(), handle);
        info.shader = shaders[999]; // and so is a recently requested one
        ok(device.pipeline(info));
        EXPECT_EQ(host.calls.made, 1000);
        info.shader = shaders[1];
        ok(device.pipeline(info));
        EXPECT_EQ(host.calls.made, 1001);
        used.reset();
        EXPECT_EQ(alive(), 20);
    }
    EXPECT_EQ(host.calls.made, host.calls.destroyed);
}

TEST(KeptPipelines, ZeroKeepsOnlyPipelinesInUse) {
    CountedHost host;
    AdoptedDevice adopted = host.adopted();
    adopted.compiler.kept_pipelines = 0;
    const Context context = ok(Context::adopt(adopted));
    {
        const Program program = ok(compile(context, Frame(context.capabilities()).graph));
        EXPECT_GT(host.calls.made, 0);
        EXPECT_EQ(host.calls.destroyed, 0);
    }
    EXPECT_EQ(host.calls.made, host.calls.destroyed);
}

/// A graph of `count` passes with different shaders.
struct Many {
    WordGraph graph;
    Many(const Context& context, std::uint32_t count) : graph(context) {
        const auto data = graph.import("data");
        for (std::uint32_t i = 0; i < count; ++i) {
            graph.add_pass(adding(data, i));
        }
        graph.export_buffer(data);
    }
};

TEST(CompileInParallel, UsesParallelForOfApplication) {
    CountedHost host;
    AdoptedDevice adopted = host.adopted();
    std::vector<std::size_t> counts;
    adopted.compiler.parallel_for = [&](std::size_t count, const std::function<void(std::size_t)>& task) {
        counts.push_back(count);
        std::thread other([&] {
            for (std::size_t i = count; i-- > count / 2;) {
                task(i);
            }
        });
        for (std::size_t i = 0; i < count / 2; ++i) {
            task(i);
        }
        other.join();
    };
    const Context context = ok(Context::adopt(adopted));
    ok(compile(context, Many(context, 7).graph));
    EXPECT_EQ(host.calls.made, 7);
    ok(compile(context, Many(context, 7).graph));
    ok(compile(context, Many(context, 8).graph));  // one new pipeline is not compiled in parallel
    ok(compile(context, Many(context, 10).graph)); // two are
    EXPECT_EQ(host.calls.made, 10);
    EXPECT_THAT(counts, testing::ElementsAre(7U, 2U));
}

TEST(CompileInParallel, ReportsFirstFailingPass) {
    for (const std::uint32_t threads : {1U, 4U}) {
        CountedHost host;
        AdoptedDevice adopted = host.adopted();
        adopted.compiler.threads = threads;
        const Context context = ok(Context::adopt(adopted));
        for (int repeat = 0; repeat < 5; ++repeat) {
            WordGraph graph(context);
            const auto data = graph.import("data");
            for (std::uint32_t i = 0; i < 12; ++i) {
                Pass pass = adding(data, i);
                if (i == 5 || i == 6 || i == 11) {
                    pass.shader = ShaderSource::glsl("nonsense", "nonsense");
                }
                graph.add_pass(pass);
            }
            graph.export_buffer(data);
            const auto program = compile(context, graph);
            ASSERT_FALSE(program);
            const std::regex place("^pass 'add 5' \\(compile_again_test.cpp:[0-9]+\\): nonsense:1: ");
            EXPECT_TRUE(std::regex_search(program.error().message, place)) << program.error().message;
        }
        host.calls.left = 0;
        const auto program = compile(context, Many(context, 20).graph);
        ASSERT_FALSE(program);
        EXPECT_EQ(program.error().code, ErrorCode::out_of_memory);
        EXPECT_THAT(program.error().message, HasSubstr("pass 'add "));
    }
}

TEST(ConcurrentCompile, OtherProgramsKeepRunning) {
    const Context& context = test_context();
    const Values in = Random().vector(1000);
    Adder adder;
    const Buffer source = buffer_of(in), result = poisoned_buffer(1000);
    bind_all(*adder.program, {{adder.in, source}, {adder.out, result}});
    std::atomic<int> left = 2;
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 2; ++t) {
        threads.emplace_back([&, t] {
            for (std::uint32_t i = 0; i < 3; ++i) {
                const auto program = compile(context, Many(context, 3 + 3 * t + i).graph);
                EXPECT_TRUE(program) << program.error().message;
                const auto frame = compile(context, Frame(context.capabilities()).graph);
                EXPECT_TRUE(frame) << frame.error().message;
            }
            --left;
        });
    }
    int frames = 0;
    for (; left > 0 || frames < 3; ++frames) {
        ok(adder.program->run());
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(contents(result, 1000), plus(in, 1));
}

} // namespace
} // namespace weir::tests::compile_again_test

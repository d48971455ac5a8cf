// Program::resized: programs of other sizes that reuse the pipelines of an earlier program.

#include <algorithm>
#include <ctime>
#include <numeric>

#include <weir/weir.hpp>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/pipeline_calls.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::resize_test {
namespace {

const OnOneDriver on_one_driver{"Resize.*"};
const OnlyWith only_long{"WEIR_TESTS_LONG", {"Resize.IsQuick"}};

using testing::HasSubstr;

/// image[x, y] = words[y * width + x] + 1. The next kernel copies the image back to words.
const char* const store_source = R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) readonly buffer In { uint words[]; };
layout(set = 0, binding = 1, r32ui) writeonly uniform uimage2D image;
layout(push_constant) uniform Push { uint width; uint height; };
void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x < width && at.y < height) {
        imageStore(image, ivec2(at), uvec4(words[at.y * width + at.x] + 1));
    }
})";
const char* const load_source = R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32ui) readonly uniform uimage2D image;
layout(set = 0, binding = 1) writeonly buffer Out { uint words[]; };
layout(push_constant) uniform Push { uint width; uint height; };
void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x < width && at.y < height) {
        words[at.y * width + at.x] = imageLoad(image, ivec2(at)).x;
    }
})";

/// A frame of width * height pixels: an image, GLSL of the user, primitives with a count on the GPU, and a history.
struct Frame {
    std::uint32_t pixels;
    WordGraph graph;
    WordRef in, out, last;

    Frame(const Context& context, std::uint32_t width, std::uint32_t height) : pixels(width * height), graph(context) {
        in = graph.import("in", pixels);
        const WordRef words = graph.transient("words", pixels);
        const ImageId image =
            graph.transient_image("image", {.format = VK_FORMAT_R32_UINT, .extent = {width, height, 1}});
        const auto over_texels = [&](const char* name, const char* source, std::vector<Binding> bindings) {
            Pass pass = simple_pass(name, source, std::move(bindings));
            pass.push = {width, height};
            pass.dispatch = Dispatch::groups((width + 7) / 8, (height + 7) / 8);
            graph.add_pass(pass);
        };
        over_texels("store", store_source, {read(in), write(image)});
        over_texels("load", load_source, {read(image), write(words)});
        const Predicate is_even{.expression = "x % 2 == 0 && i < pixels", .values = {{"pixels", pixels}}};
        const auto even = select_if(graph, words, is_even);
        out = scan(graph, even.items);
        const auto kept = graph.history("kept", pixels);
        last = graph.transient("last", pixels);
        graph.add_copy("keep", words, kept.current, pixels * 4ULL);
        graph.add_copy("recall", kept.previous, last, pixels * 4ULL);
        graph.export_buffer(out);
        graph.export_buffer(last);
    }

    [[nodiscard]] Values scanned(const Values& input) const {
        Values even;
        for (const std::uint32_t x : input) {
            if ((x + 1) % 2 == 0) {
                even.push_back(x + 1);
            }
        }
        std::partial_sum(even.begin(), even.end(), even.begin());
        return even;
    }

    /// Runs the program twice, to check its history too, and compares the results.
    void check(const Context& context, Program& program) const {
        const Values input = Random(pixels).vector(pixels);
        const Buffer memory = buffer_on(context, input);
        ok(program.bind(in, memory));
        for (const bool is_first : {true, false}) {
            ok(program.run());
            const Values expected = scanned(input);
            EXPECT_EQ(ok(context.download<std::uint32_t>(program.view(out), expected.size())), expected);
            EXPECT_EQ(ok(context.download<std::uint32_t>(program.view(last), pixels)),
                      is_first ? Values(pixels, 0) : plus(input, 1));
        }
    }
};

TEST(Resize, CreatesNoShaderOrPipeline) {
    const CountedHost host;
    const Context context = ok(Context::adopt(host.adopted()));
    const Frame first(context, 130, 70); // 2^13 to 2^14 pixels, for which primitives have the same kernels
    Program program = ok(compile(context, first.graph));
    const int modules = host.calls.modules, pipelines = host.calls.made;
    EXPECT_GE(pipelines, 5); // one per kernel
    first.check(context, program);
    for (const auto& [width, height] : {std::pair{125U, 128U}, {97U, 89U}, {130U, 70U}}) {
        const Frame next(context, width, height);
        program = ok(program.resized(next.graph));
        EXPECT_EQ(program.description().resources[next.in.id.index].bytes, next.pixels * 4);
        next.check(context, program);
    }
    EXPECT_EQ(host.calls.modules, modules);
    EXPECT_EQ(host.calls.made, pipelines);
}

TEST(Resize, CompilesChangedPasses) {
    const Context& context = test_context();
    const auto add = [&](const char* source, std::uint32_t local, bool third) {
        WordGraph graph(context);
        const WordRef data = graph.import("data");
        Pass pass = simple_pass("first", source, {read_write(data)});
        pass.constants = {local};
        graph.add_pass(pass);
        if (third) {
            graph.add_pass(increment(data, "second"));
        }
        return std::pair(std::move(graph), data);
    };
    const char* const adds_constant = R"(#version 460
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint ADDED = 0;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] += ADDED; })";
    const auto [graph, data] = add(adds_constant, 5, false);
    Program program = ok(compile(context, graph));
    const auto run = [](Program& made, const WordRef& import) { return run_on(made, import, Values(64, 0))[63]; };
    EXPECT_EQ(run(program, data), 5U);
    const auto [constant, constant_data] = add(adds_constant, 6, false);
    Program other = ok(program.resized(constant));
    EXPECT_EQ(run(other, constant_data), 6U);
    const auto [shader, shader_data] = add(increment_source, 5, true);
    other = ok(program.resized(shader));
    EXPECT_EQ(run(other, shader_data), 2U);
    EXPECT_EQ(run(program, data), 5U); // unchanged

    WordGraph wrong(context);
    wrong.add_pass(simple_pass("first", "nonsense", {write(wrong.import("data"))}));
    EXPECT_FALSE(program.resized(wrong));
    EXPECT_EQ(run(program, data), 5U);
}

/// Returns a graph of at least 30 passes.
Graph large_frame(const Context& context, std::uint32_t pixels) {
    WordGraph graph(context);
    WordRef words = graph.import("in", pixels);
    for (int i = 0; i < 3; ++i) {
        const auto kept = select_if(graph, words, Predicate::compare(Comparison::greater, 7U));
        const auto sorted = radix_sort(graph, kept.items);
        const WordRef sums = scan(graph, sorted.keys);
        graph.export_buffer(unique(graph, sums).items);
        graph.export_buffer(histogram(graph, sums, Bins::bytes()));
        words = scan(graph, words, {.op = Operator::max});
    }
    graph.export_buffer(words);
    return graph;
}

/// Measures the minimum of several times, because other processes share the CPU.
TEST(Resize, IsQuick) {
    ContextOptions options = validated();
    options.validation = false;
    const Context context = ok(Context::create(options));
    Program program = ok(compile(context, large_frame(context, 100000)));
    const std::size_t passes = count_passes(program.plan());
    EXPECT_GE(passes, 30U);
    double least_ms = 1e9;
    for (std::uint32_t i = 0; i < 20; ++i) {
        const Graph graph = large_frame(context, 100000 + i * 50000);
        const std::clock_t before = std::clock();
        program = ok(program.resized(graph));
        least_ms = std::min(least_ms, static_cast<double>(std::clock() - before) * 1e3 / CLOCKS_PER_SEC);
    }
    RecordProperty("passes", static_cast<int>(passes));
    RecordProperty("least_us", static_cast<int>(least_ms * 1e3));
    EXPECT_LT(least_ms, 100);
}

/// Declarations of a pass are checked against its shader with the new push constants.
TEST(Resize, ChecksDeclarationsForNewSize) {
    const char* const source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer Large { uint large[]; };
layout(push_constant) uniform Push { uint n; };
void main() {
    if (n > 100) { large[0] = n; }
    data[0] = n;
})";
    const auto of_size = [&](std::uint32_t n) {
        WordGraph graph;
        const WordRef data = graph.import("data", n), large = graph.import("large", 4);
        Pass pass = simple_pass("fills", source, {write(data), unused(large)});
        pass.push = {n};
        graph.add_pass(pass);
        return graph;
    };
    const Program program = ok(compile(test_context(), of_size(50)));
    EXPECT_TRUE(program.resized(of_size(100)));
    expect_error(program.resized(of_size(101)), ErrorCode::invalid_graph, HasSubstr("is written by the shader"));
}

/// The earlier program keeps its memory. Its destructor waits for its submissions.
TEST(Resize, PendingExecutionsContinue) {
    const Context& context = test_context();
    const std::uint32_t sizes[] = {200000, 5000, 100000};
    const auto build = [&](std::uint32_t n, WordRef& in, WordRef& out) {
        WordGraph graph(context);
        in = graph.import("in", n);
        out = graph.import("out", n);
        const WordRef sums = scan(graph, in);
        scan(graph, sums, {.op = Operator::max, .output = out});
        graph.export_buffer(out);
        return graph;
    };
    WordRef in, out;
    Program program = ok(compile(context, build(1000, in, out)));
    Recorder host(context);
    std::vector<Buffer> inputs, outputs;
    std::vector<Program> recorded;
    for (const std::uint32_t n : sizes) {
        const Graph graph = build(n, in, out);
        program = ok(program.resized(graph));
        Program by_host = ok(program.resized(graph));
        inputs.push_back(buffer_of(Random(n).vector(n)));
        for (Program* made : {&program, &by_host}) {
            outputs.push_back(poisoned_buffer(n));
            bind_all(*made, {{in, inputs.back()}, {out, outputs.back()}});
        }
        ok(program.submit()); // the next round destroys it while this may be pending
        host.submit(host.record(by_host));
        recorded.push_back(std::move(by_host)); // kept while its recording may be pending
    }
    ok(program.wait());
    host.wait();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::uint32_t n = sizes[i / 2];
        Values expected = Random(n).vector(n);
        std::partial_sum(expected.begin(), expected.end(), expected.begin());
        std::partial_sum(expected.begin(), expected.end(), expected.begin(),
                         [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
        EXPECT_EQ(contents(outputs[i], n), expected) << i;
    }
}

} // namespace
} // namespace weir::tests::resize_test

// Dispatches by elements that are spread over y, and shaders that ignore it.

#include <weir/graph/arguments.hpp>

#include "engine/shader/compiled_shader.hpp"
#include "graph/program/declarations.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/support/result.hpp"

namespace weir::tests::spread_test {
namespace {

constexpr std::uint32_t many = 5'000'000, few = 65'535 * 64; // elements, in workgroups of 64

std::shared_ptr<const CompiledShader> compiled(const std::string& body) {
    const std::string text = "#include <weir/dispatch.glsl>\n"
                             "layout(local_size_x = 64) in;\n"
                             "layout(constant_id = 0) const bool TICKET = false;\n"
                             "layout(binding = 0) buffer In { uint source[]; };\n"
                             "layout(binding = 1) buffer Out { uint result[]; };\n"
                             "layout(push_constant) uniform Push { uint n; };\n"
                             "shared uint ticket;\n";
    return ok(CompiledShader::create(ok(compile_shader(ShaderSource::glsl(text + body))), "test"));
}

const CompiledShader& by_x() {
    static const auto shader =
        compiled("void main() { uint i = gl_GlobalInvocationID.x; if (i < n) { result[i] = source[i]; } }");
    return *shader;
}

/// Returns the error for the last pass of a graph, or an empty string.
std::string mistake(const Graph& graph, const CompiledShader& shader = by_x()) {
    EXPECT_FALSE(graph.error()) << graph.error()->message;
    const auto checked = check_spread(graph.description(), graph.description().passes.back(), shader);
    EXPECT_TRUE(checked || checked.error().code == ErrorCode::invalid_graph);
    return checked ? "" : checked.error().message;
}

std::string mistake(const std::string& body, std::vector<std::uint32_t> constants = {}, bool in_place = false) {
    SomeGraph graph;
    Pass made = pass("p", {read(graph.import("in"))}, Dispatch::elements(many, 64));
    const WordRef out = graph.import("out");
    made.bindings.push_back(in_place ? read_write(out) : write(out));
    made.constants = std::move(constants);
    graph.add_pass(made);
    return mistake(graph, *compiled(body));
}

constexpr const char* refused = "shader 'shader' reads x of gl_WorkGroupID or gl_GlobalInvocationID and ignores y; up "
                                "to 78126 workgroups are spread over 2 rows in y, because the device runs at most "
                                "65535 in x (maxComputeWorkGroupCount); use weir_workgroup_index() of "
                                "<weir/dispatch.glsl>";

TEST(Spread, ShaderThatIgnoresYIsRefused) {
    EXPECT_EQ(mistake("void main() { result[gl_GlobalInvocationID.x] = 1; }"), refused);
    EXPECT_EQ(mistake("void main() { result[gl_WorkGroupID.x * 64 + gl_LocalInvocationID.x] = 1; }"), refused);
    EXPECT_EQ(mistake("void main() { if (gl_GlobalInvocationID.x < n) { atomicAdd(result[0], 1); } }"), refused);
}

TEST(Spread, ShaderThatUsesYIsAccepted) {
    EXPECT_EQ(mistake("void main() { result[weir_workgroup_index() * 64 + gl_LocalInvocationID.x] = 1; }"), "");
    EXPECT_EQ(mistake("void main() { const uvec2 at = gl_GlobalInvocationID.xy;\n"
                      "result[at.y * gl_NumWorkGroups.x * 64 + at.x] = 1; }"),
              "");
    EXPECT_EQ(mistake("uint number(uvec3 group) { return group.y * gl_NumWorkGroups.x + group.x; }\n"
                      "void main() { result[number(gl_WorkGroupID)] = 1; }"),
              "");
}

TEST(Spread, ShaderThatDrawsTicketsIsAccepted) {
    const std::string body = "void main() {\n"
                             "    if (gl_LocalInvocationIndex == 0) { ticket = atomicAdd(result[0], 1); }\n"
                             "    barrier();\n"
                             "    result[1 + (TICKET ? ticket : gl_WorkGroupID.x)] = 1;\n"
                             "}";
    EXPECT_EQ(mistake(body, {1}), "");
    EXPECT_EQ(mistake(body, {0}), refused);
}

/// In such a loop each row of workgroups repeats all of the work, which is harmless unless it writes its inputs.
TEST(Spread, LoopOverTheGridIsAcceptedUnlessItWritesWhatItReads) {
    const std::string loop = "void main() {\n"
                             "    for (uint i = gl_GlobalInvocationID.x; i < n; i += gl_NumWorkGroups.x * 64) {\n";
    EXPECT_EQ(mistake(loop + "result[i] = source[i]; } }"), "");
    EXPECT_EQ(mistake(loop + "result[i] += source[i]; } }", {}, true), refused);
    EXPECT_EQ(mistake("void main() { result[gl_GlobalInvocationID.x] = gl_NumWorkGroups.x; }"), refused);
    EXPECT_EQ(mistake("void main() {\n"
                      "    for (uint i = gl_GlobalInvocationID.x; i < n; i += weir_workgroup_count() * 64) {\n"
                      "        result[i] = source[i]; } }"),
              refused);
}

TEST(Spread, OnlyDispatchesPastTheLimitAreRefused) {
    const auto of = [](const Dispatch& dispatch, const Capabilities& device = some_device()) {
        SomeGraph graph(device);
        graph.add_pass(pass("p", {read(graph.import("in")), write(graph.import("out"))}, dispatch));
        return mistake(graph);
    };
    EXPECT_EQ(of(Dispatch::elements(few, 64)), "");
    EXPECT_THAT(of(Dispatch::elements(few + 1, 64)), HasSubstr("up to 65536 workgroups are spread over 2 rows"));
    EXPECT_THAT(of(Dispatch::elements(1, 64, 65536)), HasSubstr("up to 65536 workgroups are spread over 2 rows"));
    EXPECT_EQ(of(Dispatch::groups(5, 2)), "");
    Capabilities large = some_device();
    large.max_workgroup_count_x = 0x7fffffff;
    EXPECT_EQ(of(Dispatch::elements(many, 64), large), "");
}

TEST(Spread, CountsAreTakenAtTheirMaximum) {
    for (const std::uint32_t max : {few, many}) {
        SomeGraph graph;
        const WordRef in = graph.import("in"), out = graph.import("out");
        const Count counts[] = {graph.parameter("n", max), graph.count_in(in, 0, max),
                                graph.count_in(in, 0, max).direct()};
        for (const Count& count : counts) {
            graph.add_pass(pass("p", {read(in), write(out)}, Dispatch::elements(count, 64)));
            EXPECT_EQ(mistake(graph), max == many ? refused : "");
        }
    }
}

TEST(Spread, IndirectDispatchesUnderACountAreRefused) {
    SomeGraph inner, outer;
    const WordRef in = inner.import("in"), out = inner.import("out");
    {
        const auto scope = inner.only_if(inner.count_in(in, 1, 1));
        inner.add_pass(pass("groups", {write(out)}, Dispatch::groups(2, 3)));
        EXPECT_EQ(mistake(inner), "");
        inner.add_pass(pass("elements", {read(in), write(out)}, Dispatch::elements(many, 64)));
        EXPECT_EQ(mistake(inner), refused);
    }
    const auto scope = outer.only_if(outer.count_in(outer.import("count"), 0, 1));
    outer.add_graph(inner, {{in, outer.import("in")}, {out, outer.import("out")}}, "inner");
    EXPECT_EQ(mistake(outer), refused);
}

TEST(Spread, ArgumentsFromWriteArgumentsAreKnown) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), out = graph.import("out");
    const Count count = graph.count_in(in, 0, many);
    const auto arguments = write_arguments(graph, {DrawArguments{.vertices = 3}, Dispatch::elements(count, 64),
                                                   Dispatch::groups(2, 3), Dispatch::elements(many, 64)});
    const auto dispatched_with = [&](std::uint32_t word) {
        graph.add_pass(pass("p", {read(in), write(out)}, Dispatch::indirect(arguments, word)));
        return mistake(graph);
    };
    EXPECT_EQ(dispatched_with(4), refused);
    EXPECT_EQ(dispatched_with(7), "");
    EXPECT_EQ(dispatched_with(10), refused);
    write_arguments(graph, {Dispatch::elements(few, 64)}, {.output = arguments, .word = 4});
    EXPECT_EQ(dispatched_with(4), "");
    EXPECT_EQ(dispatched_with(10), refused);
    graph.add_fill("fill", arguments, 1);
    EXPECT_EQ(dispatched_with(10), "");
}

TEST(Spread, ArgumentsAreKnownInAnotherGraph) {
    SomeGraph inner, outer;
    const auto arguments = inner.import("arguments");
    write_arguments(inner, {Dispatch::elements(many, 64)}, {.output = arguments});
    const WordRef theirs = outer.import("arguments");
    outer.add_graph(inner, {{arguments, theirs}}, "inner");
    outer.add_pass(pass("p", {write(outer.import("out"))}, Dispatch::indirect(theirs)));
    EXPECT_EQ(mistake(outer), refused);
}

} // namespace
} // namespace weir::tests::spread_test

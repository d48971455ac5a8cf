// The layers in HLSL: the same kernel, compiled as GLSL and as HLSL, gives the same bits.

#include "engine/shader/compiled_shader.hpp"
#include "graph/program/declarations.hpp"
#include "tests/graph/programs.hpp"
#include "tests/primitives/layers.hpp"
#include "tests/support/errors.hpp"

namespace weir::tests::layers_hlsl_test {
namespace {

const OnOneDriver on_one_driver{"LayersHlsl.Rejects*"};

constexpr std::uint32_t groups = 3, items = 3, results = 26;

const std::string glsl_names = R"(
#define int2 ivec2
#define asuint floatBitsToUint
#define GROUP gl_WorkGroupID.x
#define WAIT barrier();
#define ENTRY void main() {
layout(binding = 0) readonly buffer In { uint from[]; };
layout(binding = 1) writeonly buffer Out { uint to[]; };
)";

const std::string hlsl_names = R"(
#define GROUP group.x
#define WAIT GroupMemoryBarrierWithGroupSync();
#define ENTRY [numthreads(WEIR_WORKGROUP, 1, 1)] void work(uint3 group : SV_GroupID) { weir_begin();
StructuredBuffer<uint> from : register(t0);
RWStructuredBuffer<uint> to : register(u1);
)";

std::string includes(const std::string& language) {
    std::string text;
    for (const char* name : {"workgroup_scan", "compact", "exchange", "histogram", "merge_path"}) {
        text += concat("#include <weir/weir_", name, ".", language, ">\n");
    }
    return text;
}

const std::string kernel = R"(
struct Affine { uint slope; uint offset; };
WEIR_SHUFFLE_2(Affine, slope, offset)
Affine affine(uint slope, uint offset) {
    Affine map;
    map.slope = slope;
    map.offset = offset;
    return map;
}
Affine compose(Affine first, Affine second) {
    return affine(first.slope * second.slope, second.slope * first.offset + second.offset);
}
float add(float a, float b) { return a + b; }
int2 larger(int2 a, int2 b) { return max(a, b); }
bool same(uint a, uint b) { return a == b; }
uint even(uint i) { return 2 * i; }
uint triple(uint i) { return 3 * i; }
bool less(uint a, uint b) { return a < b; }
WEIR_SUBGROUP_REDUCE(lanes, Affine, compose)
WEIR_WORKGROUP_SCAN(maps, Affine, compose, affine(1, 0))
WEIR_WORKGROUP_SCAN_ITEMS(maps, Affine, compose, 3)
WEIR_WORKGROUP_SCAN(sum, float, add, 0.0)
WEIR_WORKGROUP_SUM(count)
WEIR_WORKGROUP_REDUCE(largest, int2, larger, int2(-0x7FFFFFFF, -0x7FFFFFFF))
WEIR_EXCHANGE(moved, uint, 3)
WEIR_COMPACT(few, Affine, 3)
WEIR_RUNS(equal, uint, 3, same)
WEIR_HISTOGRAM(digits, 16, 2)
WEIR_MERGE(merged, uint, 3, even, triple, less)

ENTRY
    const uint i = weir_invocation(), first = GROUP * WEIR_WORKGROUP * 3, result = (GROUP * WEIR_WORKGROUP + i) * 26;
    Affine map[3], scanned[3], ahead[3], total, lane;
    uint words[3], runs[3], lengths[3], swapped[3], merged[3];
    bool kept[3];
    for (uint k = 0; k < 3; ++k) {
        words[k] = from[first + weir_blocked(k, 3)];
        map[k] = affine(words[k], words[k] ^ 12345);
        kept[k] = words[k] % 3 == 0;
        runs[k] = words[k] >> 31;
        swapped[k] = words[k];
    }
    digits_clear();
    scanned = map;
    maps_inclusive_scan(scanned, total);
    WAIT
    ahead = map;
    maps_exclusive_scan(ahead, total);
    lane = lanes_reduce(map[0]);
    float whole;
    const float before = sum_exclusive_scan(float(words[0]) * 1e-3, whole);
    const int2 most = largest_reduce(int2(int(words[0]), int(words[1])));
    uint all;
    const uint ones = count_exclusive_scan(words[0] & 7, all);
    moved_blocked_to_striped(swapped);
    const uint few = few_compact(map, kept);
    const uint distinct = equal_runs(runs, lengths, 3 * WEIR_WORKGROUP - 1);
    digits_count(words[0] & 15);
    digits_count(words[1] & 31); // ignores half of them
    merged_merge(3 * i, WEIR_WORKGROUP, 2 * WEIR_WORKGROUP, merged);
    WAIT
    for (uint k = 0; k < 3; ++k) {
        to[result + k] = scanned[k].offset;
        to[result + 3 + k] = ahead[k].slope;
        to[result + 6 + k] = swapped[k];
        to[result + 9 + k] = weir_striped(k, 3) < few ? map[k].slope : 0;
        to[result + 12 + k] = weir_striped(k, 3) < distinct ? 2 * lengths[k] + runs[k] : 0;
        to[result + 15 + k] = merged[k];
    }
    to[result + 18] = total.offset;
    to[result + 19] = lane.offset;
    to[result + 20] = asuint(before);
    to[result + 21] = asuint(whole);
    to[result + 22] = uint(most.x) + 3 * uint(most.y);
    to[result + 23] = ones + 3 * all;
    to[result + 24] = few + 3 * distinct;
    to[result + 25] = digits_total(i % 16);
}
)";

Words run(const ShaderSource& source, const LayerShape& shape, const Words& input) {
    const Buffer in = buffer_of(input), out = poisoned_buffer(std::size_t{groups} * shape.workgroup * results);
    const BufferView buffers[] = {in, out};
    run_kernel({.source = source,
                .constants = {shape.workgroup},
                .subgroup_size = test_context().capabilities().subgroup_size_selectable ? shape.subgroup : 0},
               buffers, {groups, 1, 1});
    return contents(out, std::size_t{groups} * shape.workgroup * results);
}

ShaderSource hlsl(const std::string& text, std::uint32_t workgroup) {
    return ShaderSource::hlsl(text, "layers.hlsl")
        .entry_point("work")
        .define("WEIR_WORKGROUP", std::to_string(workgroup));
}

TEST(LayersHlsl, SameResultsAsGlsl) {
    for (const LayerShape& shape : layer_shapes(0, 9, 128)) {
        SCOPED_TRACE(concat("workgroups of ", shape.workgroup, ", subgroups of ", shape.subgroup));
        const Words input = random_words(std::size_t{groups} * items * shape.workgroup, shape.workgroup);
        const Words expected = run(layer_shader(includes("glsl") + glsl_names + kernel, shape.known), shape, input);
        expect_equal(run(hlsl(includes("hlsl") + hlsl_names + kernel, shape.workgroup), shape, input), expected,
                     "results of HLSL");
        Words offsets, found; // results of the scan of maps: from the CPU, and from the kernel
        for (std::size_t at = 0; at < input.size(); at += std::size_t{items} * shape.workgroup) {
            std::uint32_t offset = 0;
            for (std::size_t i = at; i < at + std::size_t{items} * shape.workgroup; ++i) {
                offset = input[i] * offset + (input[i] ^ 12345U);
                offsets.push_back(offset);
                found.push_back(expected[i / items * results + i % items]);
            }
        }
        expect_equal(found, offsets, "scan of maps");
    }
}

/// Returns the error of a pass of 64 invocations.
Error error_of(const std::string& text, std::uint32_t workgroup) {
    WordGraph graph;
    Pass pass;
    pass.name = "work";
    pass.shader = hlsl(text, workgroup);
    pass.bindings = {write(graph.import("out"))};
    pass.dispatch = Dispatch::groups(1);
    graph.add_pass(pass);
    const auto program = compile(test_context(), graph);
    return program ? Error{} : program.error();
}

std::string sums(const std::string& begin) {
    return "#include <weir/weir_workgroup_scan.hlsl>\n"
           "WEIR_WORKGROUP_SUM(count)\n"
           "RWStructuredBuffer<uint> to : register(u0);\n"
           "[numthreads(64, 1, 1)] void work() {" +
           begin + "to[weir_invocation()] = count_reduce(1); }\n";
}

TEST(LayersHlsl, RejectsMissingBegin) {
    EXPECT_EQ(error_of(sums("weir_begin();"), 64).message, "");
    EXPECT_THAT(error_of(sums(""), 64).message,
                testing::HasSubstr("includes <weir/weir_*.hlsl> and does not call weir_begin()"));
}

TEST(LayersHlsl, RejectsOtherWorkgroup) {
    EXPECT_THAT(error_of(sums("weir_begin();"), 128).message,
                testing::HasSubstr("the shader defines WEIR_WORKGROUP as 128; its numthreads are 64"));
    EXPECT_THAT(compile_shader(ShaderSource::hlsl(sums("weir_begin();"))),
                FailsWith(ErrorCode::shader_compilation, testing::HasSubstr("define WEIR_WORKGROUP")));
}

// HLSL has no barrier of a subgroup, by which the layers in GLSL reconverge lanes on such a device.
TEST(LayersHlsl, RejectsDevicesWhoseLanesDiverge) {
    const auto shader = ok(CompiledShader::create(ok(compile_shader(hlsl(sums("weir_begin();"), 64))), "sums"));
    WordGraph graph;
    const Pass pass = simple_pass("sums", "", {write(graph.import("out"))});
    Capabilities device = test_context().capabilities();
    EXPECT_TRUE(check_declarations(graph.description(), pass, *shader, device));
    device.kind = DeviceKind::discrete;
    device.uniform_control_flow = false;
    EXPECT_THAT(check_declarations(graph.description(), pass, *shader, device),
                FailsWith(ErrorCode::unsupported, testing::HasSubstr("VK_KHR_shader_subgroup_uniform_control_flow")));
}

TEST(LayersHlsl, RejectsMissingLayers) {
    for (const char* name : {"look_back", "radix_sort"}) {
        EXPECT_THAT(compile_shader(hlsl(concat("#include <weir/weir_", name,
                                               ".hlsl>\n[numthreads(64, 1, 1)] "
                                               "void work() {}\n"),
                                        64)),
                    FailsWith(ErrorCode::shader_compilation,
                              testing::HasSubstr("is not available in HLSL because HLSL has no")));
    }
}

} // namespace
} // namespace weir::tests::layers_hlsl_test

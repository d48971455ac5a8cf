// Scans and reductions of subgroups and workgroups in custom kernels.

#include "tests/primitives/layers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::layers_scan_test {
namespace {

const OnEveryDriver on_every_driver{"Layers.SubgroupScan*", "Layers.RejectsPartialSubgroups"};

/// An affine map of integers modulo 2^32. Composition is not commutative.
struct Affine {
    std::uint32_t slope = 1, offset = 0;
};
Affine compose(Affine first, Affine second) {
    return {first.slope * second.slope, second.slope * first.offset + second.offset};
}

const std::string affine = R"(
struct Affine { uint slope; uint offset; };
WEIR_SHUFFLE_2(Affine, slope, offset)
Affine compose(Affine first, Affine second) {
    return Affine(first.slope * second.slope, second.slope * first.offset + second.offset);
}
)";

constexpr std::uint32_t groups = 3;

TEST(Layers, ScansOfSeveralTypesInOneShader) {
    const std::string kernel = R"(
#include <weir/weir_workgroup_scan.glsl>
)" + affine + R"(
float add(float a, float b) { return a + b; }
ivec2 larger(ivec2 a, ivec2 b) { return max(a, b); }
WEIR_WORKGROUP_SCAN(maps, Affine, compose, Affine(1, 0))
WEIR_WORKGROUP_SCAN(sum, float, add, 0.0)
WEIR_WORKGROUP_REDUCE(largest, ivec2, larger, ivec2(-0x7FFFFFFF))
layout(binding = 0) readonly buffer In { uvec2 in_words[]; };
layout(binding = 1) writeonly buffer Out { uint out_words[]; };
void main() {
    const uint i = gl_WorkGroupID.x * gl_WorkGroupSize.x + weir_invocation();
    Affine map = Affine(in_words[i].x, in_words[i].y), all;
    for (uint turn = 0; turn < 2; ++turn) {
        map = maps_inclusive_scan(map, all);
        barrier();
    }
    float total;
    const float before = sum_exclusive_scan(float(in_words[i].x & 0xFF), total);
    const ivec2 most = largest_reduce(ivec2(in_words[i]));
    barrier();
    const Affine reduced = maps_reduce(map);
    out_words[10 * i] = map.slope;
    out_words[10 * i + 1] = map.offset;
    out_words[10 * i + 2] = all.slope;
    out_words[10 * i + 3] = all.offset;
    out_words[10 * i + 4] = floatBitsToUint(before);
    out_words[10 * i + 5] = floatBitsToUint(total);
    out_words[10 * i + 6] = most.x;
    out_words[10 * i + 7] = most.y;
    out_words[10 * i + 8] = reduced.slope;
    out_words[10 * i + 9] = reduced.offset;
}
)";
    for (const LayerShape& shape : layer_shapes(0, 3)) {
        const std::uint32_t n = groups * shape.workgroup;
        const Words input = random_words(2 * std::size_t{n}, n);
        Words expected;
        for (std::uint32_t first = 0; first < n; first += shape.workgroup) {
            std::vector<Affine> maps(shape.workgroup);
            std::int32_t most[] = {-0x7FFFFFFF, -0x7FFFFFFF};
            float total = 0;
            for (std::uint32_t i = 0; i < shape.workgroup; ++i) {
                const std::uint32_t* words = &input[2 * std::size_t{first + i}];
                maps[i] = {words[0], words[1]};
                total += static_cast<float>(words[0] & 0xFFU);
                most[0] = std::max(most[0], static_cast<std::int32_t>(words[0]));
                most[1] = std::max(most[1], static_cast<std::int32_t>(words[1]));
            }
            for (int turn = 0; turn < 2; ++turn) {
                for (std::uint32_t i = 1; i < shape.workgroup; ++i) {
                    maps[i] = compose(maps[i - 1], maps[i]);
                }
            }
            Affine reduced;
            for (const Affine& map : maps) {
                reduced = compose(reduced, map);
            }
            float before = 0;
            for (std::uint32_t i = 0; i < shape.workgroup; ++i) {
                const Affine all = maps.back();
                expected.insert(expected.end(),
                                {maps[i].slope, maps[i].offset, all.slope, all.offset,
                                 std::bit_cast<std::uint32_t>(before), std::bit_cast<std::uint32_t>(total),
                                 static_cast<std::uint32_t>(most[0]), static_cast<std::uint32_t>(most[1]),
                                 reduced.slope, reduced.offset});
                before += static_cast<float>(input[2 * std::size_t{first + i}] & 0xFFU);
            }
        }
        check_layers(kernel, shape, groups, {input}, {expected});
    }
}

TEST(Layers, ScansOfSeveralItemsPerInvocation) {
    const std::string kernel = R"(
#include <weir/weir_workgroup_scan.glsl>
)" + affine + R"(
WEIR_WORKGROUP_SCAN(maps, Affine, compose, Affine(1, 0))
WEIR_WORKGROUP_SCAN_ITEMS(maps, Affine, compose, 3)
layout(binding = 0) readonly buffer In { Affine from[]; };
layout(binding = 1) writeonly buffer Inclusive { Affine inclusive[]; };
layout(binding = 2) writeonly buffer Exclusive { Affine exclusive[]; };
layout(binding = 3) writeonly buffer Totals { Affine totals[]; };
void main() {
    const uint i = gl_WorkGroupID.x * gl_WorkGroupSize.x + weir_invocation();
    Affine items[3], total;
    for (uint k = 0; k < 3; ++k) {
        items[k] = from[3 * i + k];
    }
    const Affine reduced = maps_reduce(items);
    barrier();
    Affine scanned[3] = items;
    maps_inclusive_scan(scanned, total);
    barrier();
    Affine ahead[3] = items;
    maps_exclusive_scan(ahead, total);
    for (uint k = 0; k < 3; ++k) {
        inclusive[3 * i + k] = scanned[k];
        exclusive[3 * i + k] = ahead[k];
    }
    totals[2 * i] = reduced;
    totals[2 * i + 1] = total;
}
)";
    for (const LayerShape& shape : layer_shapes(1, 6)) {
        const std::uint32_t n = groups * shape.workgroup * 3;
        std::vector<Affine> input, inclusive, exclusive, totals;
        const Words words = random_words(2 * std::size_t{n}, n);
        for (std::uint32_t i = 0; i < n; ++i) {
            input.push_back({words[2 * i], words[2 * i + 1]});
        }
        for (std::uint32_t first = 0; first < n; first += 3 * shape.workgroup) {
            Affine sum;
            for (std::uint32_t i = first; i < first + 3 * shape.workgroup; ++i) {
                exclusive.push_back(sum);
                inclusive.push_back(sum = compose(sum, input[i]));
            }
            totals.insert(totals.end(), 2 * shape.workgroup, sum);
        }
        check_layers(kernel, shape, groups, {words}, {words_of(inclusive), words_of(exclusive), words_of(totals)});
    }
}

// A struct with members of all kinds, including another struct, in a workgroup of two dimensions.
TEST(Layers, SubgroupScanOfAnyStruct) {
    const std::string kernel = R"(#version 460
layout(local_size_x = 128, local_size_y = 2) in;
#include <weir/weir_subgroup_scan.glsl>
)" + affine + R"(
struct Many { uint count; int least; float most; bool any; uvec2 sums; ivec3 lows; vec4 highs; Affine map; };
WEIR_SHUFFLE_8(Many, count, least, most, any, sums, lows, highs, map)
Many unite(Many a, Many b) {
    return Many(a.count + b.count, min(a.least, b.least), max(a.most, b.most), a.any || b.any, a.sums + b.sums,
                min(a.lows, b.lows), max(a.highs, b.highs), compose(a.map, b.map));
}
const Many nothing = Many(0, 1000, 0.0, false, uvec2(0), ivec3(1000), vec4(0), Affine(1, 0));
WEIR_SUBGROUP_SCAN(many, Many, unite, nothing)
layout(binding = 0) readonly buffer In { uint words[]; };
layout(binding = 1) writeonly buffer Out { uint sizes[512]; Affine out_maps[256]; uint given_size; };
bool differ(Many a, Many b) {
    return a.count != b.count || a.least != b.least || a.most != b.most || a.any != b.any || a.sums != b.sums ||
           a.lows != b.lows || a.highs != b.highs || a.map.slope != b.map.slope || a.map.offset != b.map.offset;
}
Many make(uint word) {
    const uint small = word & 0xFF;
    return Many(1, int(small), float(small), small == 7, uvec2(word, small), ivec3(small, small / 2, small / 3),
                vec4(small, small + 1, small + 2, small + 3), Affine(word, small));
}
void main() {
    const uint i = weir_invocation(), first = i - weir_lane();
    Many serial = nothing, before = nothing, all = nothing;
    for (uint k = 0; k < weir_subgroup_size(); ++k) { // what this lane expects
        if (k < weir_lane()) {
            before = unite(before, make(words[first + k]));
        }
        all = unite(all, make(words[first + k]));
    }
    serial = unite(before, make(words[i]));
    Many total;
    const Many inclusive = many_inclusive_scan(make(words[i]));
    const Many exclusive = many_exclusive_scan(make(words[i]), total);
    const Many reduced = many_reduce(make(words[i]));
    sizes[i] = weir_subgroup_size();
    sizes[256 + i] = uint(differ(inclusive, serial)) | uint(differ(exclusive, before)) << 1 | uint(differ(total, all)) << 2 |
                     uint(differ(reduced, all)) << 3 | weir_subgroup_count() << 4;
    out_maps[i] = inclusive.map;
    given_size = WEIR_SUBGROUP;
}
)";
    const Capabilities& device = test_context().capabilities();
    const Words input = random_words(256, 5);
    Trial trial(256, Count::Kind::constant);
    const auto out = trial.output("out", 512 + 2 * 256 + 1);
    Pass pass;
    pass.name = "many";
    pass.shader = ShaderSource::glsl(kernel, "many");
    pass.bindings = {read(trial.input("in", input)), write(out)};
    pass.dispatch = Dispatch::groups(1);
    pass.subgroup_size = device.subgroup_size_selectable ? device.subgroup_size : 0;
    trial.graph.add_pass(pass);
    trial.run(256);
    const Words found = trial.words_in(out, 1);
    const std::uint32_t size = found[0];
    const bool is_known = pass.subgroup_size != 0 || device.subgroup_size_min == device.subgroup_size_max;
    if (is_known) {
        EXPECT_EQ(size, device.subgroup_size);
    }
    Words expected(256, size);
    expected.insert(expected.end(), 256, 256 / size << 4U);
    Affine map;
    for (std::uint32_t i = 0; i < 256; ++i) {
        map = compose(i % size == 0 ? Affine() : map, {input[i], input[i] & 0xFFU});
        expected.insert(expected.end(), {map.slope, map.offset});
    }
    expected.push_back(is_known ? size : 0);
    trial.expect(out, expected); // sizes, differences and maps
}

TEST(Layers, RejectsPartialSubgroups) {
    Graph graph(test_context());
    graph.add_pass({.name = "odd",
                    .shader = ShaderSource::glsl("#version 460\nlayout(local_size_x = 3) in;\n"
                                                 "#include <weir/weir_subgroup.glsl>\n"
                                                 "layout(binding = 0) writeonly buffer Out { uint b[]; };\n"
                                                 "void main() { b[weir_invocation()] = 1; }"),
                    .bindings = {write(imported(graph))},
                    .dispatch = Dispatch::groups(1)});
    const auto program = compile(test_context(), graph);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().code, ErrorCode::invalid_graph);
    EXPECT_THAT(program.error().message,
                HasSubstr("the shader has workgroups of 3 x 1 x 1; full subgroups require that x is a multiple of "));
}

} // namespace
} // namespace weir::tests::layers_scan_test

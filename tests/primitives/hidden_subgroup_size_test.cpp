// A device like Intel's in a host with Vulkan 1.2 that enables neither subgroupSizeControl nor computeFullSubgroups:
// it reports subgroups of 32 to the host and to shaders, and runs them in smaller ones.

#include <map>

#include "tests/primitives/instrument.hpp"
#include "tests/primitives/other_device.hpp"
#include "tests/support/altered_host.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::hidden_subgroup_size_test {
namespace {

const OnEveryDriver on_every_driver{"HiddenSubgroupSize.CapabilitiesListAllSizes",
                                    "HiddenSubgroupSize.OwnPassReadsTheActualSize"};

constexpr std::uint32_t reported = 32;

/// Changes a shader so that it reads what such a device reports: a size of 32, and masks of lanes not below and above
/// an invocation that end at 32.
void report_another_size(std::vector<std::uint32_t>& words) {
    constexpr std::uint32_t size_built_in = 36, ge_mask = 4417, gt_mask = 4418;
    constexpr std::uint32_t op_type_int = 21, op_type_vector = 23, op_constant = 43, op_constant_composite = 44,
                            op_function = 54, op_load = 61, op_access_chain = 65, op_decorate = 71, op_copy_object = 83,
                            op_bitwise_or = 197;
    std::map<std::uint32_t, std::uint32_t> built_ins; // by variable, or by pointer to a component
    std::uint32_t uint_type = 0, vector_type = 0, next = words[3];
    std::vector<std::uint32_t> out(words.begin(), words.begin() + 5);
    const auto add = [&](std::uint32_t op, std::initializer_list<std::uint32_t> operands) {
        out.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16U | op);
        out.insert(out.end(), operands);
    };
    std::uint32_t size = 0, high = 0, high_vector = 0;
    for (std::size_t at = 5; at < words.size(); at += words[at] >> 16U) {
        const std::span<const std::uint32_t> one = std::span(words).subspan(at, words[at] >> 16U);
        const std::uint32_t op = one[0] & 0xFFFFU;
        if (op == op_decorate && one.size() == 4 && one[2] == 11 &&
            (one[3] == size_built_in || one[3] == ge_mask || one[3] == gt_mask)) {
            built_ins.emplace(one[1], one[3]);
        } else if (op == op_type_int && one[2] == 32 && one[3] == 0) {
            uint_type = one[1];
        } else if (op == op_type_vector && one[2] == uint_type && one[3] == 4) {
            vector_type = one[1];
        } else if (op == op_access_chain && built_ins.contains(one[3])) {
            built_ins.emplace(one[2], one[3]);
        } else if (op == op_function && size == 0 && !built_ins.empty()) {
            const std::uint32_t actual = test_context().capabilities().subgroup_size, zero = next++;
            size = next++;
            high = next++;
            high_vector = next++;
            add(op_constant, {uint_type, zero, 0});
            add(op_constant, {uint_type, size, reported});
            add(op_constant, {uint_type, high, ~0U << (actual % 32) & (actual < 32 ? ~0U : 0)});
            if (vector_type != 0) {
                add(op_constant_composite, {vector_type, high_vector, high, zero, zero, zero});
            }
        }
        const auto built_in = op == op_load ? built_ins.find(one[3]) : built_ins.end();
        if (built_in == built_ins.end()) {
            out.insert(out.end(), one.begin(), one.end());
        } else if (built_in->second == size_built_in) {
            add(op_copy_object, {one[1], one[2], size});
        } else {
            add(op_load, {one[1], next, one[3]});
            add(op_bitwise_or, {one[1], one[2], next++, one[1] == uint_type ? high : high_vector});
        }
    }
    out[3] = next;
    words = out;
}

class HiddenSubgroupSize : public testing::Test {
protected:
    void SetUp() override {
        if (test_context().capabilities().subgroup_size < 8 || test_context().capabilities().subgroup_size > reported) {
            GTEST_SKIP() << "no driver of Intel has subgroups of " << test_context().capabilities().subgroup_size;
        }
        host_.emplace(
            Alterations{.properties =
                            [](VkPhysicalDeviceProperties& properties) {
                                properties.vendorID = vendors::intel;
                                properties.apiVersion = VK_API_VERSION_1_2;
                            },
                        .vulkan11 = [](VkPhysicalDeviceVulkan11Properties& out) { out.subgroupSize = reported; },
                        .spirv = report_another_size},
            [](HostFeatures& features) { features.vulkan12.pNext = nullptr; }, VK_API_VERSION_1_2);
        gpu_ = ok(Context::adopt(host_->adopted()));
    }
    std::optional<AlteredHost> host_;
    std::optional<Context> gpu_;
};

TEST_F(HiddenSubgroupSize, CapabilitiesListAllSizes) {
    const Capabilities& can = gpu_->capabilities();
    EXPECT_EQ(can.subgroup_size, reported);
    EXPECT_EQ(can.subgroup_size_min, 8U);
    EXPECT_EQ(can.subgroup_size_max, reported);
    EXPECT_FALSE(can.full_subgroups || can.subgroup_size_selectable);
    EXPECT_EQ(can.max_workgroup_subgroups, can.max_workgroup_invocations / 8);
}

TEST_F(HiddenSubgroupSize, Primitives) {
    OtherDevice other(*gpu_, 20011);
    Graph& graph = other.graph;
    other.expect_sums(scan(graph, other.in));
    other.expect_multiples_of_three(select_if(graph, other.in, "x % 3u == 0u"));
    other.expect("total", reduce(graph, other.in), {std::accumulate(other.input.begin(), other.input.end(), 0U)});
    const auto sorted = radix_sort(graph, other.in, {.want_indices = true});
    other.expect_sorted(sorted.keys, sorted.values);
    const auto heads = unique(graph, other.keys);
    Words runs = other.runs;
    runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
    other.expect("unique", heads.items, runs);
    other.check(2);
}

// Workgroups wait for late ones, and walk back over many tiles together.
TEST_F(HiddenSubgroupSize, FaultsDoNotChangeResults) {
    OtherDevice other(*gpu_, 20011);
    const auto scope = weir::testing::instrument(other.graph, {.one_in = 3});
    other.expect_sums(scan(other.graph, other.in, {.tuning = {.workgroup = 64, .chunks = 1}}));
    other.expect_multiples_of_three(select_if(other.graph, other.in, "x % 3u == 0u"));
    other.check(2);
}

TEST_F(HiddenSubgroupSize, OwnPassReadsTheActualSize) {
    constexpr std::uint32_t invocations = 64, rows = 5;
    Graph graph(*gpu_);
    const auto out = graph.transient_buffer<std::uint32_t>("out", rows * invocations);
    graph.add_pass({.name = "own",
                    .shader = ShaderSource::glsl(R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x_id = 0) in;
layout(binding = 0) writeonly buffer Out { uint values[]; };
void main() {
    const uint i = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
    values[i] = gl_SubgroupSize;
    values[i + 64] = gl_SubgroupGeMask.x;
    values[i + 128] = gl_SubgroupGtMask.x;
    const uvec4 mask = gl_SubgroupGeMask | gl_SubgroupLtMask;
    values[i + 192] = bitCount(mask.x) + bitCount(mask.y) + bitCount(mask.z) + bitCount(mask.w);
    values[i + 256] = gl_SubgroupGtMask[(i & 1) + 1] + 7;
})"),
                    .bindings = {write(out)},
                    .constants = {invocations},
                    .dispatch = Dispatch::groups(1),
                    .full_subgroups = true});
    graph.export_buffer(out);
    Program program = ok(compile(*gpu_, graph));
    ok(program.run());
    const std::uint32_t size = test_context().capabilities().subgroup_size;
    Words expected(rows * invocations);
    for (std::uint32_t i = 0; i < invocations; ++i) {
        const std::uint64_t all = (std::uint64_t{1} << size) - 1;
        expected[i] = expected[i + 192] = size;
        expected[i + 256] = 7;
        expected[i + 64] = static_cast<std::uint32_t>(all << i % size & all);
        expected[i + 128] = static_cast<std::uint32_t>(all << i % size << 1U & all);
    }
    expect_equal(ok(gpu_->download<std::uint32_t>(program.view(out), expected.size())), expected, "built-ins");
}

} // namespace
} // namespace weir::tests::hidden_subgroup_size_test

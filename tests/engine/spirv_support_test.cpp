// SPIR-V for devices that lack features of Weir's shaders.

#include "engine/spirv/spirv_support.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/engine/shader.hpp>

#include "engine/spirv/spirv.hpp"
#include "tests/engine/instructions.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/result.hpp"

namespace weir::tests::spirv_support_test {
namespace {

constexpr std::uint32_t op_memory_model = 14, op_execution_mode_id = 331, op_capability = 17, op_constant = 43,
                        op_spec_composite = 51, op_load = 61, op_store = 62, op_decorate = 71, op_barrier = 224,
                        op_atomic_add = 234;
constexpr std::uint32_t memory_model = 5345, device_scope = 5346; // capabilities

/// The first lines of shaders with the Vulkan memory model.
const std::string preamble = R"(#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
)";

const std::string kernel = preamble + R"(
layout(local_size_x_id = 0) in;
layout(binding = 0) workgroupcoherent buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(binding = 2) buffer C { uint next; };
shared uint words[64];
void main() {
    const uint at = atomicAdd(next, 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    words[gl_LocalInvocationIndex] = a[at];
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
    a[at] = words[63 - gl_LocalInvocationIndex] + b[at];
}
)";

Words compiled(const std::string& text) {
    return ok(compile_shader(ShaderSource::glsl(text)));
}

Words supported(const Words& words, const SpirvSupport& support) {
    Words out = ok(supported_spirv(words, support));
    EXPECT_TRUE(check_spirv(out, "it"));
    return out;
}

/// Returns the ids with a decoration, and the id of the variable with a binding.
Words decorated(const Words& words, std::uint32_t decoration) {
    Words ids;
    for (const Words& one : instructions(words, op_decorate)) {
        if (one[1] == decoration) {
            ids.push_back(one[0]);
        }
    }
    return ids;
}
std::uint32_t bound(const Words& words, std::uint32_t number) {
    constexpr std::uint32_t binding = 33;
    for (const Words& one : instructions(words, op_decorate)) {
        if (one.size() == 3 && one[1] == binding && one[2] == number) {
            return one[0];
        }
    }
    return 0;
}

bool declares(const Words& words, std::uint32_t capability) {
    return std::ranges::count(instructions(words, op_capability), Words{capability}) != 0;
}

std::uint32_t value(const Words& words, std::uint32_t id) {
    for (const Words& constant : instructions(words, op_constant)) {
        if (constant[1] == id) {
            return constant[2];
        }
    }
    ADD_FAILURE() << id << " is not a constant";
    return 0;
}

TEST(SpirvSupport, SupportedModuleIsUnchanged) {
    const Words before = compiled(kernel);
    EXPECT_EQ(before[1], spirv_1_6);
    EXPECT_EQ(supported(before, {}), before);
}

TEST(SpirvSupport, OlderVersion) {
    Words expected = compiled(kernel);
    expected[1] = spirv_1_5;
    EXPECT_EQ(supported(compiled(kernel), {.version = spirv_1_5}), expected);
    expected[1] = 0x00010300;
    EXPECT_EQ(supported(expected, {.version = spirv_1_5}), expected);
}

TEST(SpirvSupport, LocalSizeBecomesBuiltInConstant) {
    constexpr std::uint32_t built_in = 11, workgroup_size = 25, local_size_id = 38;
    const auto sizes = [](const Words& words) {
        return std::ranges::count_if(instructions(words, op_decorate), [](const Words& one) {
            return one.size() == 3 && one[1] == built_in && one[2] == workgroup_size;
        });
    };
    const Words before = compiled(kernel);
    const auto modes = instructions(before, op_execution_mode_id);
    ASSERT_EQ(modes.size(), 1U);
    ASSERT_EQ(modes[0][1], local_size_id);
    const Words after = supported(before, {.size_from_constants = false});
    EXPECT_TRUE(instructions(after, op_execution_mode_id).empty());
    EXPECT_EQ(sizes(after), 1);
    const auto composites = instructions(after, op_spec_composite);
    ASSERT_EQ(composites.size(), 1U);
    EXPECT_TRUE(std::equal(composites[0].begin() + 2, composites[0].end(), modes[0].begin() + 2));
    // One id more, or two if the module has no type for the constant.
    EXPECT_EQ(after[3], before[3] + (composites[0][1] == before[3] ? 1 : 2));

    // A shader that reads its size has the constant already.
    std::string reads = kernel;
    reads.replace(reads.find("+ b[at]"), 7, "+ gl_WorkGroupSize.x");
    const Words reading = supported(compiled(reads), {.size_from_constants = false});
    EXPECT_EQ(sizes(reading), 1);
    EXPECT_TRUE(instructions(reading, op_execution_mode_id).empty());
}

TEST(SpirvSupport, DeviceScopeBecomesQueueFamily) {
    constexpr std::uint32_t queue_family = 5, workgroup = 2;
    const Words before = compiled(kernel), after = supported(before, {.device_scope = false});
    EXPECT_TRUE(declares(before, device_scope) && declares(after, memory_model));
    EXPECT_FALSE(declares(after, device_scope));
    const auto atomics = instructions(after, op_atomic_add), barriers = instructions(after, op_barrier);
    ASSERT_EQ(atomics.size(), 1U);
    EXPECT_EQ(value(after, atomics[0][3]), queue_family);
    ASSERT_EQ(barriers.size(), 1U);
    EXPECT_EQ(value(after, barriers[0][0]), workgroup);
    EXPECT_EQ(value(after, barriers[0][1]), queue_family);
    EXPECT_EQ(instructions(after, op_load), instructions(before, op_load)); // their scope is the workgroup
}

TEST(SpirvSupport, AccessesOfDeviceScopeBecomeQueueFamily) {
    constexpr std::uint32_t available = 8, visible = 16, queue_family = 5;
    std::string text = kernel;
    text.replace(text.find("workgroupcoherent"), 17, "devicecoherent");
    const Words after = supported(compiled(text), {.device_scope = false});
    // The memory operands of a load are operand 3, those of a store operand 2. The scope is the next operand.
    const auto accesses = [&](std::uint32_t opcode, std::size_t operand, std::uint32_t bit) {
        return std::ranges::count_if(instructions(after, opcode), [&](const Words& access) {
            return access.size() > operand + 1 && (access[operand] & bit) != 0 &&
                   value(after, access[operand + 1]) == queue_family;
        });
    };
    EXPECT_EQ(accesses(op_load, 3, visible) + accesses(op_store, 2, available), 2);
}

TEST(SpirvSupport, WithoutMemoryModelBuffersAreCoherent) {
    constexpr std::uint32_t coherent = 23, device = 1;
    const Words before = compiled(kernel), after = supported(before, {.memory_model = false});
    EXPECT_FALSE(declares(after, memory_model) || declares(after, device_scope));
    ASSERT_EQ(instructions(after, op_memory_model).size(), 1U);
    EXPECT_EQ(instructions(after, op_memory_model)[0], (Words{0, 1}));
    for (const std::uint32_t access : {op_load, op_store}) {
        for (const Words& one : instructions(after, access)) {
            EXPECT_LE(one.size(), access == op_load ? 3U : 2U);
        }
    }
    EXPECT_EQ(value(after, instructions(after, op_atomic_add)[0][3]), device);
    const Words barrier = instructions(after, op_barrier)[0];
    // The same order as before, without availability and visibility.
    EXPECT_EQ(value(after, barrier[2]), 0x8U | 0x40U | 0x100U);
    // Only the buffer with accesses of workgroup scope is coherent.
    EXPECT_EQ(decorated(after, coherent), Words{bound(after, 0)});
}

TEST(SpirvSupport, ShaderOfOlderModelIsUnchanged) {
    const Words before = compiled("#version 460\nlayout(local_size_x = 64) in;\n"
                                  "layout(binding = 0) coherent buffer A { uint a[]; };\n"
                                  "void main() { atomicAdd(a[0], 1); memoryBarrierBuffer(); a[1] = 2; }");
    EXPECT_EQ(supported(before, {.memory_model = false, .device_scope = false}), before);
}

// A file may contain anything that looks like instructions.
TEST(SpirvSupport, InvalidModules) {
    const auto instruction = [](std::uint32_t opcode, Words operands) {
        operands.insert(operands.begin(), static_cast<std::uint32_t>(operands.size() + 1) << 16 | opcode);
        return operands;
    };
    constexpr std::uint32_t op_copy_object = 83, vulkan = 3, glsl450 = 1, not_private = 32;
    Words beginning{0x07230203, spirv_1_6, 0, 100, 0};
    const auto with = [&](std::initializer_list<Words> instructions) {
        Words words = beginning;
        for (const Words& one : instructions) {
            words.insert(words.end(), one.begin(), one.end());
        }
        return words;
    };
    beginning = with({instruction(op_memory_model, {0, vulkan})});
    const Words modules[] = {
        beginning,
        with({instruction(op_barrier, {})}),
        with({instruction(op_atomic_add, {1, 2})}),
        with({instruction(op_store, {})}),
        // Each pointer is a copy of the other.
        with({instruction(op_copy_object, {1, 7, 8}), instruction(op_copy_object, {1, 8, 7}),
              instruction(op_store, {7, 9, not_private})}),
    };
    for (const Words& module : modules) {
        EXPECT_EQ(ok(supported_spirv(module, {.size_from_constants = false})), module);
        EXPECT_EQ(ok(supported_spirv(module, {.device_scope = false})), module);
        const Words older = ok(supported_spirv(module, {.memory_model = false}));
        ASSERT_GE(older.size(), beginning.size());
        EXPECT_EQ(older[7], glsl450);
    }
}

TEST(SpirvSupport, AccessWithoutOlderFormIsAnError) {
    const Words image = compiled(preamble + "layout(local_size_x = 64) in;\n"
                                            "layout(binding = 0, r32ui) coherent uniform uimage2D i;\n"
                                            "void main() { imageStore(i, ivec2(0), imageLoad(i, ivec2(1))); }");
    EXPECT_THAT(supported_spirv(image, {.memory_model = false}),
                FailsWith(ErrorCode::unsupported, testing::HasSubstr("vulkanMemoryModel")));
    EXPECT_TRUE(supported_spirv(image, {.version = spirv_1_5}));
    const Words address =
        compiled(preamble + "#extension GL_EXT_buffer_reference : require\nlayout(local_size_x = 64) in;\n"
                            "layout(buffer_reference) buffer List { devicecoherent uint next; };\n"
                            "layout(push_constant) uniform Push { List list; };\n"
                            "void main() { list.next = 1; }");
    EXPECT_EQ(supported_spirv(address, {.memory_model = false}).error().code, ErrorCode::unsupported);
    EXPECT_TRUE(supported_spirv(address, {.device_scope = false}));
}

TEST(SpirvSupport, VolatileAtomicsMakeTheirBufferVolatile) {
    constexpr std::uint32_t decoration_volatile = 21;
    std::string text = kernel;
    text.replace(text.find("gl_SemanticsRelaxed"), 19, "gl_SemanticsRelaxed | gl_SemanticsVolatile");
    const Words after = supported(compiled(text), {.memory_model = false});
    EXPECT_EQ(decorated(after, decoration_volatile), Words{bound(after, 2)});
    EXPECT_EQ(value(after, instructions(after, op_atomic_add)[0][4]), 0x40U); // buffer memory, as before
}

TEST(SpirvSupport, FloatAtomicsChangeScope) {
    constexpr std::uint32_t op_atomic_f_add = 6035, queue_family = 5;
    const Words before =
        compiled(preamble + "#extension GL_EXT_shader_atomic_float : require\nlayout(local_size_x = 64) in;\n"
                            "layout(binding = 0) buffer A { float a[]; };\n"
                            "void main() { atomicAdd(a[0], 1.0, gl_ScopeDevice, gl_StorageSemanticsBuffer, "
                            "gl_SemanticsRelaxed); }");
    const auto atomics = instructions(supported(before, {.device_scope = false}), op_atomic_f_add);
    ASSERT_EQ(atomics.size(), 1U);
    EXPECT_EQ(value(supported(before, {.device_scope = false}), atomics[0][3]), queue_family);
}

} // namespace
} // namespace weir::tests::spirv_support_test

#include "engine/spirv/spirv.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <weir/engine/shader.hpp>

#include "engine/spirv/spirv_module.hpp"
#include "tests/engine/instructions.hpp"
#include "tests/support/result.hpp"

namespace weir::tests::spirv_test {
namespace {

TEST(Spirv, AddsUniformControlFlow) {
    constexpr std::uint32_t extension = 10, import = 11, memory_model = 14, entry_point = 15, execution_mode = 16;
    const Words before = ok(compile_shader(
        ShaderSource::glsl("#version 460\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer A { float a[]; };\n"
                           "void main() { a[0] = floor(a[1]); }\n")));
    const Words after = with_uniform_control_flow(before);
    EXPECT_TRUE(check_spirv(after, "it"));

    const auto extensions = instructions(after, extension);
    ASSERT_EQ(extensions.size(), instructions(before, extension).size() + 1);
    EXPECT_EQ(spirv::literal(extensions.back()), "SPV_KHR_subgroup_uniform_control_flow");
    EXPECT_EQ(extensions.back().size(), 10U); // 37 characters and at least one zero
    const auto modes = instructions(after, execution_mode);
    ASSERT_EQ(modes.size(), instructions(before, execution_mode).size() + 1);
    EXPECT_EQ(modes.front(), (Words{instructions(after, entry_point).front()[1], 4421}));

    // Instructions are in the order of SPIR-V, and everything else is unchanged.
    const auto order = opcodes(after);
    const auto place = [&](std::uint32_t opcode) { return std::ranges::find(order, opcode) - order.begin(); };
    EXPECT_LT(place(extension), place(import));
    EXPECT_LT(place(import), place(memory_model));
    EXPECT_EQ(place(entry_point) + 1, place(execution_mode));
    EXPECT_EQ(after.size(), before.size() + 11 + 3);
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + 5, after.begin()));
    EXPECT_TRUE(std::equal(before.end() - 20, before.end(), after.end() - 20));
}

TEST(Spirv, RemovesWorkgroupCoherence) {
    constexpr std::uint32_t load = 61, store = 62, made_available = 8, made_visible = 16;
    const Words before = ok(compile_shader(ShaderSource::glsl(R"(#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(binding = 0) devicecoherent buffer A { uint a[]; };
shared uint words[64];
void main() {
    words[gl_LocalInvocationIndex] = a[0];
    barrier();
    a[gl_LocalInvocationIndex] = words[63 - gl_LocalInvocationIndex];
}
)")));
    const Words after = without_workgroup_coherence(before);
    EXPECT_TRUE(check_spirv(after, "it"));

    // The memory operands are word 3 of a load and word 2 of a store, without the first word.
    const auto count = [](const Words& words, std::uint32_t opcode, std::size_t operand, std::uint32_t bit) {
        return std::ranges::count_if(instructions(words, opcode), [&](const Words& instruction) {
            return instruction.size() > operand && (instruction[operand] & bit) != 0;
        });
    };
    EXPECT_EQ(count(before, load, 3, made_visible), 2);
    EXPECT_EQ(count(before, store, 2, made_available), 2);
    // Accesses of device scope keep their bits, and everything else is unchanged.
    EXPECT_EQ(count(after, load, 3, made_visible), 1);
    EXPECT_EQ(count(after, store, 2, made_available), 1);
    EXPECT_EQ(opcodes(after), opcodes(before));
    EXPECT_EQ(after.size() + 2, before.size());
}

TEST(Spirv, KeepsOtherMemoryOperands) {
    const Words header{0x07230203, 0x00010600, 0, 20, 0};
    const Words constants{4U << 16 | 43, 1, 2, 2, 4U << 16 | 43, 1, 3, 1}; // scopes: 2 is the workgroup, 3 the device
    constexpr std::uint32_t all = 2 | 8 | 16 | 32;                         // aligned, available, visible, not private
    const auto module = [&](std::initializer_list<Words> accesses) {
        Words words = header;
        words.insert(words.end(), constants.begin(), constants.end());
        for (const Words& access : accesses) {
            words.insert(words.end(), access.begin(), access.end());
        }
        return words;
    };
    EXPECT_EQ(without_workgroup_coherence(module({{8U << 16 | 61, 1, 7, 8, all, 4, 3, 2},
                                                  {7U << 16 | 62, 8, 7, all, 4, 2, 3},
                                                  {4U << 16 | 61, 1, 9, 8},
                                                  {3U << 16 | 62, 8, 9}})),
              module({{7U << 16 | 61, 1, 7, 8, all - 16, 4, 3},
                      {6U << 16 | 62, 8, 7, all - 8, 4, 3},
                      {4U << 16 | 61, 1, 9, 8},
                      {3U << 16 | 62, 8, 9}}));
}

} // namespace
} // namespace weir::tests::spirv_test

#include "engine/spirv.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <weir/engine/shader.hpp>

#include "engine/spirv_module.hpp"
#include "tests/support/result.hpp"

namespace weir::tests {
namespace {

using Words = std::vector<std::uint32_t>;

/// The instructions with that opcode, without their first word.
std::vector<Words> instructions(const Words& words, std::uint32_t opcode) {
    std::vector<Words> found;
    for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
        if ((words[at] & 0xFFFF) == opcode) {
            found.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                               words.begin() + static_cast<std::ptrdiff_t>(at + (words[at] >> 16)));
        }
    }
    return found;
}

std::vector<std::uint32_t> opcodes(const Words& words) {
    std::vector<std::uint32_t> found;
    for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
        found.push_back(words[at] & 0xFFFF);
    }
    return found;
}

TEST(Spirv, AsksForUniformControlFlow) {
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

    // The order that SPIR-V asks for, and all else as it was.
    const auto order = opcodes(after);
    const auto place = [&](std::uint32_t opcode) { return std::ranges::find(order, opcode) - order.begin(); };
    EXPECT_LT(place(extension), place(import));
    EXPECT_LT(place(import), place(memory_model));
    EXPECT_EQ(place(entry_point) + 1, place(execution_mode));
    EXPECT_EQ(after.size(), before.size() + 11 + 3);
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + 5, after.begin()));
    EXPECT_TRUE(std::equal(before.end() - 20, before.end(), after.end() - 20));
}

} // namespace
} // namespace weir::tests

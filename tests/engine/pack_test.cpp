#include "engine/codec/packer.hpp"

#include <map>
#include <numeric>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/codec/packed.hpp"
#include "engine/codec/renumber.hpp"
#include "engine/codec/unpack.hpp"
#include "tests/engine/instructions.hpp"
#include "tests/support/result.hpp"
#include "weir_shaders.hpp"

#include <weir/engine/shader.hpp>

namespace weir::tests::pack_test {
namespace {

/// Returns a view of `bytes`, which must outlive it.
Packed view_of(const std::vector<std::uint8_t>& bytes) {
    return {bytes.data(), bytes.size()};
}

Words compiled(const std::string& body) {
    return ok(compile_shader(ShaderSource::glsl("#version 460\n"
                                                "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                                                "#extension GL_KHR_shader_subgroup_ballot : require\n"
                                                "#pragma use_vulkan_memory_model\n"
                                                "layout(local_size_x_id = 0) in;\n"
                                                "layout(constant_id = 1) const uint K = 3;\n"
                                                "const uint TWICE = K * 2;\n"
                                                "layout(binding = 0) buffer A { uint a[]; };\n"
                                                "layout(binding = 1) coherent buffer F { vec4 f[]; };\n"
                                                "void main() {\n    uint i = gl_GlobalInvocationID.x;\n" +
                                                body + "}\n")));
}

std::vector<Words> samples() {
    return {
        compiled("a[i] = i;"),
        compiled("switch (a[i]) { case 0: a[i] = 7; break; case 5: case 100000: f[i].x = 2; break; default: ++a[1]; }"),
        compiled("for (uint k = 0; k < TWICE; ++k) { f[k] = f[k + i].wzyx * a.length(); if (k == i) { break; } }"),
        compiled("f[i].xy = mat2(f[0]) * f[1].zw; a[i] = subgroupAdd(a[i]) + subgroupBallotBitCount(subgroupBallot(K > "
                 "i));"),
        compiled("atomicMax(a[i], 0x12345678u); f[i] = fma(f[0], f[1], vec4(1.0e-30)); barrier();")};
}

TEST(PackedSpirv, RenumberingChangesOnlyIds) {
    for (const Words& before : samples()) {
        Words after = before;
        ASSERT_TRUE(renumber_ids(after));
        ASSERT_EQ(after.size(), before.size());
        const auto old_shape = instructions(before), new_shape = instructions(after);
        ASSERT_EQ(old_shape.size(), new_shape.size());
        // One to one: a word that changes becomes the same word everywhere.
        std::map<std::uint32_t, std::uint32_t> numbers;
        std::set<std::uint32_t> taken;
        for (std::size_t i = 0; i < old_shape.size(); ++i) {
            ASSERT_EQ(old_shape[i].size(), new_shape[i].size());
            EXPECT_EQ(old_shape[i][0], new_shape[i][0]);
            for (std::size_t w = 1; w < old_shape[i].size(); ++w) {
                if (old_shape[i][w] != new_shape[i][w]) {
                    const auto [at, is_new] = numbers.emplace(old_shape[i][w], new_shape[i][w]);
                    EXPECT_EQ(at->second, new_shape[i][w]);
                    EXPECT_EQ(is_new, taken.insert(new_shape[i][w]).second);
                }
            }
        }
        Words again = after;
        ASSERT_TRUE(renumber_ids(again));
        EXPECT_EQ(again, after);
    }
}

TEST(PackedSpirv, RoundTrip) {
    for (Words words : samples()) {
        const std::vector<std::uint8_t> packed = pack_spirv(words);
        EXPECT_LT(packed.size(), words.size() * 2);
        renumber_ids(words);
        EXPECT_EQ(unpack_words(view_of(packed)), words);
    }
}

TEST(PackedSpirv, UnknownInstructionsAreNotRenumbered) {
    Words words = samples().front();
    words.insert(words.end(), {(3U << 16) | 9999U, 1, ~0U});
    const Words before = words;
    EXPECT_FALSE(renumber_ids(words));
    EXPECT_EQ(words, before);
    EXPECT_EQ(unpack_words(view_of(pack_spirv(words))), words);
}

TEST(PackedSpirv, InvalidSpirvIsRefused) {
    EXPECT_TRUE(pack_spirv({}).empty());
    EXPECT_TRUE(pack_spirv({1, 2, 3, 4}).empty());
    EXPECT_TRUE(pack_spirv({1, 2, 3, 4, 5, 0}).empty());
    EXPECT_TRUE(pack_spirv({1, 2, 3, 4, 5, 3U << 16, 1}).empty());
}

RC_GTEST_PROP(PackedSpirv, RoundTripOfAnyInstructions, (const Words& operands)) {
    Words words{0x07230203, 0x00010600, 0, *rc::gen::inRange(0U, 100U), 0};
    for (std::size_t at = 0; at < operands.size();) {
        const auto length = *rc::gen::inRange<std::size_t>(0, std::min<std::size_t>(40, operands.size() - at) + 1);
        words.push_back(static_cast<std::uint32_t>(length + 1) << 16 | *rc::gen::inRange(0U, 0x10000U));
        for (std::size_t i = 0; i < length; ++i) {
            words.push_back(operands[at++] >> *rc::gen::inRange(0, 32));
        }
        at += length == 0 ? 1 : 0;
    }
    const std::vector<std::uint8_t> packed = pack_spirv(words);
    renumber_ids(words);
    RC_ASSERT(unpack_words(view_of(packed)) == words);
}

RC_GTEST_PROP(PackedText, RoundTrip, (const std::string& text, std::uint8_t times)) {
    std::string repeated;
    for (unsigned i = 0; i < times; ++i) {
        repeated += text;
    }
    RC_ASSERT(unpack_text(view_of(pack_text(repeated))) == repeated);
}

TEST(PackedText, RoundTripOfLongText) {
    std::string text(1U << 16, 'a');
    text[12345] = 'b';
    const std::vector<std::uint8_t> packed = pack_text(text);
    EXPECT_LT(packed.size(), 200U);
    EXPECT_EQ(unpack_text(view_of(packed)), text);
}

} // namespace
} // namespace weir::tests::pack_test

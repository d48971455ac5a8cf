#include <weir/engine/shader.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spirv/spirv.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/result.hpp"
#include "tests/support/threads.hpp"

namespace weir::tests::shader_test {
namespace {

const char* const empty_main = "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n";

using testing::HasSubstr;
using testing::StartsWith;

/// Matches a compilation with a message of the compiler.
auto fails(const testing::Matcher<std::string>& message) {
    return FailsWith(ErrorCode::shader_compilation, message);
}

TEST(Shader, CompilesToSpirv16) {
    const auto words = ok(compile_shader(ShaderSource::glsl(empty_main)));
    ASSERT_GT(words.size(), 5U);
    EXPECT_EQ(words[1], 0x00010600U);
    EXPECT_TRUE(check_spirv(words, "it"));
    EXPECT_EQ(ok(compile_shader(ShaderSource::spirv(words))), words);
}

TEST(Shader, MacrosAreDefined) {
    ShaderSource source =
        ShaderSource::glsl("#version 460\nlayout(local_size_x = SIZE) in;\nvoid main() { int x = ONE; }\n");
    EXPECT_THAT(compile_shader(source), fails(testing::_));
    source.define("SIZE", "32").define("ONE");
    EXPECT_TRUE(compile_shader(source));
}

TEST(Shader, ErrorsNameFileAndLine) {
    const auto source =
        ShaderSource::glsl("#version 460\nvoid main() {\n    undeclared = 1;\n    int x = ;\n}\n", "mine");
    EXPECT_THAT(compile_shader(source),
                fails(testing::AllOf(StartsWith("mine:3: 'undeclared' : undeclared identifier"),
                                     testing::Not(HasSubstr("generated")), testing::Not(testing::EndsWith("\n")))));
}

TEST(Shader, ErrorsFollowLineDirectives) {
    EXPECT_THAT(
        compile_shader(ShaderSource::glsl("#version 460\n#line 41 \"snippet\"\nbad;\nvoid main() {}\n", "mine")),
        fails(StartsWith("snippet:41: ")));
}

TEST(Shader, DefaultVersionIs460) {
    testing::internal::CaptureStdout();
    ok(compile_shader(ShaderSource::glsl("layout(local_size_x = 1) in;\n#if __VERSION__ != 460\n#error no\n#endif\n"
                                         "void main() {}\n")));
    EXPECT_THAT(compile_shader(ShaderSource::glsl("// #version 450\n\nbad;\nvoid main() {}\n", "mine")),
                fails(StartsWith("mine:3: ")));
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Shader, VersionWithoutComputeIsOneLineError) {
    testing::internal::CaptureStdout();
    for (const std::string version : {"110", "140", "330", "100", "300 es"}) {
        const auto source =
            ShaderSource::glsl("/* old\n */ // shader\n # \tversion " + version + "\nvoid main() {}\n", "mine");
        EXPECT_THAT(compile_shader(source),
                    fails(testing::AllOf(StartsWith("mine:3: GLSL version " + version + " has no compute"),
                                         testing::Not(HasSubstr("\n")))));
    }
    for (const std::string nonsense : {"#version", "#version x", "#version 9999", "#version 460 x", "/*"}) {
        EXPECT_THAT(compile_shader(ShaderSource::glsl(nonsense + "\nvoid main() {}\n")), fails(testing::_)) << nonsense;
    }
    EXPECT_THAT(compile_shader(ShaderSource::glsl("")), fails(testing::_));
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Shader, CompilesInSeveralThreads) {
    in_threads(4, [](std::uint32_t) {
        for (int i = 0; i < 5; ++i) {
            EXPECT_TRUE(compile_shader(ShaderSource::glsl(empty_main)));
            EXPECT_FALSE(compile_shader(ShaderSource::glsl("#version 460\nbad")));
        }
    });
}

void expect_no_spirv(const std::vector<std::uint32_t>& words, const std::string& why) {
    EXPECT_THAT(compile_shader(ShaderSource::spirv(words, "words")),
                FailsWith(ErrorCode::invalid_argument,
                          testing::AllOf(HasSubstr("'words' is not a SPIR-V shader"), HasSubstr(why))));
}

TEST(Spirv, RejectsInvalidModules) {
    const auto words = ok(compile_shader(ShaderSource::glsl(empty_main)));
    expect_no_spirv({}, "0 words");
    expect_no_spirv({1, 2, 3, 4, 5, 6}, "0x00000001");
    auto changed = words;
    changed[1] = 0x00010700;
    expect_no_spirv(changed, "1.7");
    changed = words;
    changed.pop_back();
    expect_no_spirv(changed, "does not end with a function");
    changed.resize(words.size() - 3);
    expect_no_spirv(changed, "extends beyond the last word");
    changed = words;
    changed[5] &= 0xffffU; // an instruction of no words
    expect_no_spirv(changed, "at word 5");
    expect_no_spirv({words.begin(), words.begin() + 5}, "does not end with a function");
    changed.assign(words.begin(), words.begin() + 5);
    changed.push_back(0x00010038); // only the end of a function
    expect_no_spirv(changed, "no compute entry point");
}

TEST(Spirv, RejectsTruncatedModules) {
    const auto words = ok(compile_shader(ShaderSource::glsl(empty_main)));
    for (std::size_t size = 0; size < words.size(); ++size) {
        EXPECT_FALSE(check_spirv(std::span(words).first(size), "cut")) << size;
    }
}

} // namespace
} // namespace weir::tests::shader_test

#include <weir/engine/shader.hpp>

#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "engine/spirv/spirv.hpp"
#include "tests/support/result.hpp"

namespace weir::tests::shader_test {
namespace {

const char* const empty_main = "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n";

Error error_of(const ShaderSource& source) {
    const auto words = compile_shader(source);
    return words ? Error{} : words.error();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
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
    EXPECT_EQ(error_of(source).code, ErrorCode::shader_compilation);
    source.define("SIZE", "32").define("ONE");
    EXPECT_TRUE(compile_shader(source));
}

TEST(Shader, ErrorsNameFileAndLine) {
    const Error error =
        error_of(ShaderSource::glsl("#version 460\nvoid main() {\n    undeclared = 1;\n    int x = ;\n}\n", "mine"));
    EXPECT_EQ(error.code, ErrorCode::shader_compilation);
    EXPECT_TRUE(error.message.starts_with("mine:3: 'undeclared' : undeclared identifier")) << error.message;
    EXPECT_FALSE(contains(error.message, "generated")) << error.message;
    EXPECT_FALSE(error.message.ends_with("\n"));
}

TEST(Shader, ErrorsFollowLineDirectives) {
    const Error error =
        error_of(ShaderSource::glsl("#version 460\n#line 41 \"snippet\"\nbad;\nvoid main() {}\n", "mine"));
    EXPECT_TRUE(error.message.starts_with("snippet:41: ")) << error.message;
}

TEST(Shader, DefaultVersionIs460) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(error_of(ShaderSource::glsl("layout(local_size_x = 1) in;\n#if __VERSION__ != 460\n#error no\n#endif\n"
                                          "void main() {}\n"))
                  .message,
              "");
    const Error error = error_of(ShaderSource::glsl("// #version 450\n\nbad;\nvoid main() {}\n", "mine"));
    EXPECT_TRUE(error.message.starts_with("mine:3: ")) << error.message;
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Shader, VersionWithoutComputeIsOneLineError) {
    testing::internal::CaptureStdout();
    for (const std::string version : {"110", "140", "330", "100", "300 es"}) {
        const Error error = error_of(
            ShaderSource::glsl("/* old\n */ // shader\n # \tversion " + version + "\nvoid main() {}\n", "mine"));
        EXPECT_EQ(error.code, ErrorCode::shader_compilation);
        EXPECT_TRUE(error.message.starts_with("mine:3: GLSL version " + version + " has no compute")) << error.message;
        EXPECT_FALSE(contains(error.message, "\n")) << error.message;
    }
    for (const std::string nonsense : {"#version", "#version x", "#version 9999", "#version 460 x", "/*"}) {
        EXPECT_EQ(error_of(ShaderSource::glsl(nonsense + "\nvoid main() {}\n")).code, ErrorCode::shader_compilation);
    }
    EXPECT_EQ(error_of(ShaderSource::glsl("")).code, ErrorCode::shader_compilation);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Shader, CompilesInSeveralThreads) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([] {
            for (int i = 0; i < 5; ++i) {
                EXPECT_TRUE(compile_shader(ShaderSource::glsl(empty_main)));
                EXPECT_FALSE(compile_shader(ShaderSource::glsl("#version 460\nbad")));
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

void expect_no_spirv(const std::vector<std::uint32_t>& words, const std::string& why) {
    const Error error = error_of(ShaderSource::spirv(words, "words"));
    EXPECT_EQ(error.code, ErrorCode::invalid_argument);
    EXPECT_TRUE(contains(error.message, "'words' is not a SPIR-V shader")) << error.message;
    EXPECT_TRUE(contains(error.message, why)) << error.message;
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

#include "engine/shader/shaderc_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/shader/shader_compiler.hpp"
#include "engine/spirv/spirv.hpp"
#include "tests/engine/instructions.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/result.hpp"

namespace weir::tests::shaderc_library_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

#if defined(_WIN32)
const char* const c_library = "msvcrt.dll";
const char* const no_library = "failed with error 193"; // ERROR_BAD_EXE_FORMAT
#else
const char* const c_library = "libc.so.6";
const char* const no_library = "file too short";
#endif

std::string why_not(const std::vector<std::string>& libraries, const std::vector<std::string>& modules) {
    const auto loaded = load_shaderc(libraries, modules);
    return loaded ? "" : loaded.error().message;
}

TEST(ShadercLibrary, MissingLibraryIsNotInstalled) {
    EXPECT_THAT(why_not({"libnoshaderc.so.1", "libnoshaderc.so"}, {"/nowhere/libweir_shaderc.so"}),
                AllOf(HasSubstr("not installed"), HasSubstr("libshaderc1"), HasSubstr("libnoshaderc.so.1"),
                      HasSubstr("/nowhere/libweir_shaderc.so")));
}

TEST(ShadercLibrary, LibraryThatDoesNotOpenNamesReason) {
    const TemporaryFolder folder;
    folder.write("libshaderc.so.1", "no library");
    const std::string file = folder.name("libshaderc.so.1");
    EXPECT_THAT(why_not({"libnoshaderc.so.1", file}, {}),
                AllOf(HasSubstr("is installed but cannot be opened"), HasSubstr(file), HasSubstr(no_library),
                      HasSubstr("not found: libnoshaderc.so.1"), Not(HasSubstr("not installed"))));
    EXPECT_THAT(why_not({}, {file}), AllOf(HasSubstr(file), HasSubstr(no_library)));
    EXPECT_THAT(why_not({c_library}, {}), HasSubstr(std::string(c_library) + " lacks required functions"));
    EXPECT_THAT(why_not({}, {c_library}), HasSubstr(std::string(c_library) + " lacks required functions"));
}

constexpr std::uint32_t function_call = 57, loop_merge = 246;

/// Compiles a shader that calls a function with a loop to unroll, by the shaderc of `load`. Returns its opcodes.
Words optimized_opcodes(const ShaderCompiler::Load& load) {
    ShaderCompiler compiler(load);
    const Words words = ok(compiler.compile(ShaderSource::glsl(R"(#version 460
        #extension GL_EXT_control_flow_attributes : require
        layout(local_size_x = 1) in;
        layout(binding = 0) buffer B { uint b[4]; };
        void count() { [[unroll]] for (uint i = 0; i < 4; ++i) b[i] += i; }
        void main() { count(); }
    )")))
                            .words;
    ok(check_spirv(words, "shader"));
    return opcodes(words);
}

TEST(ShadercLibrary, OptimizesByOwnPassesOrByShaderc) {
    static ShadercLibrary library;
    library = *ok(shaderc_library());
    const auto load = []() -> Result<const ShadercLibrary*> { return &library; };
    const auto is_optimized = AllOf(Not(Contains(function_call)), Not(Contains(loop_merge)));
    EXPECT_THAT(optimized_opcodes(load), is_optimized);
    library.optimize = nullptr;
    EXPECT_THAT(optimized_opcodes(load), is_optimized);
    library.optimize = [](const std::uint32_t*, std::size_t, ShadercLibrary::Take, void*) { return false; };
    EXPECT_THAT(optimized_opcodes(load), AllOf(Contains(function_call), Contains(loop_merge)));
}

} // namespace
} // namespace weir::tests::shaderc_library_test

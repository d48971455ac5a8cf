#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <weir/engine/shader.hpp>

#include "engine/shader/shader_compiler.hpp"
#include "engine/shader/shader_library.hpp"
#include "tests/support/folder.hpp"

namespace weir::tests::shader_includes_test {
namespace {

namespace fs = std::filesystem;

const char* const rest = "\nlayout(local_size_x = 1) in;\nvoid main() {}\n";

Error error_of(const ShaderSource& source) {
    static ShaderCompiler compiler; // starting a compiler takes longer than compiling
    const auto compiled = compiler.compile(source);
    return compiled ? Error{} : compiled.error();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(ShaderIncludes, FindLibrary) {
    ASSERT_TRUE(shader_library("weir/dispatch.glsl"));
    EXPECT_FALSE(shader_library("weir/nothing.glsl"));
    const auto with = [](const std::string& include) {
        return ShaderSource::glsl(
            "#version 460\n" + include +
            "\nlayout(local_size_x = 1) in;\n"
            "layout(binding = 0) buffer B { uint b; };\nvoid main() { b = weir_workgroup_index(); }\n");
    };
    EXPECT_EQ(error_of(with("#include <weir/dispatch.glsl>")).message, "");
    EXPECT_EQ(error_of(with("#include \"weir/dispatch.glsl\"")).message, "");
    const Error missing = error_of(with("#include <weir/nothing.glsl>"));
    EXPECT_EQ(missing.code, ErrorCode::shader_compilation);
    EXPECT_TRUE(missing.message.starts_with("shader:2: ")) << missing.message;
    EXPECT_TRUE(contains(missing.message, "weir/nothing.glsl")) << missing.message;
}

TEST(ShaderIncludes, AreRelativeToTheirFile) {
    const TemporaryFolder folder;
    folder.write("main.comp",
                 "#version 460\n#include \"sub/a.glsl\"\nlayout(local_size_x = ONE) in;\nvoid main() {}\n");
    folder.write("sub/a.glsl", "#include \"b.glsl\"\n#include <weir/dispatch.glsl>\n");
    folder.write("sub/b.glsl", "#define ONE 1\n");
    EXPECT_EQ(error_of(ShaderSource::glsl_file(folder.name("main.comp"))).message, "");
    folder.write("sub/b.glsl", "#define ONE 1\n\nnonsense\n");
    const Error error = error_of(ShaderSource::glsl_file(folder.name("main.comp")));
    EXPECT_TRUE(contains(error.message, folder.name("sub/b.glsl") + ":")) << error.message;
}

TEST(ShaderIncludes, MissingFilesAreNamed) {
    const TemporaryFolder folder;
    folder.write("main.comp", "#version 460\n#include \"gone.glsl\"\nvoid main() {}\n");
    const Error file = error_of(ShaderSource::glsl_file(folder.name("main.comp")));
    EXPECT_TRUE(contains(file.message, "main.comp:2: ")) << file.message;
    EXPECT_TRUE(contains(file.message, "gone.glsl cannot be read")) << file.message;
    const Error text = error_of(ShaderSource::glsl("#version 460\n#include \"gone.glsl\"\nvoid main() {}\n"));
    EXPECT_TRUE(contains(text.message, "only <weir/...>")) << text.message;
    const Error gone = error_of(ShaderSource::glsl_file(folder.name("gone.comp")));
    EXPECT_EQ(gone.code, ErrorCode::io);
    EXPECT_TRUE(contains(gone.message, "gone.comp")) << gone.message;
    EXPECT_EQ(error_of(ShaderSource::glsl_file(folder.name())).code, ErrorCode::io);
}

TEST(ShaderIncludes, CyclesAreErrorsUnlessGuardsBreakThem) {
    const TemporaryFolder folder;
    folder.write("main.comp", "#version 460\n#include \"a.glsl\"\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
    folder.write("a.glsl", "#include \"b.glsl\"\n");
    folder.write("b.glsl", "#include \"a.glsl\"\n");
    const Error error = error_of(ShaderSource::glsl_file(folder.name("main.comp")));
    EXPECT_EQ(error.code, ErrorCode::shader_compilation);
    EXPECT_TRUE(contains(error.message, "seem to include each other")) << error.message;
    folder.write("a.glsl", "#ifndef A\n#define A\n#include \"b.glsl\"\n#endif\n");
    EXPECT_EQ(error_of(ShaderSource::glsl_file(folder.name("main.comp"))).message, "");
}

TEST(ShaderIncludes, DepthAndNumberAreLimited) {
    const TemporaryFolder folder;
    folder.write("main.comp", "#version 460\n#include \"a.glsl\"" + std::string(rest));
    folder.write("a.glsl", "#include \"a.glsl\"\n#include \"a.glsl\"\n");
    const Error deep = error_of(ShaderSource::glsl_file(folder.name("main.comp")));
    EXPECT_EQ(deep.code, ErrorCode::shader_compilation);
    EXPECT_TRUE(contains(deep.message, "seem to include each other")) << deep.message;
    EXPECT_LT(deep.message.size(), 5000U);
    // Not deep, but each file of 10 levels has 10 includes.
    for (int level = 0; level < 10; ++level) {
        std::string text;
        for (int i = 0; i < 10; ++i) {
            text += "#include \"b" + std::to_string(level + 1) + ".glsl\"\n";
        }
        folder.write("b" + std::to_string(level) + ".glsl", text);
    }
    folder.write("b10.glsl", "");
    folder.write("main.comp", "#version 460\n#include \"b0.glsl\"" + std::string(rest));
    const Error many = error_of(ShaderSource::glsl_file(folder.name("main.comp")));
    EXPECT_EQ(many.code, ErrorCode::shader_compilation);
    EXPECT_TRUE(contains(many.message, "more than 1024 files are included")) << many.message;
    EXPECT_LT(many.message.size(), 20000U);
}

/// A folder with a shader `in/main.comp` that includes `what`. The shader must not read files outside of `in`.
struct Fenced {
    TemporaryFolder folder;
    explicit Fenced(const std::string& what) {
        folder.write("out/secret.glsl", "secret\n");
        folder.write("in/sub/a.glsl", "#include \"../b.glsl\"\n");
        folder.write("in/b.glsl", "\n");
#if !defined(_WIN32) // there, creating links needs a privilege
        fs::create_symlink(folder.path() / "out" / "secret.glsl", folder.path() / "in" / "link.glsl");
        fs::create_directory_symlink("../out", folder.path() / "in" / "linked");
#endif
        folder.write("in/main.comp", "#version 460\n#include " + what + rest);
    }
    [[nodiscard]] ShaderSource source() const {
        return ShaderSource::glsl_file(folder.name("in/main.comp"));
    }
};

TEST(ShaderIncludes, ReadNothingOutsideFolder) {
    for (const std::string what :
         {"\"../out/secret.glsl\"", "\"link.glsl\"", "\"linked/secret.glsl\"", "\"sub/../../out/secret.glsl\"",
          "\"linked/../../out/secret.glsl\"", "\"/etc/passwd\"", "</etc/passwd>", "\"//etc/passwd\"",
          "\"../../../../../../../../../../../etc/passwd\"", "<../out/secret.glsl>"}) {
        const Fenced fenced(what);
        const Error error = error_of(fenced.source());
        EXPECT_EQ(error.code, ErrorCode::shader_compilation) << what;
        EXPECT_TRUE(contains(error.message, "main.comp:2: ")) << error.message;
        EXPECT_FALSE(contains(error.message, "'secret'") || contains(error.message, "root:")) << error.message;
    }
    EXPECT_TRUE(contains(error_of(Fenced("\"../out/secret.glsl\"").source()).message, "is outside the folders"));
    EXPECT_TRUE(contains(error_of(Fenced("\"/etc/passwd\"").source()).message, "is absolute"));
    EXPECT_EQ(error_of(Fenced("\"sub/a.glsl\"").source()).message, ""); // goes up, but stays in the folder
}

TEST(ShaderIncludes, FindFilesInGivenFolders) {
    const Fenced fenced("\"../out/secret.glsl\"");
    fenced.folder.write("out/secret.glsl", "#include \"more/c.glsl\"\n#include <more/c.glsl>\n");
    fenced.folder.write("out/more/c.glsl", "#define ONE 1\n#include \"d.glsl\"\n");
    fenced.folder.write("out/more/d.glsl", "\n");
    const std::string out = fenced.folder.name("out");
    EXPECT_EQ(error_of(fenced.source().include_folder(out)).message, "");
    ShaderSource text = ShaderSource::glsl("#version 460\n#include \"secret.glsl\"\n#include <weir/dispatch.glsl>\n"
                                           "layout(local_size_x = ONE) in;\nvoid main() {}\n");
    EXPECT_TRUE(contains(error_of(text).message, "only <weir/...>"));
    EXPECT_EQ(error_of(text.include_folder(out)).message, "");
    EXPECT_NE(error_of(text.include_folder(out + "/gone").define("ONE", "(")).message, "");
}

TEST(ShaderIncludes, LargeAndSpecialFilesAreRefused) {
    const TemporaryFolder folder;
    folder.write("main.comp", "#version 460\n#include \"large.glsl\"" + std::string(rest));
    folder.write("large.glsl", "");
    fs::resize_file(folder.path() / "large.glsl", std::uintmax_t{1} << 30U);
    EXPECT_TRUE(contains(error_of(ShaderSource::glsl_file(folder.name("main.comp"))).message, "cannot be read"));
    EXPECT_EQ(error_of(ShaderSource::glsl_file(folder.name("large.glsl"))).code, ErrorCode::io);
    EXPECT_EQ(error_of(ShaderSource::glsl_file("/dev/zero")).code, ErrorCode::io);
}

} // namespace
} // namespace weir::tests::shader_includes_test

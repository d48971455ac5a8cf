#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/engine/shader.hpp>

#include "engine/shader/shader_compiler.hpp"
#include "engine/shader/shader_library.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/result.hpp"

namespace weir::tests::shader_includes_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string rest = "\nlayout(local_size_x = 1) in;\nvoid main() {}\n";

auto compile(const ShaderSource& source) {
    static ShaderCompiler compiler; // starting a compiler takes longer than compiling
    return compiler.compile(source);
}

/// A folder with a shader main.comp.
struct Shader : TemporaryFolder {
    explicit Shader(const std::string& text) { write("main.comp", "#version 460\n" + text); }
    [[nodiscard]] auto compiled() const { return compile(ShaderSource::glsl_file(name("main.comp"))); }
};

/// Matches a compilation with an error in a shader.
auto fails(const testing::Matcher<std::string>& message) {
    return FailsWith(ErrorCode::shader_compilation, message);
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
    ok(compile(with("#include <weir/dispatch.glsl>")));
    ok(compile(with("#include \"weir/dispatch.glsl\"")));
    EXPECT_THAT(compile(with("#include <weir/nothing.glsl>")),
                fails(AllOf(testing::StartsWith("shader:2: "), HasSubstr("weir/nothing.glsl"))));
}

TEST(ShaderIncludes, AreRelativeToTheirFile) {
    const Shader shader("#include \"sub/a.glsl\"\nlayout(local_size_x = ONE) in;\nvoid main() {}\n");
    shader.write("sub/a.glsl", "#include \"b.glsl\"\n#include <weir/dispatch.glsl>\n");
    shader.write("sub/b.glsl", "#define ONE 1\n");
    ok(shader.compiled());
    shader.write("sub/b.glsl", "#define ONE 1\n\nnonsense\n");
    EXPECT_THAT(shader.compiled(), fails(HasSubstr(shader.name("sub/b.glsl") + ":")));
}

TEST(ShaderIncludes, MissingFilesAreNamed) {
    const Shader shader("#include \"gone.glsl\"\nvoid main() {}\n");
    EXPECT_THAT(shader.compiled(), fails(AllOf(HasSubstr("main.comp:2: "), HasSubstr("gone.glsl cannot be read"))));
    EXPECT_THAT(compile(ShaderSource::glsl("#version 460\n#include \"gone.glsl\"\nvoid main() {}\n")),
                fails(HasSubstr("only <weir/...>")));
    EXPECT_THAT(compile(ShaderSource::glsl_file(shader.name("gone.comp"))),
                FailsWith(ErrorCode::io, HasSubstr("gone.comp")));
    EXPECT_THAT(compile(ShaderSource::glsl_file(shader.name())), FailsWith(ErrorCode::io, testing::_));
}

TEST(ShaderIncludes, CyclesAreErrorsUnlessGuardsBreakThem) {
    const Shader shader("#include \"a.glsl\"" + rest);
    shader.write("a.glsl", "#include \"b.glsl\"\n");
    shader.write("b.glsl", "#include \"a.glsl\"\n");
    EXPECT_THAT(shader.compiled(), fails(HasSubstr("seem to include each other")));
    shader.write("a.glsl", "#ifndef A\n#define A\n#include \"b.glsl\"\n#endif\n");
    ok(shader.compiled());
}

TEST(ShaderIncludes, DepthAndNumberAreLimited) {
    const auto is_short = [](std::size_t most) { return testing::SizeIs(testing::Lt(most)); };
    const Shader deep("#include \"a.glsl\"" + rest);
    deep.write("a.glsl", "#include \"a.glsl\"\n#include \"a.glsl\"\n");
    EXPECT_THAT(deep.compiled(), fails(AllOf(HasSubstr("seem to include each other"), is_short(5000))));
    // Not deep, but each file of 10 levels has 10 includes.
    const Shader many("#include \"b0.glsl\"" + rest);
    for (int level = 0; level < 10; ++level) {
        std::string text;
        for (int i = 0; i < 10; ++i) {
            text += "#include \"b" + std::to_string(level + 1) + ".glsl\"\n";
        }
        many.write("b" + std::to_string(level) + ".glsl", text);
    }
    many.write("b10.glsl", "");
    EXPECT_THAT(many.compiled(), fails(AllOf(HasSubstr("more than 1024 files are included"), is_short(20000))));
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
        EXPECT_THAT(compile(fenced.source()),
                    fails(AllOf(HasSubstr("main.comp:2: "), Not(HasSubstr("'secret'")), Not(HasSubstr("root:")))))
            << what;
    }
    EXPECT_THAT(compile(Fenced("\"../out/secret.glsl\"").source()), fails(HasSubstr("is outside the folders")));
    EXPECT_THAT(compile(Fenced("\"/etc/passwd\"").source()), fails(HasSubstr("is absolute")));
    ok(compile(Fenced("\"sub/a.glsl\"").source())); // goes up, but stays in the folder
}

TEST(ShaderIncludes, FindFilesInGivenFolders) {
    const Fenced fenced("\"../out/secret.glsl\"");
    fenced.folder.write("out/secret.glsl", "#include \"more/c.glsl\"\n#include <more/c.glsl>\n");
    fenced.folder.write("out/more/c.glsl", "#define ONE 1\n#include \"d.glsl\"\n");
    fenced.folder.write("out/more/d.glsl", "\n");
    const std::string out = fenced.folder.name("out");
    ok(compile(fenced.source().include_folder(out)));
    ShaderSource text = ShaderSource::glsl("#version 460\n#include \"secret.glsl\"\n#include <weir/dispatch.glsl>\n"
                                           "layout(local_size_x = ONE) in;\nvoid main() {}\n");
    EXPECT_THAT(compile(text), fails(HasSubstr("only <weir/...>")));
    ok(compile(text.include_folder(out)));
    EXPECT_FALSE(compile(text.include_folder(out + "/gone").define("ONE", "(")));
}

TEST(ShaderIncludes, FindGivenTexts) {
    const auto source = [] {
        return ShaderSource::glsl("#version 460\n#include \"parts/a.glsl\"\n#include <weir/dispatch.glsl>\n"
                                  "layout(local_size_x = ONE) in;\nvoid main() { uint i = weir_workgroup_index(); }\n");
    };
    EXPECT_THAT(compile(source()), fails(HasSubstr("only <weir/...>, texts given with it")));
    // The text includes another one by a path relative to its own.
    const ShaderSource complete =
        source().include_text("parts/a.glsl", "#include \"b.glsl\"\n").include_text("parts/b.glsl", "#define ONE 1\n");
    ok(compile(complete));
    // A text comes before a file of the same path.
    const TemporaryFolder folder;
    folder.write("parts/b.glsl", "nonsense\n");
    ok(compile(ShaderSource(complete).include_folder(folder.name())));
    EXPECT_THAT(compile(source().include_text("parts/a.glsl", "\nnonsense\n")), fails(HasSubstr("parts/a.glsl:")));
}

TEST(ShaderIncludes, GivenTextsReplaceLibraryFiles) {
    ShaderSource source =
        ShaderSource::glsl("#version 460\nlayout(local_size_x = 1) in;\n#include <weir/dispatch.glsl>\n"
                           "void main() { uint i = replaced(); }\n");
    EXPECT_THAT(compile(source), fails(HasSubstr("replaced")));
    source.include_text("weir/dispatch.glsl", "#include \"agree.glsl\"\nuint replaced() { return 0; }\n");
    ok(compile(source));
    source.include_text("weir/agree.glsl", "nonsense\n");
    EXPECT_THAT(compile(source), fails(HasSubstr("weir/agree.glsl:")));
    // A text in another folder does not replace a file that the library includes: weir_histogram.glsl includes
    // "weir_subgroup.glsl".
    ShaderSource other = ShaderSource::glsl("#version 460\n#include <weir/weir_histogram.glsl>" + rest);
    other.include_text("weir_subgroup.glsl", "nonsense\n");
    EXPECT_THAT(compile(other), Not(fails(HasSubstr("weir_subgroup.glsl:1:"))));
}

TEST(ShaderIncludes, LargeAndSpecialFilesAreRefused) {
    const Shader shader("#include \"large.glsl\"" + rest);
    shader.write("large.glsl", "");
    fs::resize_file(shader.path() / "large.glsl", std::uintmax_t{1} << 30U);
    EXPECT_THAT(shader.compiled(), fails(HasSubstr("cannot be read")));
    for (const std::string& file : {shader.name("large.glsl"), std::string("/dev/zero")}) {
        EXPECT_THAT(compile(ShaderSource::glsl_file(file)), FailsWith(ErrorCode::io, testing::_)) << file;
    }
}

} // namespace
} // namespace weir::tests::shader_includes_test

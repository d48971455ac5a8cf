#include "engine/shader/shader_cache.hpp"

#include <cstring>
#include <set>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/hash.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/result.hpp"
#include "tests/support/threads.hpp"

namespace weir::tests::shader_cache_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// Returns a shader that stores `number`.
ShaderSource storing(const std::string& number) {
    return ShaderSource::glsl(
        "layout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { uint b; };\nvoid main() { b = " + number +
        "; }\n");
}

std::vector<std::uint32_t> words_of(const CompiledShader& shader) {
    return {shader.words().begin(), shader.words().end()};
}

Result<const ShadercLibrary*> no_shaderc() {
    return tl::unexpected(Error{ErrorCode::unsupported, "there is no shaderc"});
}

/// Number of compilers that the library of counted_shaderc has started.
int started = 0;
Result<const ShadercLibrary*> counted_shaderc() {
    static ShadercLibrary counted = *ok(shaderc_library());
    counted.compiler_initialize = [] {
        ++started;
        return ok(shaderc_library())->compiler_initialize();
    };
    return &counted;
}

TEST(ShaderCache, CompilesEqualContentsOnceWithOneCompiler) {
    started = 0;
    ShaderCache cache({.load = counted_shaderc});
    const auto one = ok(cache.get(storing("1")));
    EXPECT_EQ(ok(cache.get(storing("1"))), one);
    EXPECT_EQ(ok(cache.get(ShaderSource::glsl(storing("1").text(), "another name"))), one);
    EXPECT_EQ(cache.compilations(), 1U);
    EXPECT_EQ(words_of(*one), ok(compile_shader(storing("1"))));
    const auto macro = storing("ONE").define("ONE", "1");
    EXPECT_EQ(words_of(*ok(cache.get(macro))), words_of(*one));
    EXPECT_NE(words_of(*ok(cache.get(storing("ONE").define("ONE", "2")))), words_of(*one));
    EXPECT_EQ(cache.compilations(), 3U);
    EXPECT_FALSE(cache.get(storing("nonsense")));
    EXPECT_FALSE(cache.get(storing("nonsense"))); // errors are not kept
    EXPECT_EQ(cache.compilations(), 5U);
    EXPECT_EQ(started, 1);
}

TEST(ShaderCache, ChangedFilesAndIncludesAreCompiledAgain) {
    const TemporaryFolder folder;
    folder.write("main.comp", "#include \"sub/a.glsl\"\n" + storing("A").text());
    folder.write("sub/a.glsl", "#include <weir/dispatch.glsl>\n#define A 1\n");
    ShaderCache cache({});
    const ShaderSource source = ShaderSource::glsl_file(folder.name("main.comp"));
    const auto first = ok(cache.get(source));
    EXPECT_EQ(ok(cache.get(source)), first);
    folder.write("sub/a.glsl", "#define A 2\n");
    EXPECT_NE(words_of(*ok(cache.get(source))), words_of(*first));
    EXPECT_EQ(cache.compilations(), 2U);
    folder.write("main.comp", "#include \"sub/a.glsl\"\n" + storing("A + 1").text());
    const auto third = ok(cache.get(source));
    EXPECT_NE(words_of(*third), words_of(*first));
    EXPECT_EQ(cache.compilations(), 3U);
    folder.write("sub/a.glsl", "#include <weir/dispatch.glsl>\n#define A 1\n");
    folder.write("main.comp", "#include \"sub/a.glsl\"\n" + storing("A").text());
    EXPECT_EQ(ok(cache.get(source)), first); // the first contents again
    EXPECT_EQ(cache.compilations(), 3U);
    fs::remove(folder.path() / "sub/a.glsl");
    EXPECT_FALSE(cache.get(source));
    for (int i = 0; i < 20; ++i) { // only the last contents of a file are kept
        folder.write("main.comp", storing(std::to_string(i)).text());
        ok(cache.get(source));
    }
    EXPECT_LT(cache.kept_bytes(), 10 * first->words().size_bytes());
}

TEST(ShaderCache, CompilesOnceForManyThreads) {
    ShaderCache cache({});
    in_threads(4, [&](std::uint32_t) {
        for (int i = 0; i < 4; ++i) {
            EXPECT_TRUE(cache.get(storing(std::to_string(i))));
            EXPECT_FALSE(cache.get(storing("nonsense")));
        }
    });
    EXPECT_EQ(cache.compilations(), 4U + 16U);
}

TEST(ShaderCache, SizeIsBounded) {
    const TemporaryFolder folder;
    const std::string file = folder.name("shaders.bin");
    constexpr std::size_t most = 4000;
    ASSERT_LT(ok(compile_shader(storing("0"))).size() * 4, most / 4);
    {
        ShaderCache cache({.file = file, .max_bytes = most});
        for (int i = 0; i < 20; ++i) {
            ok(cache.get(storing(std::to_string(i))));
            ok(cache.get(storing("0"))); // always in use
            EXPECT_LE(cache.kept_bytes(), most);
        }
        EXPECT_EQ(cache.compilations(), 20U);
        ok(cache.get(storing("19")));
        EXPECT_EQ(cache.compilations(), 20U);
        ok(cache.get(storing("1")));
        EXPECT_EQ(cache.compilations(), 21U);
    }
    EXPECT_LE(fs::file_size(path_of(file)), most);
    ShaderCache again({.file = file});
    ok(again.get(storing("1")));
    EXPECT_EQ(again.compilations(), 0U);
}

TEST(ShaderCache, FileIsReadByNextProcess) {
    const TemporaryFolder folder;
    const std::string file = folder.name("made when needed/shaders.bin");
    { const ShaderCache nothing({.file = file}); } // no shader is requested
    EXPECT_FALSE(fs::exists(folder.path() / "made when needed"));
    std::vector<std::uint32_t> words;
    {
        ShaderCache cache({.file = file});
        words = words_of(*ok(cache.get(storing("1"))));
        ok(cache.get(storing("2")));
    }
    const auto written = fs::last_write_time(path_of(file));
    {
        ShaderCache cache({.file = file, .load = no_shaderc});
        EXPECT_EQ(words_of(*ok(cache.get(storing("1")))), words);
        EXPECT_TRUE(cache.get(storing("2")));
        EXPECT_THAT(cache.get(storing("3")), FailsWith(ErrorCode::unsupported, HasSubstr("there is no shaderc")));
    }
    EXPECT_EQ(fs::last_write_time(path_of(file)), written);
    { // two at the same time: each keeps what the other one wrote
        ShaderCache one({.file = file}), two({.file = file});
        ok(one.get(storing("3")));
        ok(two.get(storing("4")));
    }
    ShaderCache cache({.file = file, .load = no_shaderc});
    for (const std::string number : {"1", "2", "3", "4"}) {
        EXPECT_TRUE(cache.get(storing(number))) << number;
    }
}

/// Returns the warnings of a cache that reads a file, compiles one shader and writes the file.
std::vector<std::string> warnings_of(const std::string& file) {
    std::vector<std::string> warnings;
    {
        ShaderCache cache({.file = file, .warn = [&](const std::string& what) { warnings.push_back(what); }});
        ok(cache.get(storing("1")));
        EXPECT_EQ(cache.compilations(), 1U);
    }
    return warnings;
}

TEST(ShaderCache, DamagedFileIsIgnoredWithOneWarningAndReplaced) {
    const TemporaryFolder folder;
    const std::string file = folder.name("shaders.bin");
    { ok(ShaderCache({.file = file}).get(storing("1"))); }
    const std::string good = bytes_of_file(path_of(file));
    std::string flipped = good;
    flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 1);
    const std::pair<std::string, std::string> bad[] = {
        {"", "is not a shader archive"}, {"hello", "is not a shader archive"},
        {good + "x", "is damaged"},      {std::string(1000, 'x'), "is not a shader archive"},
        {flipped, "is damaged"},
    };
    for (std::size_t size = 24; size < good.size(); size += 13) {
        folder.write("shaders.bin", good.substr(0, size));
        EXPECT_FALSE(read_archive(path_of(file))) << size;
    }
    for (const auto& [contents, why] : bad) {
        folder.write("shaders.bin", contents);
        EXPECT_THAT(warnings_of(file), ElementsAre(HasSubstr(why)));
        ShaderCache cache({.file = file, .load = no_shaderc});
        EXPECT_TRUE(cache.get(storing("1")));
    }
    EXPECT_EQ(folder.size(), 1); // no temporary file is left
}

/// Files with a correct hash, but of another version or with invalid contents.
TEST(ShaderCache, IntactFileWithOtherContentsIsIgnored) {
    const TemporaryFolder folder;
    const std::string file = folder.name("shaders.bin");
    { ok(ShaderCache({.file = file}).get(storing("1"))); }
    const std::string good = bytes_of_file(path_of(file));
    constexpr std::size_t header = 24; // its size and hash are the last two numbers
    const auto read = [&](std::string contents) -> std::string {
        const std::string data = contents.substr(header);
        const std::uint64_t numbers[] = {data.size(), hash_content(std::as_bytes(std::span(data)))};
        std::memcpy(contents.data() + 8, numbers, sizeof numbers);
        folder.write("shaders.bin", contents);
        const auto shaders = read_archive(path_of(file));
        return shaders ? std::to_string(shaders->size()) : shaders.error();
    };
    EXPECT_EQ(read(good), "1");
    std::string other = good;
    other[header + 8] = '0'; // the first letter of the version
    EXPECT_EQ(read(other), "was written by another version of Weir");
    for (const std::size_t cut : {4U, 400U}) {
        EXPECT_EQ(read(good.substr(0, good.size() - cut)), "is damaged") << cut;
    }
    std::string no_spirv = good;
    no_spirv.replace(no_spirv.find("\x03\x02\x23\x07"), 4, "none");
    EXPECT_EQ(read(no_spirv), "is damaged");
}

TEST(ShaderCache, IncludeFoldersArePartOfIdentity) {
    const auto with = [](const std::vector<std::string>& folders) {
        ShaderSource source = storing("1");
        for (const std::string& folder : folders) {
            source.include_folder(folder);
        }
        return identity_of(source);
    };
    EXPECT_EQ(with({"a", "b"}), with({"a", "b"}));
    const std::set<std::string> identities{with({}), with({"a"}), with({"a", "b"}), with({"b", "a"}), with({"ab"})};
    EXPECT_EQ(identities.size(), 5U);
}

TEST(ShaderCache, UnwritableFolderIsOneWarning) {
    const TemporaryFolder folder;
    folder.write("file", "not a folder");
    EXPECT_THAT(warnings_of(folder.name("file/shaders.bin")), ElementsAre(HasSubstr("cannot be written")));
    EXPECT_EQ(shader_cache_file("none"), "");
    EXPECT_EQ(shader_cache_file("some"), "some/shaders.bin");
}

TEST(ShaderCache, EqualSpirvSharesOneObject) {
    ShaderCache cache({});
    const auto words = ok(compile_shader(storing("1")));
    const auto one = ok(cache.get(ShaderSource::spirv(words, "one")));
    EXPECT_EQ(ok(cache.get(ShaderSource::spirv(words, "other"))), one);
    EXPECT_NE(ok(cache.get(ShaderSource::spirv(ok(compile_shader(storing("2")))))), one);
    EXPECT_TRUE(*ok(cache.get(storing("1"))) == *one);
    const std::vector<std::uint32_t> constants{1};
    const std::vector<std::optional<std::uint32_t>> push{std::nullopt};
    const auto reflection = one->reflection(constants, push);
    EXPECT_EQ(one->reflection(constants, push), reflection);
    EXPECT_NE(one->reflection({}, push), reflection);
    ASSERT_EQ(reflection->resources.size(), 1U);
    EXPECT_TRUE(reflection->resources[0].written);
}

} // namespace
} // namespace weir::tests::shader_cache_test

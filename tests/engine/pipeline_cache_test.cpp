#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/device.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/kernel.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::pipeline_cache_test {
namespace {

const OnOneDriver on_one_driver{"PipelineCache.*"};

namespace fs = std::filesystem;

/// Makes a context that keeps its pipelines in `folder`, runs a kernel on it and lets it go. Returns what it logged.
std::string use_cache(const fs::path& folder) {
    std::ostringstream text;
    {
        ContextOptions options = validated();
        options.pipeline_cache_directory = name_of(folder);
        options.log = [&](LogLevel level, const char* message) { text << to_string(level) << ": " << message << '\n'; };
        const Context context = ok(Context::create(options));
        const Buffer buffer = ok(context.create_buffer(256));
        const BufferView views[] = {buffer};
        // SPIR-V: the folder gets no file of shaders.
        static const auto words =
            ok(compile_shader(ShaderSource::glsl("layout(local_size_x = 64) in;\n"
                                                 "layout(binding = 0) buffer B { uint x[]; };\n"
                                                 "void main() { x[gl_GlobalInvocationID.x] = 1; }\n")));
        run_kernel({.source = ShaderSource::spirv(words)}, views, {1, 1, 1}, context);
        EXPECT_EQ(ok(context.download<std::uint32_t>(buffer, 64)), std::vector<std::uint32_t>(64, 1));
    }
    return text.str();
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(folder)) {
        out.push_back(entry.path());
    }
    return out;
}

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& contents) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << contents;
}

std::size_t count_lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(PipelineCache, IsWrittenOnceAndReadBack) {
    const TemporaryFolder folder;
    const fs::path cache = folder.path() / "made" / "when needed";
    EXPECT_EQ(use_cache(cache), "");
    const auto files = files_in(cache);
    ASSERT_EQ(files.size(), 1U);
    const std::string contents = read(files[0]);
    EXPECT_EQ(contents.substr(0, 7), "WEIRPIP");
    const auto time = fs::last_write_time(files[0]);
    EXPECT_EQ(use_cache(cache), "");
    EXPECT_EQ(files_in(cache), files);
    if (read(files[0]) == contents) {
        EXPECT_EQ(fs::last_write_time(files[0]), time);
    }
}

TEST(PipelineCache, ADamagedFileIsIgnoredWithOneWarningAndReplaced) {
    const TemporaryFolder folder;
    ASSERT_EQ(use_cache(folder.path()), "");
    const auto files = files_in(folder.path());
    ASSERT_EQ(files.size(), 1U);
    const std::string good = read(files[0]);

    std::string flipped = good;
    flipped.back() = static_cast<char>(flipped.back() ^ 1);
    std::string foreign = good; // as a file that was copied from another machine: whole, but for another device
    foreign[24 + 8] = static_cast<char>(foreign[24 + 8] ^ 1);
    {
        // The hash is of the data, which are changed: made right again here.
        std::uint64_t hash = 0xcbf29ce484222325U;
        for (std::size_t i = 24; i < foreign.size(); ++i) {
            hash = (hash ^ static_cast<unsigned char>(foreign[i])) * 0x100000001b3U;
        }
        std::memcpy(foreign.data() + 16, &hash, 8);
    }
    const std::pair<std::string, std::string> bad[] = {
        {"", "not a pipeline cache"},
        {"hello", "not a pipeline cache"},
        {std::string(1000, 'x'), "not a pipeline cache"},
        {good.substr(0, 20), "not a pipeline cache"},
        {good.substr(0, good.size() - 1), "damaged"},
        {good + "x", "damaged"},
        {flipped, "damaged"},
        {foreign, "of another device or driver"},
    };
    for (const auto& [contents, why] : bad) {
        write(files[0], contents);
        const std::string log = use_cache(folder.path());
        EXPECT_EQ(count_lines(log), 1U) << log;
        EXPECT_NE(log.find("warning: "), std::string::npos) << log;
        EXPECT_NE(log.find(why), std::string::npos) << log;
        EXPECT_EQ(files_in(folder.path()), files); // no temporary file is left
        EXPECT_EQ(use_cache(folder.path()), "");
    }
}

TEST(PipelineCache, AFolderThatCannotBeWrittenIsAWarningAtMost) {
    const TemporaryFolder folder;
    folder.write("file", "not a folder");
    const std::string log = use_cache(folder.path() / "file");
    EXPECT_EQ(count_lines(log), 1U) << log;
    EXPECT_NE(log.find("cannot be written"), std::string::npos) << log;
    EXPECT_EQ(read(folder.path() / "file"), "not a folder");
}

TEST(PipelineCache, AFolderInTheFilesPlaceIsIgnored) {
    const TemporaryFolder folder;
    ASSERT_EQ(use_cache(folder.path()), "");
    const fs::path file = files_in(folder.path()).at(0);
    fs::remove(file);
    fs::create_directories(file / "x");
    const std::string log = use_cache(folder.path());
    EXPECT_NE(log.find("cannot be read"), std::string::npos) << log;
    EXPECT_EQ(files_in(folder.path()).size(), 1U);
}

TEST(PipelineCache, NoneMeansNowhere) {
    EXPECT_EQ(pipeline_cache_file("none", {}), "");
    EXPECT_NE(pipeline_cache_file("some", {}), "");
}

} // namespace
} // namespace weir::tests::pipeline_cache_test

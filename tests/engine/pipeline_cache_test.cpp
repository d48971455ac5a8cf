#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/device/device.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/kernel.hpp"
#include "tests/support/replaced_functions.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::pipeline_cache_test {
namespace {

const OnOneDriver on_one_driver{"PipelineCache.*"};

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Creates a context that keeps its pipelines in `folder` and reads those of the file `shipped`, runs a kernel on it
/// and destroys it. Writes its pipelines to the file `written`, unless that is empty. Returns the log messages.
std::string use_cache(const std::string& folder, const std::string& shipped, const std::string& written = "") {
    std::ostringstream text;
    {
        ContextOptions options = validated();
        options.pipeline_cache_directory = folder;
        options.compiler.pipeline_file = shipped;
        options.log = [&](LogLevel level, const char* message) { text << to_string(level) << ": " << message << '\n'; };
        const Context context = ok(Context::create(options));
        const Buffer buffer = ok(context.create_buffer(256));
        const BufferView views[] = {buffer};
        // SPIR-V, so that the folder gets no file of shaders.
        static const auto words =
            ok(compile_shader(ShaderSource::glsl("layout(local_size_x = 64) in;\n"
                                                 "layout(binding = 0) buffer B { uint x[]; };\n"
                                                 "void main() { x[gl_GlobalInvocationID.x] = 1; }\n")));
        run_kernel({.source = ShaderSource::spirv(words)}, views, {1, 1, 1}, context);
        EXPECT_EQ(ok(context.download<std::uint32_t>(buffer, 64)), std::vector<std::uint32_t>(64, 1));
        if (!written.empty()) {
            ok(context.write_pipelines(written));
        }
    }
    return text.str();
}
std::string use_cache(const fs::path& folder) {
    return use_cache(name_of(folder), "");
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(folder)) {
        out.push_back(entry.path());
    }
    return out;
}

void write(const fs::path& path, const std::string& contents) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << contents;
}

/// Returns an intact file of another device, like one that was copied from another machine.
std::string foreign_to(const std::string& good) {
    std::string foreign = good;
    foreign[24 + 8] = static_cast<char>(foreign[24 + 8] ^ 1);
    // The hash must match the changed data.
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (std::size_t i = 24; i < foreign.size(); ++i) {
        hash = (hash ^ static_cast<unsigned char>(foreign[i])) * 0x100000001b3U;
    }
    std::memcpy(foreign.data() + 16, &hash, 8);
    return foreign;
}

/// Matches a log of one line, a warning that contains `why`.
MATCHER_P(IsOneWarning, why, "") {
    return std::ranges::count(arg, '\n') == 1 && arg.starts_with("warning: ") && arg.find(why) != std::string::npos;
}

/// Returns contents of files that are no intact file of this device, with the reason. `good` is an intact one.
std::vector<std::pair<std::string, std::string>> unusable_contents(const std::string& good) {
    std::string flipped = good;
    flipped.back() = static_cast<char>(flipped.back() ^ 1);
    return {{"", "not a pipeline cache"},
            {"hello", "not a pipeline cache"},
            {std::string(1000, 'x'), "not a pipeline cache"},
            {good.substr(0, 20), "not a pipeline cache"},
            {good.substr(0, good.size() - 1), "damaged"},
            {good + "x", "damaged"},
            {good + good.substr(0, 30), "damaged"},
            {flipped, "damaged"},
            {foreign_to(good), "no data of this device and driver"}};
}

TEST(PipelineCache, IsWrittenOnceAndReadBack) {
    const TemporaryFolder folder;
    const fs::path cache = folder.path() / "made" / "when needed";
    EXPECT_EQ(use_cache(cache), "");
    const auto files = files_in(cache);
    ASSERT_EQ(files.size(), 1U);
    const std::string contents = bytes_of_file(files[0]);
    EXPECT_EQ(contents.substr(0, 7), "WEIRPIP");
    const auto time = fs::last_write_time(files[0]);
    EXPECT_EQ(use_cache(cache), "");
    EXPECT_EQ(files_in(cache), files);
    if (bytes_of_file(files[0]) == contents) {
        EXPECT_EQ(fs::last_write_time(files[0]), time);
    }
}

TEST(PipelineCache, DamagedFileIsIgnoredWithOneWarningAndReplaced) {
    const TemporaryFolder folder;
    ASSERT_EQ(use_cache(folder.path()), "");
    const auto files = files_in(folder.path());
    ASSERT_EQ(files.size(), 1U);
    for (const auto& [contents, why] : unusable_contents(bytes_of_file(files[0]))) {
        write(files[0], contents);
        EXPECT_THAT(use_cache(folder.path()), IsOneWarning(why));
        EXPECT_EQ(files_in(folder.path()), files); // no temporary file is left
        EXPECT_EQ(use_cache(folder.path()), "");
    }
}

TEST(PipelineCache, UnwritableFolderIsOneWarning) {
    const TemporaryFolder folder;
    folder.write("file", "not a folder");
    EXPECT_THAT(use_cache(folder.path() / "file"), IsOneWarning("cannot be written"));
    EXPECT_EQ(bytes_of_file(folder.path() / "file"), "not a folder");
}

TEST(PipelineCache, FolderInPlaceOfFileIsIgnored) {
    const TemporaryFolder folder;
    ASSERT_EQ(use_cache(folder.path()), "");
    const fs::path file = files_in(folder.path()).at(0);
    fs::remove(file);
    fs::create_directories(file / "x");
    EXPECT_THAT(use_cache(folder.path()), HasSubstr("cannot be read"));
    EXPECT_EQ(folder.size(), 1);
}

/// Sizes of the initial data of pipeline caches, and the number of merges.
std::vector<std::size_t> initial_sizes;
int merges = 0;
VkResult merge_status = VK_SUCCESS; ///< result of merges; if it is an error, they do nothing else
PFN_vkCreatePipelineCache create_cache = nullptr;
PFN_vkMergePipelineCaches merge_caches = nullptr;
VkResult VKAPI_CALL on_create(VkDevice device, const VkPipelineCacheCreateInfo* info,
                              const VkAllocationCallbacks* callbacks, VkPipelineCache* cache) {
    initial_sizes.push_back(info->initialDataSize);
    return create_cache(device, info, callbacks, cache);
}
VkResult VKAPI_CALL on_merge(VkDevice device, VkPipelineCache to, std::uint32_t count, const VkPipelineCache* from) {
    ++merges;
    return merge_status == VK_SUCCESS ? merge_caches(device, to, count, from) : merge_status;
}

TEST(PipelineCache, ShippedFileIsOnlyRead) {
    const TemporaryFolder folder;
    const std::string file = folder.name("pipelines.bin");
    EXPECT_EQ(use_cache("none", "", file), "");
    const std::string contents = bytes_of_file(path_of(file));
    EXPECT_EQ(contents.substr(0, 7), "WEIRPIP");
    const auto time = fs::last_write_time(path_of(file));
    EXPECT_EQ(use_cache("none", file), "");
    EXPECT_EQ(bytes_of_file(path_of(file)), contents);
    EXPECT_EQ(fs::last_write_time(path_of(file)), time);
    EXPECT_EQ(folder.size(), 1);

    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    adopted.compiler.pipeline_file = file;
    const ReplacedFunctions watched(adopted, [](std::string_view name, PFN_vkVoidFunction real) {
        return name == "vkCreatePipelineCache" ? ReplacedFunctions::take(real, create_cache, &on_create) : real;
    });
    initial_sizes.clear();
    const Context context = ok(Context::adopt(adopted));
    EXPECT_EQ(initial_sizes, std::vector<std::size_t>{contents.size() - 24});
}

TEST(PipelineCache, UnusableShippedFileIsIgnoredWithOneWarning) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "pipelines.bin";
    EXPECT_EQ(use_cache("none", "", name_of(path)), "");
    for (const auto& [contents, why] : unusable_contents(bytes_of_file(path))) {
        write(path, contents);
        EXPECT_THAT(use_cache("none", name_of(path)), IsOneWarning(why));
        EXPECT_EQ(bytes_of_file(path), contents); // never written
        EXPECT_EQ(folder.size(), 1);
    }
    fs::remove(path);
    EXPECT_THAT(use_cache("none", name_of(path)), IsOneWarning("cannot be read"));
    EXPECT_EQ(folder.size(), 0);
}

TEST(PipelineCache, ShippedFileHoldsSeveralDevices) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "pipelines.bin";
    EXPECT_EQ(use_cache("none", "", name_of(path)), "");
    const std::string good = bytes_of_file(path), other = foreign_to(good);
    write(path, other);
    EXPECT_EQ(use_cache("none", "", name_of(path)), "");
    const std::string both = bytes_of_file(path);
    EXPECT_EQ(both.substr(0, other.size()), other);
    EXPECT_GT(both.size(), other.size() + 24);
    EXPECT_EQ(use_cache("none", name_of(path)), "");
    EXPECT_EQ(use_cache("none", "", name_of(path)), ""); // replaces the data of this device
    EXPECT_EQ(bytes_of_file(path).size(), both.size());
}

TEST(PipelineCache, WriteRefusesToReplaceOtherFiles) {
    const TemporaryFolder folder;
    const Context& context = test_context();
    folder.write("letter", "precious");
    EXPECT_THAT(context.write_pipelines(folder.name("letter")),
                FailsWith(ErrorCode::io, HasSubstr("it is not a pipeline cache")));
    EXPECT_EQ(bytes_of_file(folder.path() / "letter"), "precious");
    EXPECT_THAT(context.write_pipelines(folder.name("letter/pipelines")), FailsWith(ErrorCode::io, testing::_));
    EXPECT_EQ(folder.size(), 1);
}

TEST(PipelineCache, ShippedPipelinesAreMergedIntoKeptOnes) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "pipelines.bin", kept = folder.path() / "kept";
    EXPECT_EQ(use_cache(name_of(kept), "", name_of(path)), "");
    EXPECT_EQ(use_cache(name_of(kept), name_of(path)), "");
    write(files_in(kept).at(0), "hello");
    EXPECT_THAT(use_cache(name_of(kept), name_of(path)), IsOneWarning(""));
    EXPECT_EQ(bytes_of_file(files_in(kept).at(0)).substr(0, 7), "WEIRPIP"); // the kept file is written again

    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions watched(adopted, [](std::string_view name, PFN_vkVoidFunction real) {
        return name == "vkCreatePipelineCache"   ? ReplacedFunctions::take(real, create_cache, &on_create)
               : name == "vkMergePipelineCaches" ? ReplacedFunctions::take(real, merge_caches, &on_merge)
                                                 : real;
    });
    // Creates a device with both files, where merging returns `status`. Returns the log messages.
    const auto merge = [&](VkResult status) {
        std::string text;
        DeviceSetup setup;
        setup.handle.functions = host.instance_functions();
        setup.handle.functions.vkGetDeviceProcAddr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(
            adopted.get_instance_proc_addr(host.instance(), "vkGetDeviceProcAddr"));
        setup.handle.instance = host.instance();
        setup.handle.physical_device = host.physical_device();
        setup.handle.device = host.device();
        setup.handle.capabilities = test_context().capabilities();
        setup.handle.capabilities.descriptor_buffer = false;
        setup.handle.log =
            std::make_shared<const Log>([&](LogLevel, const char* message) { text += message; }, LogLevel::warning);
        setup.pipeline_cache_file = name_of(files_in(kept).at(0));
        setup.compiler.pipeline_file = name_of(path);
        initial_sizes.clear();
        merges = 0;
        merge_status = status;
        const auto device = ok(Device::create(std::move(setup)));
        merge_status = VK_SUCCESS;
        EXPECT_EQ(initial_sizes.size(), 2U);
        EXPECT_EQ(merges, 1);
        return text;
    };
    EXPECT_EQ(merge(VK_SUCCESS), "");
    EXPECT_EQ(merge(VK_ERROR_OUT_OF_HOST_MEMORY),
              "the driver rejects the pipeline cache " + name_of(path) + "; it is ignored");
}

TEST(PipelineCache, CacheOfHostIsWritten) {
    const TemporaryFolder folder;
    const HostDevice host;
    const VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VkPipelineCache cache = VK_NULL_HANDLE;
    ASSERT_EQ(host.vk().vkCreatePipelineCache(host.device(), &info, nullptr, &cache), VK_SUCCESS);
    AdoptedDevice adopted = host.adopted();
    adopted.pipeline_cache = cache;
    const std::string file = folder.name("pipelines.bin");
    {
        const Context context = ok(Context::adopt(adopted));
        ok(context.write_pipelines(file));
        EXPECT_EQ(use_cache("none", file), "");
    }
    adopted.compiler.pipeline_file = file; // only one of the two is allowed
    EXPECT_THAT(Context::adopt(adopted), FailsWith(ErrorCode::invalid_argument, HasSubstr("pipeline_file")));
    host.vk().vkDestroyPipelineCache(host.device(), cache, nullptr);
}

TEST(PipelineCache, DirectoryNoneHasNoFile) {
    EXPECT_EQ(pipeline_cache_file("none", {}), "");
    EXPECT_NE(pipeline_cache_file("some", {}), "");
}

} // namespace
} // namespace weir::tests::pipeline_cache_test

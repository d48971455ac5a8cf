#include "engine/pipeline_cache.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <span>

#include "engine/device.hpp"
#include "engine/hash.hpp"
#include "engine/log.hpp"
#include "engine/text.hpp"

namespace weir {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 30;

/// What stands before the driver's data, so that a file that was cut or changed is never handed to the driver.
struct FileHeader {
    char magic[8] = {'W', 'E', 'I', 'R', 'P', 'I', 'P', '1'};
    std::uint64_t size = 0;
    std::uint64_t hash = 0;
};

std::optional<std::vector<std::byte>> read_file(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : largest_file + 1;
    if (error || size > largest_file) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    std::ifstream in(path, std::ios::binary);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!in) {
        return std::nullopt;
    }
    return bytes;
}

/// Null if the driver's data in a whole file are for another device or driver.
const char* why_foreign(std::span<const std::byte> data, const Capabilities& device, const std::uint8_t* uuid) {
    VkPipelineCacheHeaderVersionOne header{};
    if (data.size() < sizeof header) {
        return "it is too short";
    }
    std::memcpy(&header, data.data(), sizeof header);
    if (header.headerVersion != VK_PIPELINE_CACHE_HEADER_VERSION_ONE || header.vendorID != device.vendor_id ||
        header.deviceID != device.device_id || std::memcmp(header.pipelineCacheUUID, uuid, VK_UUID_SIZE) != 0) {
        return "it is of another device or driver";
    }
    return nullptr;
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

fs::path user_cache_directory() {
    // A relative path in XDG_CACHE_HOME is to be ignored, says its specification.
    if (const fs::path xdg = environment("XDG_CACHE_HOME"); xdg.is_absolute()) {
        return xdg / "weir";
    }
#if defined(_WIN32)
    if (const fs::path local = environment("LOCALAPPDATA"); !local.empty()) {
        return local / "weir";
    }
#endif
    if (const fs::path home = environment("HOME"); !home.empty()) {
        return home / ".cache" / "weir";
    }
    return {};
}

/// Other processes and threads may write into the same folder at this moment.
std::string temporary_suffix() {
    std::random_device random;
    return concat(".", hex(random(), 8), hex(random(), 8), ".tmp");
}

} // namespace

std::string pipeline_cache_file(const std::string& directory, const VkPhysicalDeviceProperties& properties) {
    if (directory == "none") {
        return {};
    }
    const fs::path folder = directory.empty() ? user_cache_directory() : fs::path(directory);
    if (folder.empty()) {
        return {};
    }
    std::string name = concat("pipelines-", hex(properties.vendorID, 8), "-", hex(properties.deviceID, 8), "-",
                              hex(properties.driverVersion, 8), "-");
    for (const std::uint8_t byte : properties.pipelineCacheUUID) {
        name += hex(byte, 2);
    }
    return (folder / (name + ".bin")).string();
}

Result<std::unique_ptr<PipelineCache>> PipelineCache::create(Device& device, std::string file) {
    std::unique_ptr<PipelineCache> cache(new PipelineCache(device, std::move(file)));
    const std::vector<std::byte> contents = cache->load();
    VkResult status = cache->create_cache(contents);
    if (status != VK_SUCCESS && !contents.empty()) {
        log_warning(device.log(), concat("the driver refuses the pipeline cache ", cache->file_, "; it is ignored"));
        status = cache->create_cache({});
    } else {
        cache->loaded_hash_ = hash_bytes(contents);
    }
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "creating a pipeline cache"));
    }
    device.set_name(VK_OBJECT_TYPE_PIPELINE_CACHE, reinterpret_cast<std::uint64_t>(cache->cache_), "weir pipelines");
    return cache;
}

VkResult PipelineCache::create_cache(const std::vector<std::byte>& contents) {
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = contents.size();
    info.pInitialData = contents.data();
    return device_.vk().vkCreatePipelineCache(device_.handle(), &info, nullptr, &cache_);
}

std::vector<std::byte> PipelineCache::load() const {
    std::error_code error;
    if (file_.empty() || !fs::exists(file_, error)) {
        return {};
    }
    const auto ignore = [&](const char* why) {
        log_warning(device_.log(), concat("the pipeline cache ", file_, " is ignored: ", why));
        return std::vector<std::byte>();
    };
    const auto bytes = read_file(file_);
    if (!bytes) {
        return ignore("it cannot be read");
    }
    FileHeader header;
    if (bytes->size() < sizeof header || std::memcmp(bytes->data(), header.magic, sizeof header.magic) != 0) {
        return ignore("it is no pipeline cache");
    }
    std::memcpy(&header, bytes->data(), sizeof header);
    const std::span data = std::span(*bytes).subspan(sizeof header);
    if (header.size != data.size() || header.hash != hash_bytes(data)) {
        return ignore("it is damaged");
    }
    VkPhysicalDeviceProperties properties{};
    device_.instance_functions().vkGetPhysicalDeviceProperties(device_.physical_device(), &properties);
    if (const char* why = why_foreign(data, device_.capabilities(), properties.pipelineCacheUUID); why != nullptr) {
        return ignore(why);
    }
    return {data.begin(), data.end()};
}

void PipelineCache::save() const {
    std::size_t size = 0;
    if (file_.empty() || device_.vk().vkGetPipelineCacheData(device_.handle(), cache_, &size, nullptr) != VK_SUCCESS) {
        return;
    }
    std::vector<std::byte> data(size);
    if (device_.vk().vkGetPipelineCacheData(device_.handle(), cache_, &size, data.data()) != VK_SUCCESS) {
        return;
    }
    data.resize(size);
    FileHeader header;
    header.size = size;
    header.hash = hash_bytes(data);
    if (header.hash == loaded_hash_) {
        return;
    }
    // A reader sees the old file or the new one, never a part: written beside it, then renamed.
    const fs::path path(file_);
    const fs::path temporary(file_ + temporary_suffix());
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out.write(reinterpret_cast<const char*>(&header), sizeof header);
        out.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
        out.close();
        if (!out) {
            log_warning(device_.log(), concat("the pipeline cache ", file_, " cannot be written"));
            fs::remove(temporary, error);
            return;
        }
    }
    fs::rename(temporary, path, error);
    if (error) {
        log_warning(device_.log(), concat("the pipeline cache ", file_, " cannot be written: ", error.message()));
        fs::remove(temporary, error);
    }
}

PipelineCache::~PipelineCache() {
    if (cache_ != VK_NULL_HANDLE) {
        save();
        device_.vk().vkDestroyPipelineCache(device_.handle(), cache_, nullptr);
    }
}

} // namespace weir

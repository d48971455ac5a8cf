#include "engine/pipeline_cache.hpp"

#include <cstring>
#include <filesystem>
#include <span>

#include "engine/device.hpp"
#include "engine/files.hpp"
#include "engine/hash.hpp"
#include "engine/log.hpp"
#include "engine/text.hpp"

namespace weir {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_cache = std::uintmax_t{1} << 30;

/// What stands before the driver's data, so that a file that was cut or changed is never handed to the driver.
struct CacheHeader {
    char magic[8] = {'W', 'E', 'I', 'R', 'P', 'I', 'P', '1'};
    std::uint64_t size = 0;
    std::uint64_t hash = 0;
};

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

} // namespace

std::string device_identity(const VkPhysicalDeviceProperties& properties) {
    std::string out = concat(hex(properties.vendorID, 8), "-", hex(properties.deviceID, 8), "-",
                             hex(properties.driverVersion, 8), "-");
    for (const std::uint8_t byte : properties.pipelineCacheUUID) {
        out += hex(byte, 2);
    }
    return out;
}

std::string device_file(const std::string& directory, const char* what, const VkPhysicalDeviceProperties& properties,
                        const char* extension) {
    if (directory == "none") {
        return {};
    }
    const fs::path folder = directory.empty() ? user_cache_directory() : path_of(directory);
    if (folder.empty()) {
        return {};
    }
    return name_of(folder / concat(what, "-", device_identity(properties), extension));
}

std::string pipeline_cache_file(const std::string& directory, const VkPhysicalDeviceProperties& properties) {
    return device_file(directory, "pipelines", properties, ".bin");
}

Result<std::unique_ptr<PipelineCache>> PipelineCache::create(Device& device, std::string file) {
    std::unique_ptr<PipelineCache> cache(new PipelineCache(device, std::move(file)));
    const std::vector<std::byte> contents = cache->load();
    VkResult status = cache->create_cache(contents);
    if (status != VK_SUCCESS && !contents.empty()) {
        device.log().tell(LogLevel::warning,
                          concat("the driver refuses the pipeline cache ", cache->file_, "; it is ignored"));
        status = cache->create_cache({});
    } else {
        cache->loaded_hash_ = hash_bytes(contents);
    }
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "creating a pipeline cache"));
    }
    device.set_name(VK_OBJECT_TYPE_PIPELINE_CACHE, reinterpret_cast<std::uint64_t>(cache->cache_), "pipelines");
    return cache;
}

VkResult PipelineCache::create_cache(const std::vector<std::byte>& contents) {
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = contents.size();
    info.pInitialData = contents.data();
    return device_.vk().vkCreatePipelineCache(device_.handle(), &info, device_.callbacks(), &cache_);
}

std::vector<std::byte> PipelineCache::load() const {
    if (file_.empty() || !is_there(path_of(file_))) {
        return {};
    }
    const auto ignore = [&](const char* why) {
        device_.log().tell(LogLevel::warning, concat("the pipeline cache ", file_, " is ignored: ", why));
        return std::vector<std::byte>();
    };
    const auto bytes = read_file(path_of(file_), largest_cache);
    if (!bytes) {
        return ignore("it cannot be read");
    }
    CacheHeader header;
    if (bytes->size() < sizeof header || std::memcmp(bytes->data(), header.magic, sizeof header.magic) != 0) {
        return ignore("it is not a pipeline cache");
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
    CacheHeader header;
    header.size = size;
    header.hash = hash_bytes(data);
    if (header.hash == loaded_hash_) {
        return;
    }
    const std::span<const std::byte> parts[] = {std::as_bytes(std::span(&header, 1)), data};
    if (const std::string why = write_file(path_of(file_), parts); !why.empty()) {
        device_.log().tell(LogLevel::warning, concat("the pipeline cache ", file_, " is not kept: ", why));
    }
}

PipelineCache::~PipelineCache() {
    if (cache_ != VK_NULL_HANDLE) {
        save();
        device_.vk().vkDestroyPipelineCache(device_.handle(), cache_, device_.callbacks());
    }
}

} // namespace weir

#include "engine/pipeline/pipeline_cache.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>

#include "engine/base/device_handle.hpp"
#include "engine/base/files.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/log.hpp"
#include "engine/base/strings.hpp"
#include "engine/pipeline/pipeline_file.hpp"

namespace weir {

namespace fs = std::filesystem;

namespace {

/// Returns the driver's data for this device from a file. Logs a warning and returns nothing if the file does not
/// provide them.
std::vector<std::byte> load(const DeviceHandle& device, const std::string& file) {
    const auto ignore = [&](const char* why) {
        device.log().tell(LogLevel::warning, concat("the pipeline cache ", file, " is ignored: ", why));
        return std::vector<std::byte>();
    };
    const auto bytes = read_file(path_of(file), largest_pipeline_file);
    if (!bytes) {
        return ignore("it cannot be read");
    }
    const auto parts = parts_of(*bytes);
    if (!parts) {
        return ignore(parts.error());
    }
    const auto found = std::ranges::find_if(*parts, [&](PipelineData data) { return is_of(device, data); });
    return found != parts->end() ? std::vector<std::byte>(found->begin(), found->end())
                                 : ignore("it has no data of this device and driver");
}

VkResult create_cache(const DeviceHandle& device, PipelineData contents, VkPipelineCache& out) {
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = contents.size();
    info.pInitialData = contents.data();
    const VkResult status = device.vk().vkCreatePipelineCache(device.handle(), &info, device.callbacks(), &out);
    if (status == VK_SUCCESS) {
        device.set_name(VK_OBJECT_TYPE_PIPELINE_CACHE, reinterpret_cast<std::uint64_t>(out), "pipelines");
    }
    return status;
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

Result<std::unique_ptr<PipelineCache>> PipelineCache::create(DeviceHandle& device, std::string file,
                                                             const std::string& shipped) {
    std::unique_ptr<PipelineCache> cache(new PipelineCache(device, std::move(file)));
    struct {
        const std::string& file;
        std::vector<std::byte> contents;
    } sources[] = {{cache->file_, {}}, {shipped, {}}};
    if (!cache->file_.empty() && is_there(path_of(cache->file_))) {
        sources[0].contents = load(device, cache->file_);
    }
    cache->loaded_hash_ = hash_bytes(sources[0].contents); // without `shipped`; a damaged file is written again
    if (!shipped.empty()) {
        sources[1].contents = load(device, shipped);
    }
    for (const auto& [from, contents] : sources) {
        VkPipelineCache made = VK_NULL_HANDLE;
        VkResult status = contents.empty() ? VK_SUCCESS : create_cache(device, contents, made);
        if (status == VK_SUCCESS && cache->cache_ == VK_NULL_HANDLE) {
            cache->cache_ = made;
        } else if (status == VK_SUCCESS && made != VK_NULL_HANDLE) {
            status = device.vk().vkMergePipelineCaches(device.handle(), cache->cache_, 1, &made);
            device.vk().vkDestroyPipelineCache(device.handle(), made, device.callbacks());
        }
        if (status != VK_SUCCESS) {
            device.log().tell(LogLevel::warning,
                              concat("the driver rejects the pipeline cache ", from, "; it is ignored"));
        }
    }
    if (cache->cache_ == VK_NULL_HANDLE) {
        if (const VkResult status = create_cache(device, {}, cache->cache_); status != VK_SUCCESS) {
            return tl::unexpected(vulkan_error(status, "creating a pipeline cache"));
        }
    }
    return cache;
}

std::string PipelineCache::save() const {
    std::vector<std::byte> data;
    if (file_.empty() || data_of(device_, cache_, data) != VK_SUCCESS) {
        return {};
    }
    const PipelineFileHeader header = header_of(data);
    if (header.hash == loaded_hash_) {
        return {};
    }
    const PipelineData parts[] = {std::as_bytes(std::span(&header, 1)), data};
    return write_file(path_of(file_), parts);
}

PipelineCache::~PipelineCache() {
    if (cache_ != VK_NULL_HANDLE) {
        if (const std::string why = save(); !why.empty()) {
            device_.log().tell(LogLevel::warning, concat("the pipeline cache ", file_, " is not saved: ", why));
        }
        device_.vk().vkDestroyPipelineCache(device_.handle(), cache_, device_.callbacks());
    }
}

} // namespace weir

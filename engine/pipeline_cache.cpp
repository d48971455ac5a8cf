#include "engine/pipeline_cache.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
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

/// What stands before the driver's data for a device, so that a file that was cut or changed is never handed to the
/// driver. A file that is shipped may have several devices, one after another.
struct CacheHeader {
    char magic[8] = {'W', 'E', 'I', 'R', 'P', 'I', 'P', '1'};
    std::uint64_t size = 0;
    std::uint64_t hash = 0;
};

using Data = std::span<const std::byte>;

CacheHeader header_of(Data data) {
    CacheHeader header;
    header.size = data.size();
    header.hash = hash_bytes(data);
    return header;
}

/// The driver's data for each device in the contents of a file; or why there are none.
tl::expected<std::vector<Data>, const char*> parts_of(Data bytes) {
    constexpr const char* other = "it is not a pipeline cache";
    constexpr const char* damaged = "it is damaged";
    std::vector<Data> parts;
    do {
        CacheHeader header;
        if (bytes.size() < sizeof header || std::memcmp(bytes.data(), header.magic, sizeof header.magic) != 0) {
            return tl::unexpected(parts.empty() ? other : damaged);
        }
        std::memcpy(&header, bytes.data(), sizeof header);
        bytes = bytes.subspan(sizeof header);
        if (header.size > bytes.size() || header.hash != hash_bytes(bytes.first(header.size))) {
            return tl::unexpected(damaged);
        }
        parts.push_back(bytes.first(header.size));
        bytes = bytes.subspan(header.size);
    } while (!bytes.empty());
    return parts;
}

/// Whether the driver's data are for this device and driver.
bool is_of(const Device& device, Data data) {
    VkPhysicalDeviceProperties properties{};
    device.instance_functions().vkGetPhysicalDeviceProperties(device.physical_device(), &properties);
    VkPipelineCacheHeaderVersionOne header{};
    if (data.size() < sizeof header) {
        return false;
    }
    std::memcpy(&header, data.data(), sizeof header);
    return header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE && header.vendorID == properties.vendorID &&
           header.deviceID == properties.deviceID &&
           std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

/// The driver's data for this device in a file; empty, with a warning, where there are none.
std::vector<std::byte> load(const Device& device, const std::string& file) {
    const auto ignore = [&](const char* why) {
        device.log().tell(LogLevel::warning, concat("the pipeline cache ", file, " is ignored: ", why));
        return std::vector<std::byte>();
    };
    const auto bytes = read_file(path_of(file), largest_cache);
    if (!bytes) {
        return ignore("it cannot be read");
    }
    const auto parts = parts_of(*bytes);
    if (!parts) {
        return ignore(parts.error());
    }
    const auto found = std::ranges::find_if(*parts, [&](Data data) { return is_of(device, data); });
    return found != parts->end() ? std::vector<std::byte>(found->begin(), found->end())
                                 : ignore("it is of another device or driver");
}

VkResult create_cache(const Device& device, Data contents, VkPipelineCache& out) {
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = contents.size();
    info.pInitialData = contents.data();
    const VkResult status = device.vk().vkCreatePipelineCache(device.handle(), &info, device.callbacks(), &out);
    if (status == VK_SUCCESS) {
        device.set_name(VK_OBJECT_TYPE_PIPELINE_CACHE, reinterpret_cast<std::uint64_t>(out), "pipelines");
    }
    return status;
}

/// What the driver has of all pipelines that were made with the cache, which other threads may use meanwhile.
VkResult data_of(const Device& device, VkPipelineCache cache, std::vector<std::byte>& out) {
    VkResult status = VK_INCOMPLETE;
    while (status == VK_INCOMPLETE) {
        std::size_t size = 0;
        status = device.vk().vkGetPipelineCacheData(device.handle(), cache, &size, nullptr);
        if (status == VK_SUCCESS) {
            out.resize(size);
            status = device.vk().vkGetPipelineCacheData(device.handle(), cache, &size, out.data());
            out.resize(size);
        }
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

Result<std::unique_ptr<PipelineCache>> PipelineCache::create(Device& device, std::string file,
                                                             const std::string& shipped) {
    std::unique_ptr<PipelineCache> cache(new PipelineCache(device, std::move(file)));
    struct {
        const std::string& file;
        std::vector<std::byte> contents;
    } sources[] = {{cache->file_, {}}, {shipped, {}}};
    if (!cache->file_.empty() && is_there(path_of(cache->file_))) {
        sources[0].contents = load(device, cache->file_);
    }
    cache->loaded_hash_ = hash_bytes(sources[0].contents); // of that alone: where it is damaged, it is written again
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
                              concat("the driver refuses the pipeline cache ", from, "; it is ignored"));
        }
    }
    if (cache->cache_ == VK_NULL_HANDLE) {
        if (const VkResult status = create_cache(device, {}, cache->cache_); status != VK_SUCCESS) {
            return tl::unexpected(vulkan_error(status, "creating a pipeline cache"));
        }
    }
    return cache;
}

void PipelineCache::save() const {
    std::vector<std::byte> data;
    if (file_.empty() || data_of(device_, cache_, data) != VK_SUCCESS) {
        return;
    }
    const CacheHeader header = header_of(data);
    if (header.hash == loaded_hash_) {
        return;
    }
    const Data parts[] = {std::as_bytes(std::span(&header, 1)), data};
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

Result<> write_pipelines(const Device& device, VkPipelineCache cache, const std::string& file) {
    const auto refuse = [&](const std::string& why) {
        return tl::unexpected(Error{ErrorCode::io, concat("the pipelines are not written to ", file, ": ", why)});
    };
    std::vector<Data> parts;
    std::optional<std::vector<std::byte>> before;
    if (is_there(path_of(file))) {
        before = read_file(path_of(file), largest_cache);
        if (!before) {
            return refuse("what is there cannot be read");
        }
        auto others = parts_of(*before);
        if (!others) {
            return refuse(concat("a file is there, and ", others.error()));
        }
        parts = std::move(*others);
        std::erase_if(parts, [&](Data data) { return is_of(device, data); });
    }
    std::vector<std::byte> data;
    if (const VkResult status = data_of(device, cache, data); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "reading the driver's data of pipelines"));
    }
    parts.emplace_back(data);
    std::vector<CacheHeader> headers;
    headers.reserve(parts.size()); // their addresses are taken
    std::vector<Data> all;
    for (const Data part : parts) {
        headers.push_back(header_of(part));
        all.push_back(std::as_bytes(std::span(&headers.back(), 1)));
        all.push_back(part);
    }
    const std::string why = write_file(path_of(file), all);
    return why.empty() ? Result<>() : refuse(why);
}

} // namespace weir

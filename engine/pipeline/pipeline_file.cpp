#include "engine/pipeline/pipeline_file.hpp"

#include <algorithm>
#include <cstring>

#include "engine/base/device_handle.hpp"
#include "engine/base/hash.hpp"

namespace weir {

PipelineFileHeader header_of(PipelineData data) {
    PipelineFileHeader header;
    header.size = data.size();
    header.hash = hash_bytes(data);
    return header;
}

tl::expected<std::vector<PipelineData>, const char*> parts_of(PipelineData bytes) {
    constexpr const char* other = "it is not a pipeline cache";
    constexpr const char* damaged = "it is damaged";
    std::vector<PipelineData> parts;
    do {
        PipelineFileHeader header;
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

bool is_of(const DeviceHandle& device, PipelineData data) {
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

VkResult data_of(const DeviceHandle& device, VkPipelineCache cache, std::vector<std::byte>& out) {
    VkResult status = VK_INCOMPLETE;
    while (status == VK_INCOMPLETE) {
        std::size_t size = 0;
        status = device.vk().vkGetPipelineCacheData(device.handle(), cache, &size, nullptr);
        if (status == VK_SUCCESS) {
            out.resize(size);
            status = device.vk().vkGetPipelineCacheData(device.handle(), cache, &size, out.data());
            // Mesa 26.2's lavapipe writes a header, but returns a smaller size.
            out.resize(size == 0 ? 0 : std::max(size, std::min(out.size(), sizeof(VkPipelineCacheHeaderVersionOne))));
        }
    }
    return status;
}

} // namespace weir

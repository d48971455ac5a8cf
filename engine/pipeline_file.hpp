#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tl/expected.hpp>
#include <vulkan/vulkan_core.h>

namespace weir {

class Device;

constexpr std::uintmax_t largest_pipeline_file = std::uintmax_t{1} << 30; ///< bytes

/// What stands before the driver's data for a device, so that a file that was cut or changed is never handed to the
/// driver. A file that is shipped may have several devices, one after another.
struct PipelineFileHeader {
    char magic[8] = {'W', 'E', 'I', 'R', 'P', 'I', 'P', '1'};
    std::uint64_t size = 0;
    std::uint64_t hash = 0;
};

/// What a driver keeps of pipelines.
using PipelineData = std::span<const std::byte>;

PipelineFileHeader header_of(PipelineData data);

/// The driver's data for each device in the contents of a file; or why there are none.
tl::expected<std::vector<PipelineData>, const char*> parts_of(PipelineData bytes);

/// Whether the driver's data are for this device and driver.
bool is_of(const Device& device, PipelineData data);

/// What the driver has of all pipelines that were made with the cache, which other threads may use meanwhile.
VkResult data_of(const Device& device, VkPipelineCache cache, std::vector<std::byte>& out);

} // namespace weir

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tl/expected.hpp>
#include <vulkan/vulkan_core.h>

namespace weir {

class DeviceHandle;

constexpr std::uintmax_t largest_pipeline_file = std::uintmax_t{1} << 30; ///< bytes

/// Header of the driver's data for one device. Its size and hash ensure that a truncated or changed file never reaches
/// the driver. A shipped file may contain several devices, one after another.
struct PipelineFileHeader {
    char magic[8] = {'W', 'E', 'I', 'R', 'P', 'I', 'P', '1'};
    std::uint64_t size = 0;
    std::uint64_t hash = 0;
};

/// The driver's data of a VkPipelineCache.
using PipelineData = std::span<const std::byte>;

PipelineFileHeader header_of(PipelineData data);

/// Returns the driver's data for each device in the contents of a file, or why the contents are invalid.
tl::expected<std::vector<PipelineData>, const char*> parts_of(PipelineData bytes);

/// Checks that the driver's data are for this device and driver.
bool is_of(const DeviceHandle& device, PipelineData data);

/// Reads the driver's data of all pipelines that were created with the cache. Other threads may use the cache at the
/// same time.
VkResult data_of(const DeviceHandle& device, VkPipelineCache cache, std::vector<std::byte>& out);

} // namespace weir

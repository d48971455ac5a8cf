#pragma once

#include <cstddef>
#include <cstdint>

#include <vulkan/vulkan_core.h>

namespace weir {

/// A buffer of descriptors (VK_EXT_descriptor_buffer). Each program with DescriptorMode::buffer takes a range of it.
struct DescriptorBuffer {
    /// VkDescriptorBufferBindingInfoEXT::address; 0: no buffer.
    VkDeviceAddress address = 0;
    /// VkDescriptorBufferBindingInfoEXT::usage. Must include the resource bit. Programs that bind samplers also need
    /// the sampler bit.
    VkBufferUsageFlags usage = 0;
    std::byte* mapped = nullptr; ///< host mapping of `address`, coherent with the device
    VkDeviceSize offset = 0;     ///< bytes from `address` to the range for programs
    VkDeviceSize size = 0;       ///< size in bytes of the range for programs
};

} // namespace weir

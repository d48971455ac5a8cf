#pragma once

#include <cstddef>
#include <cstdint>

#include <vulkan/vulkan_core.h>

namespace weir {

/// A buffer of descriptors (VK_EXT_descriptor_buffer) in which programs with DescriptorMode::buffer have parts.
struct DescriptorBuffer {
    /// VkDescriptorBufferBindingInfoEXT::address; 0: no buffer.
    VkDeviceAddress address = 0;
    /// VkDescriptorBufferBindingInfoEXT::usage: of resources; with that of samplers, for programs that bind some, too.
    VkBufferUsageFlags usage = 0;
    std::byte* mapped = nullptr; ///< the bytes at the address, coherent with the device
    VkDeviceSize offset = 0;     ///< bytes from the address to those where programs have their parts
    VkDeviceSize size = 0;       ///< bytes of these
};

} // namespace weir

#pragma once

#include <cstdint>

#include <vulkan/vulkan_core.h>

namespace weir {

/// What an image is. It has three dimensions if its depth is more than 1, else two.
struct ImageInfo {
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkExtent3D extent{1, 1, 1}; ///< texels
    std::uint32_t mips = 1;
    std::uint32_t layers = 1;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

/// An image and a view of it, as passes get it. Owns nothing.
struct ImageView {
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
};

} // namespace weir

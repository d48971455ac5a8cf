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
    friend bool operator==(const ImageInfo& a, const ImageInfo& b) {
        return a.format == b.format && a.extent.width == b.extent.width && a.extent.height == b.extent.height &&
               a.extent.depth == b.extent.depth && a.mips == b.mips && a.layers == b.layers && a.samples == b.samples;
    }
};

/// An image and a view of it, as passes get it. Owns nothing.
struct ImageView {
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
};

} // namespace weir

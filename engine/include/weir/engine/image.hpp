#pragma once

#include <cstdint>

#include <vulkan/vulkan_core.h>

namespace weir {

/// The format and size of an image. It has three dimensions if its depth is greater than 1, otherwise two.
struct ImageInfo {
    VkFormat format = VK_FORMAT_UNDEFINED;                 ///< format of the texels
    VkExtent3D extent{1, 1, 1};                            ///< texels
    std::uint32_t mips = 1;                                ///< number of mip levels
    std::uint32_t layers = 1;                              ///< number of array layers
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT; ///< samples per texel
    /// Whether all members are equal.
    friend bool operator==(const ImageInfo& a, const ImageInfo& b) {
        return a.format == b.format && a.extent.width == b.extent.width && a.extent.height == b.extent.height &&
               a.extent.depth == b.extent.depth && a.mips == b.mips && a.layers == b.layers && a.samples == b.samples;
    }
};

/// An image and a view of it, as passes use it. It owns nothing.
struct ImageView {
    VkImage image = VK_NULL_HANDLE;    ///< the image
    VkImageView view = VK_NULL_HANDLE; ///< the view
};

} // namespace weir

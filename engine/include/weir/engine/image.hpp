#pragma once

#include <cstdint>
#include <optional>

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

/// Some mips and layers of an image, and the type of a view of them: see Graph::part.
struct ImagePart {
    std::uint32_t mip = 0;                            ///< the first mip level
    std::uint32_t mips = VK_REMAINING_MIP_LEVELS;     ///< number of mip levels; by default all that follow
    std::uint32_t layer = 0;                          ///< the first array layer
    std::uint32_t layers = VK_REMAINING_ARRAY_LAYERS; ///< number of array layers; by default all that follow
    /// The type of the view: 2D of one layer, an array of several, or 3D, unless it is told here. An array may have one
    /// layer; a cube has six, which are square.
    std::optional<VkImageViewType> view = {};
    /// Whether both are the same.
    friend bool operator==(const ImagePart&, const ImagePart&) = default;
};

/// An image and a view of it, as passes use it. It owns nothing.
struct ImageView {
    VkImage image = VK_NULL_HANDLE;    ///< the image
    VkImageView view = VK_NULL_HANDLE; ///< the view
};

} // namespace weir

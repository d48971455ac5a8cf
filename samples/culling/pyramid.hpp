#pragma once

#include <cstdint>

#include <weir/weir.hpp>

namespace samples::culling {

/// The image of a depth pyramid: mip l has a texel for each square of 2^(l + 1) pixels, in the corner of what may be a
/// larger mip, as the sizes of mips are rounded down and those of levels up.
weir::ImageInfo pyramid_image(std::uint32_t width, std::uint32_t height);

/// Adds a depth pyramid: each texel is the farthest depth of the pixels that it covers.
weir::ImageId add_pyramid(const weir::GraphCall& graph, weir::ImageId depth, std::uint32_t width, std::uint32_t height);

} // namespace samples::culling

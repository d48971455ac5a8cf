#pragma once

#include <weir/weir.hpp>

namespace samples::culling {

/// Adds a depth pyramid: each texel is the farthest depth of the pixels that it covers. Levels as `pyramid_levels_of`
/// says, one after the other.
weir::BufferRef<float> add_pyramid(const weir::GraphCall& graph, weir::ImageId depth, std::uint32_t width,
                                   std::uint32_t height);

} // namespace samples::culling

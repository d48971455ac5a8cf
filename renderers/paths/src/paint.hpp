#pragma once

#include <array>

#include <weir/paths/scene.hpp>

// Colours of paints, layers and masks: as shaders/paint.glsl, blend.glsl and layers.glsl have them.

namespace weir::paths {

/// Premultiplied red, green, blue and alpha.
using Pixel = std::array<float, 4>;

/// The colour of a paint. `transform`: of the draw, to pixels.
Pixel color_at(const Scene& scene, std::uint32_t paint, const Transform& transform, Point pixel);

/// `source` over `backdrop`.
Pixel composited(Blend blend, const Pixel& backdrop, const Pixel& source);

} // namespace weir::paths

#pragma once

#include <array>

#include <weir/paths/scene.hpp>

// Colors of paints, layers and masks. See shaders/paint.glsl, sampling.glsl, blend.glsl and layers.glsl.

namespace weir::paths {

/// Red, green, blue and alpha, premultiplied.
using Pixel = std::array<float, 4>;

/// Returns the color of a paint at a pixel. `transform`: of the draw, to pixels.
Pixel color_at(const Scene& scene, std::uint32_t paint, const Transform& transform, Point pixel);

/// Returns the color of an image paint at a position in the image. `m`: of the draw, to pixels.
Pixel image_color(const Scene& scene, const PaintRecord& paint, const Transform& m, Point p);

/// Returns the coverage of a rectangle from -size to size with corners of radius r, blurred. Lengths are in deviations.
float blurred_rect(Point at, Point size, float r);

/// Composites `source` with `backdrop`, as far as it is visible. `operation`: LayerRecord::blend.
Pixel composited(std::uint32_t operation, const Pixel& backdrop, Pixel source, float visibility);

} // namespace weir::paths

#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>

#include "paint.hpp"

// Effects of layers on the CPU. See shaders/effects.glsl and effect_*.comp.

namespace weir::paths {

inline float linear_of(float srgb) {
    return srgb > 0.04045F ? std::pow((srgb + 0.055F) / 1.055F, 2.4F) : srgb / 12.92F;
}
inline float srgb_of(float linear) {
    return linear > 0.0031308F ? 1.055F * std::pow(linear, 1 / 2.4F) - 0.055F : linear * 12.92F;
}

/// Pixels of a rectangle. Empty if left >= right or top >= bottom.
struct PixelBounds {
    std::int32_t left = 0, top = 0, right = 0, bottom = 0;
};

/// A premultiplied color with 16 bits per component.
using Texel = std::array<std::uint16_t, 4>;

/// A picture of an effect.
struct EffectPicture {
    PixelBounds bounds; ///< edges of tiles
    std::vector<Texel> texels;

    /// Returns the index of a pixel in `bounds`.
    [[nodiscard]] std::size_t index(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(y - bounds.top) * static_cast<std::size_t>(bounds.right - bounds.left) +
               static_cast<std::size_t>(x - bounds.left);
    }
    /// Returns the color of a pixel; outside, it is transparent.
    [[nodiscard]] Texel at(std::int32_t x, std::int32_t y) const {
        const bool is_inside = x >= bounds.left && x < bounds.right && y >= bounds.top && y < bounds.bottom;
        return is_inside ? texels[index(x, y)] : Texel{};
    }
    [[nodiscard]] Pixel color(std::int32_t x, std::int32_t y) const;
};

/// Rounds a color to 16 bits.
Texel texel_of(const Pixel& color);

/// An operation in pixels.
struct PlacedOp {
    PixelBounds bounds; ///< pixels that are not transparent
    float x = 0, y = 0; ///< deviations, distance or radii, in pixels
    PixelBounds from;   ///< pixels that are repeated
};

/// Returns the pixels of the effect's pictures: those of its region, rounded to tiles.
PixelBounds placed(const View& view, const EffectRecord& effect);
PlacedOp placed(const View& view, const EffectRecord& effect, const EffectOpRecord& op);

/// An operation that computes each pixel alone, on the CPU.
struct PixelOp {
    std::span<const float> values; ///< its values and all later ones
    std::uint32_t mode = 0;
    Transform to_pixels;     ///< from the space of the effect; if has_transform
    PixelBounds from;        ///< PlacedOp::from
    std::int32_t across = 1; ///< SampleView::across: distance of the pixels next to one another
};

/// Returns the reflected light at a pixel of `surface`.
Pixel lit(const PixelOp& op, const EffectPicture& surface, std::int32_t x, std::int32_t y);

/// Returns the permutation and the gradients of Perlin noise.
std::vector<float> turbulence_tables(std::int32_t seed);
/// Returns the noise at a pixel. It is not premultiplied.
Pixel turbulence(const PixelOp& op, std::int32_t x, std::int32_t y);

/// Returns a color as integers. It is not premultiplied.
std::array<std::uint32_t, 4> components(const Texel& color);
Pixel displaced(const PixelOp& op, const EffectPicture& from, const Texel& map, std::int32_t x, std::int32_t y);
Pixel convolved(const PixelOp& op, const EffectPicture& from, std::int32_t x, std::int32_t y);

/// Returns the maximum number of nested effects.
std::uint32_t depth_of(std::span<const EffectRecord> effects);

/// Draws a layer with an effect, in `bounds`. `results`: of earlier effects.
using DrawLayer =
    std::function<void(const EffectRecord& effect, const std::vector<EffectPicture>& results, EffectPicture& picture)>;

/// Returns the results of all effects.
std::vector<EffectPicture> cpu_effects(const Scene& scene, const SampleView& view, const DrawLayer& draw);

} // namespace weir::paths

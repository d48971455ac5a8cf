#pragma once

#include <algorithm>
#include <cstdint>

#include <weir/paths/geometry.hpp>
#include <weir/paths/scene.hpp>

namespace weir::paths {

/// Pixels from `left` to `right` - 1 and from `top` to `bottom` - 1.
struct PixelRect {
    std::uint32_t left = 0, top = 0, right = 0, bottom = 0;

    [[nodiscard]] bool empty() const { return left >= right || top >= bottom; } ///< true if it has no pixels
    /// Returns the pixels of both.
    [[nodiscard]] PixelRect intersected(const PixelRect& other) const {
        return {std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
                std::min(bottom, other.bottom)};
    }
    /// Returns the smallest rectangle with the pixels of both.
    [[nodiscard]] PixelRect united(const PixelRect& other) const {
        if (empty() || other.empty()) {
            return empty() ? other : *this;
        }
        return {std::min(left, other.left), std::min(top, other.top), std::max(right, other.right),
                std::max(bottom, other.bottom)};
    }
    friend bool operator==(const PixelRect&, const PixelRect&) = default;
};

/// Coverage of a pixel by the edges of draws and clips.
enum class Coverage : std::uint8_t {
    /// Part of the pixel's area, for each draw alone. At an edge that two draws share, the background remains visible.
    area,
    samples_4,  ///< 4 samples per pixel. Each is drawn separately, and the pixel is their mean
    samples_16, ///< 16 samples per pixel
};

/// Parameters of a picture of a scene.
struct View {
    Transform transform = {};        ///< from the scene to pixels
    std::uint32_t width = 1,         ///< pixels, 1 to `max_pixels` / `samples_across(coverage)`
        height = 1;                  ///< pixels, 1 to `max_pixels` / `samples_across(coverage)`
    float tolerance = 0.1F;          ///< maximum distance of a curve from its lines, in pixels
    Color background = {0, 0, 0, 0}; ///< behind everything
    /// Pixels that are drawn; others keep their color. Lines that do not matter for them are left out.
    /// Effects of layers need all lines: CPU stages and FrameRenderer then draw all pixels. In your own graph, leave it
    /// out for a scene with effects.
    PixelRect scissor = {0, 0, ~0U, ~0U};
    /// Pixels around the picture that effects of layers see, a multiple of 16. A compiled graph depends on it, as on
    /// the size. See `effect_margin`.
    std::uint32_t margin = 0;
    /// Coverage by edges. A compiled graph depends on it, as on the size. With samples, Antialias::none has no effect.
    Coverage coverage = Coverage::area;

    /// Returns the view with its margin as part of the picture.
    [[nodiscard]] View with_margin() const {
        View all = *this;
        if (margin != 0) {
            const auto reach = static_cast<float>(margin);
            all.transform = Transform::translation(reach, reach) * transform;
            all.width += 2 * margin;
            all.height += 2 * margin;
            const PixelRect seen = visible();
            all.scissor = {seen.left + margin, seen.top + margin, seen.right + margin, seen.bottom + margin};
            all.margin = 0;
        }
        return all;
    }

    /// Returns the pixels of the scissor in the picture.
    [[nodiscard]] PixelRect visible() const { return scissor.intersected({0, 0, width, height}); }

    /// Returns the number of columns of tiles.
    [[nodiscard]] std::uint32_t columns() const { return (width + tile_width - 1) / tile_width; }
    /// Returns the number of rows of tiles.
    [[nodiscard]] std::uint32_t rows() const { return (height + tile_height - 1) / tile_height; }
};

/// Maximum width and height, in pixels or samples.
inline constexpr std::uint32_t max_pixels = 16384;

/// Returns the number of samples of a pixel along each axis; 1 without samples.
constexpr std::uint32_t samples_across(Coverage coverage) {
    return coverage == Coverage::samples_16 ? 4 : coverage == Coverage::samples_4 ? 2 : 1;
}

/// A view in the units of the stages: its pixels are samples, and the margin is part of the picture.
struct SampleView : View {
    std::uint32_t across = 1; ///< samples of a pixel along each axis
};

/// Returns the samples of a view. Its pixels are its samples with Coverage::area.
inline SampleView samples_of(const View& view) {
    SampleView samples{view.with_margin(), samples_across(view.coverage)};
    if (const std::uint32_t n = samples.across; n != 1) {
        const auto scale = static_cast<float>(n);
        const PixelRect seen = samples.visible();
        samples.transform = Transform::scaling(scale, scale) * samples.transform;
        samples.width *= n;
        samples.height *= n;
        samples.tolerance *= scale;
        samples.scissor = {seen.left * n, seen.top * n, seen.right * n, seen.bottom * n};
    }
    return samples;
}
SampleView samples_of(const SampleView& view) = delete; // it would have samples of samples

/// Number of elements of each stage.
struct Sizes {
    std::uint32_t centers = 0; ///< lines of paths, before strokes are outlined
    std::uint32_t lines = 0;   ///< lines of flattened curves
    std::uint32_t cuts = 0;    ///< parts of lines in tiles
    std::uint32_t strips = 0;  ///< pairs of a tile and a draw with cuts in it; not a capacity
    std::uint32_t effects = 0; ///< tiles of the pictures of effects
    /// Cuts in the row of tiles that has most. As a capacity, a small number lets a workgroup sort each row, which is
    /// faster. 0: any number.
    std::uint32_t row_cuts = 0;
    friend bool operator==(const Sizes&, const Sizes&) = default;
};

} // namespace weir::paths

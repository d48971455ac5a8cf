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

/// Parameters of a picture of a scene.
struct View {
    Transform transform = {};        ///< from the scene to pixels
    std::uint32_t width = 1,         ///< pixels, 1 to `max_pixels`
        height = 1;                  ///< pixels, 1 to `max_pixels`
    float tolerance = 0.1F;          ///< maximum distance of a curve from its lines, in pixels
    Color background = {0, 0, 0, 0}; ///< behind everything
    /// Pixels that are drawn; others keep their color. Lines that do not matter for them are left out.
    /// Effects of layers need all lines: CPU stages and FrameRenderer then draw all pixels. In your own graph, leave it
    /// out for a scene with effects.
    PixelRect scissor = {0, 0, ~0U, ~0U};
    /// Pixels around the picture that effects of layers see, a multiple of 16. A compiled graph depends on it, as on
    /// the size. See `effect_margin`.
    std::uint32_t margin = 0;

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

/// Maximum width and height.
inline constexpr std::uint32_t max_pixels = 16384;

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

#pragma once

#include <cstdint>

#include <weir/paths/geometry.hpp>
#include <weir/paths/scene.hpp>

namespace weir::paths {

/// Parameters of a picture of a scene.
struct View {
    Transform transform = {};        ///< from the scene to pixels
    std::uint32_t width = 1,         ///< pixels, 1 to `max_pixels`
        height = 1;                  ///< pixels, 1 to `max_pixels`
    float tolerance = 0.1F;          ///< maximum distance of a curve from its lines, in pixels
    Color background = {0, 0, 0, 0}; ///< behind everything

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
    std::uint32_t strips = 0;  ///< pairs of a tile and a draw with cuts in it
    std::uint32_t effects = 0; ///< tiles of the pictures of effects
    friend bool operator==(const Sizes&, const Sizes&) = default;
};

} // namespace weir::paths

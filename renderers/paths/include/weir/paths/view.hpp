#pragma once

#include <cstdint>

#include <weir/paths/geometry.hpp>
#include <weir/paths/scene.hpp>

namespace weir::paths {

/// How a scene is drawn.
struct View {
    Transform transform = {};        ///< from the scene to pixels
    std::uint32_t width = 1,         ///< pixels, at most `most_pixels`
        height = 1;                  ///< likewise
    float tolerance = 0.1F;          ///< greatest distance of a curve from its lines, in pixels
    Color background = {0, 0, 0, 0}; ///< behind everything

    /// Columns of tiles.
    [[nodiscard]] std::uint32_t columns() const { return (width + tile_width - 1) / tile_width; }
    /// Rows of tiles.
    [[nodiscard]] std::uint32_t rows() const { return (height + tile_height - 1) / tile_height; }
};

/// Greatest width and height.
inline constexpr std::uint32_t most_pixels = 16384;

/// Elements of each stage.
struct Sizes {
    std::uint32_t centers = 0; ///< lines of paths, before strokes have outlines
    std::uint32_t lines = 0;   ///< into which curves are flattened
    std::uint32_t cuts = 0;    ///< parts of lines in tiles
    std::uint32_t strips = 0;  ///< tiles that have cuts of one draw
    friend bool operator==(const Sizes&, const Sizes&) = default;
};

} // namespace weir::paths

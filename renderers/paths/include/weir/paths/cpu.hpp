#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>

// The stages on the CPU, in one thread. For tests, for pictures without a GPU, and for static scenes, whose strips may
// be computed once and drawn by the GPU. All integers are equal to those of the GPU.

namespace weir::paths {

/// Results of `add_strips`, including intermediate ones.
struct CpuStrips {
    std::uint32_t centers = 0;             ///< number of lines of paths, before strokes are outlined
    std::vector<LineRecord> lines;         ///< lines of all draws, in order
    std::vector<std::uint32_t> line_draws; ///< draw index of each line
    std::vector<std::uint64_t> keys;       ///< keys of cuts: (row * draws + draw) * (columns + 2) + column + 1
    std::vector<CutRecord> cuts;           ///< sorted by key
    std::vector<StripRecord> strips;       ///< all strips, and one more that holds the end of the last one's cuts
    std::vector<SpanRecord> spans;         ///< one per strip
    std::vector<RowRecord> rows;           ///< one per row of tiles
};

/// Computes the strips of a scene.
CpuStrips cpu_strips(const Scene& scene, const View& view);

/// Returns the number of tiles of the pictures of all effects: the exact Sizes::effects.
std::uint32_t effect_tiles(const Scene& scene, const View& view);

/// Draws the picture. Returns red, green, blue and alpha of the pixels, row by row, premultiplied.
std::vector<std::array<float, 4>> cpu_fine(const Scene& scene, const View& view, const CpuStrips& strips);

} // namespace weir::paths

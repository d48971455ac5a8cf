#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>

// The stages on the CPU, in one thread: for tests, for pictures without a GPU, and for scenes that do not change, whose
// strips may be made once and drawn by the GPU. All integers are those of the GPU.

namespace weir::paths {

/// What `add_strips` makes, and what is made on the way.
struct CpuStrips {
    std::uint32_t centers = 0;             ///< lines of paths, before strokes have outlines
    std::vector<LineRecord> lines;         ///< of all draws, in order
    std::vector<std::uint32_t> line_draws; ///< the draw of each line
    std::vector<std::uint64_t> keys;       ///< of cuts: (row * draws + draw) * (columns + 2) + column + 1
    std::vector<CutRecord> cuts;           ///< sorted by key
    std::vector<StripRecord> strips;       ///< and one more, with the end of the last one's cuts
    std::vector<RowRecord> rows;           ///< of all rows of tiles
};

/// The strips of a scene.
CpuStrips cpu_strips(const Scene& scene, const View& view);

/// The picture: rows of red, green, blue and alpha, premultiplied.
std::vector<std::array<float, 4>> cpu_fine(const Scene& scene, const View& view, const CpuStrips& strips);

} // namespace weir::paths

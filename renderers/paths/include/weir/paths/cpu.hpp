#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>

// The stages on the CPU. For tests, for pictures without a GPU, and for static scenes, whose strips may be computed
// once and drawn by the GPU. All integers are equal to those of the GPU.

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

/// Options of the stages on the CPU. Results do not depend on them.
struct CpuOptions {
    std::uint32_t threads = 0; ///< maximum number of threads; 0: one per core. Small pictures use fewer
};

/// Computes the strips of a scene.
CpuStrips cpu_strips(const Scene& scene, const View& view, const CpuOptions& options = {});

/// Returns the number of tiles of the pictures of all effects: the exact Sizes::effects.
std::uint32_t effect_tiles(std::span<const EffectRecord> effects, const View& view);

/// Returns the View::margin with which the effects of a scene see all content that reaches the picture: at most 1024, 0
/// without effects. A power of two, so that it seldom changes when the view does.
std::uint32_t effect_margin(const Scene& scene, const View& view);

/// Draws the picture. Pixels outside of View::scissor are not valid. External images have the pixels of
/// Scene::set_external_pixels. Returns red, green, blue and alpha of the pixels, row by row, premultiplied.
std::vector<std::array<float, 4>> cpu_fine(const Scene& scene, const View& view, const CpuStrips& strips,
                                           const CpuOptions& options = {});

/// Draws the picture, as `cpu_fine` does. Returns its pixels as `Renderer::download` does: row by row, premultiplied,
/// red in the lowest byte.
std::vector<std::uint32_t> cpu_pixels(const Scene& scene, const View& view, const CpuStrips& strips,
                                      const CpuOptions& options = {});

} // namespace weir::paths

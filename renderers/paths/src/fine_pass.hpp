#pragma once

#include <cstdint>
#include <optional>

#include <weir/paths/strips.hpp>

// The pass `fine`, which draws a picture or layers with effects.

namespace weir::paths {

/// Workgroup shape of `fine`: `tiles` adjacent tiles, each with `columns` x `rows` invocations. Each invocation draws a
/// rectangle of pixels. A subgroup looks up the items of a tile, so it should contain all of the tile's invocations.
struct FineShape {
    std::uint32_t columns = tile_width, rows = 1, tiles = 1, least_subgroup = 4;
    bool is_lockstep = true; ///< lanes of a subgroup need no barriers
};

FineShape fine_shape(const Capabilities& device);

/// Returns true if layers have effects. A buffer with capacity for effects may be empty.
inline bool has_effects_in(const SceneBuffers& scene) {
    return !scene.passes.empty();
}

/// Returns true if paints have images.
inline bool has_images_in(const SceneBuffers& scene) {
    return scene.texels.valid() || !scene.images.empty();
}

/// Output of `fine`, and the pictures of effects.
struct FineTarget {
    Binding picture;                               ///< the picture; not accessed when layers are drawn
    Binding pictures = {};                         ///< if the scene has effects
    std::optional<std::uint32_t> effect_pass = {}; ///< draws the layers of this pass of effects
    Target format = Target::rgba8;                 ///< format of the picture
};

void add_fine_pass(const GraphCall& graph, const SceneBuffers& scene, const StripBuffers& strips, const View& view,
                   HostData data, const FineTarget& target);

/// Sets the dispatch of a pass of effects, and appends its push constants.
void add_operations(Pass& pass, const SceneBuffers& scene, const EffectBuffers& effects, std::uint32_t index);

/// Adds the passes of all effects. Returns their pictures, or null after an error of the graph.
BufferId add_effects(const GraphCall& graph, const SceneBuffers& scene, const StripBuffers& strips, const View& view,
                     HostData data);

} // namespace weir::paths

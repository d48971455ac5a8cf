#pragma once

#include <cstdint>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>

namespace weir::paths {

/// Returns pixels outside of which a draw covers nothing; empty if it is hidden or outside of the picture. Control
/// points of curves, and miters up to their limit, count as covered. Clips, masks and effects do not matter.
PixelRect bounds_of(const Scene& scene, const View& view, std::uint32_t draw);

/// Returns pixels outside of which the pictures of two scenes are equal: those of draws with different transforms,
/// paints, outlines and strokes in both scenes, and of draws that one scene lacks. If layers differ or a scene has
/// effects, returns the whole picture. Compares draws of the same index: for a scene that was edited since `before` was
/// copied from it. Reads all records of both scenes.
PixelRect changed_bounds(const Scene& before, const Scene& after, const View& view);

} // namespace weir::paths

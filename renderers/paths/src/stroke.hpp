#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parts.hpp"

// The outline of a stroke. Computes the same bits as shaders/stroke.glsl, which explains it.

namespace weir::paths {

/// A join between lines in two directions.
struct JoinShape {
    Point corner, from, to;
    bool is_round = false;
    std::uint32_t outer = 1, inner = 1;
};

/// A line of the stroked path.
struct Center {
    Point a, b, direction;
    bool has_start_cap = false, has_end_cap = false, has_join = false;
    JoinShape join;
    float radius = 0; ///< of arcs, in pixels; 0 left of the picture, negative if nothing is visible
};

/// Returns line `rank` of an instance. `parts`: of all instances.
Center center_of(const Scene& scene, const SampleView& view, const DrawRecord& draw, std::span<const Parts> parts,
                 std::uint32_t instance, std::uint32_t rank);
/// Returns a stroke whose pattern is drawn in a larger size if the picture does not show it. `m`: of the draw, to
/// pixels of the picture.
StrokeRecord with_visible_dashes(const StrokeRecord& stroke, const DrawRecord& draw, const Transform& m);

/// A length along a dashed path.
struct DashLength {
    std::uint32_t patterns = 0, units = 0; ///< whole patterns, and 1 / 2^16 of a pattern
};
/// Returns the length of a line.
DashLength length_of(const StrokeRecord& stroke, const Center& center);

/// Position of a line in its subpath, for dashes.
struct DashedLine {
    std::uint32_t start = 0; ///< length before it, in units, modulo 2^32
    bool is_first = false, is_last = false;
};

struct OutlineLine {
    Point a, b;
};
/// Adds the lines of the outline. `m`: of the draw, to pixels. `dashed`: null if the stroke is not dashed.
void add_outline(const Scene& scene, const View& view, const StrokeRecord& stroke, const Transform& m,
                 const Center& center, const DashedLine* dashed, std::vector<OutlineLine>& lines);

} // namespace weir::paths

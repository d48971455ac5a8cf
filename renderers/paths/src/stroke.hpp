#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parts.hpp"

// The outline of a stroke: the same bits as shaders/stroke.glsl, which says what is what.

namespace weir::paths {

/// A join of lines in two directions.
struct JoinShape {
    Point corner, from, to;
    bool is_round = false;
    std::uint32_t outer = 1, inner = 1;
};

/// A line of the path that is stroked.
struct Center {
    Point a, b, direction;
    bool has_start_cap = false, has_end_cap = false, has_join = false;
    JoinShape join;
    float radius = 0; ///< of arcs, in pixels; 0 left of the picture, less where nothing is seen
};

/// Line `rank` of an instance. `parts`: of all instances.
Center center_of(const Scene& scene, const View& view, const DrawRecord& draw, std::span<const Parts> parts,
                 std::uint32_t instance, std::uint32_t rank);
/// The length of a line in units of the pattern of dashes.
std::uint32_t size_of(const StrokeRecord& stroke, const Center& center);

/// Where a line is in its subpath, for dashes.
struct DashedLine {
    std::uint32_t start = 0, size = 0; ///< in units
    bool is_first = false, is_last = false;
};

struct OutlineLine {
    Point a, b;
};
/// The lines of the outline; `dashed` if the stroke is.
void add_outline(const Scene& scene, const View& view, const StrokeRecord& stroke, const Center& center,
                 const DashedLine* dashed, std::vector<OutlineLine>& lines);

} // namespace weir::paths

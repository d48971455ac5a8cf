#pragma once

#include <cstdint>
#include <span>

#include "flatten.hpp"

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
};

/// `counts`: lines of each instance. `radius`: in pixels.
Center center_of(const Scene& scene, const View& view, const DrawRecord& draw, std::span<const std::uint32_t> counts,
                 std::uint32_t instance, std::uint32_t k, float radius);
std::uint32_t outline_lines(const View& view, const StrokeRecord& stroke, const Center& center, float radius);

struct OutlineLine {
    Point a, b;
};
OutlineLine outline_line(const View& view, const StrokeRecord& stroke, const Center& center, std::uint32_t part,
                         float radius);

} // namespace weir::paths

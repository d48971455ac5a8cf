#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/paths/renderer.hpp>

#include "harness/timer.hpp"
#include "paths/drawings.hpp"

namespace weir::bench {

/// One measured time of a drawing.
struct PathTime {
    std::string what; ///< GPU: "graph" (total) or the name of a stage; host: "cpu strips", "update", "frame"
    Times times;
};

/// All measurements of a drawing.
struct PathRow {
    std::string name;
    std::uint32_t width = 0, height = 0;
    std::size_t draws = 0;
    paths::Sizes sizes;
    std::uint64_t memory = 0;  ///< bytes of the program: transients, the picture and its copy
    double bytes_per_line = 0; ///< `memory` without the picture and its copy, per line
    std::vector<PathTime> times;
};

/// Measures a drawing on the GPU, in total and by stage, and its strips on one core of the host. Errors: those of a
/// renderer; `vulkan` if lines, cuts or strips of GPU and host differ.
Result<PathRow> time_drawing(const Context& gpu, Timer& timer, const Drawing& drawing);

/// Adds host times of frames in which all rectangles move: "update" alone, and "frame" with the draw.
Result<> time_frames(const Context& gpu, const TimerOptions& options, MovingRectangles& rectangles, PathRow& row);

} // namespace weir::bench

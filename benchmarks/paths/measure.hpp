#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/paths/renderer.hpp>

#include "harness/timer.hpp"
#include "paths/drawings.hpp"

namespace weir::bench {

/// A time of a drawing.
struct PathTime {
    std::string what; ///< "graph": all of it on the GPU; a stage; or "cpu strips", "update", "frame" on the host
    Times times;
};

/// All that was measured of a drawing.
struct PathRow {
    std::string name;
    std::uint32_t width = 0, height = 0;
    std::size_t draws = 0;
    paths::Sizes sizes;
    std::uint64_t memory = 0;  ///< bytes of the program: transients, the picture and its copy
    double bytes_per_line = 0; ///< of what it takes beside the picture and its copy
    std::vector<PathTime> times;
};

/// Times a drawing on the GPU, as a whole and by stage, and its strips on one core of the host. Errors: those of a
/// renderer; `vulkan` where the GPU has other lines, cuts or strips than the host.
Result<PathRow> time_drawing(const Context& gpu, Timer& timer, const Drawing& drawing);

/// Adds the times on the host of frames in which all rectangles move: of "update" alone, and with draw as "frame".
Result<> time_frames(const Context& gpu, const TimerOptions& options, MovingRectangles& rectangles, PathRow& row);

} // namespace weir::bench

#pragma once

#include <cstdint>
#include <string>

#include "common/options.hpp"
#include "culling/camera.hpp"

namespace samples::culling {

struct Options : DeviceOptions, PlanOptions {
    std::string output;          ///< PNG of the last frame; empty: not written
    std::uint32_t instances = 0; ///< valid if `has_instances`; otherwise chosen by device
    bool has_instances = false;
    std::uint32_t width = 0, height = 0; ///< pixels; 0: chosen by device
    std::uint32_t first_frame = 0;       ///< first frame of the path
    std::uint32_t frames = 0;            ///< 0: chosen by device; for a window: until it is closed
    Switches switches;
    bool compare = true; ///< draw all frames a second time without culling
    bool json = false;
    bool window = false; ///< show the flight in a window
    bool still = false;  ///< the window starts paused at the first frame
};

CommandLine<Options> parse_command_line(int argc, char** argv);

/// Returns the number of instances: the one in the options, or the default for the device.
std::uint32_t instances_of(const Options& options, bool is_cpu);

} // namespace samples::culling

#pragma once

#include <cstdint>
#include <string>

#include "common/options.hpp"
#include "culling/camera.hpp"

namespace samples::culling {

struct Options : DeviceOptions, PlanOptions {
    std::string output;          ///< PNG of the last frame; empty: none
    std::uint32_t instances = 0; ///< where `has_instances`; else as many as suit the device
    bool has_instances = false;
    std::uint32_t width = 0, height = 0; ///< pixels; 0: as suits the device
    std::uint32_t first_frame = 0;       ///< of the path
    std::uint32_t frames = 0;            ///< 0: as many as suit the device; of a window, until it is closed
    Switches switches;
    bool compare = true; ///< whether all frames are drawn a second time, without culling
    bool json = false;
    bool window = false; ///< shows the flight in one
    bool still = false;  ///< the camera of the window stays at the first frame at first
};

CommandLine<Options> parse_command_line(int argc, char** argv);

/// Instances of the scene: those of the options, or as many as suit the device.
std::uint32_t instances_of(const Options& options, bool is_cpu);

} // namespace samples::culling

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
    std::uint32_t frames = 0;            ///< 0: as many as suit the device
    Switches switches;
    bool compare = true; ///< whether all frames are drawn a second time, without culling
    bool json = false;
};

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples::culling

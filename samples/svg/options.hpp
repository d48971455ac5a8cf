#pragma once

#include <optional>
#include <string>

#include <weir/paths/scene.hpp>

#include "common/options.hpp"

namespace samples {

struct Options : DeviceOptions, PlanOptions {
    std::string input;
    std::string output;                        ///< PNG; empty: none
    float scale = 1;                           ///< pixels of the picture for one of the document
    std::uint32_t width = 0, height = 0;       ///< pixels; 0: as the document and the scale say
    std::optional<weir::paths::Rect> viewport; ///< part of the document, in its pixels
    weir::paths::Color background{0, 0, 0, 0};
    float tolerance = 0.1F;
    std::uint32_t repeat = 0; ///< timed runs; 0: as many as suit the device
    bool cpu = false;
    bool json = false;
    bool window = false;
    std::uint32_t frames = 0;    ///< of the window, which is closed then; 0: until somebody closes it
    bool srgb_swapchain = false; ///< the swapchain of the window is sRGB if available
};

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples

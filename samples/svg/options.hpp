#pragma once

#include <optional>
#include <string>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>

#include "common/options.hpp"

namespace samples {

struct Options : DeviceOptions, PlanOptions {
    std::string input;
    std::string output;                        ///< PNG; empty: not written
    float scale = 1;                           ///< output pixels per pixel of the document
    std::uint32_t width = 0, height = 0;       ///< pixels; 0: size of the document times scale
    std::optional<weir::paths::Rect> viewport; ///< part of the document, in its pixels; empty: all
    weir::paths::Color background{0, 0, 0, 0};
    float tolerance = 0.1F;
    weir::paths::Coverage coverage = weir::paths::Coverage::area;
    std::uint32_t repeat = 0; ///< timed runs; 0: chosen by device
    bool cpu = false;
    std::uint32_t threads = 0; ///< maximum number of threads with `cpu`; 0: one per core
    bool json = false;
    bool window = false;
    std::uint32_t frames = 0;    ///< frames after which the window closes; 0: it stays open
    bool srgb_swapchain = false; ///< use an sRGB swapchain for the window if available
};

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples

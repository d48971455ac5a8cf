#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <weir/splats/cloud.hpp>

#include "common/options.hpp"

namespace samples::splats {

using namespace weir::splats;

struct Options : DeviceOptions, PlanOptions {
    std::vector<std::string> inputs;     ///< files of splats; empty: a generated cloud
    std::string output;                  ///< PNG, .ply or .spz, maybe with a place for a number; empty: not written
    std::uint64_t count = 0;             ///< number of generated splats; 0: chosen by device
    std::uint64_t seed = 1;              ///< seed of the generated cloud
    std::optional<std::uint32_t> degree; ///< maximum degree of the harmonics; empty: all, or 1 in a generated cloud
    std::uint32_t width = 0, height = 0; ///< pixels; 0: chosen by device
    std::uint32_t frames = 0;            ///< 0: one picture, or a window that stays open
    std::optional<Vec3> eye, target;     ///< of the camera; empty: see Path
    std::optional<Vec3> up;              ///< empty: chosen by the kind of file
    std::string camera;                  ///< camera path; empty: see Path
    std::optional<double> at;            ///< time on the camera path, seconds; empty: all of it
    Vec3 background{};                   ///< color behind the splats, 0 to 1
    float near_plane = 0, far_plane = 0; ///< 0: derived from the cloud
    bool antialias = false;
    bool compact_harmonics = false; ///< see UploadOptions
    std::uint32_t repeat = 0;       ///< timed runs; 0: chosen by device
    std::uint32_t pairs = 0;        ///< initial capacity for pairs; 0: chosen by the number of splats
    std::uint32_t max_pairs = 0;    ///< maximum capacity for pairs; 0: chosen by the device
    bool morton = false;            ///< sort the splats along a Morton curve
    bool json = false;
    bool window = false;
};

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples::splats

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/options.hpp"
#include "splats/cloud.hpp"

namespace samples::splats {

struct Options : DeviceOptions, PlanOptions {
    std::string input;                   ///< .ply or .splat; empty: a cloud that is made up
    std::string output;                  ///< PNG; empty: none
    std::uint64_t count = 0;             ///< splats that are made up; 0: as many as suit the device
    std::uint64_t seed = 1;              ///< of the made-up cloud
    std::uint32_t degree = 1;            ///< of its spherical harmonics
    std::uint32_t width = 0, height = 0; ///< pixels; 0: as suits the device
    std::uint32_t frames = 0;            ///< 0: one picture, or a window that stays until somebody closes it
    std::optional<Vec3> eye, target;     ///< of the camera
    std::uint32_t repeat = 0;            ///< timed runs; 0: as many as suit the device
    std::uint32_t pairs = 0;             ///< room for so many at first; 0: a guess
    bool json = false;
    bool window = false;
};

CommandLine<Options> parse_command_line(int argc, char** argv);

/// The cloud that they name, or one that is made up. Errors: those of `read_cloud`.
weir::Result<Cloud> cloud_of(const Options& options, bool is_cpu);

} // namespace samples::splats

#pragma once

#include <span>
#include <string>
#include <vector>

#include <weir/weir.hpp>

namespace weir::paths {

/// The GPU times of a stage.
struct StageTimes {
    /// "measure", "flatten", "cut", "sort", "strips", "commands", "fine" or "pixels"; of passes behind all of these,
    /// "other".
    std::string name;
    std::vector<double> us; ///< microseconds in each of the profiles
};

/// Adds up the times of passes by what they belong to: profiles of one program of `add_strips`, `add_fine` and
/// `add_pixels`, as `Renderer::program` is. A pass without a stage of its own prepares one, such as a scan of counts:
/// it belongs to the next stage.
std::vector<StageTimes> stage_times(std::span<const Profile> profiles);

} // namespace weir::paths

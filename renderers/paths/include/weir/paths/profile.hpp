#pragma once

#include <span>
#include <string>
#include <vector>

#include <weir/weir.hpp>

namespace weir::paths {

/// GPU times of a stage.
struct StageTimes {
    /// "measure", "flatten", "cut", "sort", "strips", "commands", "effects", "fine" or "pixels"; "other" for passes
    /// after all of these.
    std::string name;
    std::vector<double> us; ///< microseconds, one value per profile
};

/// Sums the times of passes by stage. The profiles must be of one program with `add_strips`, `add_fine` and
/// `read_texels`, such as `Renderer::program`. A pass without a stage of its own, such as a scan of counts, belongs to
/// the next stage.
std::vector<StageTimes> stage_times(std::span<const Profile> profiles);

} // namespace weir::paths

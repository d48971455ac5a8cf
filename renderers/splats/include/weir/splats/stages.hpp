#pragma once

#include <span>
#include <string>
#include <vector>

#include <weir/weir.hpp>

namespace weir::splats {

/// GPU times of a stage, in microseconds, one per profile.
struct SplatStage {
    std::string name;
    std::vector<double> us;
};

/// Returns the name of the stage of each pass of a graph.
std::vector<std::string> stages_of_passes(const GraphDescription& graph);

/// Sums the times of the passes by stage, in execution order: "project", "depth order" (of the visible splats), "pairs"
/// (of a block and a splat), "tile order", "blend", "copy". All profiles must be of one program.
std::vector<SplatStage> splat_stages(std::span<const Profile> profiles);

} // namespace weir::splats

#pragma once

#include <span>
#include <string>
#include <vector>

#include <weir/weir.hpp>

namespace samples::splats {

/// The GPU times of a stage, in microseconds: one for each profile.
struct SplatStage {
    std::string name;
    std::vector<double> us;
};

/// Returns the name of the stage of each pass of a graph.
std::vector<std::string> stages_of_passes(const weir::GraphDescription& graph);

/// The times of the passes by stage, in the order in which they run: "project", "depth order" (of what is visible),
/// "pairs" (of a tile and a splat), "tile order", "blend", "copy". All profiles are of one program.
std::vector<SplatStage> splat_stages(std::span<const weir::Profile> profiles);

} // namespace samples::splats

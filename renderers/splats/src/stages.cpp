#include <weir/splats/stages.hpp>

#include <algorithm>
#include <string_view>

namespace weir::splats {

namespace {

/// A stage begins with the first pass whose name begins with `pass` after the start of the previous stage.
struct Beginning {
    std::string_view pass, stage;
};

constexpr Beginning beginnings[] = {
    {"project", "project"}, {"radix sort", "depth order"}, {"pairs", "pairs"}, {"radix sort", "tile order"},
    {"blend", "blend"},     {"read texels", "copy"},
};

/// Returns the stage of a pass that follows a pass of the stage `current`.
std::size_t stage_after(std::size_t current, const std::string& pass) {
    const bool begins = current + 1 < std::size(beginnings) && pass.starts_with(beginnings[current + 1].pass);
    return begins ? current + 1 : current;
}

} // namespace

std::vector<std::string> stages_of_passes(const GraphDescription& graph) {
    std::vector<std::string> stages;
    std::size_t current = 0;
    for (const auto& pass : graph.passes) {
        current = stage_after(current, pass.name);
        stages.emplace_back(beginnings[current].stage);
    }
    return stages;
}

std::vector<SplatStage> splat_stages(std::span<const Profile> profiles) {
    std::vector<SplatStage> stages;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        std::size_t current = 0;
        for (const PassTime& time : profiles[i].passes) {
            current = stage_after(current, profiles[i].graph->passes[time.pass].name);
            const std::string_view stage = beginnings[current].stage;
            auto found = std::find_if(stages.begin(), stages.end(), [&](const auto& s) { return s.name == stage; });
            if (found == stages.end()) {
                found = stages.insert(found, {std::string(stage), std::vector<double>(profiles.size())});
            }
            found->us[i] += time.end_us - time.begin_us;
        }
    }
    return stages;
}

} // namespace weir::splats

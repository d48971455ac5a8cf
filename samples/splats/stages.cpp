#include "splats/stages.hpp"

#include <algorithm>
#include <string_view>

namespace samples::splats {

namespace {

/// A stage begins with the pass of that name that comes after the beginning of the stage before it.
struct Beginning {
    std::string_view pass, stage;
};

constexpr Beginning beginnings[] = {
    {"project", "project"},       {"select", "depth order"}, {"pairs", "pairs"},
    {"radix sort", "tile order"}, {"blend", "blend"},        {"copy pixels", "copy"},
};

} // namespace

std::vector<SplatStage> splat_stages(std::span<const weir::Profile> profiles) {
    std::vector<SplatStage> stages;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        std::size_t current = 0;
        for (const weir::PassTime& time : profiles[i].passes) {
            const std::string& name = profiles[i].graph->passes[time.pass].name;
            if (current + 1 < std::size(beginnings) && name.starts_with(beginnings[current + 1].pass)) {
                ++current;
            }
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

} // namespace samples::splats

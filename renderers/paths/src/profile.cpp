#include <weir/paths/profile.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace weir::paths {

namespace {

/// Returns the stage of a pass, by the start of its name; empty if the pass prepares a later stage.
std::string_view stage_of(std::string_view pass) {
    constexpr std::pair<std::string_view, std::string_view> stages[] = {
        {"measure", "measure"}, {"flatten", "flatten"},    {"outline strokes", "flatten"}, {"cut", "cut"},
        {"radix sort", "sort"}, {"strips", "strips"},      {"copy image", "images"},       {"reduce image", "images"},
        {"fine", "fine"},       {"read texels", "pixels"},
    };
    for (const auto& [beginning, stage] : stages) {
        if (pass.starts_with(beginning)) {
            return stage;
        }
    }
    return {};
}

} // namespace

std::vector<StageTimes> stage_times(std::span<const Profile> profiles) {
    std::vector<StageTimes> times;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        const Profile& profile = profiles[i];
        std::vector<std::string_view> stages(profile.graph->passes.size());
        std::string_view next = "other";
        for (std::size_t pass = stages.size(); pass-- != 0;) {
            const std::string_view own = stage_of(profile.graph->passes[pass].name);
            next = own.empty() ? next : own;
            stages[pass] = next;
        }
        for (const PassTime& time : profile.passes) {
            const std::string_view stage = stages[time.pass];
            auto found = std::find_if(times.begin(), times.end(), [&](const StageTimes& t) { return t.name == stage; });
            if (found == times.end()) {
                found = times.insert(found, {std::string(stage), std::vector<double>(profiles.size())});
            }
            found->us[i] += time.end_us - time.begin_us;
        }
    }
    return times;
}

} // namespace weir::paths

#include "splats/stage_timer.hpp"

#include <cstddef>

#include <weir/splats/stages.hpp>

#include "common/timing.hpp"

namespace samples::splats {

namespace {

constexpr double refresh_ms = 250;       // shorter intervals are unreadable
constexpr std::size_t most_frames = 120; // shown as a curve

double ms_of(const weir::Profile& profile) {
    double us = 0;
    for (const weir::PassTime& time : profile.passes) {
        us += time.end_us - time.begin_us;
    }
    return us / 1000;
}

} // namespace

void StageTimer::add(const std::optional<FrameReport>& report) {
    ++frames_;
    if (report && report->times && seen_ != report->frame) {
        seen_ = report->frame;
        if (!profiles_.empty() && profiles_[0].graph != report->times->graph) {
            profiles_.clear(); // another size or another setting
        }
        profiles_.push_back(*report->times);
        std::vector<float>& curve = latest_.frames_gpu_ms;
        curve.push_back(static_cast<float>(ms_of(*report->times)));
        if (curve.size() > most_frames) {
            curve.erase(curve.begin());
        }
    }
    if (watch_.ms() >= refresh_ms) {
        publish();
        restart();
    }
}

void StageTimer::restart() {
    frames_ = 0;
    profiles_.clear();
    watch_ = {};
}

void StageTimer::publish() {
    latest_.frame_ms = watch_.ms() / frames_;
    if (profiles_.empty()) {
        return;
    }
    latest_.gpu_ms = 0;
    latest_.stages.clear();
    for (const SplatStage& stage : splat_stages(profiles_)) {
        const double ms = median(stage.us) / 1000;
        latest_.stages.emplace_back(stage.name, ms);
        latest_.gpu_ms += ms;
    }
}

} // namespace samples::splats

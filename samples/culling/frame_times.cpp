#include "culling/frame_times.hpp"

namespace samples::culling {

namespace {

constexpr double refresh_ms = 250; // shorter intervals are unreadable

} // namespace

void FrameTimer::add(const std::optional<FrameDone>& done, double cpu_ms) {
    ++frames_;
    cpu_ms_ += cpu_ms;
    if (done && done->times && seen_ != done->frame) {
        seen_ = done->frame;
        if (!profiles_.empty() && profiles_[0].graph != done->times->graph) {
            profiles_.clear(); // the window's size has changed
        }
        profiles_.push_back(*done->times);
    }
    if (watch_.ms() >= refresh_ms) {
        publish();
        restart();
    }
}

void FrameTimer::restart() {
    frames_ = 0;
    cpu_ms_ = 0;
    profiles_.clear();
    watch_ = {};
}

void FrameTimer::publish() {
    latest_ = {.frame_ms = watch_.ms() / frames_, .cpu_ms = cpu_ms_ / frames_};
    if (profiles_.empty()) {
        return;
    }
    const weir::GraphDescription& graph = *profiles_[0].graph;
    const std::vector<std::size_t> stages = stages_of_passes(graph);
    for (std::size_t i = 0; i < graph.passes.size(); ++i) {
        latest_.passes.push_back({.name = graph.passes[i].name, .stage = stages[i]});
    }
    for (const weir::Profile& profile : profiles_) {
        for (const weir::PassTime& time : profile.passes) {
            FrameTimes::Pass& pass = latest_.passes[time.pass];
            const double ms = (time.end_us - time.begin_us) / 1000 / static_cast<double>(profiles_.size());
            pass.ms += ms;
            latest_.stages_ms[pass.stage] += ms;
            latest_.gpu_ms += ms;
        }
    }
}

} // namespace samples::culling

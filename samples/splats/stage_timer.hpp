#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <weir/splats/frames.hpp>

#include "common/stopwatch.hpp"

namespace samples::splats {

/// Times of recent frames, in milliseconds.
struct RecentTimes {
    double frame_ms = 0;                                ///< mean time between frames
    double gpu_ms = 0;                                  ///< sum of `stages`
    std::vector<std::pair<std::string, double>> stages; ///< median GPU times
    std::vector<float> frames_gpu_ms;                   ///< GPU times of the latest frames, oldest first
};

/// Collects the times of frames and publishes them at intervals.
class StageTimer {
public:
    /// Adds the latest report; must be called after each recorded frame.
    void add(const std::optional<FrameReport>& report);
    /// Discards the frames since the times were published.
    void restart();
    [[nodiscard]] const RecentTimes& latest() const { return latest_; }

private:
    void publish();

    RecentTimes latest_;
    Stopwatch watch_;
    std::uint32_t frames_ = 0;
    std::optional<std::uint64_t> seen_;   ///< last frame whose times were added
    std::vector<weir::Profile> profiles_; ///< all of the same graph
};

} // namespace samples::splats

#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "common/stopwatch.hpp"
#include "culling/frames.hpp"

namespace samples::culling {

/// Means over several frames, in milliseconds.
struct FrameTimes {
    struct Pass {
        std::string name;
        std::size_t stage = 0; ///< index into `stage_names`
        double ms = 0;
    };
    double frame_ms = 0; ///< time between frames
    double cpu_ms = 0;   ///< time to record a frame
    double gpu_ms = 0;
    std::array<double, stage_names.size()> stages_ms{};
    std::vector<Pass> passes;
};

/// Collects the times of frames and publishes their means at intervals.
class FrameTimer {
public:
    /// Adds a frame; must be called after each recorded frame. `done`: result of Frames::done.
    void add(const std::optional<FrameDone>& done, double cpu_ms);
    /// Discards the frames since the latest published times.
    void restart();
    [[nodiscard]] const FrameTimes& latest() const { return latest_; }

private:
    void publish();

    FrameTimes latest_;
    Stopwatch watch_;
    std::uint32_t frames_ = 0;
    double cpu_ms_ = 0;
    std::optional<std::uint64_t> seen_;   ///< last frame whose times were added
    std::vector<weir::Profile> profiles_; ///< all of the same graph
};

} // namespace samples::culling

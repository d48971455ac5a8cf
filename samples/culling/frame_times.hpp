#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "common/stopwatch.hpp"
#include "culling/frames.hpp"

namespace samples::culling {

/// Means over some frames, in milliseconds.
struct FrameTimes {
    struct Pass {
        std::string name;
        std::size_t stage = 0; ///< index into `stage_names`
        double ms = 0;
    };
    double frame_ms = 0; ///< from frame to frame
    double cpu_ms = 0;   ///< to record one
    double gpu_ms = 0;
    std::array<double, stage_names.size()> stages_ms{};
    std::vector<Pass> passes;
};

/// Takes the times of frames, and says from time to time what they are.
class FrameTimer {
public:
    /// After each frame was recorded. `done`: as Frames::done has it.
    void add(const std::optional<FrameDone>& done, double cpu_ms);
    /// Forgets the frames since the latest times.
    void restart();
    [[nodiscard]] const FrameTimes& latest() const { return latest_; }

private:
    void publish();

    FrameTimes latest_;
    Stopwatch watch_;
    std::uint32_t frames_ = 0;
    double cpu_ms_ = 0;
    std::optional<std::uint64_t> seen_;   ///< the frame whose times were added last
    std::vector<weir::Profile> profiles_; ///< of one graph
};

} // namespace samples::culling

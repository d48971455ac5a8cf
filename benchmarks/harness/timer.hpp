#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/weir.hpp>

namespace weir::bench {

struct Times {
    double median_ms = 0;
    double min_ms = 0;
    std::uint32_t repeats = 0; ///< timed runs
};

struct TimerOptions {
    std::uint32_t repeats = 30;
    /// Minimum GPU work right before the timed runs, in milliseconds. If the device was idle for longer than this, the
    /// warm-up takes as long as the idle time, up to six times this. Clocks take about 150 ms to rise after idling.
    /// Latency-bound kernels would be reported much too slow; memory-bound kernels are hardly affected.
    double warm_up_ms = 150;
    /// Limit of the timed runs in milliseconds: fewer runs are timed if they would take longer. 0: no limit.
    double limit_ms = 0;
};

/// Measures programs with timestamps on the GPU.
class Timer {
public:
    static Result<Timer> create(const Context& context, const TimerOptions& options);

    /// Measures the GPU time of one execution: of all commands that `Program::record` records.
    Result<Times> time(Program& program);

private:
    struct Batch {
        double warm_up_ms = 0;
        std::vector<double> runs_ms;
    };

    Timer(const Context& context, const TimerOptions& options, Timestamps timestamps);
    Result<Batch> run(Program& program, std::uint32_t warm_up, std::uint32_t timed);

    const Context& context_;
    TimerOptions options_;
    Timestamps timestamps_;
    PFN_vkCmdPipelineBarrier pipeline_barrier_;
    std::chrono::steady_clock::time_point rests_since_ = std::chrono::steady_clock::now();
};

} // namespace weir::bench

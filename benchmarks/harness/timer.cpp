#include "harness/timer.hpp"

#include <algorithm>
#include <cmath>

#include "common/propagate.hpp"
#include "common/timing.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t most_timed = 512;        // runs in one submission
constexpr std::uint32_t most_warm_up = 1U << 16; // a command buffer of some tens of megabytes
constexpr double longest_batch_ms = 1000;        // far below the timeout of a driver's watchdog

template <class Function>
Function device_function(const Context& context, const char* name) {
    const auto find = reinterpret_cast<PFN_vkGetDeviceProcAddr>(
        context.get_instance_proc_addr()(context.instance(), "vkGetDeviceProcAddr"));
    return reinterpret_cast<Function>(find(context.device(), name));
}

// Uses functions of Vulkan 1.0, which every device supports.
void wait_for_everything(PFN_vkCmdPipelineBarrier pipeline_barrier, VkCommandBuffer commands) {
    VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    barrier.srcAccessMask = barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    pipeline_barrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier,
                     0, nullptr, 0, nullptr);
}

/// Returns the number of runs of `each_ms` that take `total_ms`: at least 1, at most `most`.
std::uint32_t runs_in(double total_ms, double each_ms, std::uint32_t most) {
    return static_cast<std::uint32_t>(std::clamp(std::ceil(total_ms / each_ms), 1.0, static_cast<double>(most)));
}

} // namespace

Result<Timer> Timer::create(const Context& context, const TimerOptions& options) {
    return Timestamps::create(context, 2 * most_timed + 1).map([&](Timestamps timestamps) {
        return Timer(context, options, std::move(timestamps));
    });
}

Timer::Timer(const Context& context, const TimerOptions& options, Timestamps timestamps)
    : context_(context), options_(options), timestamps_(std::move(timestamps)),
      pipeline_barrier_(device_function<PFN_vkCmdPipelineBarrier>(context, "vkCmdPipelineBarrier")) {}

/// Submits warm-up and timed runs in one command buffer, so the device does not idle between them.
Result<Timer::Batch> Timer::run(Program& program, std::uint32_t warm_up, std::uint32_t timed) {
    const auto record = [&](VkCommandBuffer commands) -> Result<> {
        timestamps_.reset(commands);
        wait_for_everything(pipeline_barrier_, commands);
        timestamps_.write(commands, 0);
        for (std::uint32_t i = 0; i < warm_up; ++i) {
            SAMPLES_PROPAGATE(program.record(commands));
        }
        for (std::uint32_t i = 0; i < timed; ++i) {
            wait_for_everything(pipeline_barrier_, commands);
            timestamps_.write(commands, 1 + 2 * i);
            SAMPLES_PROPAGATE(program.record(commands));
            timestamps_.write(commands, 2 + 2 * i);
        }
        return {};
    };
    SAMPLES_PROPAGATE(context_.submit(record));
    rests_since_ = std::chrono::steady_clock::now();
    return timestamps_.read(1 + 2 * timed).map([&](const std::vector<double>& ns) {
        Batch batch;
        batch.warm_up_ms = (ns[1] - ns[0]) * 1e-6;
        for (std::uint32_t i = 0; i < timed; ++i) {
            batch.runs_ms.push_back((ns[2 + 2 * i] - ns[1 + 2 * i]) * 1e-6);
        }
        return batch;
    });
}

Result<Times> Timer::time(Program& program) {
    const std::chrono::duration<double, std::milli> rested = std::chrono::steady_clock::now() - rests_since_;
    const double wanted_warm_up_ms = std::clamp(rested.count(), options_.warm_up_ms, 6 * options_.warm_up_ms);
    // The first run includes deferred work of the driver. The second run is an estimate.
    auto batch = run(program, 1, 1);
    SAMPLES_PROPAGATE(batch);
    // 1 us is less than any dispatch takes, and more than the resolution of timestamps.
    double each_ms = std::max(batch->runs_ms[0], 1e-3);
    std::uint32_t repeats = options_.repeats;
    if (options_.limit_ms > 0) {
        constexpr std::uint32_t fewest = 3;
        repeats = std::min(repeats, std::max(fewest, runs_in(options_.limit_ms, each_ms, most_timed)));
    }

    std::vector<double> runs_ms;
    std::uint32_t warm_up = runs_in(wanted_warm_up_ms, each_ms, most_warm_up);
    while (runs_ms.size() < repeats) {
        const auto left = static_cast<std::uint32_t>(repeats - runs_ms.size());
        batch = run(program, warm_up, std::min(left, runs_in(longest_batch_ms, each_ms, most_timed)));
        SAMPLES_PROPAGATE(batch);
        // When clocks rise, the same work takes less time than estimated.
        each_ms = std::max(samples::median(batch->runs_ms), 1e-3);
        if (batch->warm_up_ms < wanted_warm_up_ms && warm_up < most_warm_up) {
            // Runs without timestamps in between can be even faster, so the warm-up must grow in any case.
            warm_up = std::min(most_warm_up, std::max(warm_up + warm_up / 4 + 1,
                                                      runs_in(1.2 * wanted_warm_up_ms, each_ms, most_warm_up)));
            continue;
        }
        runs_ms.insert(runs_ms.end(), batch->runs_ms.begin(), batch->runs_ms.end());
    }
    return Times{samples::median(runs_ms), *std::min_element(runs_ms.begin(), runs_ms.end()), repeats};
}

} // namespace weir::bench

#include "common/timing.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "common/propagate.hpp"

namespace samples {

namespace {

using weir::Result;

constexpr std::uint32_t most_runs = 512; // per command buffer
constexpr std::uint32_t turn = 10;       // timed runs of a program before the next program's turn

/// Measures `runs` consecutive runs of a program in one command buffer, in milliseconds. An untimed run precedes them,
/// so that the program's code and data are in the caches.
Result<std::vector<double>> time_runs(const weir::Context& gpu, const weir::Timestamps& timestamps,
                                      weir::Program& program, std::uint32_t runs) {
    const auto done = gpu.submit([&](VkCommandBuffer commands) -> Result<> {
        timestamps.reset(commands);
        for (std::uint32_t i = 0; i <= runs; ++i) {
            SAMPLES_PROPAGATE(program.record(commands));
            timestamps.write(commands, i);
        }
        return {};
    });
    SAMPLES_PROPAGATE(done);
    return timestamps.read(runs + 1).map([](std::vector<double> times) {
        std::adjacent_difference(times.begin(), times.end(), times.begin());
        times.erase(times.begin());
        for (double& ns : times) {
            ns *= 1e-6;
        }
        return times;
    });
}

} // namespace

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return values.size() % 2 != 0 ? *middle : (*middle + *std::max_element(values.begin(), middle)) / 2;
}

const char* speed_note(const weir::Capabilities& device) {
    return device.kind == weir::DeviceKind::cpu ? " (software driver: speed is not meaningful)" : "";
}

std::string to_throughput(double items_per_s, const std::string& items) {
    const bool is_small = items_per_s < 1e8;
    char text[64];
    std::snprintf(text, sizeof(text), "%.3f %s ", items_per_s * (is_small ? 1e-6 : 1e-9), is_small ? "M" : "G");
    return text + items + "/s";
}

Result<std::vector<std::vector<double>>> time_all_runs(const weir::Context& gpu,
                                                       const std::vector<weir::Program*>& programs,
                                                       const Timing& timing,
                                                       const std::function<void(double)>& progress) {
    const auto timestamps = weir::Timestamps::create(gpu, most_runs + 1);
    SAMPLES_PROPAGATE(timestamps);
    // Each program runs at least once untimed, because drivers defer work to the first run.
    double worked = 0;
    for (std::uint32_t runs = 1; runs == 1 || worked < timing.warm_up_ms; runs = std::min(runs * 2, most_runs)) {
        for (weir::Program* program : programs) {
            if (runs > 1 && worked >= timing.warm_up_ms) {
                break;
            }
            const auto times = time_runs(gpu, *timestamps, *program, runs);
            SAMPLES_PROPAGATE(times);
            constexpr double least = 0.01; // guarantees termination even if timestamps do not advance
            worked += std::max(std::accumulate(times->begin(), times->end(), 0.0), least);
            progress(0.5 * std::min(1.0, worked / timing.warm_up_ms));
        }
    }
    std::vector<std::vector<double>> all(programs.size());
    for (std::uint32_t done = 0; done < timing.repeat; done += turn) {
        const std::uint32_t runs = std::min(turn, timing.repeat - done);
        for (std::size_t i = 0; i < programs.size(); ++i) {
            const auto times = time_runs(gpu, *timestamps, *programs[i], runs);
            SAMPLES_PROPAGATE(times);
            all[i].insert(all[i].end(), times->begin(), times->end());
            progress(0.5 + 0.5 * (done + runs * static_cast<double>(i + 1) / static_cast<double>(programs.size())) /
                               timing.repeat);
        }
    }
    return all;
}

Result<std::vector<double>> time_programs(const weir::Context& gpu, const std::vector<weir::Program*>& programs,
                                          const Timing& timing, const std::function<void(double)>& progress) {
    return time_all_runs(gpu, programs, timing, progress).map([](const std::vector<std::vector<double>>& all) {
        std::vector<double> medians(all.size());
        std::transform(all.begin(), all.end(), medians.begin(), median);
        return medians;
    });
}

Result<std::vector<weir::Profile>> profiles_of(const weir::Context& gpu, weir::Program& program, std::uint32_t runs) {
    const auto passes = static_cast<std::uint32_t>(program.plan().graph->passes.size());
    const auto timestamps = weir::Timestamps::create(gpu, passes + 1);
    SAMPLES_PROPAGATE(timestamps);
    std::vector<weir::Profile> profiles;
    for (std::uint32_t i = 0; i < runs; ++i) {
        const auto done = gpu.submit([&](VkCommandBuffer commands) {
            return program.record(commands).and_then([&] { return program.record(commands, *timestamps); });
        });
        SAMPLES_PROPAGATE(done);
        auto profile = program.profile(*timestamps);
        SAMPLES_PROPAGATE(profile);
        profiles.push_back(std::move(*profile));
    }
    return profiles;
}

} // namespace samples

#include "paths/measure.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <weir/paths/cpu.hpp>
#include <weir/paths/profile.hpp>

#include "common/propagate.hpp"
#include "common/timing.hpp"

namespace weir::bench {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Times times_of(const std::vector<double>& ms) {
    return {samples::median(ms), *std::min_element(ms.begin(), ms.end()), static_cast<std::uint32_t>(ms.size())};
}

} // namespace

Result<PathRow> time_drawing(const Context& gpu, Timer& timer, const Drawing& drawing) {
    PathRow row{.name = drawing.name,
                .width = drawing.view.width,
                .height = drawing.view.height,
                .draws = drawing.scene.draws().size()};
    auto renderer = paths::Renderer::create(gpu, drawing.scene);
    SAMPLES_PROPAGATE(renderer);
    const auto first = renderer->draw(drawing.view);
    SAMPLES_PROPAGATE(first);
    const auto drawn = renderer->draw(drawing.view); // with buffers of the size that the first one needed
    SAMPLES_PROPAGATE(drawn);
    row.sizes = drawn->needed;
    row.memory = renderer->program().memory();
    const std::uint64_t pictures = std::uint64_t{8} * row.width * row.height;
    row.bytes_per_line =
        static_cast<double>(row.memory - std::min(row.memory, pictures)) / std::max(1U, row.sizes.lines);

    const auto whole = timer.time(renderer->program());
    SAMPLES_PROPAGATE(whole);
    row.times.push_back({"graph", *whole});
    // The device is warm from the previous runs.
    const auto profiles = samples::profiles_of(gpu, renderer->program(), whole->repeats);
    SAMPLES_PROPAGATE(profiles);
    for (const paths::StageTimes& stage : paths::stage_times(*profiles)) {
        std::vector<double> ms = stage.us;
        std::for_each(ms.begin(), ms.end(), [](double& time) { time *= 1e-3; });
        row.times.push_back({stage.name, times_of(ms)});
    }

    constexpr double longest_ms = 1000;
    constexpr std::size_t fewest = 3, most = 30;
    std::vector<double> cpu_ms;
    for (const auto start = Clock::now();
         cpu_ms.size() < fewest || (cpu_ms.size() < most && ms_since(start) < longest_ms);) {
        const auto begin = Clock::now();
        const paths::CpuStrips strips = paths::cpu_strips(drawing.scene, drawing.view);
        cpu_ms.push_back(ms_since(begin));
        if (strips.lines.size() != row.sizes.lines || strips.cuts.size() != row.sizes.cuts ||
            strips.strips.size() - 1 != row.sizes.strips) {
            return tl::unexpected(
                Error{ErrorCode::vulkan, "lines, cuts or strips of the GPU differ from those of the CPU"});
        }
    }
    row.times.push_back({"cpu strips", times_of(cpu_ms)});
    return row;
}

Result<> time_frames(const Context& gpu, const TimerOptions& options, MovingRectangles& rectangles, PathRow& row) {
    auto renderer = paths::Renderer::create(gpu, rectangles.drawing().scene);
    SAMPLES_PROPAGATE(renderer);
    SAMPLES_PROPAGATE(renderer->draw(rectangles.drawing().view)); // compiles
    std::vector<double> updates, frames;
    for (const auto start = Clock::now(); frames.size() < options.repeats;) {
        rectangles.step();
        const bool is_warm = ms_since(start) >= options.warm_up_ms;
        const auto begin = Clock::now();
        SAMPLES_PROPAGATE(renderer->update(rectangles.drawing().scene));
        const double update_ms = ms_since(begin);
        SAMPLES_PROPAGATE(renderer->draw(rectangles.drawing().view));
        if (is_warm) {
            updates.push_back(update_ms);
            frames.push_back(ms_since(begin));
        }
        if (options.limit_ms > 0 && frames.size() >= 3 && ms_since(start) > options.limit_ms) {
            break;
        }
    }
    row.times.push_back({"update", times_of(updates)});
    row.times.push_back({"frame", times_of(frames)});
    return {};
}

} // namespace weir::bench

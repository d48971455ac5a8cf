#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/files.hpp"
#include "common/plan_files.hpp"
#include "common/program.hpp"
#include "common/progress.hpp"
#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "culling/device.hpp"
#include "culling/frames.hpp"
#include "culling/options.hpp"
#include "culling/window.hpp"
#include "svg/png.hpp"

namespace samples::culling {

namespace {

using weir::Result;

/// Medians over all frames.
struct Measured {
    double cpu_ms = 0, gpu_ms = 0;
    std::array<double, stage_names.size()> stages_ms{};
    Report counts{}; ///< counts of the last frame
};

/// Draws the frames of a flight along the path and measures them.
Result<Measured> fly(Frames& frames, const Options& options, const Switches& switches) {
    // Untimed frames at the start: clocks rise slowly, and drivers defer work to the first frames.
    constexpr std::uint32_t warm_up = 8;
    std::vector<double> cpu, gpu;
    std::array<std::vector<double>, stage_names.size()> stages;
    std::uint64_t seen = 0;
    const auto take = [&] {
        if (!frames.done() || frames.done()->frame < seen) {
            return;
        }
        seen = frames.done()->frame + 1;
        if (const auto& profile = frames.done()->times) {
            const auto times = stage_times(*profile);
            for (std::size_t i = 0; i < times.size(); ++i) {
                stages[i].push_back(times[i]);
            }
            gpu.push_back(profile->total_us() / 1000);
        }
    };
    Progress progress(switches.occlusion || switches.frustum ? "drawing" : "drawing without culling");
    for (std::uint32_t i = 0; i < options.frames; ++i) {
        SAMPLES_PROPAGATE(frames.draw(camera_on_path(options.first_frame + i), switches));
        cpu.push_back(frames.cpu_ms());
        take();
        progress.show(static_cast<double>(i + 1) / options.frames);
    }
    SAMPLES_PROPAGATE(frames.wait());
    take();
    const auto middle = [](std::vector<double>& values) {
        if (values.size() > 2 * warm_up) {
            values.erase(values.begin(), values.begin() + warm_up);
        }
        return values.empty() ? 0.0 : median(values);
    };
    Measured measured{.cpu_ms = middle(cpu), .gpu_ms = middle(gpu), .counts = frames.done()->counts};
    std::transform(stages.begin(), stages.end(), measured.stages_ms.begin(), middle);
    return measured;
}

nlohmann::json to_json(const Measured& measured) {
    nlohmann::json stages = nlohmann::json::object();
    for (std::size_t i = 0; i < stage_names.size(); ++i) {
        stages[stage_names[i]] = measured.stages_ms[i];
    }
    const Report& counts = measured.counts;
    return {{"cpu_ms", measured.cpu_ms},    {"gpu_ms", measured.gpu_ms}, {"stages_ms", stages},
            {"in_view", counts.inside},     {"draws", counts.draws},     {"instances_drawn", counts.instances},
            {"triangles", counts.triangles}};
}

void print(const char* name, const Measured& measured, const char* note) {
    std::printf("%s\n  last frame  %s\n", name, to_text(measured.counts).c_str());
    std::printf("  CPU         %.3f ms to record and submit a frame\n", measured.cpu_ms);
    std::printf("  GPU         %.3f ms%s\n", measured.gpu_ms, note);
    for (std::size_t i = 0; i < stage_names.size(); ++i) {
        std::printf("    %-16s %8.3f ms\n", stage_names[i], measured.stages_ms[i]);
    }
}

/// Replaces unset options by defaults for the device.
Options suited(Options options, const weir::Capabilities& device) {
    const bool is_cpu = device.kind == weir::DeviceKind::cpu;
    if (is_cpu && (!options.has_instances || options.width == 0 || options.frames == 0)) {
        std::fprintf(stderr, "culling: the device is a CPU: fewer instances, pixels and frames by default\n");
    }
    options.instances = instances_of(options, is_cpu);
    if (options.width == 0) {
        options.width = is_cpu ? 640 : 1920;
        options.height = is_cpu ? 360 : 1080;
    }
    if (options.frames == 0) {
        options.frames = is_cpu ? 12 : path_frames;
    }
    return options;
}

Result<std::string> picture_of(const Frames& frames, const Options& options) {
    if (options.output.empty()) {
        return std::string();
    }
    return frames.picture().and_then(
        [&](const std::vector<std::uint32_t>& pixels) { return to_png(pixels, options.width, options.height); });
}

/// Returns Graphviz options that group the passes of the frame by stage.
weir::DotOptions overview_of(const weir::GraphDescription& graph) {
    weir::DotOptions picture{.overview = true};
    for (const std::size_t stage : stages_of_passes(graph)) {
        picture.stages.emplace_back(stage_names[stage]);
    }
    return picture;
}

Result<> run(const Options& given) {
    if (given.window) {
        return show_in_window(given);
    }
    auto files = create_files({given.output, given.graph, given.plan, given.trace});
    SAMPLES_PROPAGATE(files);
    const auto device = DrawDevice::create(given.device);
    SAMPLES_PROPAGATE(device);
    const weir::Capabilities& capabilities = (*device)->gpu().capabilities();
    const Options options = suited(given, capabilities);
    const DrawFeatures features = (*device)->features();
    auto frames = [&] {
        Progress progress("compiling pipelines");
        return Frames::create((*device)->gpu(), features, make_scene(options.instances),
                              {.width = options.width, .height = options.height, .times = true});
    }();
    SAMPLES_PROPAGATE(frames);
    const auto with = fly(**frames, options, options.switches);
    SAMPLES_PROPAGATE(with);
    const auto png = picture_of(**frames, options);
    const auto plan = plan_texts((*frames)->program(), options, overview_of(*(*frames)->program().plan().graph));
    if (!png || !plan) {
        return tl::unexpected(!png ? png.error() : plan.error());
    }
    Result<Measured> without = Measured{};
    if (options.compare) {
        without = fly(**frames, options, {.frustum = false, .occlusion = false, .levels = options.switches.levels});
    }
    SAMPLES_PROPAGATE(without);
    const std::string_view contents[] = {*png, (*plan)[0], (*plan)[1], (*plan)[2]};
    for (std::size_t i = 0; i < files->size(); ++i) {
        if ((*files)[i]) {
            SAMPLES_PROPAGATE((*files)[i]->write(contents[i]));
        }
    }
    SAMPLES_PROPAGATE(keep_files(*files));
    const char* draws = features.indirect_count ? "vkCmdDrawIndexedIndirectCount"
                        : features.multi_draw   ? "vkCmdDrawIndexedIndirect, without drawIndirectCount"
                                                : "one vkCmdDrawIndexedIndirect per command, without multiDrawIndirect";
    if (options.json) {
        nlohmann::json object = {{"device", capabilities.device_name},
                                 {"driver", capabilities.driver},
                                 {"width", options.width},
                                 {"height", options.height},
                                 {"frames", options.frames},
                                 {"instances", options.instances},
                                 {"transparent", (*frames)->scene().transparent},
                                 {"draws_by", draws},
                                 {"memory_bytes", (*frames)->program().memory()},
                                 {"culling", to_json(*with)}};
        if (options.compare) {
            object["no_culling"] = to_json(*without);
        }
        std::printf("%s\n", object.dump(2).c_str());
        return {};
    }
    std::printf("device    %s\ndriver    %s\n", capabilities.device_name.c_str(), capabilities.driver.c_str());
    std::printf("scene     %u instances of %u meshes, %u of them transparent\n", options.instances, mesh_kinds,
                (*frames)->scene().transparent);
    std::printf("frames    %u of %u x %u pixels, %u in flight\n", options.frames, options.width, options.height,
                Frames::in_flight);
    std::printf("draws     by %s\n", draws);
    print("with culling", *with, speed_note(capabilities));
    if (options.compare) {
        print("without culling", *without, speed_note(capabilities));
    }
    return {};
}

} // namespace

} // namespace samples::culling

int main(int argc, char** argv) {
    return samples::run_sample("culling", samples::culling::parse_command_line(argc, argv), samples::culling::run);
}

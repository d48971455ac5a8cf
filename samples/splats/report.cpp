#include "splats/report.hpp"

#include <cstddef>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "common/timing.hpp"

namespace samples::splats {

void print(const weir::Capabilities& device, const Options& options, const Report& report) {
    const double bytes_per_splat = static_cast<double>(report.memory) / report.splats;
    const double cloud_bytes_per_splat = static_cast<double>(report.cloud_bytes) / report.splats;
    if (options.json) {
        nlohmann::json stages = nlohmann::json::object();
        for (const auto& [name, ms] : report.stages) {
            stages[name] = ms;
        }
        const nlohmann::json object = {{"device", device.device_name},
                                       {"driver", device.driver},
                                       {"clouds", report.clouds},
                                       {"splats", report.splats},
                                       {"degree", report.degree},
                                       {"width", report.width},
                                       {"height", report.height},
                                       {"visible", report.counts.visible},
                                       {"pairs", report.counts.pairs},
                                       {"frames", report.frames},
                                       {"short_frames", report.short_frames},
                                       {"frame_ms", report.frame_ms},
                                       {"ms", report.ms},
                                       {"stages_ms", stages},
                                       {"memory_bytes", report.memory},
                                       {"bytes_per_splat", bytes_per_splat},
                                       {"cloud_bytes_per_splat", cloud_bytes_per_splat}};
        std::printf("%s\n", object.dump(2).c_str());
        return;
    }
    std::printf("device    %s\n", device.device_name.c_str());
    std::printf("driver    %s\n", device.driver.c_str());
    std::printf("picture   %u x %u pixels\n", report.width, report.height);
    if (report.clouds > 1) {
        std::printf("clouds    %u\n", report.clouds);
    }
    std::printf("cloud     %u splats of degree %u, %.0f bytes each\n", report.splats, report.degree,
                cloud_bytes_per_splat);
    std::printf("visible   %u splats, in %u pairs of a block and a splat\n", report.counts.visible,
                report.counts.pairs);
    if (report.ms > 0) {
        std::printf("time      %.3f ms%s\n", report.ms, speed_note(device));
    }
    for (std::size_t i = 0; i < report.stages.size(); ++i) {
        std::printf("%s%s %.3f%s", i == 0 ? "stages    " : ", ", report.stages[i].first.c_str(),
                    report.stages[i].second, i + 1 == report.stages.size() ? " ms\n" : "");
    }
    if (report.frames > 1) {
        std::printf("frames    %u, %.3f ms each including waits; %u exceeded the pair capacity\n", report.frames,
                    report.frame_ms, report.short_frames);
    }
    std::printf("memory    %.1f MB, %.1f bytes per splat\n", static_cast<double>(report.memory) * 1e-6,
                bytes_per_splat);
}

} // namespace samples::splats

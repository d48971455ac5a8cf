#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "common/files.hpp"
#include "common/paths.hpp"
#include "common/program.hpp"
#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "scan_study/options.hpp"
#include "scan_study/report.hpp"
#include "scan_study/study.hpp"

namespace samples {

namespace {

using weir::Result;

/// Creates the output files, in the order of written_files.
Result<NewFiles> files_of(const Options& options) {
    if (!options.plots.empty()) {
        std::error_code error;
        std::filesystem::create_directory(path_of(options.plots), error);
        if (error) {
            return io_error(options.plots, "cannot be created: " + error.message());
        }
    }
    std::vector<std::string> paths;
    for (const NamedFile& file : written_files(options)) {
        paths.push_back(file.path);
    }
    return create_files(paths);
}

Result<> run(const Options& options) {
    const auto gpu = weir::Context::create({.device = options.device});
    SAMPLES_PROPAGATE(gpu);
    const auto plan = plan_study(gpu->capabilities(), options);
    SAMPLES_PROPAGATE(plan);
    auto files = files_of(options);
    SAMPLES_PROPAGATE(files);
    const auto rows = run_study(*gpu, *plan);
    SAMPLES_PROPAGATE(rows);
    const std::string& device = gpu->capabilities().device_name;
    std::vector<std::string> texts = plots(*rows, device);
    texts.insert(texts.begin(), csv(*rows));
    for (std::size_t i = 0; i < files->size(); ++i) {
        if (auto& file = (*files)[i]) {
            SAMPLES_PROPAGATE(file->write(texts[i]));
        }
    }
    SAMPLES_PROPAGATE(keep_files(*files));
    std::printf("device  %s%s\ndriver  %s\n\n%s\nAll results match the sequential sum.\n", device.c_str(),
                speed_note(gpu->capabilities()), gpu->capabilities().driver.c_str(), table(*rows).c_str());
    return {};
}

} // namespace

} // namespace samples

int main(int argc, char** argv) {
    return samples::run_sample("scan_study", samples::parse_command_line(argc, argv), samples::run);
}

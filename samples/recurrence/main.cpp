#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/files.hpp"
#include "common/plot.hpp"
#include "common/program.hpp"
#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "recurrence/options.hpp"
#include "recurrence/recurrences.hpp"
#include "recurrence/series.hpp"

namespace samples {

namespace {

using weir::Result;

/// Maximum difference between the scan and the double-precision loop, relative to the largest number.
constexpr double tolerance = 1e-4;

/// Returns the maximum difference, relative to the largest number. A NaN in the difference makes it NaN.
double difference(const std::vector<double>& scanned, const std::vector<double>& looped) {
    double largest = 0, furthest = 0;
    for (std::size_t i = 0; i < looped.size(); ++i) {
        const double apart = std::abs(scanned[i] - looped[i]);
        if (std::isnan(apart)) {
            return apart;
        }
        largest = std::max(largest, std::abs(looped[i]));
        furthest = std::max(furthest, apart);
    }
    return largest > 0 ? furthest / largest : furthest;
}

Result<> run(const Options& options) {
    const Recurrence& recurrence = find_recurrence(options.recurrence);
    auto series = options.input.empty() ? Result<Series>(make_series(options.n, options.seed))
                                        : read_series(options.input, options.column, options.group);
    SAMPLES_PROPAGATE(series);
    auto files = create_files({options.output, options.plot});
    SAMPLES_PROPAGATE(files);
    auto &csv = (*files)[0], &plot = (*files)[1];
    const auto gpu = weir::Context::create({.device = options.device});
    SAMPLES_PROPAGATE(gpu);
    const auto scanned = scan_on_device(*gpu, recurrence, *series, options.k);
    SAMPLES_PROPAGATE(scanned);
    const std::vector<double> looped = loop(recurrence, *series, options.k);
    const double apart = difference(scanned->y, looped);
    if (!(apart <= (recurrence.step == nullptr ? 0 : tolerance))) {
        return tl::unexpected(weir::Error{weir::ErrorCode::vulkan, "scan and loop differ by " + std::to_string(apart) +
                                                                       " times the largest number"});
    }
    Result<> written;
    if (csv) {
        written = csv->write(series_csv(*series, scanned->y));
    }
    if (plot && written) {
        std::vector<Curve> curves{{.name = "scan", .color = "#1f6fb4", .y = scanned->y},
                                  {.name = "loop", .color = "#e07b00", .y = looped, .dashed = true}};
        if (recurrence.takes_input) {
            curves.insert(curves.begin(), {.name = "x", .color = "#bbb", .y = {series->x.begin(), series->x.end()}});
        }
        written = plot->write(to_svg({.title = recurrence.name + ": " + recurrence.formula, .curves = curves}));
    }
    if (written) {
        written = keep_files(*files);
    }
    SAMPLES_PROPAGATE(written);
    std::printf("device         %s\n", gpu->capabilities().device_name.c_str());
    std::printf("recurrence     %s: %s\n", recurrence.name.c_str(), recurrence.formula.c_str());
    std::printf("elements       %zu in %u groups\n", looped.size(),
                series->group.empty() ? 0 : series->group.back() + 1);
    if (scanned->gpu_ms) {
        std::printf("GPU time       %.3f ms, a single run%s\n", *scanned->gpu_ms, speed_note(gpu->capabilities()));
    }
    std::printf("difference     %.2g times the largest number, from the sequential loop in double precision\n", apart);
    return {};
}

} // namespace

} // namespace samples

int main(int argc, char** argv) {
    return samples::run_sample("recurrence", samples::parse_command_line(argc, argv), samples::run);
}

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

namespace samples {

/// Of at least one value.
double median(std::vector<double> values);

struct Timing {
    double warm_up_ms = 0;    ///< GPU work before anything counts: from idle, a device's clocks take that long to rise
    std::uint32_t repeat = 1; ///< timed runs of each program
};

/// The GPU times of all runs of each program, in milliseconds. The programs take turns, so that what changes meanwhile
/// changes for all of them. `progress` is told how much is done, from 0 to 1. Errors: `unsupported` where the device
/// has no timestamps.
weir::Result<std::vector<std::vector<double>>> time_all_runs(const weir::Context& gpu,
                                                             const std::vector<weir::Program*>& programs,
                                                             const Timing& timing,
                                                             const std::function<void(double)>& progress);

/// The medians of those.
weir::Result<std::vector<double>> time_programs(const weir::Context& gpu, const std::vector<weir::Program*>& programs,
                                                const Timing& timing, const std::function<void(double)>& progress);

/// Profiles of so many runs of a program, each after a run that does not count. Errors: as above.
weir::Result<std::vector<weir::Profile>> profiles_of(const weir::Context& gpu, weir::Program& program,
                                                     std::uint32_t runs);

/// What follows a time or a speed in a report: of a device that is a CPU, that it means nothing.
const char* speed_note(const weir::Capabilities& device);

/// "1.234 G keys/s"; in millions where that would be less than 0.1.
std::string to_throughput(double items_per_s, const std::string& items);

} // namespace samples

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

namespace samples {

/// Returns the median. `values` must not be empty.
double median(std::vector<double> values);

struct Timing {
    double warm_up_ms = 0;    ///< GPU work before the timed runs; clocks rise slowly on an idle device
    std::uint32_t repeat = 1; ///< timed runs of each program
};

/// Measures the GPU times of all runs of each program, in milliseconds. The programs take turns, so that a change of
/// clocks affects all of them. `progress` receives the completed fraction, from 0 to 1. Errors: `unsupported` if the
/// device has no timestamps.
weir::Result<std::vector<std::vector<double>>> time_all_runs(const weir::Context& gpu,
                                                             const std::vector<weir::Program*>& programs,
                                                             const Timing& timing,
                                                             const std::function<void(double)>& progress);

/// Measures as time_all_runs does and returns the median time of each program, in milliseconds.
weir::Result<std::vector<double>> time_programs(const weir::Context& gpu, const std::vector<weir::Program*>& programs,
                                                const Timing& timing, const std::function<void(double)>& progress);

/// Profiles `runs` runs of a program, each after an untimed run. Errors: `unsupported` if the device has no timestamps.
weir::Result<std::vector<weir::Profile>> profiles_of(const weir::Context& gpu, weir::Program& program,
                                                     std::uint32_t runs);

/// Returns the note that follows a time or a throughput in a report: on a CPU device, that speed is not meaningful.
const char* speed_note(const weir::Capabilities& device);

/// Formats a throughput: "1.234 G keys/s", or in millions below 0.1 G.
std::string to_throughput(double items_per_s, const std::string& items);

} // namespace samples

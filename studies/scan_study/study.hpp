#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "common/timing.hpp"
#include "scan_study/options.hpp"

namespace samples {

/// Names of the members of weir::testing::LookBackCounters, in their order.
constexpr std::array counter_names = {"spins", "look_back", "fallbacks", "fallbacks_won", "tiles"};

/// A measurement. Its result was correct.
struct Row {
    std::string part;           ///< "throughput" or "blocking"
    std::string operation;      ///< to_string(Work)
    std::string implementation; ///< "copy" or weir::studies::to_string(ScanStrategy)
    std::uint32_t n = 0;
    double blocking = 0; ///< fraction of the tiles that never post
    double ms = 0;       ///< median GPU time
    double mean_ms = 0;
    double deviation_ms = 0; ///< standard deviation of the times of the runs
    double ratio_to_copy = 0;
    std::optional<double> ratio_to_reduce_then_scan; ///< throughput relative to it; scans only
    std::uint32_t tiles = 0;                         ///< tiles of all passes with look-backs; 0: none
    std::uint32_t silent_tiles = 0;                  ///< tiles that never post and whose sum another tile needs
    /// Means over several runs of the counters per workgroup; for a sort, per workgroup and pass.
    std::optional<std::array<double, counter_names.size()>> per_workgroup;

    [[nodiscard]] double items_per_second() const { return n / ms * 1e3; }
    /// Returns the harmonic mean of the throughput of all runs, which follows from the mean time.
    [[nodiscard]] double harmonic_items_per_second() const { return n / mean_ms * 1e3; }
};

/// Parameters of the study: the options, with defaults for the device.
struct StudyPlan {
    std::vector<std::uint32_t> sizes;
    std::uint32_t blocking_size = 0;
    Timing timing;
    std::uint64_t seed = 1;
};

/// Errors: `limit_exceeded` if the device cannot bind one buffer of the numbers or hold three of them.
weir::Result<StudyPlan> plan_study(const weir::Capabilities& device, const Options& options);

/// Runs the experiments of Smith, Levien and Owens, "Decoupled Fallback: A Portable Single-Pass GPU Scan", with
/// inclusive sums of random numbers on the device.
///
/// "throughput": for each size, copying, reduce-then-scan, look-back, and look-back with fallback. The look-back
/// without fallback is omitted on devices that are not known to keep running workgroups running, where it could hang.
///
/// "blocking": for one size, the look-back with fallback where one tile in 512, 256, ... 2, 1 never posts. Rates at
/// which no tile waits for a silent one are omitted. Runs are timed without counters; as many other runs fill the
/// counters. All of them, including those without blocking, use the kernel that can inject faults. Copying and
/// reduce-then-scan serve as comparison. The experiment is repeated for sums of f32 and u64, compositions of affine
/// maps, a selection and a sort, each next to a copy of the same number of words.
weir::Result<std::vector<Row>> run_study(const weir::Context& gpu, const StudyPlan& plan);

} // namespace samples

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

/// Of weir::LookBackCounters, in their order.
constexpr std::array counter_names = {"spins", "look_back", "fallbacks", "fallbacks_won", "tiles"};

/// What was measured. All results were right.
struct Row {
    std::string part;           ///< "throughput" or "blocking"
    std::string operation;      ///< to_string(Work)
    std::string implementation; ///< "copy" or weir::to_string(ScanStrategy)
    std::uint32_t n = 0;
    double blocking = 0; ///< the part of the tiles that never post
    double ms = 0;       ///< median GPU time
    double mean_ms = 0;
    double ratio_to_copy = 0;
    std::optional<std::array<double, counter_names.size()>> per_workgroup; ///< of a sort: and for each pass

    [[nodiscard]] double items_per_second() const { return n / ms * 1e3; }
    /// The harmonic mean over all runs, which is what the mean time makes.
    [[nodiscard]] double harmonic_items_per_second() const { return n / mean_ms * 1e3; }
};

/// What the options leave open, chosen for a device.
struct StudyPlan {
    std::vector<std::uint32_t> sizes;
    std::uint32_t blocking_size = 0;
    Timing timing;
    std::uint64_t seed = 1;
};

/// Errors: `limit_exceeded` for more numbers than the device can bind, or hold three times.
weir::Result<StudyPlan> plan_study(const weir::Capabilities& device, const Options& options);

/// Inclusive sums of random numbers on the device: the experiments of Smith, Levien and Owens, "Decoupled Fallback: A
/// Portable Single-Pass GPU Scan".
///
/// "throughput": for each size, copying and scans by reduce-then-scan, look-back, and look-back with fallback. The
/// look-back without fallback is left out on devices of which nobody knows that workgroups which run go on running: it
/// could hang.
///
/// "blocking": for one size, the look-back with fallback where one tile in 512, 256, ... 2, 1 never posts, as far as
/// that is a tile at all; timed without counters, then counted in another run. All of these run the same kernel, which
/// can inject faults, also for no blocking. Copying and reduce-then-scan are there to compare with. Then the same for
/// sums of f32 and u64, a selection and a sort, each beside a copy of as many words.
weir::Result<std::vector<Row>> run_study(const weir::Context& gpu, const StudyPlan& plan);

} // namespace samples

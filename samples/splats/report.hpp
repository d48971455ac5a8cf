#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <weir/splats/renderer.hpp>

#include "splats/options.hpp"

namespace samples::splats {

/// Results of a run.
struct Report {
    std::uint32_t clouds = 0, splats = 0, degree = 0;
    std::uint32_t width = 0, height = 0;                ///< pixels
    Counts counts;                                      ///< counts of the last picture
    std::uint32_t frames = 0, short_frames = 0;         ///< number of frames, and of those with missing pairs
    double frame_ms = 0;                                ///< mean time per picture, including waits
    double ms = 0;                                      ///< median GPU time of the last picture
    std::vector<std::pair<std::string, double>> stages; ///< median GPU times of the stages, in ms
    std::uint64_t memory = 0;                           ///< bytes allocated for the graph
    std::uint64_t cloud_bytes = 0;
};

/// Prints a report as text or JSON.
void print(const weir::Capabilities& device, const Options& options, const Report& report);

} // namespace samples::splats

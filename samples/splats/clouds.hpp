#pragma once

#include <string>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/splats/cloud.hpp>

#include "splats/options.hpp"

namespace samples::splats {

/// A cloud and the name that the window shows.
struct NamedCloud {
    std::string name;
    Cloud cloud;
};

/// Returns the format of harmonics in device memory.
inline HarmonicFormat format_of_harmonics(const Options& options) {
    return options.compact_harmonics ? HarmonicFormat::snorm8 : HarmonicFormat::half;
}

/// Reads the clouds of --input, or generates one. Reports splats that are left out. Errors: those of `read_cloud_file`.
weir::Result<std::vector<NamedCloud>> clouds_of(const Options& options, bool is_cpu);

} // namespace samples::splats

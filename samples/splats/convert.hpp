#pragma once

#include "common/files.hpp"
#include "splats/options.hpp"

namespace samples::splats {

/// Formats of --output.
inline constexpr FileFormat output_format{"PNG, PLY or SPZ", ".png or .ply or .spz"};

/// Returns true if --output names a file of splats.
bool writes_cloud(const Options& options);

/// Writes the cloud to --output, without a device. Errors: those of `clouds_of` and `write_spz`; `io`.
weir::Result<> convert(const Options& options);

} // namespace samples::splats

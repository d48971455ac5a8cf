#pragma once

#include "splats/options.hpp"

namespace samples::splats {

/// Shows the cloud in a window until it is closed. Errors: `unsupported` without a display.
weir::Result<> show_in_window(const Options& options);

} // namespace samples::splats

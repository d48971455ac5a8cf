#pragma once

#include <weir/engine/error.hpp>

#include "culling/options.hpp"

namespace samples::culling {

/// Shows the flight in a window until it is closed. Errors: `unsupported` without a display.
weir::Result<> show_in_window(const Options& options);

} // namespace samples::culling

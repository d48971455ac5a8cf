#pragma once

#include <weir/engine/error.hpp>
#include <weir/paths/view.hpp>
#include <weir/svg/document.hpp>

#include "svg/options.hpp"

namespace samples {

/// Shows a drawing in a window until it is closed. `view` is the initial view. Errors: `unsupported` without a display,
/// or if the program was built without GLFW; those of `weir::paths::FrameRenderer`.
weir::Result<> show_in_window(const weir::svg::Drawing& drawing, const Options& options, const weir::paths::View& view);

} // namespace samples

#pragma once

#include <weir/primitives/element.hpp>

namespace samples {

float to_float(weir::Half half);

/// Rounds to nearest even. Numbers that are too large become infinite.
weir::Half to_half(float number);

} // namespace samples

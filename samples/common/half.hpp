#pragma once

#include <weir/primitives/element.hpp>

namespace samples {

float to_float(weir::Half half);

/// Rounds to the nearest, of two to the even one; what is too large becomes infinite.
weir::Half to_half(float number);

} // namespace samples

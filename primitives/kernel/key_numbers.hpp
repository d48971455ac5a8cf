#pragma once

#include <cstdint>

#include <weir/primitives/element.hpp>

namespace weir {

/// NUMBERS_* of shaders/lib/total_order.glsl for numbers of such a type. Apart from the built-in operators, whose table
/// takes the kernels of scans and reductions into every program that needs it.
std::uint32_t key_numbers(Scalar scalar);

} // namespace weir

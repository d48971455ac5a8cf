#pragma once

#include <cstdint>

#include <weir/primitives/element.hpp>

namespace weir {

/// Returns NUMBERS_* of shaders/lib/total_order.glsl for numbers of this type. This function is not in built_in.cpp
/// because the operator table there links the kernels of scans and reductions into every program that uses it.
std::uint32_t key_numbers(Scalar scalar);

} // namespace weir

#pragma once

#include <cstdint>
#include <string>

#include <weir/engine/error.hpp>
#include <weir/primitives/monoid.hpp>

namespace weir {

/// Words of the monoid's struct. Errors: `invalid_argument` for fields that are none.
Result<std::uint32_t> monoid_words(const Monoid& monoid);

/// GLSL that defines the monoid as shaders/lib/monoid.glsl expects it of CUSTOM_MONOID. Its fields are right.
/// `declarations` comes right after the struct.
std::string monoid_glsl(const Monoid& monoid, const std::string& declarations);

} // namespace weir

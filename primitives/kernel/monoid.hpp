#pragma once

#include <cstdint>
#include <string>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>
#include <weir/primitives/monoid.hpp>

namespace weir {

/// The number of words of the monoid's struct. Errors: `invalid_argument` for fields that cannot be parsed;
/// `unsupported` for those of 64 bits on a device without such numbers.
Result<std::uint32_t> monoid_words(const Monoid& monoid, const Capabilities& device);

/// GLSL of a monoid with valid fields, as shaders/lib/monoid.glsl expects it with CUSTOM_MONOID. `declarations` follow
/// the struct.
std::string monoid_glsl(const Monoid& monoid, const std::string& declarations);

} // namespace weir

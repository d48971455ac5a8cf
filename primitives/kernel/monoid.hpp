#pragma once

#include <cstdint>
#include <string>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>
#include <weir/primitives/monoid.hpp>

namespace weir {

/// Returns the number of words of the monoid's struct. Errors: those of `words_of_fields`.
Result<std::uint32_t> monoid_words(const Monoid& monoid, const Capabilities& device);

/// Returns GLSL of a monoid with valid fields, as shaders/lib/monoid.glsl expects it with WEIR_CUSTOM_MONOID.
/// `declarations` follow the struct.
std::string monoid_glsl(const Monoid& monoid, const std::string& declarations);

} // namespace weir

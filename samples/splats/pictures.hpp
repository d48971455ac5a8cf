#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <weir/engine/error.hpp>

namespace samples::splats {

/// Returns true if the name of a picture has a place for a number: %d, or %04d for four digits.
[[nodiscard]] bool has_number(const std::string& name);
/// Returns the name with a number in that place.
[[nodiscard]] std::string numbered(const std::string& name, std::uint64_t number);
/// Returns `numbered` with the first number from 1 on that names no file.
[[nodiscard]] std::string unused_name(const std::string& name);

/// Writes a PNG. `pixels`: see `to_png`. Errors: `io`, `out_of_memory`.
weir::Result<> write_picture(const std::string& file, std::span<const std::uint32_t> pixels, std::uint32_t width,
                             std::uint32_t height);

} // namespace samples::splats

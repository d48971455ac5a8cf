#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <weir/weir.hpp>

namespace samples {

/// Encodes pixels as PNG. They are premultiplied, red in the lowest byte. Errors: `io`, `out_of_memory`.
weir::Result<std::string> to_png(std::span<const std::uint32_t> pixels, std::uint32_t width, std::uint32_t height);

} // namespace samples

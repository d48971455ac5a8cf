#pragma once

#include <cstdint>
#include <span>

namespace weir {

/// What the library brings, packed by shaders/pack: see unpack.hpp.
struct Packed {
    std::span<const std::uint8_t> bytes;
};

} // namespace weir

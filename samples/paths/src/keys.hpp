#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <weir/paths/view.hpp>

namespace weir::paths {

/// Bits of the parts of a cut's key, the lowest ones first.
struct KeyBits {
    std::uint32_t column = 0; ///< of column + 1, up to columns + 1
    std::uint32_t row = 0;
    std::uint32_t draw = 0;
    [[nodiscard]] std::uint32_t all() const { return column + row + draw; }
};

inline KeyBits key_bits(const View& view, std::size_t draws) {
    const auto bits = [](std::size_t greatest) { return static_cast<std::uint32_t>(std::bit_width(greatest)); };
    return {bits(view.columns() + 1), bits(view.rows() - 1), bits(draws == 0 ? 0 : draws - 1)};
}

/// Bits of the number of a tile.
inline std::uint32_t tile_bits(const View& view) {
    return static_cast<std::uint32_t>(std::bit_width(view.columns() * view.rows() - 1));
}

} // namespace weir::paths

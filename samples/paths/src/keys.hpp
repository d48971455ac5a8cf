#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <weir/paths/view.hpp>

namespace weir::paths {

/// Where cuts are, for sorting: by draw, then by place, row * places_in_row + column + 1.
struct KeyLayout {
    std::uint32_t places_in_row = 0; ///< columns, and one on either side
    std::uint32_t places = 0;        ///< of all rows
    /// Of a key: draw * places + place if that fits in 32 bits, else draw << place_bits | place in 64.
    std::uint32_t bits = 0, place_bits = 0;
    [[nodiscard]] bool is_wide() const { return bits > 32; }
};

inline KeyLayout key_layout(const View& view, std::size_t draws) {
    const auto bits = [](std::uint64_t greatest) { return static_cast<std::uint32_t>(std::bit_width(greatest)); };
    KeyLayout layout;
    layout.places_in_row = view.columns() + 2;
    layout.places = layout.places_in_row * view.rows();
    layout.place_bits = bits(layout.places - 1);
    layout.bits = bits(std::uint64_t{layout.places} * draws - (draws != 0 ? 1 : 0));
    if (layout.is_wide()) {
        layout.bits = layout.place_bits + bits(draws - 1);
    }
    return layout;
}

/// Bits of the number of a tile.
inline std::uint32_t tile_bits(const View& view) {
    return static_cast<std::uint32_t>(std::bit_width(view.columns() * view.rows() - 1));
}

} // namespace weir::paths

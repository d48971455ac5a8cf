#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <weir/paths/view.hpp>

namespace weir::paths {

/// Layout of the sort keys of cuts: row of tiles, draw, column.
struct KeyLayout {
    std::uint32_t places_in_row = 0; ///< number of columns, plus one on either side
    /// Key: (row * draws + draw) * places_in_row + column + 1 if it fits in 32 bits. Otherwise the key has 64 bits:
    /// column + 1 in the lowest bits, the draw from bit `column_bits`, the row from bit 32 + `row_shift`.
    std::uint32_t bits = 0, column_bits = 0, row_shift = 0;
    bool is_wide = false;
};

inline KeyLayout key_layout(const View& view, std::size_t draws) {
    const auto bits = [](std::uint64_t greatest) { return static_cast<std::uint32_t>(std::bit_width(greatest)); };
    KeyLayout layout;
    layout.places_in_row = view.columns() + 2;
    layout.column_bits = bits(layout.places_in_row - 1);
    const std::uint64_t keys = std::uint64_t{layout.places_in_row} * view.rows() * draws;
    layout.bits = bits(keys - (draws != 0 ? 1 : 0));
    layout.is_wide = keys > ~0U;
    if (layout.is_wide) {
        layout.row_shift = bits((draws - 1) >> (32 - layout.column_bits));
        layout.bits = 32 + layout.row_shift + bits(view.rows() - 1);
    }
    return layout;
}

} // namespace weir::paths

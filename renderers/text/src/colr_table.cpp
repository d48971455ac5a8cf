#include "colr_table.hpp"

#include <algorithm>

namespace weir::text {

namespace {

// Positions of offsets in the table's header.
constexpr std::size_t glyph_list = 14, layer_list = 18, clip_list = 22, index_map = 26, variation_store = 30;
constexpr std::uint32_t no_variation = 0xFFFFFFFF;

} // namespace

std::uint32_t ColrTable::number(std::size_t at, std::size_t size) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size && has(at, size); ++i) {
        value = value << 8 | bytes_[at + i];
    }
    return value;
}

std::size_t ColrTable::glyph_paint(std::uint32_t glyph) const {
    const std::size_t list = u32(glyph_list);
    constexpr std::size_t size = 6; // bytes of a record: glyph, offset
    std::size_t first = 0, end = list == 0 ? 0 : u32(list);
    while (first < end) { // sorted by glyph
        const std::size_t middle = first + (end - first) / 2, at = list + 4 + middle * size;
        const std::uint32_t found = u16(at);
        if (found == glyph) {
            return u32(at + 2) == 0 ? 0 : list + u32(at + 2);
        }
        (found < glyph ? first : end) = middle + (found < glyph ? 1 : 0);
    }
    return 0;
}

std::size_t ColrTable::layer_paint(std::uint64_t layer) const {
    const std::size_t list = u32(layer_list);
    if (list == 0 || layer >= u32(list)) {
        return 0;
    }
    const std::uint32_t offset = u32(list + 4 + layer * 4);
    return offset == 0 ? 0 : list + offset;
}

std::optional<std::array<float, 4>> ColrTable::clip_box(std::uint32_t glyph) const {
    const std::size_t list = u32(clip_list);
    constexpr std::size_t size = 7; // bytes of a record: first glyph, last glyph, offset
    std::size_t first = 0, end = list == 0 || u8(list) != 1 ? 0 : u32(list + 1);
    while (first < end) { // sorted by glyph
        const std::size_t middle = first + (end - first) / 2, record = list + 5 + middle * size;
        if (!has(record, size) || u16(record) > glyph) {
            end = middle;
        } else if (u16(record + 2) < glyph) {
            first = middle + 1;
        } else {
            const std::size_t at = list + u24(record + 4);
            std::array<float, 4> box{};
            for (std::uint32_t i = 0; i < 4; ++i) {
                box[i] = static_cast<float>(i16(at + 1 + i * 2)) + (u8(at) == 2 ? delta(u32(at + 9) + i) : 0);
            }
            return box;
        }
    }
    return {};
}

float ColrTable::factor_of(std::size_t regions, std::uint32_t region) const {
    const std::uint32_t axes = u16(regions);
    float factor = 1;
    for (std::uint32_t axis = 0; axis < axes && region < u16(regions + 2); ++axis) {
        const std::size_t at = regions + 4 + (std::size_t{region} * axes + axis) * 6;
        const auto start = static_cast<float>(i16(at)), peak = static_cast<float>(i16(at + 2)),
                   end = static_cast<float>(i16(at + 4));
        const auto value = axis < coordinates_.size() ? static_cast<float>(coordinates_[axis]) : 0.0F;
        if (peak == 0 || value == peak || start > peak || peak > end || (start < 0 && end > 0)) {
            continue;
        }
        if (value <= start || value >= end) {
            return 0;
        }
        factor *= value < peak ? (value - start) / (peak - start) : (end - value) / (end - peak);
    }
    return factor;
}

float ColrTable::delta(std::uint32_t index) const {
    const std::size_t store = u32(variation_store);
    if (store == 0 || coordinates_.empty() || index == no_variation) {
        return 0;
    }
    std::uint32_t outer = index >> 16, inner = index & 0xFFFF;
    if (const std::size_t map = u32(index_map); map != 0) {
        const bool is_long = u8(map) == 1;
        const std::uint32_t count = is_long ? u32(map + 2) : u16(map + 2), format = u8(map + 1);
        const std::uint32_t inner_bits = (format & 15U) + 1, size = (format >> 4 & 3U) + 1;
        if (count == 0) {
            return 0;
        }
        const std::uint32_t entry =
            number(map + (is_long ? 6 : 4) + std::size_t{std::min(index, count - 1)} * size, size);
        outer = entry >> inner_bits;
        inner = entry & ((1U << inner_bits) - 1);
    }
    if (outer >= u16(store + 6)) {
        return 0;
    }
    // Rows of values, one per region: first words, then bytes; or longs, then words.
    const std::size_t data = store + u32(store + 8 + std::size_t{outer} * 4), regions = store + u32(store + 2);
    const std::uint32_t columns = u16(data + 4), wide = std::min(u16(data + 2) & 0x7FFF, columns);
    const std::size_t unit = (u16(data + 2) & 0x8000) != 0 ? 2 : 1;
    std::size_t at = data + 6 + columns * 2 + inner * (columns + wide) * unit;
    if (inner >= u16(data) || !has(at, (columns + wide) * unit)) {
        return 0;
    }
    float sum = 0;
    for (std::uint32_t column = 0; column < columns; ++column) {
        const std::size_t size = column < wide ? unit * 2 : unit;
        const auto value = static_cast<std::int32_t>(number(at, size) << (32 - size * 8)) >> (32 - size * 8);
        sum += static_cast<float>(value) * factor_of(regions, u16(data + 6 + std::size_t{column} * 2));
        at += size;
    }
    return sum;
}

} // namespace weir::text

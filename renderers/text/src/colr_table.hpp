#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace weir::text {

/// The table COLR of a font, version 1. Positions are bytes from its start. Reads beyond its end give 0. FreeType has
/// functions for it, but not in Debian 12, where they are disabled.
class ColrTable {
public:
    /// `coordinates` are those of a variable font, normalized, in units of 2^-14. Both must outlive the table.
    ColrTable(std::span<const std::uint8_t> bytes, std::span<const int> coordinates)
        : bytes_(bytes), coordinates_(coordinates) {}

    [[nodiscard]] bool has(std::size_t at, std::size_t size) const {
        return at <= bytes_.size() && size <= bytes_.size() - at;
    }
    /// Returns a big-endian number of `size` bytes.
    [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t size) const;
    [[nodiscard]] std::uint32_t u8(std::size_t at) const { return number(at, 1); }
    [[nodiscard]] std::uint32_t u16(std::size_t at) const { return number(at, 2); }
    [[nodiscard]] std::uint32_t u24(std::size_t at) const { return number(at, 3); }
    [[nodiscard]] std::uint32_t u32(std::size_t at) const { return number(at, 4); }
    [[nodiscard]] std::int32_t i16(std::size_t at) const { return static_cast<std::int16_t>(u16(at)); }
    [[nodiscard]] std::int32_t i32(std::size_t at) const { return static_cast<std::int32_t>(u32(at)); }

    /// Returns the position of a glyph's paint; 0 if it has none.
    [[nodiscard]] std::size_t glyph_paint(std::uint32_t glyph) const;
    /// Returns the position of a layer's paint; 0 if it has none.
    [[nodiscard]] std::size_t layer_paint(std::uint64_t layer) const;
    /// Returns the clip box of a glyph in font units: left, bottom, right, top.
    [[nodiscard]] std::optional<std::array<float, 4>> clip_box(std::uint32_t glyph) const;
    /// Returns what a variable font adds to a value. `index` is that of the paint plus the number of the value.
    [[nodiscard]] float delta(std::uint32_t index) const;

private:
    [[nodiscard]] float factor_of(std::size_t regions, std::uint32_t region) const;

    std::span<const std::uint8_t> bytes_;
    std::span<const int> coordinates_;
};

} // namespace weir::text

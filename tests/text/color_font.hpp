#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace text_tests {

/// Layer of a color glyph: a glyph, and a color of the palette.
struct Layer {
    std::uint16_t glyph, color;
};

inline void put16(std::vector<std::uint8_t>& out, std::uint32_t value) {
    out.push_back(static_cast<std::uint8_t>(value >> 8));
    out.push_back(static_cast<std::uint8_t>(value));
}
inline void put32(std::vector<std::uint8_t>& out, std::uint32_t value) {
    put16(out, value >> 16);
    put16(out, value & 0xFFFF);
}

/// Adds the tables COLR (version 0) and CPAL (red, green) to a TrueType font: `glyph` gets `layers`.
inline std::vector<std::uint8_t> with_colors(const std::vector<std::uint8_t>& font, std::uint16_t glyph,
                                             const std::vector<Layer>& layers) {
    std::vector<std::uint8_t> colr, cpal;
    const auto count = static_cast<std::uint32_t>(layers.size());
    for (const std::uint32_t value : {0U, 1U}) {
        put16(colr, value); // version, number of base glyphs
    }
    put32(colr, 14); // base glyphs follow the header, then layers
    put32(colr, 20);
    put16(colr, count);
    for (const std::uint32_t value : {std::uint32_t{glyph}, 0U, count}) {
        put16(colr, value);
    }
    for (const Layer& layer : layers) {
        put16(colr, layer.glyph);
        put16(colr, layer.color);
    }
    for (const std::uint32_t value : {0U, 2U, 1U, 2U}) {
        put16(cpal, value); // version, entries, palettes, colors
    }
    put32(cpal, 14);
    put16(cpal, 0);
    put32(cpal, 0x0000FFFF); // blue, green, red, alpha
    put32(cpal, 0x00FF00FF);

    const std::uint32_t tables = font[4] * 256U + font[5];
    std::vector<std::uint8_t> result(font.begin(), font.begin() + 4);
    put16(result, tables + 2);
    result.insert(result.end(), font.begin() + 6, font.begin() + 12);
    const std::uint32_t added = 32; // bytes of the directory
    const auto data = static_cast<std::uint32_t>(font.size()) + added;
    const auto entry = [&](const char* tag, std::uint32_t offset, std::size_t size) {
        result.insert(result.end(), tag, tag + 4);
        put32(result, 0);
        put32(result, offset);
        put32(result, static_cast<std::uint32_t>(size));
    };
    entry("COLR", data, colr.size());
    entry("CPAL", data + static_cast<std::uint32_t>(colr.size()), cpal.size());
    for (std::uint32_t i = 0; i < tables; ++i) {
        const std::uint8_t* from = &font[12 + i * 16];
        result.insert(result.end(), from, from + 8);
        put32(result, (from[8] * 256U * 256 * 256 + from[9] * 256U * 256 + from[10] * 256U + from[11]) + added);
        result.insert(result.end(), from + 12, from + 16);
    }
    result.insert(result.end(), font.begin() + 12 + tables * 16, font.end());
    result.insert(result.end(), colr.begin(), colr.end());
    result.insert(result.end(), cpal.begin(), cpal.end());
    return result;
}

} // namespace text_tests

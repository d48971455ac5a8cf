#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
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

/// A table of a font.
struct Table {
    const char* tag;
    std::vector<std::uint8_t> data;
};

/// Removes the outline of a glyph from a TrueType font.
inline std::vector<std::uint8_t> without_outline(std::vector<std::uint8_t> font, std::uint32_t glyph) {
    const auto number = [&](std::size_t at, int bytes) {
        std::uint32_t value = 0;
        for (int i = 0; i < bytes; ++i) {
            value = value << 8 | font[at++];
        }
        return value;
    };
    std::uint32_t head = 0, loca = 0; // positions of tables
    for (std::size_t i = 12; i < 12 + number(4, 2) * 16; i += 16) {
        head = std::memcmp(&font[i], "head", 4) == 0 ? number(i + 8, 4) : head;
        loca = std::memcmp(&font[i], "loca", 4) == 0 ? number(i + 8, 4) : loca;
    }
    const std::size_t size = number(head + 50, 2) == 0 ? 2 : 4; // bytes of an offset
    std::copy_n(&font[loca + (glyph + 1) * size], size, &font[loca + glyph * size]);
    return font;
}

/// Adds tables to a TrueType font.
inline std::vector<std::uint8_t> with_tables(const std::vector<std::uint8_t>& font, const std::vector<Table>& added) {
    const std::uint32_t tables = font[4] * 256U + font[5];
    const auto more = static_cast<std::uint32_t>(added.size()) * 16; // bytes of the directory
    auto offset = static_cast<std::uint32_t>(font.size()) + more;
    std::vector<std::vector<std::uint8_t>> directory; // sorted by tag
    for (const Table& table : added) {
        auto& entry = directory.emplace_back(table.tag, table.tag + 4);
        put32(entry, 0);
        put32(entry, offset);
        put32(entry, static_cast<std::uint32_t>(table.data.size()));
        offset += static_cast<std::uint32_t>(table.data.size());
    }
    for (std::uint32_t i = 0; i < tables; ++i) {
        const std::uint8_t* from = &font[12 + std::size_t{i} * 16];
        auto& entry = directory.emplace_back(from, from + 8);
        put32(entry, (from[8] * 256U * 256 * 256 + from[9] * 256U * 256 + from[10] * 256U + from[11]) + more);
        entry.insert(entry.end(), from + 12, from + 16);
    }
    std::sort(directory.begin(), directory.end());
    std::vector<std::uint8_t> result(font.begin(), font.begin() + 4);
    put16(result, tables + static_cast<std::uint32_t>(added.size()));
    result.insert(result.end(), font.begin() + 6, font.begin() + 12);
    for (const auto& entry : directory) {
        result.insert(result.end(), entry.begin(), entry.end());
    }
    result.insert(result.end(), font.begin() + 12 + tables * 16, font.end());
    for (const Table& table : added) {
        result.insert(result.end(), table.data.begin(), table.data.end());
    }
    return result;
}

/// The table CPAL with a palette of red and green.
inline std::vector<std::uint8_t> two_colors() {
    std::vector<std::uint8_t> cpal;
    for (const std::uint32_t value : {0U, 2U, 1U, 2U}) {
        put16(cpal, value); // version, entries, palettes, colors
    }
    put32(cpal, 14);
    put16(cpal, 0);
    put32(cpal, 0x0000FFFF); // blue, green, red, alpha
    put32(cpal, 0x00FF00FF);
    return cpal;
}

/// Adds the tables COLR (version 0) and CPAL (red, green): `glyph` gets `layers`.
inline std::vector<std::uint8_t> with_colors(const std::vector<std::uint8_t>& font, std::uint16_t glyph,
                                             const std::vector<Layer>& layers) {
    std::vector<std::uint8_t> colr;
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
    return with_tables(font, {{"COLR", colr}, {"CPAL", two_colors()}});
}

/// Adds the table SVG with a document for `glyph`.
inline std::vector<std::uint8_t> with_svg(const std::vector<std::uint8_t>& font, std::uint32_t glyph,
                                          const std::string& document) {
    std::vector<std::uint8_t> svg;
    put16(svg, 0);  // version
    put32(svg, 10); // offset of the list
    put32(svg, 0);
    for (const std::uint32_t value : {1U, glyph, glyph}) {
        put16(svg, value); // documents, first and last glyph
    }
    put32(svg, 14); // offset in the list
    put32(svg, static_cast<std::uint32_t>(document.size()));
    svg.insert(svg.end(), document.begin(), document.end());
    return with_tables(font, {{"SVG ", svg}});
}

/// Returns a TrueType font as WOFF, without compression.
inline std::vector<std::uint8_t> as_woff(const std::vector<std::uint8_t>& font) {
    const std::uint32_t tables = font[4] * 256U + font[5];
    const auto number = [&](std::size_t at) {
        return font[at] * 256U * 256 * 256 + font[at + 1] * 256U * 256 + font[at + 2] * 256U + font[at + 3];
    };
    std::vector<std::uint8_t> directory, data;
    std::uint32_t size = 12 + tables * 16; // bytes of the font without WOFF
    for (std::size_t i = 12; i < 12 + tables * 16; i += 16) {
        const std::uint32_t from = number(i + 8), length = number(i + 12);
        for (const std::uint32_t value :
             {number(i), 44 + tables * 20 + static_cast<std::uint32_t>(data.size()), length, length, number(i + 4)}) {
            put32(directory, value); // tag, offset, compressed and other length, checksum
        }
        data.insert(data.end(), font.begin() + from, font.begin() + from + length);
        data.resize((data.size() + 3) / 4 * 4);
        size += (length + 3) / 4 * 4;
    }
    std::vector<std::uint8_t> woff = {'w', 'O', 'F', 'F'};
    put32(woff, 0x00010000);
    put32(woff, static_cast<std::uint32_t>(44 + directory.size() + data.size()));
    put16(woff, tables);
    put16(woff, 0);
    put32(woff, size);
    woff.resize(44); // no metadata
    woff.insert(woff.end(), directory.begin(), directory.end());
    woff.insert(woff.end(), data.begin(), data.end());
    return woff;
}

/// Adds the table sbix with a picture of 2 x 2 pixels for `glyph`, at a size of 2 pixels per em: red and green above
/// half transparent blue and nothing. Its lower left corner is at (1, -1) pixels.
inline std::vector<std::uint8_t> with_picture(const std::vector<std::uint8_t>& font, std::uint32_t glyph,
                                              std::uint32_t glyphs) {
    const std::vector<std::uint8_t> png = {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49,
                                           0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x06,
                                           0x00, 0x00, 0x00, 0x72, 0xB6, 0x0D, 0x24, 0x00, 0x00, 0x00, 0x14, 0x49, 0x44,
                                           0x41, 0x54, 0x78, 0xDA, 0x63, 0xF8, 0xCF, 0xC0, 0xF0, 0x1F, 0x0C, 0x81, 0x74,
                                           0x03, 0x90, 0x60, 0x00, 0x00, 0x3D, 0x57, 0x05, 0x7C, 0x61, 0x7F, 0x44, 0xF9,
                                           0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};
    std::vector<std::uint8_t> sbix;
    put16(sbix, 1);  // version
    put16(sbix, 3);  // flags: outlines are drawn too
    put32(sbix, 1);  // strikes
    put32(sbix, 12); // offset of the strike
    put16(sbix, 2);  // pixels per em
    put16(sbix, 72);
    const std::uint32_t data = 4 + (glyphs + 1) * 4, end = data + 8 + static_cast<std::uint32_t>(png.size());
    for (std::uint32_t i = 0; i <= glyphs; ++i) {
        put32(sbix, i <= glyph ? data : end);
    }
    put16(sbix, 1);
    put16(sbix, 0xFFFF); // -1
    for (const char c : {'p', 'n', 'g', ' '}) {
        sbix.push_back(static_cast<std::uint8_t>(c));
    }
    sbix.insert(sbix.end(), png.begin(), png.end());
    return with_tables(font, {{"sbix", sbix}});
}

/// Adds the tables fvar and gvar with an axis wght from 100 to 900, by default 400. At 900, the 4 points of `glyph` are
/// moved to the right by 100 units.
inline std::vector<std::uint8_t> with_weights(const std::vector<std::uint8_t>& font, std::uint32_t glyph,
                                              std::uint32_t glyphs) {
    std::vector<std::uint8_t> fvar, gvar;
    for (const std::uint32_t value : {1U, 0U, 16U, 2U, 1U, 20U, 0U, 8U}) {
        put16(fvar, value); // version, offset of axes, reserved, axes, size of an axis, instances, size of an instance
    }
    for (const char c : {'w', 'g', 'h', 't'}) {
        fvar.push_back(static_cast<std::uint8_t>(c));
    }
    for (const std::uint32_t value : {100U, 400U, 900U}) {
        put32(fvar, value << 16);
    }
    put16(fvar, 0);
    put16(fvar, 256);

    constexpr std::uint32_t size = 22; // bytes of the glyph
    const std::uint32_t data = 20 + (glyphs + 1) * 4;
    for (const std::uint32_t value : {1U, 0U, 1U, 0U}) {
        put16(gvar, value); // version, axes, shared tuples
    }
    put32(gvar, data);
    put16(gvar, glyphs);
    put16(gvar, 1); // long offsets
    put32(gvar, data);
    for (std::uint32_t i = 0; i <= glyphs; ++i) {
        put32(gvar, i <= glyph ? 0 : size);
    }
    // One tuple: 12 bytes of data at 10, for all points; its peak is 1.
    for (const std::uint32_t value : {1U, 10U, 12U, 0xA000U, 0x4000U}) {
        put16(gvar, value);
    }
    gvar.push_back(0);    // all points
    gvar.push_back(0x43); // x: 4 words, then 4 zeros for the phantom points
    for (int i = 0; i < 4; ++i) {
        put16(gvar, 100);
    }
    gvar.push_back(0x83);
    gvar.push_back(0x87); // y: 8 zeros
    return with_tables(font, {{"fvar", fvar}, {"gvar", gvar}});
}

} // namespace text_tests

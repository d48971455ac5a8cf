#pragma once

#include <initializer_list>

#include "tests/text/made_fonts.hpp"

// Paints of color glyphs (COLR version 1). Each function returns the bytes of a paint, followed by those of its
// children.

namespace text_tests {

using Bytes = std::vector<std::uint8_t>;

/// A color stop: offset, index in the palette, alpha.
struct PaintStop {
    double offset;
    std::uint16_t color;
    double alpha = 1;
};

inline std::uint32_t fraction(double value) { // 2.14 bits
    return static_cast<std::uint16_t>(static_cast<int>(value * 16384));
}
inline void append(Bytes& out, const Bytes& more) {
    out.insert(out.end(), more.begin(), more.end());
}
inline void put24(Bytes& out, std::size_t value) {
    out.push_back(static_cast<std::uint8_t>(value >> 16));
    put16(out, value & 0xFFFF);
}
inline Bytes words(std::initializer_list<std::int32_t> values) {
    Bytes out;
    for (const std::int32_t value : values) {
        put16(out, static_cast<std::uint32_t>(value));
    }
    return out;
}

/// A paint with an offset to what follows it, then `fields`.
inline Bytes linked_paint(std::uint8_t format, const Bytes& child, const Bytes& fields) {
    Bytes out = {format};
    put24(out, 4 + fields.size());
    append(out, fields);
    append(out, child);
    return out;
}
inline Bytes solid_paint(std::uint16_t color, double alpha = 1) {
    Bytes out = {2};
    put16(out, color);
    put16(out, fraction(alpha));
    return out;
}
inline Bytes glyph_paint(std::uint16_t glyph, const Bytes& child) {
    return linked_paint(10, child, words({glyph}));
}
inline Bytes colr_glyph_paint(std::uint16_t glyph) {
    Bytes out = {11};
    put16(out, glyph);
    return out;
}
inline Bytes layers_paint(std::uint8_t count, std::uint32_t first) {
    Bytes out = {1, count};
    put32(out, first);
    return out;
}
inline Bytes affine_paint(const Bytes& child, std::initializer_list<double> values) {
    Bytes out = {12};
    put24(out, 7 + 24);
    put24(out, 7);
    for (const double value : values) { // xx, yx, xy, yy, dx, dy
        put32(out, static_cast<std::uint32_t>(static_cast<std::int32_t>(value * 65536)));
    }
    append(out, child);
    return out;
}
inline Bytes composite_paint(const Bytes& source, std::uint8_t mode, const Bytes& backdrop) {
    Bytes out = {32};
    put24(out, 8);
    out.push_back(mode);
    put24(out, 8 + source.size());
    append(out, source);
    append(out, backdrop);
    return out;
}
/// `extend`: 0 pad, 1 repeat, 2 reflect.
inline Bytes color_line(std::uint8_t extend, std::initializer_list<PaintStop> stops) {
    Bytes out = {extend};
    put16(out, static_cast<std::uint32_t>(stops.size()));
    for (const PaintStop& stop : stops) {
        put16(out, fraction(stop.offset));
        put16(out, stop.color);
        put16(out, fraction(stop.alpha));
    }
    return out;
}

/// Contents of a table COLR.
struct PaintTable {
    std::vector<std::pair<std::uint16_t, Bytes>> glyphs = {}; ///< sorted
    std::vector<Bytes> layers = {};
    std::vector<std::int32_t> clip_box = {}; ///< box of all glyphs; empty: none
    Bytes variations = {};                   ///< an ItemVariationStore
};

/// Adds the tables COLR (version 1) and CPAL (red, green).
inline Bytes with_paints(const Bytes& font, const PaintTable& table) {
    Bytes glyphs, layers, clips;
    put32(glyphs, static_cast<std::uint32_t>(table.glyphs.size()));
    std::size_t at = 4 + table.glyphs.size() * 6;
    for (const auto& [glyph, paint] : table.glyphs) {
        put16(glyphs, glyph);
        put32(glyphs, static_cast<std::uint32_t>(at));
        at += paint.size();
    }
    for (const auto& [glyph, paint] : table.glyphs) {
        append(glyphs, paint);
    }
    put32(layers, static_cast<std::uint32_t>(table.layers.size()));
    at = 4 + table.layers.size() * 4;
    for (const Bytes& paint : table.layers) {
        put32(layers, static_cast<std::uint32_t>(at));
        at += paint.size();
    }
    for (const Bytes& paint : table.layers) {
        append(layers, paint);
    }
    if (!table.clip_box.empty()) {
        clips = {1, 0, 0, 0, 1, 0, 0, 0xFF, 0xFF, 0, 0, 12, 1};
        for (const std::int32_t value : table.clip_box) {
            put16(clips, static_cast<std::uint32_t>(value));
        }
    }
    Bytes colr;
    put16(colr, 1);
    put16(colr, 0); // no glyphs of version 0
    put32(colr, 0);
    put32(colr, 0);
    put16(colr, 0);
    std::size_t offset = 34;
    for (const Bytes* part : {&glyphs, &layers, &clips}) {
        put32(colr, part->empty() ? 0 : static_cast<std::uint32_t>(offset));
        offset += part->size();
    }
    put32(colr, 0); // variations have no map
    put32(colr, table.variations.empty() ? 0 : static_cast<std::uint32_t>(offset));
    for (const Bytes& part : {glyphs, layers, clips, table.variations}) {
        append(colr, part);
    }
    return with_tables(font, {{"COLR", colr}, {"CPAL", two_colors()}});
}

} // namespace text_tests

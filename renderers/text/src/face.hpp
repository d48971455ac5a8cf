#pragma once

#include <mutex>
#include <unordered_map>

#include <weir/text/font.hpp>

#include <freetype/freetype.h>
#include <hb.h>

namespace weir::text {

/// A font of a file, by FreeType and HarfBuzz. Both use the same values of axes.
struct Font::Face {
    Face() = default;
    ~Face();
    Face(const Face&) = delete;
    Face& operator=(const Face&) = delete;

    std::shared_ptr<const std::vector<std::uint8_t>> bytes;
    FT_Library library = nullptr; ///< FreeType requires one library per thread, or a lock; each face has its own
    FT_Face ft = nullptr;         ///< for outlines
    FT_Face bitmaps = nullptr;    ///< the same font at the size of its largest color bitmaps; null if it has none
    hb_font_t* hb = nullptr;      ///< immutable, scaled to `units` per em
    hb_blob_t* colr = nullptr;    ///< the table COLR; empty if the font has none
    bool has_svg_glyphs = false;  ///< has the table SVG
    std::string family;
    Metrics metrics;
    std::vector<Variation> axes;
    std::vector<CharacterRange> characters; ///< characters that the font may have; empty: all

    /// Units per em of HarfBuzz: fractions of a font unit are kept.
    static constexpr int units = 1 << 16;

    /// Returns the glyph of a character; missing_glyph if the font does not have it.
    [[nodiscard]] std::uint32_t glyph_of(char32_t character) const;
    /// Returns an outline. The mutex must be locked.
    [[nodiscard]] const paths::Path& outline(std::uint32_t glyph) const;

    mutable std::mutex mutex; ///< guards the members below, and both of FreeType's faces
    mutable std::unordered_map<std::uint32_t, paths::Path> outlines;
    mutable std::unordered_map<std::uint32_t, ColorGlyph> color_glyphs;
    mutable std::unordered_map<std::uint32_t, std::optional<GlyphPicture>> pictures;
};

/// Opens a font of a file in memory. `index` is FreeType's: the number of a named instance is in the upper 16 bits.
Result<Font> open_font(std::shared_ptr<const std::vector<std::uint8_t>> bytes, std::uint32_t index,
                       std::span<const Variation> variations, std::vector<CharacterRange> characters = {});

/// Reads a glyph of the table COLR, with the first palette. The face's mutex must be locked.
ColorGlyph read_color_glyph(const Font::Face& face, std::uint32_t glyph);

} // namespace weir::text

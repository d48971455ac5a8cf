#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/paths/scene.hpp>
#include <weir/text/color.hpp>

namespace weir::text {

/// Slant of a font.
enum class Slant : std::uint8_t { normal, italic, oblique };

/// Value of an axis of a variable font.
struct Variation {
    std::string axis; ///< four letters, such as "wght"
    float value = 0;
    friend bool operator==(const Variation&, const Variation&) = default;
};

/// Describes a font to search for.
struct FontStyle {
    std::vector<std::string> families = {"sans-serif"}; ///< in order of preference; generic names of CSS are allowed
    float weight = 400;                                 ///< 1 to 1000; 400 is regular, 700 is bold
    Slant slant = Slant::normal;
    float stretch = 100;                    ///< width in percent of the normal width
    std::vector<Variation> variations = {}; ///< axes to set; other axes follow weight, slant and stretch
    friend bool operator==(const FontStyle&, const FontStyle&) = default;
};

/// Distances of a font, in multiples of the font size. Positions are above the baseline if positive.
struct Metrics {
    float ascent = 0;   ///< extent above the baseline
    float descent = 0;  ///< extent below the baseline, positive
    float line_gap = 0; ///< additional distance between lines
    float x_height = 0;
    float cap_height = 0;
    float underline_position = 0, underline_thickness = 0;
    float strikeout_position = 0, strikeout_thickness = 0;
    float subscript_offset = 0;   ///< distance below the baseline
    float superscript_offset = 0; ///< distance above the baseline
};

/// Index of a font's glyph for characters that it does not have.
inline constexpr std::uint32_t missing_glyph = 0;

/// A font with a size of 1. Copies share its data. Thread-safe.
class Font {
public:
    /// Reads a font file: TrueType, OpenType, a collection, WOFF, or WOFF2 if FreeType has Brotli. `index` is the
    /// number of the font in the file. Errors: `io` if the file is damaged, has no such font, or has neither outlines
    /// nor color bitmaps.
    static Result<Font> from_memory(std::vector<std::uint8_t> bytes, std::uint32_t index = 0,
                                    std::span<const Variation> variations = {});

    [[nodiscard]] const std::string& family() const;  ///< name of the family
    [[nodiscard]] const Metrics& metrics() const;     ///< distances
    [[nodiscard]] bool has(char32_t character) const; ///< checks that the font has a glyph for a character
    /// Checks that the font has a glyph for a character and can draw it: it has an outline, color layers or a picture.
    /// Spaces, marks and format characters may be empty.
    [[nodiscard]] bool draws(char32_t character) const;
    [[nodiscard]] std::uint32_t glyph_count() const;   ///< number of glyphs
    [[nodiscard]] std::vector<Variation> axes() const; ///< values of all axes; empty if the font is not variable

    /// Returns the outline of a glyph at size 1, with the origin on the baseline and y downwards. It is read once and
    /// then kept. It is empty if the glyph has no outline or is damaged. Valid as long as a copy of the font exists.
    [[nodiscard]] const paths::Path& outline(std::uint32_t glyph) const;
    /// Returns the steps of a color glyph (COLR, first palette). It has no steps for other glyphs. Valid as long as a
    /// copy of the font exists.
    [[nodiscard]] const ColorGlyph& color_glyph(std::uint32_t glyph) const;
    /// Returns the picture of a color glyph (sbix, CBDT) in the largest size that the font has; null for other glyphs.
    /// Valid as long as a copy of the font exists.
    [[nodiscard]] const GlyphPicture* picture(std::uint32_t glyph) const;

    /// Returns the SVG document of a glyph (table SVG), perhaps compressed by gzip; empty for other glyphs. The glyph
    /// is the element with the id "glyph" and its number, in font units.
    /// Valid as long as a copy of the font exists.
    [[nodiscard]] std::string_view svg_document(std::uint32_t glyph) const;

    /// Returns true if both are copies of one font.
    friend bool operator==(const Font&, const Font&) = default;

    /// Private data.
    struct Face;
    /// For the library's own use.
    explicit Font(std::shared_ptr<const Face> face) : face_(std::move(face)) {}
    /// For the library's own use.
    [[nodiscard]] const Face& face() const { return *face_; }

private:
    std::shared_ptr<const Face> face_;
};

/// A range of characters, with its last one.
struct CharacterRange {
    char32_t first = 0, last = 0x10FFFF;
};

/// Finds fonts among those of the system and of the application. Used by one thread at a time.
class Fonts {
public:
    /// Fonts that a search finds.
    enum class Source : std::uint8_t {
        system,      ///< fonts of the system, by fontconfig, and those that were added
        application, ///< only those that were added
    };
    /// Creates a collection of fonts. Reads the configuration of fontconfig at the first search.
    explicit Fonts(Source source = Source::system);
    ~Fonts();
    Fonts(Fonts&&) noexcept;
    Fonts& operator=(Fonts&&) noexcept;

    /// Adds all fonts of a file. They are found by the names of their families. Errors: `io` if the file has no font.
    Result<> add(std::vector<std::uint8_t> bytes);
    /// Adds the first font of a file under the families, weight, slant and stretch of `style`, whatever those of the
    /// file are: a web font. If `characters` is not empty, the font has no others. Errors: `io` if the file has no
    /// font.
    Result<> add(std::vector<std::uint8_t> bytes, const FontStyle& style, std::vector<CharacterRange> characters = {});
    /// Adds a font of the system under another style. `name` is its full name ("DejaVu Sans Bold") or PostScript name.
    /// Returns false if the system has no such font.
    bool add_local(const std::string& name, const FontStyle& style, std::vector<CharacterRange> characters = {});

    /// Returns the font that matches best. Families that do not exist are skipped; if none exists, this is the default
    /// font of the system. Equal styles give the same font. Errors: `unsupported` if there is no font.
    Result<Font> find(const FontStyle& style);
    /// Returns the font that draws `character` and matches best. If no font draws it, returns the best one that has it;
    /// nullopt if there is none.
    std::optional<Font> find_with(char32_t character, const FontStyle& style);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weir::text

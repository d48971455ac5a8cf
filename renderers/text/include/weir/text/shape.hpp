#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weir/text/font.hpp>

namespace weir::text {

/// Direction of a paragraph.
enum class Direction : std::uint8_t {
    automatic,     ///< that of the first character with a direction
    left_to_right, ///< like English
    right_to_left, ///< like Arabic
};

/// An OpenType feature.
struct Feature {
    std::string tag;         ///< four letters, such as "kern" or "smcp"
    std::uint32_t value = 1; ///< 0: off
    friend bool operator==(const Feature&, const Feature&) = default;
};

/// Font and spacing of a part of a text.
struct TextStyle {
    FontStyle font = {};
    float size = 16; ///< pixels per em
    float letter_spacing =
        0;                  ///< added after each character; letters that are joined, as in Arabic, keep their distance
    float word_spacing = 0; ///< added after each space
    std::vector<Feature> features = {};
    std::string language = {}; ///< as in HTML, such as "sr"; empty: that of the process
    friend bool operator==(const TextStyle&, const TextStyle&) = default;
};

/// A part of a text in one style.
struct Span {
    std::size_t bytes = 0; ///< length in UTF-8
    TextStyle style;
};

/// A glyph at its place in a line.
struct PlacedGlyph {
    std::uint32_t font = 0;  ///< index in Line::fonts
    std::uint32_t glyph = 0; ///< index in the font; `missing_glyph` if no font has the character
    std::uint32_t byte = 0;  ///< position in the text of the first character that the glyph belongs to
    std::uint32_t span = 0;  ///< index of the span
    paths::Point at;         ///< position of the glyph's origin, from the start of the baseline
    float advance = 0;       ///< distance to the next glyph, with spacing
    float spacing = 0;       ///< part of `advance` that is letter and word spacing
    float size = 0;          ///< pixels per em
    bool is_right_to_left = false;
};

/// A shaped line of text.
struct Line {
    std::vector<Font> fonts;
    std::vector<PlacedGlyph> glyphs; ///< from left to right
    float advance = 0;               ///< width
    float ascent = 0;                ///< maximum extent of the fonts above the baseline
    float descent = 0;               ///< maximum extent of the fonts below the baseline
};

/// Shapes one line of text. `spans` must cover `text`.
///
/// The line is split by direction (Unicode's bidirectional algorithm, by FriBidi), script and style. A character that
/// the font does not draw is taken from another font that does: see `Fonts::find_with`. Each part is shaped by
/// HarfBuzz. Invalid UTF-8 becomes U+FFFD, and a control character becomes a space: the application breaks lines.
///
/// Errors: `invalid_argument` if the spans do not cover the text; `limit_exceeded` for 2^24 bytes or more; errors of
/// `Fonts::find`.
Result<Line> shape(Fonts& fonts, std::string_view text, std::span<const Span> spans,
                   Direction direction = Direction::automatic);
/// Shapes one line of text in one style.
Result<Line> shape(Fonts& fonts, std::string_view text, const TextStyle& style = {},
                   Direction direction = Direction::automatic);

} // namespace weir::text

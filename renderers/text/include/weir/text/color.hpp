#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include <weir/paths/scene.hpp>

namespace weir::text {

/// The color of the text as the paint of a color glyph.
struct TextPaint {
    float alpha = 1; ///< factor of the color's alpha
};

/// Paint of a step of a color glyph. Gradients are in the space of its outline.
using GlyphPaint =
    std::variant<TextPaint, paths::Color, paths::LinearGradient, paths::RadialGradient, paths::SweepGradient>;

/// A step of drawing a color glyph.
struct ColorStep {
    enum class Kind : std::uint8_t {
        fill,       ///< fills `outline` with `paint`
        push_clip,  ///< begins a layer inside of `outline`
        push_layer, ///< begins `layer`
        pop,        ///< ends the innermost layer
    };
    Kind kind = Kind::fill;
    paths::Path outline = {};        ///< at size 1, with the origin on the baseline and y downwards
    paths::Transform transform = {}; ///< transform of the outline and its paint
    GlyphPaint paint = {};
    std::vector<std::uint32_t> text_stops =
        {}; ///< stops of a gradient that have the color of the text, times their alpha
    paths::Layer layer = {};
};

/// A color glyph (COLR) at size 1.
struct ColorGlyph {
    std::vector<ColorStep> steps = {};
    /// False if a part cannot be drawn: the table is damaged or refers to itself, nests more than 64 paints, has more
    /// than 10,000 paints and stops, or has a gradient or an unbounded fill that its specification does not allow.
    bool is_complete = true;
};

/// Picture of a color glyph.
struct GlyphPicture {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint32_t> pixels = {}; ///< as in paths::Bitmap, premultiplied
    paths::Transform transform = {};        ///< from pixels to size 1, with the origin on the baseline
};

} // namespace weir::text

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/text/shape.hpp>

namespace weir::text {

/// Draws of a scene: `count` of them, beginning with `first`.
struct Draws {
    std::uint32_t first = 0, count = 0;
};

/// Draws lines of text into a scene. Adds each outline to the scene once, whatever the size of the text. The scene must
/// outlive it.
class SceneText {
public:
    /// Begins without outlines.
    explicit SceneText(paths::Scene& scene) : scene_(&scene) {}

    /// Fills the glyphs of a line. `at` is the start of its baseline. `paint` must be a color. Color glyphs have their
    /// own colors. For gradients, fill `outline_of(line)`.
    Draws fill(const Line& line, paths::Point at, paths::PaintId paint, const paths::Transform& transform = {});
    /// Strokes the outlines of a line. Lengths of the stroke are in pixels of the line.
    Draws stroke(const Line& line, paths::Point at, paths::PaintId paint, const paths::Stroke& stroke,
                 const paths::Transform& transform = {});
    /// Returns the outline of a glyph at size 1. Adds it to the scene if it is new.
    paths::OutlineId outline(const Font& font, std::uint32_t glyph);

    [[nodiscard]] std::size_t outlines() const { return outlines_.size(); } ///< number of outlines that were added

private:
    paths::PaintId color(const paths::Color& color);
    /// Returns the outline and the paint of a picture.
    std::pair<paths::OutlineId, paths::PaintId> picture(const Font& font, std::uint32_t glyph,
                                                        const GlyphPicture& picture);

    paths::Scene* scene_;
    std::vector<Font> fonts_; ///< keeps the keys of `outlines_` unique
    std::map<std::pair<const Font::Face*, std::uint32_t>, paths::OutlineId> outlines_;
    std::map<std::array<float, 4>, paths::PaintId> colors_;
    std::map<std::pair<const Font::Face*, std::uint32_t>, std::pair<paths::OutlineId, paths::PaintId>> pictures_;
};

/// Returns the outlines of all glyphs of a line as one path: for gradients, clips and measurement.
paths::Path outline_of(const Line& line, paths::Point at = {});

} // namespace weir::text

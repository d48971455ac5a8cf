#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/text/shape.hpp>

namespace weir::text {

/// Draws of a scene: `count` of them, beginning with `first`.
struct Draws {
    std::uint32_t first = 0, count = 0;
};

/// Reads an element of an SVG document as a scene in the element's units, such as weir::svg::read. `color` is that of
/// the text. Returns nullopt if it cannot.
using SvgReader = std::function<std::optional<paths::Scene>(std::string_view document, const std::string& element,
                                                            const paths::Color& color)>;

/// Draws lines of text into a scene. Adds each outline to the scene once, whatever the size of the text. The scene must
/// outlive it.
class SceneText {
public:
    /// Begins without outlines.
    explicit SceneText(paths::Scene& scene) : scene_(&scene) {}
    /// Sets a reader for glyphs that are SVG documents. Without one, such glyphs are drawn as outlines.
    void set_svg_reader(SvgReader reader) { svg_reader_ = std::move(reader); }

    /// Fills the glyphs of a line. `at` is the start of its baseline. `paint` must be a color. Color glyphs have their
    /// own colors. For gradients, fill `outline_of(line)`.
    Draws fill(const Line& line, paths::Point at, paths::PaintId paint, const paths::Transform& transform = {});
    /// Fills a glyph. `transform` is from size 1, with the origin on the baseline and y downwards.
    Draws fill(const Font& font, std::uint32_t glyph, paths::PaintId paint, const paths::Transform& transform);
    /// Strokes the outlines of a line. Lengths of the stroke are in pixels of the line.
    Draws stroke(const Line& line, paths::Point at, paths::PaintId paint, const paths::Stroke& stroke,
                 const paths::Transform& transform = {});
    /// Returns the outline of a glyph at size 1. Adds it to the scene if it is new.
    paths::OutlineId outline(const Font& font, std::uint32_t glyph);

    [[nodiscard]] std::size_t outlines() const { return outlines_.size(); } ///< number of outlines that were added
    /// Returns the number of glyphs that were filled without a part of them: see ColorGlyph::is_complete. Counts SVG
    /// glyphs without a reader.
    [[nodiscard]] std::size_t incomplete_glyphs() const { return incomplete_glyphs_; }

private:
    using GlyphKey = std::pair<const Font::Face*, std::uint32_t>;
    /// Outline and paint of a step of a color glyph. The paint is empty if it depends on the color of the text.
    struct AddedStep {
        paths::OutlineId outline;
        std::optional<paths::PaintId> paint;
    };
    paths::PaintId color(const paths::Color& color);
    /// Adds a paint of a color glyph. Returns nullopt if it needs the color of the text, and `text` is null.
    std::optional<paths::PaintId> paint_of(const ColorStep& step, const paths::PaintId* text);
    [[nodiscard]] paths::Color color_of(paths::PaintId paint) const;
    /// Returns the scene of an SVG glyph; null if it is not one, or if it cannot be read.
    const paths::Scene* svg_glyph(const Font& font, std::uint32_t glyph, paths::PaintId paint);
    const std::vector<AddedStep>& steps(const Font& font, std::uint32_t glyph, const ColorGlyph& color_glyph);
    void fill_steps(const Font& font, std::uint32_t glyph, const ColorGlyph& color_glyph, paths::PaintId paint,
                    const paths::Transform& transform);
    /// Returns the outline and the paint of a picture.
    std::pair<paths::OutlineId, paths::PaintId> picture(const Font& font, std::uint32_t glyph,
                                                        const GlyphPicture& picture);

    paths::Scene* scene_;
    std::vector<Font> fonts_; ///< keeps the keys of the maps unique
    std::map<GlyphKey, paths::OutlineId> outlines_;
    std::map<std::array<float, 4>, paths::PaintId> colors_;
    std::map<GlyphKey, std::pair<paths::OutlineId, paths::PaintId>> pictures_;
    std::map<GlyphKey, std::vector<AddedStep>> steps_;
    SvgReader svg_reader_;
    /// Glyphs of fonts with SVG glyphs, by their color. Empty: cannot be read. Null: not an SVG glyph.
    std::map<std::pair<GlyphKey, std::array<float, 4>>, std::unique_ptr<std::optional<paths::Scene>>> svg_glyphs_;
    std::size_t incomplete_glyphs_ = 0;
};

/// Returns the outlines of all glyphs of a line as one path: for gradients, clips and measurement.
paths::Path outline_of(const Line& line, paths::Point at = {});

} // namespace weir::text

#include <algorithm>
#include <cmath>

#include "svg/text_reader.hpp"

namespace weir::svg {

using weir::paths::Path;
using weir::paths::Rect;
using weir::text::Font;

namespace {

bool is_color_glyph(const Font& font, std::uint32_t glyph) {
    const weir::text::ColorGlyph& color_glyph = font.color_glyph(glyph);
    return !color_glyph.steps.empty() || !color_glyph.is_complete || font.picture(glyph) != nullptr ||
           !font.svg_document(glyph).empty();
}

} // namespace

weir::text::Fonts& TextReader::fonts() {
    return reader_.fonts_->fonts;
}

std::optional<Rect> TextReader::box() const {
    Path cells;
    for (const Cluster& cluster : clusters_) {
        if (cluster.is_placed && cluster.width > 0) {
            Path cell;
            cell.add_rect(0, -cluster.ascent, cluster.width, cluster.ascent + cluster.descent);
            cells.add(cell, cluster.transform);
        }
    }
    return cells.empty() ? std::nullopt : std::optional(cells.bounds());
}

void TextReader::draw() {
    for (std::size_t first = 0; first < clusters_.size();) {
        std::size_t end = first + 1;
        while (end < clusters_.size() && clusters_[end].span == clusters_[first].span) {
            ++end;
        }
        draw_span(first, end);
        first = end;
    }
}

void TextReader::for_each_glyph(const Cluster& cluster, const GlyphVisitor& visit) const {
    const weir::text::Line& line = lines_[cluster.line];
    for (std::size_t g = cluster.first; cluster.is_placed && g < cluster.first + cluster.count; ++g) {
        const weir::text::PlacedGlyph& glyph = line.glyphs[g];
        visit(line.fonts[glyph.font], glyph.glyph,
              cluster.transform * Transform::translation(glyph.at.x - cluster.start, glyph.at.y) *
                  Transform::scaling(glyph.size, glyph.size));
    }
}

void TextReader::draw_span(std::size_t first, std::size_t end) {
    const Style& style = spans_[clusters_[first].span].style;
    draw_lines(first, end, false);
    Path path;
    for (std::size_t i = first; i < end; ++i) {
        for_each_glyph(clusters_[i], [&](const Font& font, std::uint32_t glyph, const Transform& transform) {
            if (!is_color_glyph(font, glyph)) {
                path.add(font.outline(glyph), transform);
            }
        });
    }
    draw_path(path, style);
    for (std::size_t i = first; i < end && style.is_visible; ++i) {
        for_each_glyph(clusters_[i], [&](const Font& font, std::uint32_t glyph, const Transform& transform) {
            if (is_color_glyph(font, glyph)) {
                draw_color_glyph(font, glyph, transform, style);
            }
        });
    }
    draw_lines(first, end, true);
}

void TextReader::draw_path(const Path& path, const Style& style) {
    if (!path.empty() && reader_.may_draw(path.points().size())) {
        reader_.draw_shape(node_, path, style, place_);
    }
}

void TextReader::draw_color_glyph(const Font& font, std::uint32_t glyph, const Transform& transform,
                                  const Style& style) {
    const weir::text::ColorGlyph& color_glyph = font.color_glyph(glyph);
    std::size_t points = 0;
    for (const weir::text::ColorStep& step : color_glyph.steps) {
        points += step.outline.points().size();
    }
    if (!reader_.may_draw(points)) {
        return;
    }
    // The whole glyph has the opacity of the fill. The color of the text is that of the fill; servers have none.
    weir::paths::Scene& scene = reader_.drawing_.scene;
    const bool is_layer = style.fill_opacity < 1;
    if (is_layer) {
        scene.push_layer({.opacity = style.fill_opacity});
    }
    const bool has_fill = style.fill.kind != PaintValue::Kind::none;
    const weir::paths::PaintId color = scene.add_paint(has_fill ? style.fill.color : weir::paths::Color{0, 0, 0, 0});
    const std::size_t before = glyphs_.incomplete_glyphs();
    glyphs_.fill(font, glyph, color, place_.transform * transform);
    if (is_layer) {
        scene.pop_layer();
    }
    if (glyphs_.incomplete_glyphs() > before) {
        reader_.warn("parts of color glyphs");
    }
}

void TextReader::draw_lines(std::size_t first, std::size_t end, bool is_above) {
    const Span& span = spans_[clusters_[first].span];
    for (const Decoration& decoration : span.decorations) {
        const weir::text::Metrics font = metrics(span.style);
        const float size = span.style.font_size;
        const auto draw = [&](std::uint32_t kind, float position, float thickness) {
            if ((decoration.lines & kind) == 0) {
                return;
            }
            Path path;
            for (std::size_t i = first; i < end;) { // a line for each sequence of clusters that are not moved
                const Cluster& start = clusters_[i];
                float width = start.advance;
                for (++i; i < end && !clusters_[i].is_moved && clusters_[i].line == start.line; ++i) {
                    width += clusters_[i].advance;
                }
                if (start.is_placed) {
                    Path line;
                    line.add_rect(0, -position - thickness / 2, width, thickness);
                    path.add(line, start.transform);
                }
            }
            draw_path(path, decoration.style);
        };
        const float thickness = font.underline_thickness * size;
        if (is_above) {
            draw(TextProperties::line_through, font.strikeout_position * size, thickness);
        } else {
            draw(TextProperties::underline, font.underline_position * size, thickness);
            draw(TextProperties::overline, font.ascent * size, thickness);
        }
    }
}

void Reader::draw_text(const Node& node, const Style& style, const Place& place) {
    Place inner = place;
    TextReader text(*this, inner, node, style);
    inner.box = text.box(); // paints refer to the whole text
    text.draw();
}

void Reader::add_text_box(const Node& node, const Style& style, const Place& place, const Transform& transform,
                          Path& path) {
    if (const auto box = TextReader(*this, place, node, style).box()) {
        Path area;
        area.add_rect(box->left, box->top, box->right - box->left, box->bottom - box->top);
        path.add(area, transform);
    }
}

} // namespace weir::svg

#include <algorithm>
#include <cmath>

#include "svg/text_reader.hpp"

namespace weir::svg {

using weir::paths::Path;
using weir::paths::Rect;
using weir::text::Font;

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
            if (font.color_layers(glyph).empty() && font.picture(glyph) == nullptr) {
                path.add(font.outline(glyph), transform);
            }
        });
    }
    draw_path(path, style);
    for (std::size_t i = first; i < end && style.is_visible; ++i) {
        for_each_glyph(clusters_[i], [&](const Font& font, std::uint32_t glyph, const Transform& transform) {
            draw_color_glyph(font, glyph, transform, style);
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
    const std::vector<weir::text::ColorLayer>& layers = font.color_layers(glyph);
    for (const weir::text::ColorLayer& layer : layers) {
        Path path;
        path.add(font.outline(layer.glyph), transform);
        Style painted = style;
        painted.stroke = {};
        if (layer.color) {
            painted.fill = {PaintValue::Kind::color, *layer.color};
        }
        draw_path(path, painted);
    }
    const weir::text::GlyphPicture* picture = layers.empty() ? font.picture(glyph) : nullptr;
    if (picture == nullptr || !reader_.may_draw(4)) {
        return;
    }
    weir::paths::Scene& scene = reader_.drawing_.scene;
    const auto [bitmap, is_new] = bitmaps_.try_emplace(picture);
    if (is_new) {
        bitmap->second = scene.add_bitmap({picture->width, picture->height, picture->pixels, true});
    }
    Path area;
    area.add_rect(0, 0, static_cast<float>(picture->width), static_cast<float>(picture->height));
    const weir::paths::ImagePaint image{.bitmap = bitmap->second, .opacity = style.fill_opacity};
    scene.fill(scene.add_outline(area), scene.add_paint(image), place_.transform * transform * picture->transform);
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

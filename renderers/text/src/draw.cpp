#include <weir/text/draw.hpp>

namespace weir::text {

namespace {

paths::Transform place_of(const PlacedGlyph& glyph, paths::Point at) {
    return paths::Transform::translation(at.x + glyph.at.x, at.y + glyph.at.y) *
           paths::Transform::scaling(glyph.size, glyph.size);
}

} // namespace

paths::OutlineId SceneText::outline(const Font& font, std::uint32_t glyph) {
    const auto [found, is_new] = outlines_.try_emplace({&font.face(), glyph});
    if (is_new) {
        fonts_.push_back(font);
        found->second = scene_->add_outline(font.outline(glyph));
    }
    return found->second;
}

paths::PaintId SceneText::color(const paths::Color& color) {
    const auto [found, is_new] = colors_.try_emplace({color.red, color.green, color.blue, color.alpha});
    if (is_new) {
        found->second = scene_->add_paint(color);
    }
    return found->second;
}

std::pair<paths::OutlineId, paths::PaintId> SceneText::picture(const Font& font, std::uint32_t glyph,
                                                               const GlyphPicture& picture) {
    const auto [found, is_new] = pictures_.try_emplace({&font.face(), glyph});
    if (is_new) {
        fonts_.push_back(font);
        paths::Path area;
        area.add_rect(0, 0, static_cast<float>(picture.width), static_cast<float>(picture.height));
        const paths::Bitmap bitmap{picture.width, picture.height, picture.pixels, true};
        found->second = {scene_->add_outline(area), scene_->add_paint(paths::ImagePaint{scene_->add_bitmap(bitmap)})};
    }
    return found->second;
}

Draws SceneText::fill(const Line& line, paths::Point at, paths::PaintId paint, const paths::Transform& transform) {
    Draws draws{.first = static_cast<std::uint32_t>(scene_->draws().size())};
    for (const PlacedGlyph& glyph : line.glyphs) {
        const Font& font = line.fonts[glyph.font];
        const paths::Transform place = transform * place_of(glyph, at);
        const std::vector<ColorLayer>& layers = font.color_layers(glyph.glyph);
        for (const ColorLayer& layer : layers) {
            scene_->fill(outline(font, layer.glyph), layer.color ? color(*layer.color) : paint, place);
        }
        if (!layers.empty()) {
            continue;
        }
        if (const GlyphPicture* found = font.picture(glyph.glyph)) {
            const auto [area, image] = picture(font, glyph.glyph, *found);
            scene_->fill(area, image, place * found->transform);
        } else if (!font.outline(glyph.glyph).empty()) {
            scene_->fill(outline(font, glyph.glyph), paint, place);
        }
    }
    draws.count = static_cast<std::uint32_t>(scene_->draws().size()) - draws.first;
    return draws;
}

Draws SceneText::stroke(const Line& line, paths::Point at, paths::PaintId paint, const paths::Stroke& stroke,
                        const paths::Transform& transform) {
    Draws draws{.first = static_cast<std::uint32_t>(scene_->draws().size())};
    for (const PlacedGlyph& glyph : line.glyphs) {
        const Font& font = line.fonts[glyph.font];
        if (glyph.size <= 0 || font.outline(glyph.glyph).empty()) {
            continue;
        }
        paths::Stroke scaled = stroke; // in the space of the outline
        scaled.width /= glyph.size;
        scaled.dash_offset /= glyph.size;
        for (float& dash : scaled.dashes) {
            dash /= glyph.size;
        }
        scene_->stroke(outline(font, glyph.glyph), paint, scaled, transform * place_of(glyph, at));
    }
    draws.count = static_cast<std::uint32_t>(scene_->draws().size()) - draws.first;
    return draws;
}

paths::Path outline_of(const Line& line, paths::Point at) {
    paths::Path path;
    for (const PlacedGlyph& glyph : line.glyphs) {
        path.add(line.fonts[glyph.font].outline(glyph.glyph), place_of(glyph, at));
    }
    return path;
}

} // namespace weir::text

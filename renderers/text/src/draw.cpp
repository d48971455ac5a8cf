#include <weir/text/draw.hpp>

#include <type_traits>
#include <variant>

#include "face.hpp"

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

paths::Color SceneText::color_of(paths::PaintId paint) const {
    const std::array<float, 4>& c = scene_->paints()[paint.index].color; // premultiplied
    const float factor = c[3] > 0 ? 1 / c[3] : 0;
    return {c[0] * factor, c[1] * factor, c[2] * factor, c[3]};
}

const paths::Scene* SceneText::svg_glyph(const Font& font, std::uint32_t glyph, paths::PaintId paint) {
    if (!font.face().has_svg_glyphs) {
        return nullptr;
    }
    const std::pair key{GlyphKey{&font.face(), glyph}, scene_->paints()[paint.index].color};
    const auto [found, is_new] = svg_glyphs_.try_emplace(key);
    if (is_new) {
        fonts_.push_back(font);
        if (const std::string_view document = font.svg_document(glyph); !document.empty()) {
            found->second = std::make_unique<std::optional<paths::Scene>>(
                svg_reader_ ? svg_reader_(document, "glyph" + std::to_string(glyph), color_of(paint)) : std::nullopt);
        }
    }
    incomplete_glyphs_ += found->second && !*found->second ? 1 : 0;
    return found->second && *found->second ? &**found->second : nullptr;
}

std::optional<paths::PaintId> SceneText::paint_of(const ColorStep& step, const paths::PaintId* text) {
    if (const auto* plain = std::get_if<paths::Color>(&step.paint)) {
        return color(*plain);
    }
    const bool has_text_color = std::holds_alternative<TextPaint>(step.paint) || !step.text_stops.empty();
    if (has_text_color && text == nullptr) {
        return {};
    }
    const auto with_text_color = [&](float alpha) {
        paths::Color result = color_of(*text);
        result.alpha *= alpha;
        return result;
    };
    const auto add = [&](const auto& paint) -> paths::PaintId {
        if constexpr (std::is_base_of_v<paths::Gradient, std::decay_t<decltype(paint)>>) {
            auto gradient = paint;
            for (const std::uint32_t i : step.text_stops) {
                gradient.stops[i].color = with_text_color(gradient.stops[i].color.alpha);
            }
            return scene_->add_paint(gradient);
        } else {
            return paint.alpha == 1 ? *text : color(with_text_color(paint.alpha));
        }
    };
    return std::visit(add, step.paint);
}

const std::vector<SceneText::AddedStep>& SceneText::steps(const Font& font, std::uint32_t glyph,
                                                          const ColorGlyph& color_glyph) {
    const auto [found, is_new] = steps_.try_emplace({&font.face(), glyph});
    if (is_new) {
        fonts_.push_back(font);
        for (const ColorStep& step : color_glyph.steps) {
            AddedStep& added = found->second.emplace_back();
            if (step.kind == ColorStep::Kind::fill || step.kind == ColorStep::Kind::push_clip) {
                added.outline = scene_->add_outline(step.outline);
            }
            if (step.kind == ColorStep::Kind::fill) {
                added.paint = paint_of(step, nullptr);
            }
        }
    }
    return found->second;
}

void SceneText::fill_steps(const Font& font, std::uint32_t glyph, const ColorGlyph& color_glyph, paths::PaintId paint,
                           const paths::Transform& transform) {
    const std::vector<AddedStep>& added = steps(font, glyph, color_glyph);
    for (std::size_t i = 0; i < added.size(); ++i) {
        const ColorStep& step = color_glyph.steps[i];
        switch (step.kind) {
        case ColorStep::Kind::fill:
            scene_->fill(added[i].outline, added[i].paint ? *added[i].paint : *paint_of(step, &paint),
                         transform * step.transform);
            break;
        case ColorStep::Kind::push_clip: scene_->push_clip(added[i].outline, transform * step.transform); break;
        case ColorStep::Kind::push_layer: scene_->push_layer(step.layer); break;
        case ColorStep::Kind::pop: scene_->pop_layer(); break;
        }
    }
}

Draws SceneText::fill(const Font& font, std::uint32_t glyph, paths::PaintId paint, const paths::Transform& transform) {
    Draws draws{.first = static_cast<std::uint32_t>(scene_->draws().size())};
    const ColorGlyph& color_glyph = font.color_glyph(glyph);
    incomplete_glyphs_ += color_glyph.is_complete ? 0 : 1;
    if (!color_glyph.steps.empty()) {
        fill_steps(font, glyph, color_glyph, paint, transform);
    } else if (const paths::Scene* svg = svg_glyph(font, glyph, paint)) {
        const float scale = 1 / static_cast<float>(font.face().ft->units_per_EM);
        scene_->append(*svg, transform * paths::Transform::scaling(scale, scale));
    } else if (const GlyphPicture* found = font.picture(glyph)) {
        const auto [area, image] = picture(font, glyph, *found);
        scene_->fill(area, image, transform * found->transform);
    } else if (!font.outline(glyph).empty()) {
        scene_->fill(outline(font, glyph), paint, transform);
    }
    draws.count = static_cast<std::uint32_t>(scene_->draws().size()) - draws.first;
    return draws;
}

Draws SceneText::fill(const Line& line, paths::Point at, paths::PaintId paint, const paths::Transform& transform) {
    Draws draws{.first = static_cast<std::uint32_t>(scene_->draws().size())};
    for (const PlacedGlyph& glyph : line.glyphs) {
        draws.count += fill(line.fonts[glyph.font], glyph.glyph, paint, transform * place_of(glyph, at)).count;
    }
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

#include <weir/paths/scene.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "external_images.hpp"

namespace weir::paths {

std::optional<std::uint32_t> Scene::append_texels(const Scene& other) {
    if (other.texels().empty() || other.texels_ == texels_) {
        return 0;
    }
    if (texels().empty()) {
        texels_ = other.texels_;
        appended_texels_.emplace_back(other.texels_, 0);
        return 0;
    }
    const auto known = std::find_if(appended_texels_.begin(), appended_texels_.end(),
                                    [&](const auto& texels) { return texels.first == other.texels_; });
    if (known != appended_texels_.end()) {
        return known->second;
    }
    const std::size_t first = texels().size();
    if (first + other.texels().size() > ~0U) {
        return {};
    }
    if (texels_.use_count() != 1) { // a copy of the scene uses them
        texels_ = std::make_shared<std::vector<std::uint32_t>>(texels());
    }
    texels_->insert(texels_->end(), other.texels().begin(), other.texels().end());
    appended_texels_.emplace_back(other.texels_, static_cast<std::uint32_t>(first));
    return static_cast<std::uint32_t>(first);
}

std::optional<std::uint32_t> Scene::append_images(const Scene& other) {
    const std::uint64_t first = texels_of(external_images_), end = first + texels_of(other.external_images_);
    if (end > ~0U) {
        return {};
    }
    external_images_.insert(external_images_.end(), other.external_images_.begin(), other.external_images_.end());
    if (external_texels_ || other.external_texels_) {
        auto texels = std::make_shared<std::vector<std::uint32_t>>(external_texels());
        texels->resize(first);
        texels->insert(texels->end(), other.external_texels().begin(), other.external_texels().end());
        texels->resize(end);
        external_texels_ = std::move(texels);
    }
    return static_cast<std::uint32_t>(first);
}

void Scene::append_paints(const Scene& other) {
    const auto first_stop = static_cast<std::uint32_t>(stops_.size());
    const std::optional<std::uint32_t> first_texel = append_texels(other), first_external = append_images(other);
    for (PaintRecord paint : other.paints_) {
        const bool is_image = paint.kind == 3, is_effect = paint.kind == 5;
        const auto& first_of_image = (paint.spread & image_is_external) != 0 ? first_external : first_texel;
        if (is_image && !first_of_image) {
            paint = {};
        }
        paint.first_stop += is_image          ? first_of_image.value_or(0)
                            : is_effect       ? static_cast<std::uint32_t>(effects_.size())
                            : paint.kind != 0 ? first_stop
                                              : 0;
        paints_.push_back(paint);
    }
    stops_.insert(stops_.end(), other.stops_.begin(), other.stops_.end());
}

void Scene::append_effects(const Scene& other, const Transform& transform, std::uint32_t first_layer,
                           std::uint32_t first_draw, std::uint32_t first_paint) {
    const auto effects = static_cast<std::uint32_t>(effects_.size()),
               values = static_cast<std::uint32_t>(effect_values_.size()),
               depth = static_cast<std::uint32_t>(open_effects_.size());
    for (EffectRecord effect : other.effects_) {
        effect.transform = transform * effect.transform;
        effect.layer += first_layer - 1; // the picture is no layer with an effect
        effect.first_draw += first_draw;
        effect.end_draw += first_draw;
        effect.depth += depth;
        effects_.push_back(effect);
    }
    effect_values_.insert(effect_values_.end(), other.effect_values_.begin(), other.effect_values_.end());
    for (EffectOpRecord op : other.effect_ops_) {
        op.effect += effects;
        op.first_value += values;
        op.mode += op.kind == static_cast<std::uint32_t>(EffectOp::paint) ? first_paint : 0;
        if (has_transform(static_cast<EffectOp>(op.kind))) {
            float* v = &effect_values_[op.first_value];
            const Transform t = transform * Transform{v[0], v[1], v[2], v[3], v[4], v[5]};
            std::copy_n(std::array{t.xx, t.yx, t.xy, t.yy, t.dx, t.dy}.begin(), 6, v);
        }
        add_effect_op(op);
    }
    if (depth != 0) { // the layer is drawn after the appended effects
        OpenEffect& open = open_effects_.back();
        open.time = std::max(open.time, static_cast<std::uint32_t>(other.effect_passes_.size()) / effect_kernels);
    }
}

std::uint32_t Scene::append(const Scene& other, const Transform& transform) {
    if (&other == this) {
        return append(Scene(other), transform);
    }
    const auto count = [](const auto& records) { return static_cast<std::uint32_t>(records.size()); };
    const std::uint32_t points = count(points_), segments = count(segments_), instances = count(instances_);
    const std::uint32_t draws = count(draws_), paints = count(paints_), strokes = count(strokes_);
    const std::uint32_t dashes = count(dashes_), layers = count(layers_), outer = layer_;
    const auto layer_of = [&](std::uint32_t layer) { return layer == 0 ? outer : layers + layer - 1; };
    points_.insert(points_.end(), other.points_.begin(), other.points_.end());
    for (SegmentRecord segment : other.segments_) {
        segment.first_point += points;
        segments_.push_back(segment);
    }
    for (Outline outline : other.outlines_) {
        outline.first_segment += segments;
        outlines_.push_back(outline);
    }
    append_paints(other);
    append_effects(other, transform, layers, draws, paints);
    features_ |= other.features_;
    for (StrokeRecord stroke : other.strokes_) {
        stroke.first_dash += dashes;
        strokes_.push_back(stroke);
    }
    dashes_.insert(dashes_.end(), other.dashes_.begin(), other.dashes_.end());
    for (const std::uint32_t draw : other.instances_) {
        instances_.push_back(draws + draw);
    }
    const auto depth = static_cast<std::uint32_t>(open_effects_.size());
    const bool is_outermost = outer == (depth == 0 ? 0 : open_effects_.back().record.layer);
    const auto append_draws = [&](std::uint32_t end) {
        while (count(draws_) < draws + end) {
            DrawRecord draw = other.draws_[draws_.size() - draws];
            draw.transform = transform * draw.transform;
            draw.first_segment += segments;
            draw.first_instance += instances;
            const bool is_outside = (draw.flags & draw_is_outermost) != 0 && (draw.flags & draw_effect_depth) == 0;
            draw.flags &= is_outside && !is_outermost ? ~draw_is_outermost : ~0U;
            draw.flags += (draw.flags & draw_is_clip) == 0 ? depth << draw_effect_shift : 0;
            draw.layer = layer_of(draw.layer);
            draw.stroke += draw.stroke != 0 ? strokes : 0;
            set_paint(draw, paints + draw.paint);
            draws_.push_back(draw);
            touch(count(draws_) - 1);
            has_content_[draw.layer] = has_content_[draw.layer] || (draw.flags & draw_is_clip) == 0;
        }
    };
    for (std::uint32_t i = 1; i < count(other.layers_); ++i) { // in the order in which they began
        LayerRecord layer = other.layers_[i];
        append_draws(layer.first_draw);
        layer_ = layer_of(layer.parent);
        if (layer.first_clip != layer.end_clip) {
            layer.first_clip += draws;
            layer.end_clip += draws;
        }
        layer.end_draw += layer.kind == 0 ? draws : 0; // masks have no end
        const std::uint32_t linked = layer.mask == 0 ? 0 : layers + layer.mask - 1;
        layer.mask = layer.kind == 0 ? linked : 0; // a mask is linked when its layer begins
        layers_[add_layer(layer)].mask = linked;
        has_content_[layer_] = has_content_[layer_] || layer.kind == 0;
    }
    append_draws(count(other.draws_));
    layer_ = outer;
    return draws;
}

} // namespace weir::paths

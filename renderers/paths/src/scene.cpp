#include <weir/paths/scene.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace weir::paths {

namespace {

bool is_finite(const Path& path) {
    return std::all_of(path.points().begin(), path.points().end(),
                       [](Point p) { return std::isfinite(p.x) && std::isfinite(p.y); });
}

/// Returns true if the paint hides everything below. Returns false for radial gradients, where this is not known.
bool is_opaque(const PaintRecord& paint, const std::vector<StopRecord>& stops) {
    switch (paint.kind) {
    case 0: return paint.color[3] == 1;
    case 1:
    case 4: {
        const auto first = stops.begin() + paint.first_stop;
        return paint.stops != 0 &&
               std::all_of(first, first + paint.stops, [](const StopRecord& stop) { return stop.color[3] == 1; });
    }
    case 3: return (paint.spread & image_is_opaque) != 0 && paint.color[3] == 1;
    default: return false;
    }
}

/// Returns true if an operator changes the destination where the source is transparent.
bool changes_backdrop_outside(Composite composite) {
    switch (composite) {
    case Composite::clear:
    case Composite::copy:
    case Composite::src_in:
    case Composite::src_out:
    case Composite::dest_in:
    case Composite::dest_atop: return true;
    default: return false;
    }
}

} // namespace

OutlineId Scene::add_outline(const Path& path) {
    const auto first = static_cast<std::uint32_t>(segments_.size());
    if (is_finite(path)) {
        Point start, current;
        std::uint32_t first_of_subpath = first;
        bool is_new = true;   // the current point has not been stored yet
        bool has_dot = false; // a segment without length, stored only if it is the subpath's only one
        const auto add = [&](std::initializer_list<Point> to, std::uint32_t flags, bool is_dot = false) {
            if (!is_dot && std::all_of(to.begin(), to.end(), [&](Point p) { return p == current; })) {
                has_dot = true;
                return;
            }
            if (is_new) {
                points_.push_back(current);
                is_new = false;
            }
            segments_.push_back({.first_point = static_cast<std::uint32_t>(points_.size()) - 1,
                                 .flags = static_cast<std::uint32_t>(to.size()) | flags,
                                 .next = static_cast<std::uint32_t>(segments_.size()) - first + 1});
            points_.insert(points_.end(), to);
            current = *(to.end() - 1);
        };
        const auto end = [&](bool is_closed) {
            if (segments_.size() == first_of_subpath && has_dot) {
                add({current}, 0, true);
                is_closed = false;
            }
            if (segments_.size() > first_of_subpath) {
                segments_[first_of_subpath].flags |= segment_first;
                if (is_closed) {
                    if (!(current == start)) {
                        add({start}, 0);
                    }
                    segments_.back().next = first_of_subpath - first;
                    segments_.back().flags |= segment_last;
                } else {
                    segments_[first_of_subpath].flags |= segment_begins;
                    segments_.back().flags |= segment_ends | segment_last;
                    if (!(current == start)) {
                        add({start}, segment_only_fills);
                    }
                }
            }
            first_of_subpath = static_cast<std::uint32_t>(segments_.size());
            is_new = true;
            has_dot = false;
        };
        const Point* p = path.points().data();
        for (const Path::Verb verb : path.verbs()) {
            switch (verb) {
            case Path::Verb::move:
                end(false);
                start = current = *p++;
                break;
            case Path::Verb::line:
                add({p[0]}, 0);
                p += 1;
                break;
            case Path::Verb::quad:
                add({p[0], p[1]}, 0);
                p += 2;
                break;
            case Path::Verb::cubic:
                add({p[0], p[1], p[2]}, 0);
                p += 3;
                break;
            case Path::Verb::close:
                has_dot = true; // a closed subpath of one point has caps
                end(true);
                current = start;
                break;
            }
        }
        end(false);
    }
    Rect bounds;
    if (segments_.size() != first) {
        const auto of_outline = points_.begin() + segments_[first].first_point;
        const auto [left, right] =
            std::minmax_element(of_outline, points_.end(), [](Point a, Point b) { return a.x < b.x; });
        const auto [top, bottom] =
            std::minmax_element(of_outline, points_.end(), [](Point a, Point b) { return a.y < b.y; });
        bounds = {left->x, top->y, right->x, bottom->y};
    }
    outlines_.push_back({first, static_cast<std::uint32_t>(segments_.size()) - first, bounds});
    return {static_cast<std::uint32_t>(outlines_.size()) - 1};
}

PaintId Scene::add_paint(const Color& color) {
    PaintRecord paint;
    paint.color = {color.red * color.alpha, color.green * color.alpha, color.blue * color.alpha, color.alpha};
    paints_.push_back(paint);
    return {static_cast<std::uint32_t>(paints_.size()) - 1};
}

void Scene::add_stops(const Gradient& gradient, PaintRecord& paint) {
    paint.spread =
        static_cast<std::uint32_t>(gradient.spread) | (gradient.is_premultiplied ? gradient_is_premultiplied : 0);
    paint.first_stop = static_cast<std::uint32_t>(stops_.size());
    paint.stops = static_cast<std::uint32_t>(gradient.stops.size());
    for (const auto& [offset, color] : gradient.stops) {
        const float factor = gradient.is_premultiplied ? color.alpha : 1;
        stops_.push_back({{color.red * factor, color.green * factor, color.blue * factor, color.alpha}, offset});
    }
}

PaintId Scene::add_paint(const LinearGradient& gradient) {
    PaintRecord paint;
    paint.kind = 1;
    add_stops(gradient, paint);
    // The x axis of the gradient's space goes from start to end; the y axis is perpendicular to it.
    const float x = gradient.end.x - gradient.start.x, y = gradient.end.y - gradient.start.y;
    paint.transform = (gradient.transform * Transform{x, y, -y, x, gradient.start.x, gradient.start.y}).inverse();
    paints_.push_back(paint);
    return {static_cast<std::uint32_t>(paints_.size()) - 1};
}

PaintId Scene::add_paint(const RadialGradient& gradient) {
    PaintRecord paint;
    paint.kind = 2;
    add_stops(gradient, paint);
    const float larger = std::max(gradient.radius, gradient.focal_radius), unit = larger > 0 ? larger : 1;
    paint.stops = larger > 0 ? paint.stops : 0;
    const Transform from_unit =
        Transform::translation(gradient.center.x, gradient.center.y) * Transform::scaling(unit, unit);
    paint.transform = (gradient.transform * from_unit).inverse();
    const Point focus = gradient.focus.value_or(gradient.center);
    paint.focus = {(focus.x - gradient.center.x) / unit, (focus.y - gradient.center.y) / unit};
    paint.focal_radius = gradient.focal_radius / unit;
    paint.growth = (gradient.radius - gradient.focal_radius) / unit;
    paints_.push_back(paint);
    return {static_cast<std::uint32_t>(paints_.size()) - 1};
}

PaintId Scene::add_paint(const SweepGradient& gradient) {
    PaintRecord paint;
    paint.kind = 4;
    add_stops(gradient, paint);
    paint.stops = gradient.start_angle == gradient.end_angle ? 0 : paint.stops;
    paint.transform = (gradient.transform * Transform::translation(gradient.center.x, gradient.center.y)).inverse();
    constexpr float turn = 2 * std::numbers::pi_v<float>;
    paint.focus = {gradient.start_angle / turn, turn / (gradient.end_angle - gradient.start_angle)};
    paints_.push_back(paint);
    features_ |= scene_has_sweeps;
    return {static_cast<std::uint32_t>(paints_.size()) - 1};
}

void Scene::set_paint(DrawRecord& draw, std::uint32_t paint) const {
    const PaintRecord& record = paints_[paint];
    const bool may_hide = (draw.flags & (draw_is_outermost | draw_is_clip)) == draw_is_outermost;
    draw.flags &= ~(draw_is_opaque | draw_has_gradient);
    draw.flags |= may_hide && is_opaque(record, stops_) ? draw_is_opaque : 0;
    draw.flags |= record.kind != 0 ? draw_has_gradient : 0;
    draw.paint = paint;
    draw.color = record.color;
}

std::uint32_t Scene::add_draw(OutlineId outline, DrawRecord draw) {
    const Outline& drawn = outlines_[outline.index];
    const auto index = static_cast<std::uint32_t>(draws_.size());
    draw.first_segment = drawn.first_segment;
    draw.first_instance = static_cast<std::uint32_t>(instances_.size());
    draw.layer = layer_;
    draw.bounds = drawn.bounds;
    const bool is_outermost = layer_ == (open_effects_.empty() ? 0 : open_effects_.back().record.layer);
    draw.flags |= is_outermost ? draw_is_outermost : 0;
    draw.flags |= static_cast<std::uint32_t>(open_effects_.size()) << draw_effect_shift & draw_effect_depth;
    if (antialias_ == Antialias::none) {
        draw.flags |= draw_is_aliased;
        features_ |= scene_has_aliased;
    }
    set_paint(draw, draw.paint);
    draws_.push_back(draw);
    touch(index);
    has_content_[layer_] = true;
    instances_.insert(instances_.end(), drawn.segments, index);
    return index;
}

std::uint32_t Scene::fill(OutlineId outline, PaintId paint, const Transform& transform, FillRule rule) {
    return add_draw(
        outline,
        {.transform = transform, .flags = rule == FillRule::even_odd ? draw_is_even_odd : 0, .paint = paint.index});
}

std::uint32_t Scene::fill_glyphs(std::span<const Glyph> run, PaintId paint, const Transform& transform) {
    const auto first = static_cast<std::uint32_t>(draws_.size());
    for (const Glyph& glyph : run) {
        fill(glyph.outline, paint, transform * Transform::translation(glyph.at.x, glyph.at.y));
    }
    return first;
}

std::uint32_t Scene::stroke(OutlineId outline, PaintId paint, const Stroke& stroke, const Transform& transform) {
    StrokeRecord record{.half_width = stroke.width / 2,
                        .miter_limit = stroke.miter_limit,
                        .join = static_cast<std::uint32_t>(stroke.join),
                        .start_cap = static_cast<std::uint32_t>(stroke.cap),
                        .end_cap = static_cast<std::uint32_t>(stroke.end_cap.value_or(stroke.cap)),
                        .is_non_scaling = stroke.is_non_scaling ? 1U : 0U,
                        .first_dash = static_cast<std::uint32_t>(dashes_.size())};
    const std::size_t count = stroke.dashes.size() * (stroke.dashes.size() % 2 + 1);
    double length = 0;
    for (std::size_t i = 0; i < count; ++i) {
        length += std::max(0.0F, stroke.dashes[i % stroke.dashes.size()]);
    }
    if (length > 0 && std::isfinite(length)) {
        constexpr double pattern = 1 << 16;
        double end = 0;
        for (std::size_t i = 0; i < count; ++i) {
            end += std::max(0.0F, stroke.dashes[i % stroke.dashes.size()]);
            dashes_.push_back(static_cast<std::uint32_t>(std::lround(end / length * pattern)));
        }
        const double offset = std::fmod(static_cast<double>(stroke.dash_offset), length) / length * pattern;
        record.dashes = static_cast<std::uint32_t>(count);
        record.dash_offset =
            static_cast<std::uint32_t>(std::lround(offset < 0 ? offset + pattern : offset)) % (1U << 16);
        record.dash_scale = static_cast<float>(pattern / length);
    }
    strokes_.push_back(record);
    return add_draw(
        outline, {.transform = transform, .paint = paint.index, .stroke = static_cast<std::uint32_t>(strokes_.size())});
}

std::uint32_t Scene::add_layer(LayerRecord layer) {
    const LayerRecord& parent = layers_[layer_];
    layer.parent = layer_;
    layer.depth = parent.depth + 1;
    // Skew-binary jump pointers (Myers): two equal jumps in a row become one.
    const LayerRecord& above = layers_[parent.jump];
    layer.jump = parent.depth - above.depth == above.depth - layers_[above.jump].depth ? above.jump : layer_;
    layer.color_slot = parent.color_slot + (has_content_[layer_] ? 1 : 0);
    layer.masks = parent.masks + (layer.mask != 0 || layer.first_clip != layer.end_clip ? 1 : 0);
    layer.first_draw = static_cast<std::uint32_t>(draws_.size());
    color_slots_ = std::max(color_slots_, layer.color_slot + 1);
    mask_slots_ = std::max(mask_slots_, layer.masks);
    layers_.push_back(layer);
    touch_layers();
    has_content_.push_back(false);
    return static_cast<std::uint32_t>(layers_.size()) - 1;
}

void Scene::push_layer(const Layer& layer) {
    const std::uint32_t composite = static_cast<std::uint32_t>(layer.composite) << 8;
    const std::uint32_t index = add_layer({.mask = mask_,
                                           .blend = static_cast<std::uint32_t>(layer.blend) | composite,
                                           .opacity = layer.opacity,
                                           .first_clip = clip_.first_draw,
                                           .end_clip = clip_.end_draw});
    if (mask_ != 0) {
        layers_[mask_].mask = index;
        mask_ = 0;
    }
    clip_ = {};
    has_content_[layer_] = true;
    layer_ = index;
    features_ |= composite != 0 ? scene_has_operators : 0;
    if (changes_backdrop_outside(layer.composite)) { // a draw in all tiles opens the layer there
        if (!everywhere_) {
            constexpr float reach = 1e9F;
            everywhere_ = {add_outline(Path().add_rect(-reach, -reach, 2 * reach, 2 * reach)), add_paint({0, 0, 0, 0})};
        }
        draws_[fill(everywhere_->first, everywhere_->second)].flags |= draw_is_everywhere;
    }
    if (layer.effect) {
        begin_effect(*layer.effect);
    }
}

void Scene::pop_layer() {
    if (!open_effects_.empty() && open_effects_.back().record.layer == layer_) {
        end_effect();
    }
    layers_[layer_].end_draw = static_cast<std::uint32_t>(draws_.size());
    touch_layers();
    layer_ = layers_[layer_].parent;
}

void Scene::begin_mask(Mask kind) {
    layer_ = add_layer({.kind = 1 + static_cast<std::uint32_t>(kind)});
}

std::optional<ClipId> Scene::end_mask() {
    mask_ = layer_;
    layer_ = layers_[mask_].parent;
    const ClipId draws{layers_[mask_].first_draw, static_cast<std::uint32_t>(draws_.size())};
    const bool is_clip = layers_[mask_].kind == 1 + static_cast<std::uint32_t>(Mask::alpha) &&
                         mask_ + 1 == layers_.size() && draws.first_draw != draws.end_draw &&
                         std::all_of(draws_.begin() + draws.first_draw, draws_.end(), [&](const DrawRecord& draw) {
                             return paints_[draw.paint].kind == 0 && is_opaque(paints_[draw.paint], stops_);
                         });
    if (!is_clip) {
        return {};
    }
    for (std::uint32_t draw = draws.first_draw; draw != draws.end_draw; ++draw) {
        draws_[draw].flags = (draws_[draw].flags & ~draw_effect_depth) | draw_is_clip;
        draws_[draw].layer = layer_;
        touch(draw);
    }
    mask_ = 0; // the record stays, so that a scene whose paint changes has the same number of records
    clip_ = draws;
    return draws;
}

ClipId Scene::add_clip(OutlineId outline, const Transform& transform, FillRule rule) {
    begin_mask(Mask::alpha);
    fill(outline, add_paint({1, 1, 1, 1}), transform, rule);
    end_mask();
    return std::exchange(clip_, {});
}

void Scene::push_clip(ClipId clip, const Layer& layer) {
    clip_ = clip;
    push_layer(layer);
}

void Scene::push_clip(OutlineId outline, const Transform& transform, FillRule rule, const Layer& layer) {
    push_clip(add_clip(outline, transform, rule), layer);
}

} // namespace weir::paths

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "paint.hpp"

// See shaders/blurred_rect.glsl, which explains the steps.

namespace weir::paths {

namespace {

float gaussian_integral(float x) {
    const float a = std::min(std::abs(x), 8.0F);
    float tail = 5.383e-6F;
    for (const float next : {4.88906e-5F, 3.80036e-5F, 3.2776263e-3F, 0.0211410061F, 0.049867347F, 1.0F}) {
        tail = tail * a + next;
    }
    tail = 1 / tail;
    tail *= tail;
    tail *= tail;
    tail *= tail;
    tail *= 0.5F * tail;
    return x < 0 ? tail : 1 - tail;
}

float gaussian_between(float x, float c) {
    return gaussian_integral(x + c) - gaussian_integral(x - c);
}

float blurred_corners(Point p, Point size, float r) {
    constexpr float reach = 3;
    const float begin = size.y - r;
    const float from = std::clamp(p.y - reach - begin, 0.0F, r), to = std::clamp(p.y + reach - begin, 0.0F, r);
    if (!(from < to)) {
        return 0;
    }
    constexpr std::array<float, 8> nodes = {0.019855072F, 0.101666761F, 0.237233795F, 0.408282679F,
                                            0.591717321F, 0.762766205F, 0.898333239F, 0.980144928F};
    constexpr std::array<float, 4> weights = {0.050614268F, 0.111190517F, 0.156853323F, 0.181341892F};
    const float first = 1 - std::sqrt(1 - from / r), range = 1 - std::sqrt(1 - to / r) - first;
    float sum = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const float u = first + range * nodes[i], part = u * (2 - u), off = p.y - begin - r * part;
        const float row = size.x - r + r * (1 - u) * std::sqrt(1 + part);
        sum += weights[std::min(i, 7 - i)] * (1 - u) * std::exp(-0.5F * off * off) * gaussian_between(p.x, row);
    }
    return sum * range * r * 0.80004452F;
}

} // namespace

float blurred_rect(Point at, Point size, float r) {
    Point p{std::abs(at.x), std::abs(at.y)};
    if (p.x - size.x < p.y - size.y) {
        std::swap(p.x, p.y);
        std::swap(size.x, size.y);
    }
    const float straight = gaussian_between(p.x, size.x) * gaussian_between(p.y, size.y - r);
    return std::min(straight + blurred_corners(p, size, r) + blurred_corners({p.x, -p.y}, size, r), 1.0F);
}

PaintId Scene::add_blurred_rect(const BlurredRect& paint) {
    const PaintId id = add_paint(paint.color);
    const auto [left, top, right, bottom] = paint.rect;
    const float width = right - left, height = bottom - top, deviation = paint.deviation;
    PaintRecord& record = paints_.back();
    if (!(width > 0 && height > 0 && deviation > 0) || !std::isfinite(width + height + deviation)) {
        record.color = {};
        return id;
    }
    record.kind = 6;
    record.spread = paint.is_inverted ? blurred_rect_is_inverted : 0;
    record.transform = Transform::scaling(1 / deviation, 1 / deviation) *
                       Transform::translation(-(left + right) / 2, -(top + bottom) / 2);
    record.focus = {width / 2 / deviation, height / 2 / deviation};
    record.focal_radius = std::clamp(paint.radius, 0.0F, std::min(width, height) / 2) / deviation;
    features_ |= scene_has_blurred_rects;
    return id;
}

std::uint32_t Scene::fill_blurred_rect(const BlurredRect& paint, const Transform& transform) {
    const auto [left, top, right, bottom] = paint.rect;
    if (!(paint.deviation > 0)) {
        const Path sharp = Path().add_rect(left, top, right - left, bottom - top, paint.radius, paint.radius);
        return fill(add_outline(sharp), add_paint(paint.color), transform);
    }
    const float reach = 3 * paint.deviation;
    const Path around = Path().add_rect(left - reach, top - reach, right - left + 2 * reach, bottom - top + 2 * reach);
    return fill(add_outline(around), add_blurred_rect(paint), transform);
}

} // namespace weir::paths

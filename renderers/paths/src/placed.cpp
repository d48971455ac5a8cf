#include <algorithm>
#include <cmath>
#include <vector>

#include <weir/paths/cpu.hpp>

#include "effects.hpp"
#include "flatten.hpp"

namespace weir::paths {

namespace {

Transform pixels_of(const View& view, const EffectRecord& effect) {
    DrawRecord draw;
    draw.transform = effect.transform;
    return transform_of(view, draw);
}

/// Returns the length of (x, y).
float hypotenuse(float x, float y) {
    const float square = x * x + y * y;
    return square > shortest_square ? square * inverse_root(square) : 0;
}

std::int32_t whole(float x, std::int32_t size) {
    return static_cast<std::int32_t>(x > 0 ? std::min(x, static_cast<float>(size)) : 0.0F);
}

/// Returns the pixels of the picture that a rectangle touches by more than the rounding of its edges.
PixelBounds pixels_in(const View& view, const Transform& m, const Rect& rect) {
    if (!(rect.right > rect.left && rect.bottom > rect.top)) {
        return {};
    }
    const auto corner = [&](float x, float y) { return transformed(m, Point{x, y}); };
    const Point a = corner(rect.left, rect.top), b = corner(rect.right, rect.top);
    const Point c = corner(rect.left, rect.bottom), d = corner(rect.right, rect.bottom);
    constexpr float slack = 1.0F / 256;
    const float left = std::floor(std::min(std::min(a.x, b.x), std::min(c.x, d.x)) + slack);
    const float top = std::floor(std::min(std::min(a.y, b.y), std::min(c.y, d.y)) + slack);
    const float right = std::ceil(std::max(std::max(a.x, b.x), std::max(c.x, d.x)) - slack);
    const float bottom = std::ceil(std::max(std::max(a.y, b.y), std::max(c.y, d.y)) - slack);
    const auto width = static_cast<std::int32_t>(view.width), height = static_cast<std::int32_t>(view.height);
    return {whole(left, width), whole(top, height), whole(right, width), whole(bottom, height)};
}

} // namespace

PixelBounds placed(const View& view, const EffectRecord& effect) {
    constexpr auto across = static_cast<std::int32_t>(tile_width), down = static_cast<std::int32_t>(tile_height);
    const PixelBounds r = pixels_in(view, pixels_of(view, effect), effect.region);
    if (r.left >= r.right || r.top >= r.bottom) {
        return {};
    }
    return {r.left / across * across, r.top / down * down, (r.right + across - 1) / across * across,
            (r.bottom + down - 1) / down * down};
}

PlacedOp placed(const View& view, const EffectRecord& effect, const EffectOpRecord& op) {
    const Transform m = pixels_of(view, effect);
    const PixelBounds all = pixels_in(view, m, effect.region), own = pixels_in(view, m, op.region);
    PlacedOp to;
    to.bounds = {std::max(all.left, own.left), std::max(all.top, own.top), std::min(all.right, own.right),
                 std::min(all.bottom, own.bottom)};
    to.from = pixels_in(view, m, op.from);
    if (op.kind == static_cast<std::uint32_t>(EffectOp::offset)) {
        to.x = std::floor((m.xx * op.x + m.xy * op.y) + 0.5F);
        to.y = std::floor((m.yx * op.x + m.yy * op.y) + 0.5F);
    } else {
        to.x = hypotenuse(m.xx * op.x, m.xy * op.y);
        to.y = hypotenuse(m.yx * op.x, m.yy * op.y);
    }
    return to;
}

std::uint32_t effect_tiles(std::span<const EffectRecord> effects, const View& picture) {
    const View view = samples_of(picture);
    std::uint64_t tiles = 0;
    for (const EffectRecord& effect : effects) {
        const PixelBounds r = placed(view, effect);
        const auto across = static_cast<std::uint64_t>(r.right - r.left) / tile_width;
        tiles += across * static_cast<std::uint64_t>(r.bottom - r.top) / tile_height * effect.pictures;
        tiles = std::min<std::uint64_t>(tiles, ~0U);
    }
    return static_cast<std::uint32_t>(tiles);
}

std::uint32_t effect_margin(const Scene& scene, const View& view) {
    std::vector<Point> reaches(scene.effects().size());
    for (const EffectOpRecord& op : scene.effect_ops()) {
        const PlacedOp place = placed(view, scene.effects()[op.effect], op);
        const auto kind = static_cast<EffectOp>(op.kind);
        Point& reach = reaches[op.effect];
        const bool is_down = (op.mode & 1) != 0;
        if (kind == EffectOp::blur && op.mode < 2) { // the first of three along the axis
            (is_down ? reach.y : reach.x) += 3 * (is_down ? place.y : place.x) + 3;
        } else if (kind == EffectOp::morphology) {
            (is_down ? reach.y : reach.x) += (is_down ? place.y : place.x) + 1;
        } else if (kind == EffectOp::offset) {
            reach = {reach.x + std::abs(place.x), reach.y + std::abs(place.y)};
        }
    }
    std::vector<Point> by_depth(depth_of(scene.effects()) + 1); // nested effects add up
    for (std::size_t i = 0; i < reaches.size(); ++i) {
        Point& reach = by_depth[scene.effects()[i].depth];
        reach = {std::max(reach.x, reaches[i].x), std::max(reach.y, reaches[i].y)};
    }
    Point sum;
    for (const Point& reach : by_depth) {
        sum = {sum.x + reach.x, sum.y + reach.y};
    }
    const float reach = std::max(sum.x, sum.y);
    const std::uint32_t size = std::max(view.width, view.height);
    std::uint32_t margin = reach > 0 ? tile_width : 0;
    while (static_cast<float>(margin) < reach && margin < 1024) {
        margin *= 2;
    }
    const std::uint32_t most = max_pixels / samples_across(view.coverage);
    return std::min(margin, (most - std::min(size, most)) / 2 / tile_width * tile_width);
}

std::uint32_t depth_of(std::span<const EffectRecord> effects) {
    std::uint32_t depth = 0;
    for (const EffectRecord& effect : effects) {
        depth = std::max(depth, effect.depth);
    }
    return depth;
}

} // namespace weir::paths

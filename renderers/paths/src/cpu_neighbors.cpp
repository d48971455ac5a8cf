#include <algorithm>
#include <cmath>

#include <weir/paths/effects.hpp>

#include "effects.hpp"

namespace weir::paths {

namespace {

// As in shaders/effect_neighbors.glsl.

Pixel mixed(const Pixel& a, const Pixel& b, float part) {
    Pixel c;
    for (std::size_t i = 0; i < 4; ++i) {
        c[i] = a[i] + (b[i] - a[i]) * part;
    }
    return c;
}

/// Returns the pixel that an edge mode selects along an axis.
std::int32_t selected(effect::Edge edge, std::int32_t i, std::int32_t first, std::int32_t end) {
    const std::int32_t size = end - first;
    switch (edge) {
    case effect::Edge::duplicate: return std::clamp(i, first, end - 1);
    case effect::Edge::wrap: return i >= first ? first + (i - first) % size : end - 1 - (first - 1 - i) % size;
    case effect::Edge::none: break;
    }
    return i;
}

Pixel straight(const Texel& texel) {
    const std::array<std::uint32_t, 4> c = components(texel);
    const auto part = [&](std::size_t i) { return static_cast<float>(c[i]) / 65535; };
    return {part(0), part(1), part(2), part(3)};
}

} // namespace

Pixel displaced(const PixelOp& op, const EffectPicture& from, const Texel& map, std::int32_t x, std::int32_t y) {
    const Pixel color = straight(map);
    const float dx = op.values[6] * (color[op.mode & 3] - 0.5F), dy = op.values[6] * (color[op.mode >> 2] - 0.5F);
    const Transform& m = op.to_pixels;
    const float left = std::clamp(static_cast<float>(x) + (m.xx * dx + m.xy * dy), -32768.0F, 32767.0F);
    const float top = std::clamp(static_cast<float>(y) + (m.yx * dx + m.yy * dy), -32768.0F, 32767.0F);
    const auto column = static_cast<std::int32_t>(std::floor(left)), row = static_cast<std::int32_t>(std::floor(top));
    const float across = left - std::floor(left), down = top - std::floor(top);
    return mixed(mixed(from.color(column, row), from.color(column + 1, row), across),
                 mixed(from.color(column, row + 1), from.color(column + 1, row + 1), across), down);
}

Pixel convolved(const PixelOp& op, const EffectPicture& from, std::int32_t x, std::int32_t y) {
    const std::span<const float> v = op.values;
    const auto edge = static_cast<effect::Edge>(op.mode & 3);
    const auto integer = [&](std::size_t i) { return static_cast<std::int32_t>(v[i]); };
    const std::int32_t columns = integer(0), rows = integer(1);
    const std::int32_t left = x - integer(2) * op.across, top = y - integer(3) * op.across;
    const PixelBounds& b = op.from;
    const bool keeps_alpha = op.mode > 3;
    Pixel sum = {};
    for (std::int32_t row = 0; row < rows; ++row) {
        for (std::int32_t column = 0; column < columns; ++column) {
            const std::int32_t at_x = selected(edge, left + column * op.across, b.left, b.right);
            const std::int32_t at_y = selected(edge, top + row * op.across, b.top, b.bottom);
            const bool is_inside = at_x >= b.left && at_x < b.right && at_y >= b.top && at_y < b.bottom;
            const Texel texel = is_inside ? from.at(at_x, at_y) : Texel{};
            const Pixel color = keeps_alpha ? straight(texel) : from.color(at_x, at_y);
            const float factor = v[6 + static_cast<std::size_t>(row * columns + column)];
            for (std::size_t i = 0; i < 4 && is_inside; ++i) {
                sum[i] += factor * color[i];
            }
        }
    }
    Pixel to;
    to[3] = keeps_alpha ? from.color(x, y)[3] : std::clamp(sum[3] * v[4] + v[5], 0.0F, 1.0F);
    for (std::size_t i = 0; i < 3; ++i) {
        const float color = sum[i] * v[4] + v[5] * to[3];
        to[i] = keeps_alpha ? std::clamp(color, 0.0F, 1.0F) * to[3] : std::clamp(color, 0.0F, to[3]);
    }
    return to;
}

} // namespace weir::paths

#include <algorithm>
#include <array>
#include <cmath>

#include "effects.hpp"

namespace weir::paths {

namespace {

// As in shaders/effect_lighting.glsl.

using Vector = std::array<float, 3>;

float dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector sum(const Vector& a, const Vector& b, float factor = 1) {
    return {a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor};
}
Vector unit(const Vector& v) {
    const float square = dot(v, v), root = std::sqrt(square);
    return square > 1e-20F ? Vector{v[0] / root, v[1] / root, v[2] / root} : Vector{};
}

/// Returns the mean slope of alpha along x, or along y, at a pixel. `step`: distance of the pixels next to it.
float slope(const EffectPicture& surface, std::int32_t x, std::int32_t y, std::int32_t step, bool along_x,
            const PixelBounds& b) {
    const std::int32_t left = along_x ? std::max(x - step, b.left) : x;
    const std::int32_t right = along_x ? std::min(x + step, b.right - 1) : x;
    const std::int32_t top = along_x ? y : std::max(y - step, b.top);
    const std::int32_t bottom = along_x ? y : std::min(y + step, b.bottom - 1);
    std::int32_t total = 0, weights = 0;
    for (std::int32_t i = -1; i <= 1; ++i) {
        const std::int32_t dx = along_x ? 0 : i * step, dy = along_x ? i * step : 0;
        if (x + dx >= b.left && x + dx < b.right && y + dy >= b.top && y + dy < b.bottom) {
            const std::int32_t weight = i == 0 ? 2 : 1;
            total += weight * (surface.at(right + dx, bottom + dy)[3] - surface.at(left + dx, top + dy)[3]);
            weights += weight;
        }
    }
    const std::int32_t distance = right - left + bottom - top;
    return distance == 0 ? 0 : static_cast<float>(total) / (65535 * static_cast<float>(weights * distance));
}

/// Returns the vector of three values in pixels. z is scaled by `scale`.
Vector vector_of(const Transform& m, std::span<const float> v, float scale) {
    return {m.xx * v[0] + m.xy * v[1], m.yx * v[0] + m.yy * v[1], v[2] * scale};
}

} // namespace

Pixel lit(const PixelOp& op, const EffectPicture& surface, std::int32_t x, std::int32_t y) {
    const std::span<const float> v = op.values;
    const Transform& m = op.to_pixels;
    const float scale = std::sqrt((m.xx * m.xx + m.yx * m.yx + m.xy * m.xy + m.yy * m.yy) / 2);
    const float height = v[9] * scale;
    const Vector normal = unit({-2 * height * slope(surface, x, y, op.across, true, op.from),
                                -2 * height * slope(surface, x, y, op.across, false, op.from), 1});

    const int kind = static_cast<int>(v[11]);
    const Vector source = vector_of(m, v.subspan(12), scale);
    const Vector at = {static_cast<float>(x) + 0.5F - m.dx, static_cast<float>(y) + 0.5F - m.dy,
                       height * surface.color(x, y)[3]};
    const Vector light = unit(kind == 0 ? source : sum(source, at, -1));
    float power = v[10];
    if (kind == 2) {
        const float along = -dot(light, unit(sum(vector_of(m, v.subspan(15), scale), source, -1)));
        const float width = std::min(0.016F, std::max((1 - v[19]) / 2, 1e-4F)); // width of a smooth edge
        power *= along > 0 ? std::pow(along, v[18]) * std::clamp((along - v[19]) / width, 0.0F, 1.0F) : 0;
    }
    if (op.mode == 0) {
        power *= std::max(dot(normal, light), 0.0F);
    } else {
        const float shine = dot(normal, unit(sum(light, {0, 0, 1})));
        power *= shine > 0 ? std::pow(shine, v[20]) : 0;
    }
    const auto part = [&](std::size_t i) { return std::clamp(power * v[6 + i], 0.0F, 1.0F); };
    const float red = part(0), green = part(1), blue = part(2);
    return {red, green, blue, op.mode == 0 ? 1 : std::max(red, std::max(green, blue))};
}

} // namespace weir::paths

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "flatten.hpp"
#include "paint.hpp"

// See shaders/sampling.glsl, which explains it.

namespace weir::paths {

namespace {

struct Level {
    std::uint32_t first = 0;
    std::int32_t width = 0, height = 0;
};

Point turned(const Transform& m, Point v) {
    return {m.xx * v.x + m.xy * v.y, m.yx * v.x + m.yy * v.y};
}

float length_of(Point v) {
    const float square = v.x * v.x + v.y * v.y;
    return square > 1e-30F ? square * inverse_root(square) : 0.0F;
}

float within(Spread spread, float x, float size) {
    if (spread == Spread::pad) {
        return x > -1.0F ? std::min(x, size + 1.0F) : -1.0F;
    }
    const float period = spread == Spread::reflect ? 2.0F * size : size;
    const float cycles = std::floor(x * reciprocal(period));
    const float rest = x - period * cycles;
    const float folded = spread == Spread::reflect && rest > size ? period - rest : rest;
    return folded > 0.0F ? std::min(folded, size) : 0.0F;
}

std::int32_t index_of(Spread spread, std::int32_t i, std::int32_t size) {
    if (spread == Spread::repeat) {
        i = i < 0 ? i + size : i >= size ? i - size : i;
    } else if (spread == Spread::reflect) {
        i = i < 0 ? -1 - i : i >= size ? 2 * size - 1 - i : i;
    }
    return std::clamp(i, 0, size - 1);
}

/// Returns the weights of four pixels at a position between the second and the third one.
std::array<float, 4> cubic_weights(float t) {
    const auto outer = [](float u) { return u * u * (u * 7 - 6) / 18; };
    const auto inner = [](float u) { return u * u * (u * 21 - 36) / 18 + 8 / 9.0F; };
    return {outer(1 - t), inner(t), inner(1 - t), outer(t)};
}

/// An image paint of a scene.
class Sampler {
public:
    Sampler(const Scene& scene, const PaintRecord& paint)
        : texels_(((paint.spread & image_is_external) != 0 ? scene.external_texels() : scene.texels()).data()),
          across_(static_cast<Spread>(paint.spread & 3)), down_(static_cast<Spread>(paint.spread >> 2 & 3)) {}

    [[nodiscard]] Pixel nearest(const Level& level, Point p) const {
        const Point q = within_level(level, p);
        Pixel color = {};
        add_texel(level, static_cast<std::int32_t>(std::floor(q.x)), static_cast<std::int32_t>(std::floor(q.y)), 1,
                  color);
        return color;
    }

    /// Adds an interpolated color, times `weight`.
    void add_interpolated(const Level& level, Point p, float weight, Pixel& sum) const {
        const Point q = within_level(level, p);
        const float left = std::floor(q.x - 0.5F), top = std::floor(q.y - 0.5F);
        const float x = (q.x - 0.5F) - left, y = (q.y - 0.5F) - top;
        const auto column = static_cast<std::int32_t>(left), row = static_cast<std::int32_t>(top);
        add_texel(level, column, row, weight * (1 - x) * (1 - y), sum);
        add_texel(level, column + 1, row, weight * x * (1 - y), sum);
        add_texel(level, column, row + 1, weight * (1 - x) * y, sum);
        add_texel(level, column + 1, row + 1, weight * x * y, sum);
    }

    /// Returns a color that is interpolated between 4 x 4 pixels.
    [[nodiscard]] Pixel cubic(const Level& level, Point p) const {
        const Point q = within_level(level, p);
        const float left = std::floor(q.x - 0.5F), top = std::floor(q.y - 0.5F);
        const std::array<float, 4> across = cubic_weights(q.x - 0.5F - left), down = cubic_weights(q.y - 0.5F - top);
        const auto column = static_cast<std::int32_t>(left), row = static_cast<std::int32_t>(top);
        Pixel color = {};
        for (std::int32_t y = 0; y < 4; ++y) {
            for (std::int32_t x = 0; x < 4; ++x) {
                add_texel(level, column + x - 1, row + y - 1, across[x] * down[y], color);
            }
        }
        color[3] = std::clamp(color[3], 0.0F, 1.0F);
        for (int c = 0; c < 3; ++c) {
            color[c] = std::clamp(color[c], 0.0F, color[3]);
        }
        return color;
    }

private:
    [[nodiscard]] Point within_level(const Level& level, Point p) const {
        return {within(across_, p.x, static_cast<float>(level.width)),
                within(down_, p.y, static_cast<float>(level.height))};
    }
    void add_texel(const Level& level, std::int32_t column, std::int32_t row, float weight, Pixel& sum) const {
        const std::int32_t x = index_of(across_, column, level.width), y = index_of(down_, row, level.height);
        const std::uint32_t texel = texels_[level.first + static_cast<std::size_t>(y) * level.width + x];
        for (int c = 0; c < 4; ++c) {
            sum[c] += weight / 255 * static_cast<float>(texel >> 8 * c & 0xFF);
        }
    }

    const std::uint32_t* texels_;
    Spread across_, down_;
};

int samples_of(float distance) {
    return distance > 1.5F ? static_cast<int>(std::ceil(std::min(distance, 12.0F) * (2.0F / 3.0F))) : 1;
}

} // namespace

Pixel image_color(const Scene& scene, const PaintRecord& paint, const Transform& m, Point p) {
    if ((paint.spread & image_is_external) != 0 && scene.external_texels().empty()) {
        return {};
    }
    const Sampler sampler(scene, paint);
    Level level{paint.first_stop, static_cast<std::int32_t>(paint.stops & 0xFFFF),
                static_cast<std::int32_t>(paint.stops >> 16)};
    const float opacity = paint.color[3];
    if ((paint.spread & image_is_linear) == 0) {
        Pixel color = sampler.nearest(level, p);
        for (float& component : color) {
            component *= opacity;
        }
        return color;
    }
    const float factor = reciprocal(m.xx * m.yy - m.xy * m.yx);
    Point right = turned(paint.transform, {m.yy * factor, -m.yx * factor});
    Point down = turned(paint.transform, {-m.xy * factor, m.xx * factor});
    float width = length_of(right), height = length_of(down);
    if ((paint.spread & image_is_cubic) != 0 && std::min(width, height) < 0.999F && std::max(width, height) < 1.5F) {
        Pixel color = sampler.cubic(level, p);
        for (float& component : color) {
            component *= opacity;
        }
        return color;
    }
    const Level whole = level;
    while ((std::min(width, height) > 3.0F || std::max(width, height) > 12.0F) &&
           (level.width != 1 || level.height != 1)) {
        level.first += static_cast<std::uint32_t>(level.width) * static_cast<std::uint32_t>(level.height);
        level.width = std::max(level.width / 2, 1);
        level.height = std::max(level.height / 2, 1);
        width *= 0.5F;
        height *= 0.5F;
    }
    if (level.width != whole.width || level.height != whole.height) {
        const Point scale{static_cast<float>(level.width) * reciprocal(static_cast<float>(whole.width)),
                          static_cast<float>(level.height) * reciprocal(static_cast<float>(whole.height))};
        for (Point* each : {&p, &right, &down}) {
            *each = {each->x * scale.x, each->y * scale.y};
        }
    }
    const int columns = samples_of(width), rows = samples_of(height);
    const float weight = opacity / static_cast<float>(columns * rows);
    Pixel sum = {};
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            const float u = (static_cast<float>(x) + 0.5F) / static_cast<float>(columns) - 0.5F;
            const float v = (static_cast<float>(y) + 0.5F) / static_cast<float>(rows) - 0.5F;
            sampler.add_interpolated(level, {p.x + right.x * u + down.x * v, p.y + right.y * u + down.y * v}, weight,
                                     sum);
        }
    }
    return sum;
}

} // namespace weir::paths

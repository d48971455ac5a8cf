#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "effects.hpp"

namespace weir::paths {

namespace {

// As in shaders/effect_turbulence.glsl.

constexpr std::int32_t lattice_size = 256;

/// Random numbers as SVG specifies them.
class LatticeRandom {
public:
    explicit LatticeRandom(std::int32_t seed)
        : now_(seed <= 0 ? -(seed % (modulus - 1)) + 1 : std::min(seed, modulus - 1)) {}
    std::int32_t operator()() {
        now_ = 16807 * (now_ % 127773) - 2836 * (now_ / 127773);
        now_ += now_ <= 0 ? modulus : 0;
        return now_;
    }

private:
    static constexpr std::int32_t modulus = 2147483647;
    std::int32_t now_;
};

/// Cells of a tile along an axis, and the first one after it. No tile: 0.
struct Wrap {
    std::int32_t size = 0, end = 0;

    [[nodiscard]] std::int32_t operator()(std::int32_t i) const { return size > 0 && i >= end ? i - size : i; }
    [[nodiscard]] Wrap doubled() const { return {2 * size, 2 * end - 4096}; }
};

std::uint32_t permuted(std::span<const float> values, std::int32_t i) {
    return static_cast<std::uint32_t>(values[13 + static_cast<std::size_t>(i & 255)]);
}

Pixel noise(std::span<const float> values, Point p, Wrap across, Wrap down) {
    const float left = std::floor(p.x), top = std::floor(p.y), x = p.x - left, y = p.y - top;
    const std::int32_t column = static_cast<std::int32_t>(left) + 4096, row = static_cast<std::int32_t>(top) + 4096;
    std::array<std::uint32_t, 4> corners;
    for (std::int32_t i = 0; i < 4; ++i) {
        const auto first = static_cast<std::int32_t>(permuted(values, across(column + i % 2)));
        corners[static_cast<std::size_t>(i)] = permuted(values, first + down(row + i / 2));
    }
    const auto curve = [](float t) { return t * t * (3 - 2 * t); };
    const float sx = curve(x), sy = curve(y);
    Pixel result;
    for (std::size_t component = 0; component < 4; ++component) {
        const auto product = [&](std::size_t corner, float u, float v) {
            const std::size_t at = 269 + 512 * component + 2 * std::size_t{corners[corner]};
            return u * values[at] + v * values[at + 1];
        };
        const float a = product(0, x, y), b = product(1, x - 1, y);
        const float c = product(2, x, y - 1), d = product(3, x - 1, y - 1);
        const float above = a + sx * (b - a), below = c + sx * (d - c);
        result[component] = above + sy * (below - above);
    }
    return result;
}

} // namespace

std::vector<float> turbulence_tables(std::int32_t seed) {
    std::vector<float> gradients;
    LatticeRandom random(seed);
    for (std::int32_t i = 0; i < 4 * lattice_size; ++i) {
        const auto part = [&] { return static_cast<float>(random() % (2 * lattice_size) - lattice_size); };
        const float x = part(), y = part(), length = std::hypot(x, y);
        gradients.push_back(length > 0 ? x / length : 0);
        gradients.push_back(length > 0 ? y / length : 0);
    }
    std::vector<float> tables(lattice_size);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        tables[i] = static_cast<float>(i);
    }
    for (std::size_t i = tables.size() - 1; i != 0; --i) {
        std::swap(tables[i], tables[static_cast<std::size_t>(random() % lattice_size)]);
    }
    tables.insert(tables.end(), gradients.begin(), gradients.end());
    return tables;
}

Pixel turbulence(const PixelOp& op, std::int32_t x, std::int32_t y) {
    const std::span<const float> v = op.values;
    const Point at = op.to_pixels.inverse()({static_cast<float>(x), static_cast<float>(y)});
    Point p = {at.x * v[6], at.y * v[7]};
    Wrap across{static_cast<std::int32_t>(v[9]), static_cast<std::int32_t>(v[11])};
    Wrap down{static_cast<std::int32_t>(v[10]), static_cast<std::int32_t>(v[12])};
    Pixel sum = {};
    float part = 1;
    for (auto octaves = static_cast<std::uint32_t>(v[8]); octaves != 0; --octaves) {
        const Pixel one = noise(v, {std::clamp(p.x, -1e9F, 1e9F), std::clamp(p.y, -1e9F, 1e9F)}, across, down);
        for (std::size_t i = 0; i < 4; ++i) {
            sum[i] += part * (op.mode == 0 ? std::abs(one[i]) : one[i]);
        }
        part /= 2;
        p = {2 * p.x, 2 * p.y};
        across = across.doubled();
        down = down.doubled();
    }
    for (float& component : sum) {
        component = op.mode == 0 ? component : (component + 1) / 2;
    }
    return sum;
}

} // namespace weir::paths

#include <weir/splats/cloud.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "half.hpp"

namespace weir::splats {

namespace {

inline std::uint16_t half_bits(float number) {
    return to_half(std::clamp(number, -65504.0F, 65504.0F));
}

std::array<std::int16_t, 4> packed(const Quaternion& rotation) {
    double length = 0;
    for (const float part : rotation) {
        length += double{part} * part;
    }
    if (length == 0) {
        return {32767, 0, 0, 0};
    }
    const double scale = 32767 / std::sqrt(length);
    std::array<std::int16_t, 4> parts{};
    for (std::size_t i = 0; i < 4; ++i) {
        parts[i] = static_cast<std::int16_t>(std::lround(scale * rotation[i]));
    }
    return parts;
}

/// Returns SplatPlace::radius.
float radius_of(const Vec3& scale, float opacity) {
    if (opacity * 255 <= 1) {
        return -1;
    }
    const double radius = std::max({scale[0], scale[1], scale[2]}) * std::sqrt(2 * std::log(255.0 * opacity));
    constexpr double most = std::numeric_limits<float>::max();
    return static_cast<float>(std::min(most, radius * (1 + 1e-4))); // margin for rounding
}

} // namespace

void Cloud::reserve(std::size_t splats) {
    places.reserve(splats);
    shapes.reserve(splats);
    harmonics.reserve(splats * harmonic_words(degree));
}

bool Cloud::add(const Splat& splat) {
    if (!is_finite(splat, degree)) {
        return false;
    }
    resize(places.size() + 1);
    set(places.size() - 1, splat);
    return true;
}

void Cloud::resize(std::size_t splats) {
    places.resize(splats);
    shapes.resize(splats);
    harmonics.resize(splats * harmonic_words(degree));
}

void Cloud::set(std::size_t index, const Splat& splat) {
    SplatPlace& place = places[index];
    SplatShape& shape = shapes[index];
    place.mean = splat.mean;
    shape.rotation = packed(splat.rotation);
    for (std::size_t i = 0; i < 3; ++i) {
        shape.scale[i] = std::abs(splat.scale[i]);
        shape.color[i] = half_bits(splat.color[i]);
    }
    shape.color[3] = half_bits(std::clamp(splat.opacity, 0.0F, 1.0F));
    place.radius = radius_of(shape.scale, from_half(shape.color[3]));

    const std::size_t words = harmonic_words(degree), numbers = ((degree + 1) * (degree + 1) - 1) * std::size_t{3};
    std::array<std::uint16_t, 48> halfs{};
    for (std::size_t i = 0; i < numbers; ++i) {
        halfs[i] = half_bits(splat.harmonics[i / 3][i % 3]);
    }
    for (std::size_t word = 0; word < words; ++word) {
        harmonics[index * words + word] = halfs[2 * word] | std::uint32_t{halfs[2 * word + 1]} << 16;
    }
}

Splat Cloud::splat(std::size_t index) const {
    const SplatShape& shape = shapes[index];
    Splat splat{.mean = places[index].mean, .scale = shape.scale, .opacity = from_half(shape.color[3])};
    for (std::size_t i = 0; i < 4; ++i) {
        splat.rotation[i] = static_cast<float>(shape.rotation[i]) / 32767;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        splat.color[i] = from_half(shape.color[i]);
    }
    const std::size_t words = harmonic_words(degree), numbers = ((degree + 1) * (degree + 1) - 1) * std::size_t{3};
    for (std::size_t i = 0; i < numbers; ++i) {
        splat.harmonics[i / 3][i % 3] = from_half(harmonics[index * words + i / 2] >> i % 2 * 16 & 0xFFFF);
    }
    return splat;
}

bool is_finite(const Splat& splat, std::uint32_t degree) {
    // Floats are too small for an infinite sum of doubles.
    std::array<double, 3> sums{};
    const auto add = [&](const Vec3& numbers) {
        for (std::size_t i = 0; i < 3; ++i) {
            sums[i] += numbers[i];
        }
    };
    add(splat.mean);
    add(splat.scale);
    add(splat.color);
    for (std::size_t i = 0; i < (degree + 1) * (degree + 1) - 1; ++i) {
        add(splat.harmonics[i]);
    }
    double sum = sums[0] + sums[1] + sums[2] + splat.opacity;
    for (const float number : splat.rotation) {
        sum += number;
    }
    return std::isfinite(sum);
}

} // namespace weir::splats

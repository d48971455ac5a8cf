#include <weir/splats/cloud.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "half.hpp"

namespace weir::splats {

namespace {

float number_or_zero(float number) {
    return std::isfinite(number) ? number : 0;
}

std::uint16_t half_bits(float number) {
    return to_half(std::clamp(number_or_zero(number), -65504.0F, 65504.0F));
}

std::array<std::int16_t, 4> packed(const Quaternion& rotation) {
    double length = 0;
    for (const float part : rotation) {
        length += double{part} * part;
    }
    if (!std::isfinite(length) || length == 0) {
        return {32767, 0, 0, 0};
    }
    std::array<std::int16_t, 4> parts{};
    for (std::size_t i = 0; i < 4; ++i) {
        parts[i] = static_cast<std::int16_t>(std::lround(32767 * (rotation[i] / std::sqrt(length))));
    }
    return parts;
}

/// Returns SplatPlace::radius.
float radius_of(const Vec3& scale, float opacity) {
    if (opacity * 255 <= 1) {
        return -1;
    }
    const double radius = std::max({scale[0], scale[1], scale[2]}) * std::sqrt(2 * std::log(255.0 * opacity));
    return static_cast<float>(radius * (1 + 1e-4)); // margin for rounding
}

} // namespace

void Cloud::reserve(std::size_t splats) {
    places.reserve(splats);
    shapes.reserve(splats);
    harmonics.reserve(splats * harmonic_words(degree));
}

void Cloud::add(const Splat& splat) {
    SplatPlace place;
    SplatShape shape{.rotation = packed(splat.rotation)};
    for (std::size_t i = 0; i < 3; ++i) {
        place.mean[i] = number_or_zero(splat.mean[i]);
        shape.scale[i] = std::abs(number_or_zero(splat.scale[i]));
        shape.color[i] = half_bits(splat.color[i]);
    }
    shape.color[3] = half_bits(std::clamp(number_or_zero(splat.opacity), 0.0F, 1.0F));
    place.radius = radius_of(shape.scale, from_half(shape.color[3]));
    places.push_back(place);
    shapes.push_back(shape);

    const std::size_t first = harmonics.size();
    harmonics.resize(first + harmonic_words(degree));
    const std::size_t coefficients = (degree + 1) * (degree + 1) - 1;
    for (std::size_t i = 0; i < coefficients * 3; ++i) {
        harmonics[first + i / 2] |= std::uint32_t{half_bits(splat.harmonics[i / 3][i % 3])} << i % 2 * 16;
    }
}

} // namespace weir::splats

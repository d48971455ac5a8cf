#include <algorithm>
#include <cmath>
#include <numbers>

#include <weir/splats/cloud.hpp>

namespace weir::splats {

namespace {

/// Random number generator: splitmix64.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    /// Returns a number in [0, 1).
    float unit() {
        state_ += 0x9E3779B97F4A7C15;
        std::uint64_t x = state_;
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
        x = (x ^ x >> 27) * 0x94D049BB133111EB;
        return static_cast<float>((x ^ x >> 31) >> 40) * 0x1p-24F;
    }
    /// Returns an approximately normal number.
    float normal() {
        float sum = -6;
        for (int i = 0; i < 12; ++i) {
            sum += unit();
        }
        return sum;
    }

private:
    std::uint64_t state_;
};

constexpr float pi = std::numbers::pi_v<float>;

/// Returns the rotation by 2 * `turn` about the z axis, followed by a rotation of the z axis to `normal`.
Quaternion facing(const Vec3& normal, float turn) {
    const Vec3 axis = cross({0, 0, 1}, normal);
    const Quaternion tilt =
        normal[2] < -0.9999F ? Quaternion{0, 1, 0, 0} : Quaternion{1 + normal[2], axis[0], axis[1], axis[2]};
    const float w = std::cos(turn), z = std::sin(turn);
    return {tilt[0] * w - tilt[3] * z, tilt[1] * w + tilt[2] * z, tilt[2] * w - tilt[1] * z, tilt[3] * w + tilt[0] * z};
}

/// Point of a surface and its properties.
struct Place {
    Vec3 at, normal, color;
};

Vec3 knot(float t) {
    const float radius = 0.42F * (2 + std::cos(3 * t));
    return {radius * std::cos(2 * t), 0.42F * std::sin(3 * t), radius * std::sin(2 * t)};
}

/// Returns a random point of a tube along a trefoil knot, with a spiral of stripes.
Place on_tube(Random& random) {
    const float t = 2 * pi * random.unit(), around = 2 * pi * random.unit();
    const Vec3 along = normalized(knot(t + 0.001F) - knot(t - 0.001F));
    const Vec3 side = normalized(cross(along, {0, 1, 0})), up = cross(side, along);
    const Vec3 normal = std::cos(around) * side + std::sin(around) * up;
    const float stripe = std::sin(12 * t + 2 * around) > 0.55F ? 0.35F : 1;
    const auto channel = [&](float phase) { return stripe * (0.5F + 0.45F * std::cos(2 * t + phase)); };
    return {knot(t) + 0.24F * normal, normal, {channel(0), channel(4 * pi / 3), channel(2 * pi / 3)}};
}

/// Returns a random point of a round floor with a checkerboard pattern.
Place on_floor(Random& random) {
    const float radius = 2.2F * std::sqrt(random.unit()), angle = 2 * pi * random.unit();
    const Vec3 at = {radius * std::cos(angle), -0.8F, radius * std::sin(angle)};
    const bool is_light =
        (static_cast<int>(std::floor(at[0] * 2.5F)) + static_cast<int>(std::floor(at[2] * 2.5F))) % 2 == 0;
    const float shade = is_light ? 0.85F : 0.3F;
    return {at, {0, 1, 0}, {shade, shade, 0.9F * shade}};
}

} // namespace

Cloud make_cloud(std::uint32_t splats, std::uint64_t seed, std::uint32_t degree) {
    Cloud cloud{.degree = degree};
    cloud.reserve(splats);
    Random random(seed);
    const Vec3 light = normalized({0.4F, 1, -0.5F});
    const float size = 0.006F * std::sqrt(1e6F / static_cast<float>(std::max(1U, splats))); // keeps the surfaces closed
    for (std::uint32_t i = 0; i < splats; ++i) {
        const Place place = random.unit() < 0.3F ? on_floor(random) : on_tube(random);
        const float brightness = 0.35F + 0.65F * std::max(0.0F, dot(place.normal, light));
        Splat splat;
        splat.mean = place.at + 0.2F * size * random.normal() * place.normal;
        splat.scale = {size * std::exp(0.4F * random.normal()), size * std::exp(0.4F * random.normal()), 0.2F * size};
        splat.rotation = facing(place.normal, pi * random.unit());
        splat.opacity = 1 / (1 + std::exp(-(1 + 2 * random.normal())));
        for (std::size_t c = 0; c < 3; ++c) {
            splat.color[c] = coefficient_of(brightness * place.color[c]);
        }
        // Brighter when seen from the front.
        const std::array<float, 3> slope = {place.normal[1], -place.normal[2], place.normal[0]};
        for (std::size_t m = 0; m < splat.harmonics.size(); ++m) {
            const float strength = m < 3 ? 0.3F * slope[m] : 0.02F * random.normal();
            splat.harmonics[m] = {strength, strength, strength};
        }
        cloud.add(splat);
    }
    return cloud;
}

} // namespace weir::splats

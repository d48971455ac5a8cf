#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include <weir/splats/camera.hpp>
#include <weir/splats/cloud.hpp>
#include <weir/splats/oracle.hpp>

namespace weir::tests {

/// Returns splats of all kinds in front of, next to and behind a camera at the origin that looks along z: long and thin
/// ones, points, ones that fill the picture, opaque and nearly invisible ones, with colors above 1 and below 0.
inline splats::Cloud wild_cloud(std::uint32_t splats, std::uint32_t degree, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto between = [&](float low, float high) {
        return std::uniform_real_distribution<float>(low, high)(random);
    };
    splats::Cloud cloud{.degree = degree};
    for (std::uint32_t i = 0; i < splats; ++i) {
        splats::Splat splat;
        splat.mean = {between(-4, 4), between(-3, 3), between(-0.5F, 6)};
        for (float& scale : splat.scale) {
            scale = std::exp(between(-6, -1));
        }
        splat.rotation = {between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
        splat.opacity = between(-0.1F, 1.1F);
        splat.color = {between(-2, 2), between(-2, 2), between(-2, 2)};
        for (auto& harmonic : splat.harmonics) {
            harmonic = {between(-0.3F, 0.3F), between(-0.3F, 0.3F), between(-0.3F, 0.3F)};
        }
        cloud.add(splat);
    }
    return cloud;
}

/// Returns splats on five planes across the line of sight. Many have the same depth.
inline splats::Cloud layered_cloud(std::uint32_t splats, std::uint32_t seed) {
    splats::Cloud cloud = wild_cloud(splats, 0, seed);
    for (std::uint32_t i = 0; i < splats; ++i) {
        cloud.places[i].mean[2] = static_cast<float>(1 + i * 7 % 5);
    }
    return cloud;
}

/// Returns a view from the camera `circling(turn)`.
inline splats::View view_from(double turn, std::uint32_t width, std::uint32_t height) {
    return {.width = width, .height = height, .camera = splats::circling(turn)};
}

/// Returns the maximum difference of a color between a picture of the device and one of the CPU, in 1/255. If the sizes
/// differ, it is at least 255.
inline double distance(const std::vector<std::uint32_t>& pixels, const splats::CpuPicture& expected) {
    double most = pixels.size() == expected.colors.size() ? 0 : 255;
    for (std::size_t i = 0; i < pixels.size() && i < expected.colors.size(); ++i) {
        for (std::size_t c = 0; c < 4; ++c) {
            const double wanted = 255 * std::clamp(expected.colors[i][c], 0.0, 1.0);
            most = std::max(most, std::abs((pixels[i] >> 8 * c & 255) - wanted));
        }
    }
    return most;
}

} // namespace weir::tests

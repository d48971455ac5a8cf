#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

#include "splats/vectors.hpp"

namespace samples::splats {

/// A splat: a Gaussian in space, as the files of Kerbl et al., "3D Gaussian Splatting for Real-Time Radiance Field
/// Rendering" (2023), describe it.
struct Splat {
    Vec3 mean{};
    Vec3 scale{};                        ///< standard deviations along its axes
    Quaternion rotation{1, 0, 0, 0};     ///< of its axes; of any length but 0
    float opacity = 1;                   ///< in the middle, 0 to 1
    Vec3 color{};                        ///< coefficients of degree 0
    std::array<Vec3, 15> harmonics = {}; ///< coefficients of degree 1 to 3
};

/// Where a splat is, as kernels read it: all that says whether it can be in a picture.
struct SplatPlace {
    Vec3 mean{};
    float radius = -1; ///< within which its opacity can be 1/255 or more; negative: nowhere
};
static_assert(sizeof(SplatPlace) == 16);

/// The rest of a splat, as kernels read it.
struct SplatShape {
    Vec3 scale{};
    std::array<std::int16_t, 4> rotation{}; ///< w, x, y, z of a quaternion of length 1, times 32767
    std::array<std::uint16_t, 4> color{};   ///< halfs: coefficients of degree 0, and opacity
    std::uint32_t unused = 0;
};
static_assert(sizeof(SplatShape) == 32);

/// Many splats, in the form in which they are uploaded.
struct Cloud {
    std::uint32_t degree = 0; ///< of the spherical harmonics, 0 to 3
    std::vector<SplatPlace> places;
    std::vector<SplatShape> shapes;
    std::vector<std::uint32_t> harmonics; ///< halfs of degree 1 and more: `harmonic_words` for each splat

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(places.size()); }
    void reserve(std::size_t splats);
    /// Harmonics past the degree of the cloud are left out. What is no number counts as 0.
    void add(const Splat& splat);
};

/// Words of the harmonics of a splat, for a degree of 0 to 3: 0, 5, 12, 24.
constexpr std::uint32_t harmonic_words(std::uint32_t degree) {
    return degree == 3 ? 24 : (((degree + 1) * (degree + 1) - 1) * 3 + 1) / 2;
}

/// The coefficient of degree 0 that makes a splat have that color, 0 to 1.
constexpr float coefficient_of(float color) {
    return (color - 0.5F) / 0.28209479F;
}

/// A cloud made of random numbers: a knotted tube above a floor. The same for a seed on every machine.
Cloud make_cloud(std::uint32_t splats, std::uint64_t seed, std::uint32_t degree);

/// Reads a cloud: a .ply as the original training writes it, or a .splat. Errors: `io` in one sentence.
weir::Result<Cloud> read_cloud(const std::string& file);

} // namespace samples::splats

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <weir/splats/vectors.hpp>

namespace weir::splats {

/// A splat: a Gaussian in space with the parameters of Kerbl et al., "3D Gaussian Splatting for Real-Time Radiance
/// Field Rendering" (2023).
struct Splat {
    Vec3 mean{};
    Vec3 scale{};                        ///< standard deviations along the axes of the splat
    Quaternion rotation{1, 0, 0, 0};     ///< rotation of the axes; any length except 0
    float opacity = 1;                   ///< at the center, 0 to 1
    Vec3 color{};                        ///< spherical harmonics, coefficients of degree 0
    std::array<Vec3, 15> harmonics = {}; ///< spherical harmonics, coefficients of degree 1 to 3
};

/// Position and extent of a splat, as kernels read it. Decides whether the splat can be visible.
struct SplatPlace {
    Vec3 mean{};
    float radius = -1; ///< radius within which the opacity can reach 1/255; negative: it never does
};
static_assert(sizeof(SplatPlace) == 16);

/// Remaining data of a splat, as kernels read it.
struct SplatShape {
    Vec3 scale{};
    std::array<std::int16_t, 4> rotation{}; ///< w, x, y, z of a unit quaternion, times 32767
    std::array<std::uint16_t, 4> color{};   ///< halfs: coefficients of degree 0, and opacity
    float harmonic_scale = 0;               ///< factor of harmonics of HarmonicFormat::snorm8; 0 in a Cloud
};
static_assert(sizeof(SplatShape) == 32);

/// Splats in the format of the device.
struct Cloud {
    std::uint32_t degree = 0; ///< degree of the spherical harmonics, 0 to 3
    std::vector<SplatPlace> places;
    std::vector<SplatShape> shapes;
    std::vector<std::uint32_t> harmonics; ///< halfs of degree 1 and above: `harmonic_words` words per splat

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(places.size()); }
    void reserve(std::size_t splats);
    /// Adds a splat, without harmonics above the cloud's degree. Returns false and adds nothing if one of its numbers
    /// is NaN or infinite.
    bool add(const Splat& splat);
    /// Sets the number of splats. New ones are invisible.
    void resize(std::size_t splats);
    /// Replaces splat `index`. Precondition: `is_finite(splat, degree)`. Threads may set different splats at once.
    void set(std::size_t index, const Splat& splat);
    /// Returns splat `index`, with the precision of the cloud.
    [[nodiscard]] Splat splat(std::size_t index) const;
};

/// Checks that no number of a splat is NaN or infinite. Ignores harmonics above `degree`.
bool is_finite(const Splat& splat, std::uint32_t degree);

/// Returns the number of words of a splat's harmonics for a degree of 0 to 3: 0, 5, 12, 24.
constexpr std::uint32_t harmonic_words(std::uint32_t degree) {
    return degree == 3 ? 24 : (((degree + 1) * (degree + 1) - 1) * 3 + 1) / 2;
}

/// Format of spherical harmonics of degree 1 and above in device memory.
enum class HarmonicFormat : std::uint8_t {
    half,   ///< 16-bit floats, as in a Cloud
    snorm8, ///< 8 bits: multiples of 1/127 of the splat's maximum coefficient
};

/// Returns the number of words of a splat's harmonics for a degree of 0 to 3. HarmonicFormat::snorm8: 0, 3, 6, 12.
constexpr std::uint32_t harmonic_words(std::uint32_t degree, HarmonicFormat format) {
    return format == HarmonicFormat::half ? harmonic_words(degree) : (harmonic_words(degree) + 1) / 2;
}

/// Returns the coefficient of degree 0 for a color component from 0 to 1.
constexpr float coefficient_of(float color) {
    return (color - 0.5F) / 0.28209479F;
}

/// Generates a random cloud: a knotted tube above a floor. The result for a seed is the same on every machine.
Cloud make_cloud(std::uint32_t splats, std::uint64_t seed, std::uint32_t degree);

} // namespace weir::splats

#pragma once

#include <bit>
#include <cstdint>

namespace weir::splats {

/// Returns the number of a 16-bit float.
inline float from_half(std::uint32_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16, magnitude = (bits & 0x7FFFU) << 13;
    if (magnitude >= 0x7C00U << 13) { // infinity or NaN
        return std::bit_cast<float>(sign | 0x7F800000U | magnitude);
    }
    const float scaled = std::bit_cast<float>(magnitude) * 0x1p112F; // adjusts the bias; exact, for denormals too
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

/// Returns a finite number of at most 65504 as a 16-bit float, rounded to nearest even.
inline std::uint16_t to_half(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7FFFFFFFU;
    if (magnitude < 0x38800000U) { // denormal: floats near 0.5 are multiples of 2^-24, as denormal halfs are
        const float sum = std::bit_cast<float>(magnitude) + 0.5F;
        return static_cast<std::uint16_t>(sign |
                                          (std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(0.5F)));
    }
    const std::uint32_t rebased = magnitude - (112U << 23);
    return static_cast<std::uint16_t>(sign | (rebased + 0xFFF + (rebased >> 13 & 1U)) >> 13);
}

} // namespace weir::splats

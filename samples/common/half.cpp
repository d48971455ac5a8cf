#include "common/half.hpp"

#include <bit>
#include <cstdint>

namespace samples {

namespace {

constexpr std::uint32_t mantissa_shift = 23 - 10;
constexpr std::uint32_t bias = 127 - 15; // difference between the exponent biases of float and half

} // namespace

float to_float(weir::Half half) {
    const std::uint32_t sign = (half.bits & 0x8000U) << 16, magnitude = (half.bits & 0x7FFFU) << mantissa_shift;
    if (magnitude >= 0x7C00U << mantissa_shift) { // infinity or NaN
        return std::bit_cast<float>(sign | 0x7F800000U | magnitude);
    }
    const float scaled = std::bit_cast<float>(magnitude) * 0x1p112F; // adjusts the bias; exact, for denormals too
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

weir::Half to_half(float number) {
    constexpr std::uint32_t infinity = 0x7F800000, too_large = 0x47800000, least_normal = 0x38800000;
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7FFFFFFFU;
    std::uint32_t half = 0x7C00;
    if (magnitude > infinity) {
        half = 0x7E00 | (magnitude >> mantissa_shift & 0x3FFU);
    } else if (magnitude < least_normal) {
        // Floats near 0.5 are multiples of 2^-24, which is the spacing of half denormals.
        const float sum = std::bit_cast<float>(magnitude) + 0.5F;
        half = std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(0.5F);
    } else if (magnitude < too_large) {
        const std::uint32_t rebased = magnitude - (bias << 23);
        half = (rebased + 0xFFF + (rebased >> mantissa_shift & 1U)) >> mantissa_shift; // may carry into the exponent
    }
    return {static_cast<std::uint16_t>(sign | half)};
}

} // namespace samples

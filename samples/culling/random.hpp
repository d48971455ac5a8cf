#pragma once

#include <cstdint>

namespace samples::culling {

/// Portable random number generator: PCG32.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) { number(); }

    std::uint32_t number() {
        const std::uint64_t state = state_;
        state_ = state * 6364136223846793005U + 1442695040888963407U;
        const auto shifted = static_cast<std::uint32_t>(((state >> 18) ^ state) >> 27);
        const auto turn = static_cast<std::uint32_t>(state >> 59);
        return shifted >> turn | shifted << ((32 - turn) & 31);
    }
    /// Returns a number below `end`, which must not be 0.
    std::uint32_t below(std::uint32_t end) { return number() % end; }
    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(number() >> 8) * (1.0F / 16777216.0F);
    }
    bool chance(float part) { return between(0, 1) < part; }

private:
    std::uint64_t state_;
};

} // namespace samples::culling

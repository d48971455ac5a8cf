#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weir::tests {

/// Random number generator. The default seed is WEIR_TESTS_SEED, or 1. Failures in the scope of the object name the
/// seed.
class Random {
public:
    explicit Random(std::uint64_t seed = default_seed())
        : trace_(__FILE__, __LINE__, "WEIR_TESTS_SEED=" + std::to_string(seed)), engine_(seed) {}

    /// Returns a number from `low` to `high`, both included.
    template <class T>
    T uniform(T low = std::numeric_limits<T>::min(), T high = std::numeric_limits<T>::max()) {
        return std::uniform_int_distribution<T>(low, high)(engine_);
    }

    template <class T = std::uint32_t>
    std::vector<T> vector(std::size_t count, T low = std::numeric_limits<T>::min(),
                          T high = std::numeric_limits<T>::max()) {
        std::vector<T> items(count);
        for (T& item : items) {
            item = uniform(low, high);
        }
        return items;
    }

    std::mt19937_64& engine() { return engine_; }

private:
    static std::uint64_t default_seed() {
        const char* variable = std::getenv("WEIR_TESTS_SEED");
        return variable != nullptr ? std::strtoull(variable, nullptr, 10) : 1;
    }

    testing::ScopedTrace trace_;
    std::mt19937_64 engine_;
};

/// Returns items whose bytes are all 0xA5. Buffers hold them before a kernel runs, so that a missing write is seen.
template <class T = std::uint32_t>
std::vector<T> poisoned(std::size_t count) {
    std::vector<T> items(count);
    if (count != 0) {
        std::memset(static_cast<void*>(items.data()), 0xA5, count * sizeof(T));
    }
    return items;
}

} // namespace weir::tests

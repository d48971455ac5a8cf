#pragma once

#include <chrono>

namespace samples {

/// Measures the time since its construction.
class Stopwatch {
public:
    [[nodiscard]] double ms() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace samples

#pragma once

#include <cstdint>

#include <weir/weir.hpp>

namespace weir::splats {

/// Maximum number of pairs, and their buffers' current capacity.
class PairCapacity {
public:
    /// `first`: initial capacity; 0: 4 per splat. `max`: maximum; 0: the limit of the device.
    PairCapacity(const Capabilities& device, std::uint32_t splats, std::uint32_t first, std::uint32_t max);

    /// Returns the capacity of the next picture.
    [[nodiscard]] std::uint32_t next() const { return next_; }
    /// Returns the maximum capacity.
    [[nodiscard]] std::uint32_t max() const { return max_; }
    /// Takes the number of pairs of a picture into account. Grows if less than 1/8 would be left, and shrinks after
    /// `patience` pictures in succession that needed less than a quarter.
    void take(std::uint32_t pairs);
    /// Limits the capacity after an allocation failed.
    void limit(std::uint32_t capacity);
    /// Lifts the limit, when an allocation may succeed again.
    void lift() { limit_ = max_; }

    static constexpr std::uint32_t patience = 120;

private:
    std::uint32_t first_, max_, limit_, next_;
    std::uint32_t low_ = 0, low_pairs_ = 0; ///< successive pictures with few pairs, and their maximum number
};

} // namespace weir::splats

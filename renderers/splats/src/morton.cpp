#include "morton.hpp"

#include <algorithm>
#include <limits>

namespace weir::splats {

namespace {

/// Moves bit i of the lowest 10 bits to bit 3 * i.
std::uint32_t spread_bits(std::uint32_t bits) {
    bits = (bits | bits << 16) & 0x030000FF;
    bits = (bits | bits << 8) & 0x0300F00F;
    bits = (bits | bits << 4) & 0x030C30C3;
    return (bits | bits << 2) & 0x09249249;
}

template <class T>
void permute(std::vector<T>& items, const std::vector<std::uint64_t>& keys, std::size_t per_splat) {
    std::vector<T> sorted(items.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto from = static_cast<std::ptrdiff_t>((keys[i] & 0xFFFFFFFF) * per_splat);
        std::copy_n(items.begin() + from, per_splat, sorted.begin() + static_cast<std::ptrdiff_t>(i * per_splat));
    }
    items = std::move(sorted);
}

} // namespace

void sort_along_morton_curve(Cloud& cloud) {
    constexpr float most = std::numeric_limits<float>::max();
    Vec3 low = {most, most, most}, high = {-most, -most, -most};
    for (const SplatPlace& place : cloud.places) {
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], place.mean[i]);
            high[i] = std::max(high[i], place.mean[i]);
        }
    }
    std::vector<std::uint64_t> keys(cloud.size()); // cell, index
    for (std::size_t k = 0; k < keys.size(); ++k) {
        std::uint64_t cell = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const double extent = double{high[i]} - low[i];
            const double fraction = extent > 0 ? (double{cloud.places[k].mean[i]} - low[i]) / extent : 0;
            cell |= std::uint64_t{spread_bits(static_cast<std::uint32_t>(fraction * 1023))} << i;
        }
        keys[k] = cell << 32 | k;
    }
    std::sort(keys.begin(), keys.end());
    permute(cloud.places, keys, 1);
    permute(cloud.shapes, keys, 1);
    permute(cloud.harmonics, keys, harmonic_words(cloud.degree));
}

} // namespace weir::splats

#include <weir/splats/pair_capacity.hpp>

#include <algorithm>

namespace weir::splats {

namespace {

constexpr std::uint64_t max_sorted = (1U << 30) - 1; // limit of radix_sort
constexpr std::uint64_t word = 4;                    // bytes

/// Returns a capacity for this number of pairs, with a reserve.
std::uint64_t with_reserve(std::uint64_t pairs) {
    return pairs + std::max<std::uint64_t>(pairs / 4, 1024);
}

} // namespace

PairCapacity::PairCapacity(const Capabilities& device, std::uint32_t splats, std::uint32_t first, std::uint32_t max) {
    const std::uint64_t bound = std::min({max_sorted, device.max_storage_range / word, device.max_allocation / word});
    max_ = static_cast<std::uint32_t>(max != 0 ? std::min<std::uint64_t>(bound, max) : bound);
    limit_ = max_;
    const std::uint64_t wanted = first != 0 ? first : 4 * std::max<std::uint64_t>(splats, 1024);
    first_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, max_));
    next_ = first_;
}

void PairCapacity::take(std::uint32_t pairs) {
    const bool is_low = pairs < next_ / 4;
    low_ = is_low ? low_ + 1 : 0;
    low_pairs_ = low_ > 1 ? std::max(low_pairs_, pairs) : pairs;
    if (pairs > next_ - next_ / 8) {
        next_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(with_reserve(pairs), next_, limit_));
    } else if (low_ >= patience) {
        next_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(with_reserve(low_pairs_), first_, next_));
        low_ = 0;
    }
}

void PairCapacity::limit(std::uint32_t capacity) {
    limit_ = capacity;
    first_ = std::min(first_, capacity);
    next_ = std::min(next_, capacity);
}

} // namespace weir::splats

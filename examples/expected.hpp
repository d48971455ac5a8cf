#pragma once

// Expected results of a scan and a sort, computed with the standard library.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

using Values = std::vector<std::uint32_t>;

/// Returns random numbers with many duplicates, so that a check of indices detects a sort that is not stable.
inline Values random_values(std::size_t count) {
    std::mt19937 random(1);
    Values values(count);
    for (std::uint32_t& value : values) {
        value = static_cast<std::uint32_t>(random()) & 0xFFFF0FFF;
    }
    return values;
}

inline Values scanned(const Values& values) {
    Values sums(values.size());
    std::inclusive_scan(values.begin(), values.end(), sums.begin());
    return sums;
}

/// Returns the indices of the keys in sorted order.
inline Values sorted_order(const Values& keys) {
    Values order(keys.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
    return order;
}

inline Values taken(const Values& values, const Values& order) {
    Values result;
    for (const std::uint32_t i : order) {
        result.push_back(values[i]);
    }
    return result;
}

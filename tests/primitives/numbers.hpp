#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/support/data.hpp"

// The order in which Weir compares numbers.

namespace weir::tests {

/// Returns a key that sorts like a number: integers unchanged, floats as integers in their total order.
template <class T>
auto key_of(T item) {
    if constexpr (std::is_floating_point_v<T>) {
        using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
        const Bits bits = std::bit_cast<Bits>(item);
        return bits < 0 ? static_cast<Bits>(bits ^ std::numeric_limits<Bits>::max()) : bits;
    } else {
        return item;
    }
}

constexpr auto comes_before = [](auto a, auto b) { return key_of(a) < key_of(b); };

/// Returns `n` random numbers of at most 81 distinct values, of all magnitudes and both signs.
template <class T>
std::vector<T> few_numbers(std::uint32_t n, std::uint64_t seed) {
    Random random(seed);
    std::vector<T> items(n);
    for (T& item : items) {
        item = static_cast<T>(static_cast<T>(random.uniform<int>(-40, 40)) * static_cast<T>(0x7FFFFF));
        item = sizeof(T) == 8 ? static_cast<T>(item * static_cast<T>(0x100001)) : item;
    }
    return items;
}

} // namespace weir::tests

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/support/data.hpp"

// Numbers in the order in which Weir has them.

namespace weir::tests {

/// What sorts like a number: integers as they are, floats by their bits.
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

/// Few distinct numbers, of all sizes and both signs.
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

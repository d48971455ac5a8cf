#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/primitives/trial.hpp"

namespace weir::tests {

using Words = std::vector<std::uint32_t>;

/// Returns a shape with small tiles, so that few keys make many tiles. Disables the sort by a single
/// workgroup.
inline RadixSortTuning small_shape() {
    return {.keys_per_invocation = 2, .single_workgroup_keys = 1};
}
/// Returns an upper bound of the keys in a tile of small_shape().
inline std::uint32_t small_tile() {
    return std::min(512U, 16 * test_context().capabilities().subgroup_size_max) * 2;
}

template <class K>
using BitsOf = std::conditional_t<sizeof(K) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(K) == 2, std::uint16_t,
                                                     std::conditional_t<sizeof(K) == 4, std::uint32_t, std::uint64_t>>>;

/// Number of mantissa bits of a float type; 0 for integers.
template <class K>
constexpr int mantissa_bits = std::is_same_v<K, Half>     ? 10
                              : std::is_same_v<K, float>  ? 23
                              : std::is_same_v<K, double> ? 52
                                                          : 0;

/// Returns the unsigned number that has the same order as the key.
template <class K>
std::uint64_t sortable(K key) {
    using Bits = BitsOf<K>;
    const auto bits = std::bit_cast<Bits>(key);
    const Bits sign = Bits{1} << (sizeof(K) * 8 - 1);
    if constexpr (mantissa_bits<K> != 0) {
        return static_cast<Bits>((bits & sign) != 0 ? ~bits : bits ^ sign);
    }
    return std::is_signed_v<K> ? bits ^ sign : bits;
}

/// Returns the indices of the keys [first, end) in the order of a stable sort with `options`.
template <class K, class Options>
Words sorted_order(const std::vector<K>& keys, std::uint32_t first, std::uint32_t end, const Options& options) {
    const std::uint32_t bits = options.end_bit - options.first_bit;
    const std::uint64_t mask = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits) << options.first_bit;
    std::vector<std::uint64_t> places(end - first);
    for (std::uint32_t i = first; i < end; ++i) {
        places[i - first] = (options.descending ? ~sortable(keys[i]) : sortable(keys[i])) & mask;
    }
    Words order(end - first);
    std::iota(order.begin(), order.end(), first);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return places[a - first] < places[b - first]; });
    return order;
}

/// Returns the indices of the first n keys in the order of a stable sort with `options`.
template <class K, class Options>
Words sorted_order(const std::vector<K>& keys, std::uint32_t n, const Options& options) {
    return sorted_order(keys, 0, n, options);
}

template <class T>
std::vector<T> in_order(const std::vector<T>& items, const Words& order) {
    std::vector<T> moved;
    for (const std::uint32_t place : order) {
        moved.push_back(items[place]);
    }
    return moved;
}

/// Returns `n` distinct values of any size.
template <class V>
std::vector<V> numbered_values(std::uint32_t n) {
    constexpr std::size_t words = sizeof(V) / 4;
    Words all(n * words);
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        all[i] = i * 0x9E3779B9U;
    }
    std::vector<V> values(n);
    std::memcpy(static_cast<void*>(values.data()), all.data(), all.size() * 4);
    return values;
}

/// Returns `n` keys: the special values of the type, then alternately one of these and a random key.
template <class K>
std::vector<K> mixed_keys(std::uint32_t n) {
    using Bits = BitsOf<K>;
    const std::uint64_t sign = std::uint64_t{1} << (sizeof(K) * 8 - 1);
    std::vector<Bits> bits;
    for (const std::uint64_t b :
         {std::uint64_t{0}, sign, ~std::uint64_t{0}, sign - 1, std::uint64_t{1}, sign + 1, ~sign - 1}) {
        bits.push_back(static_cast<Bits>(b));
    }
    if constexpr (mantissa_bits<K> != 0) {
        constexpr std::uint64_t least_normal = std::uint64_t{1} << mantissa_bits<K>;
        const std::uint64_t infinity = sign - least_normal, one = infinity >> 1 & infinity;
        const std::uint64_t quiet = infinity | least_normal >> 1;
        for (const std::uint64_t b : {infinity, infinity + 1, infinity - 1, one, quiet}) {
            bits.insert(bits.end(), {static_cast<Bits>(b), static_cast<Bits>(b | sign)});
        }
    }
    Random random(n);
    const std::size_t few = bits.size();
    while (bits.size() < n) {
        bits.push_back(bits.size() % 2 == 0 ? bits[random.uniform<std::size_t>(0, few - 1)]
                                            : static_cast<Bits>(random.engine()()));
    }
    std::vector<K> keys(n);
    std::transform(bits.begin(), bits.begin() + n, keys.begin(), [](Bits b) { return std::bit_cast<K>(b); });
    return keys;
}

enum class SortOf : std::uint8_t { keys, pairs, indices };

/// Sorts the first n keys into buffers with guard words and compares with std::stable_sort, for each n in `counts`.
template <class V = std::uint32_t, class K>
void check_sort(const std::vector<K>& keys, SortOf what, const Words& counts, RadixSortOptions<K, V> options = {},
                Count::Kind kind = Count::Kind::parameter, const Instrument& instrument = {}) {
    const auto capacity = static_cast<std::uint32_t>(keys.size());
    const std::vector<V> values = numbered_values<V>(capacity);
    Trial trial(capacity, kind);
    const auto input = trial.input("keys", keys);
    if (what != SortOf::indices) {
        options.output_keys = trial.output<K>("sorted keys", capacity);
    }
    if (what == SortOf::pairs) {
        options.values = trial.input("values", values);
    }
    if (what != SortOf::keys) {
        options.output_values = trial.output<V>("sorted values", capacity);
    }
    options.want_indices = what == SortOf::indices;
    options.want_keys = what != SortOf::indices;
    const auto scope = weir::testing::instrument(trial.graph, with_seed(instrument, trial.seed));
    radix_sort<K, V>(trial.graph, input, options);
    trial.compile();
    for (const std::uint32_t n : counts) {
        SCOPED_TRACE("n = " + std::to_string(n));
        trial.run(n);
        const Words order = sorted_order(keys, std::min(n, capacity), options);
        if (options.want_keys) {
            trial.expect(options.output_keys, in_order(keys, order));
        }
        if (what != SortOf::keys) {
            trial.expect(options.output_values, what == SortOf::indices ? order : words_of(in_order(values, order)));
        }
        EXPECT_EQ(trial.words_in(input, capacity * sizeof(K) / 4), words_of(keys)) << "the input afterwards";
    }
}

} // namespace weir::tests

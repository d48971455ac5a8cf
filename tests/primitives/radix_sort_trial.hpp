#pragma once

#include <array>
#include <bit>

#include "tests/primitives/trial.hpp"

namespace weir::tests {

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
constexpr int mantissa_bits = std::is_same_v<K, Half>       ? 10
                              : std::is_same_v<K, BFloat16> ? 7
                              : std::is_same_v<K, float>    ? 23
                              : std::is_same_v<K, double>   ? 52
                                                            : 0;

/// The numbers that radix sorts compare, apart from those of 8 and 16 bits, and the names of their tests.
using KeyTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
struct KeyTypeNames {
    template <class K>
    static std::string GetName(int /*index*/) {
        return (mantissa_bits<K> != 0 ? "f" : std::is_signed_v<K> ? "i" : "u") + std::to_string(sizeof(K) * 8);
    }
};

/// Identifies the kernels for keys of type K; types with equal numbers share kernels. Most of the time goes to
/// compiling kernels, so each driver runs some of them.
template <class K>
constexpr std::uint32_t number_of_kernels = (sizeof(K) == 8 ? 2 : 0) + (std::is_floating_point_v<K> ? 1 : 0);

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
    const std::uint32_t bits = options.end_bit - options.first_bit, n = end - first;
    const std::uint64_t mask = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits) << options.first_bit;
    std::vector<std::uint64_t> places = tabulated(n, [&](std::uint32_t i) {
        return (options.descending ? ~sortable(keys[first + i]) : sortable(keys[first + i])) & mask;
    });
    Words order;
    if constexpr (sizeof(K) <= 4) {
        // Key and index are sorted as one number, because a sort of indices that looks up the keys takes five times as
        // long.
        for (std::uint32_t i = 0; i < n; ++i) {
            places[i] = places[i] << 32 | i;
        }
        std::sort(places.begin(), places.end());
        order.assign(places.begin(), places.end());
    } else {
        order = stable_order(n, [&](std::uint32_t a, std::uint32_t b) { return places[a] < places[b]; });
    }
    for (std::uint32_t& place : order) {
        place += first;
    }
    return order;
}

/// Returns the indices of the first n keys in the order of a stable sort with `options`.
template <class K, class Options>
Words sorted_order(const std::vector<K>& keys, std::uint32_t n, const Options& options) {
    return sorted_order(keys, 0, n, options);
}

/// Returns `n` distinct values of any size.
template <class V>
std::vector<V> numbered_values(std::uint32_t n) {
    const Words all = tabulated(n * sizeof(V) / 4, [](std::uint32_t i) { return i * 0x9E3779B9U; });
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

/// Returns `n` ascending, descending and equal keys, and other keys in an order that sorts may treat in a special way.
inline std::vector<Words> special_inputs(std::uint32_t n) {
    Words one_other(n, 3);
    one_other[n / 2] = 2;
    const Words descending = tabulated(n, [n](std::uint32_t i) { return 0xFFFF0000U + n - 1 - i; });
    const Words powers = tabulated(n, [](std::uint32_t i) { return 1U << i % 32; });
    return {Words(n, 0), Words(n, ~0U), ascending(n), descending, one_other, powers};
}

/// Returns faults of one tile in `one_in`: its keys get ranks out of order.
inline Instrument out_of_order(std::uint32_t one_in) {
    return {.one_in = one_in, .kind = Instrument::Kind::out_of_order};
}

enum class SortOf : std::uint8_t { keys, pairs, indices };

struct InPlace {
    bool keys = false, values = false;
};

/// The settings of a sort that are not options of the primitive.
struct SortSetup {
    Count::Kind kind = Count::Kind::parameter;
    Instrument instrument = {};
    InPlace in_place = {};
    bool counts = false; ///< counters of look-backs
    Capabilities device = test_context().capabilities();
};

/// The inputs and outputs of a sort: buffers with guard words, or in place.
template <class K, class V, class Options>
class SortBuffers {
public:
    SortBuffers(const std::vector<K>& keys, SortOf what, const Options& options, const SortSetup& setup)
        : keys_(keys), values_(numbered_values<V>(capacity())), options_(options), in_place_(setup.in_place),
          trial_(capacity(), setup.kind, setup.device) {
        input_ = in_place_.keys ? trial_.in_place("keys", keys_) : trial_.input("keys", keys_);
        options_.want_indices = what == SortOf::indices;
        options_.want_keys = what != SortOf::indices;
        if (options_.want_keys) {
            options_.output_keys = in_place_.keys ? input_ : trial_.template output<K>("sorted keys", capacity());
        }
        if (what == SortOf::pairs) {
            options_.values = in_place_.values ? trial_.in_place("values", values_) : trial_.input("values", values_);
        }
        if (what != SortOf::keys) {
            options_.output_values =
                in_place_.values ? options_.values : trial_.template output<V>("sorted values", capacity());
        }
    }

    /// Replaces the keys for the following checks. Precondition: the number of keys is unchanged.
    void set_keys(const std::vector<K>& keys) {
        keys_ = keys;
        trial_.refill(input_, keys);
    }

    [[nodiscard]] LookBackCounters counters() const { return trial_.counters(); }
    [[nodiscard]] std::uint32_t capacity() const { return count_of(keys_); }

protected:
    static constexpr std::uint32_t none = ~0U; ///< in an order: a place that is not written

    /// Checks the outputs of the last run. Element i of `order` is the index of the key that moves to place i.
    void expect_order(const Words& order) {
        if (options_.want_keys) {
            trial_.expect(options_.output_keys, moved(keys_, order, in_place_.keys));
        }
        if (options_.want_indices) {
            trial_.expect(options_.output_values, moved(ascending(capacity()), order, false));
        } else if (options_.output_values.valid()) {
            Words expected = words_of(moved(values_, order, in_place_.values));
            if (in_place_.values) { // other values than those of `order` are undefined
                const Words found = trial_.words_in(options_.output_values, expected.size());
                const auto ordered = static_cast<std::ptrdiff_t>(order.size() * sizeof(V) / 4);
                std::copy(found.begin() + ordered, found.end(), expected.begin() + ordered);
            }
            trial_.expect(options_.output_values, expected);
        }
        if (!in_place_.keys) {
            trial_.expect_unchanged(input_, keys_);
        }
    }

    std::vector<K> keys_;
    std::vector<V> values_;
    Options options_;
    InPlace in_place_;
    Trial trial_;
    BufferRef<K> input_;

private:
    template <class T>
    static std::vector<T> moved(const std::vector<T>& items, const Words& order, bool in_place) {
        std::vector<T> all = in_place ? items : poisoned<T>(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            all[i] = order[i] == none ? all[i] : items[order[i]];
        }
        return all;
    }
};

/// A radix sort of the first n keys, which is compared with std::stable_sort.
template <class K, class V = std::uint32_t>
class RadixSorter : public SortBuffers<K, V, RadixSortOptions<K, V>> {
public:
    RadixSorter(const std::vector<K>& keys, SortOf what, const RadixSortOptions<K, V>& options,
                const SortSetup& setup = {})
        : SortBuffers<K, V, RadixSortOptions<K, V>>(keys, what, options, setup) {
        Trial& trial = this->trial_;
        const Instrument faults = with_seed(setup.instrument, trial.seed);
        const auto scope = weir::testing::instrument(trial.graph, setup.counts ? trial.counted(faults) : faults);
        radix_sort<K, V>(trial.graph, this->input_, this->options_);
    }

    void check(std::uint32_t n, std::uint32_t seed = 1) {
        this->trial_.run(n, seed);
        this->expect_order(sorted_order(this->keys_, std::min(n, this->capacity()), this->options_));
    }

    [[nodiscard]] std::string plan() const { return ok(make_plan(this->trial_.graph.description())).text(); }
};

/// Sorts the first n keys for each n in `counts` and checks the results.
template <class V = std::uint32_t, class K>
void check_sort(const std::vector<K>& keys, SortOf what, const Words& counts,
                const RadixSortOptions<K, V>& options = {}, const SortSetup& setup = {}) {
    RadixSorter<K, V> sorter(keys, what, options, setup);
    for (const std::uint32_t n : counts) {
        sorter.check(n);
    }
}

/// Checks the counters of a sort by one digit in 20 tiles that do not post.
template <class K>
void check_counters(const std::vector<K>& keys, SortOf what) {
    RadixSortTuning tuning = small_shape();
    tuning.workgroup = small_tile() / tuning.keys_per_invocation; // devices have other defaults for wide keys
    RadixSorter<K> faulty(keys, what, {.end_bit = 8, .tuning = tuning}, {.instrument = {.one_in = 1}, .counts = true});
    faulty.check(count_of(keys));
    const LookBackCounters counted = faulty.counters();
    EXPECT_GE(counted.fallbacks, 19U);
    EXPECT_GE(counted.fallbacks_won, 19U * 256);
    EXPECT_EQ(counted.fallbacks_won % 256, 0U); // each digit of a tile is won once
    EXPECT_EQ(counted.tiles, 20U * 19 / 2);     // without prefixes, each look-back goes to the first tile
}

} // namespace weir::tests

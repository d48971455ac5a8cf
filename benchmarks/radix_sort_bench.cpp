#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "operations.hpp"

namespace weir::bench {

namespace {

/// A sort of keys, alone or with one-word values.
struct Sort {
    bool pairs = false;
    Input keys = Input::words;
    const char* of = "";    ///< suffix of the name that describes keys which are not random
    std::uint32_t bits = 0; ///< number of compared low bits; 0: all. All other bits are 0
};

template <class K>
std::uint32_t key_words(std::uint32_t n) {
    return static_cast<std::uint32_t>((std::uint64_t{n} * sizeof(K) + 3) / 4);
}

/// Returns the size of each output. All outputs have the same size.
template <class K>
std::uint32_t output_words(std::uint32_t n) {
    return std::max(n, key_words<K>(n));
}

/// The unsigned integer with the bits of a key. For keys that are not negative it has the same order.
template <class K>
using Bits = std::conditional_t<std::is_same_v<K, float>, std::uint32_t, K>;

template <class K>
Result<Program> prepare(Data& data, std::uint32_t n, const Sort& sort, const RadixSortTuning& tuning,
                        const testing::Instrument& instrument) {
    const std::uint32_t words = key_words<K>(n), room = output_words<K>(n);
    Graph graph(data.context());
    auto keys = graph.import_buffer<K>("keys", n);
    RadixSortOptions<K> options{.output_keys = graph.import_buffer<K>("sorted keys", n), .tuning = tuning};
    const auto scope = testing::instrument(graph, instrument);
    if (sort.bits != 0) {
        options.end_bit = sort.bits;
    }
    if (!sort.pairs) {
        radix_sort(graph, keys, options);
        return make_program(data.context(), graph,
                            {{keys, data.input(sort.keys, words)}, {options.output_keys, data.output(0, room)}});
    }
    options.values = graph.import_buffer<std::uint32_t>("values", n);
    options.output_values = graph.import_buffer<std::uint32_t>("sorted values", n);
    radix_sort(graph, keys, options);
    return make_program(data.context(), graph,
                        {{keys, data.input(sort.keys, words)},
                         {options.values, data.input(Input::more_words, n)},
                         {options.output_keys, data.output(0, room)},
                         {options.output_values, data.output(1, room)}});
}

/// Sorts keys, and values if not empty, stably. Uses counting passes over 11 bits, because std::stable_sort would take
/// minutes for the largest sizes.
template <class K>
void sort_on_cpu(std::vector<K>& keys, std::vector<std::uint32_t>& values) {
    constexpr std::uint32_t bits = 11, digits = 1U << bits;
    const std::size_t n = keys.size();
    std::vector<K> moved_keys(n);
    std::vector<std::uint32_t> moved_values(values.size());
    for (std::uint32_t shift = 0; shift < sizeof(K) * 8; shift += bits) {
        const auto digit = [shift](K key) { return static_cast<std::size_t>(key >> shift) & (digits - 1); };
        std::array<std::size_t, digits> places{};
        for (const K key : keys) {
            ++places.at(digit(key));
        }
        std::size_t before = 0;
        for (std::size_t& place : places) {
            before += std::exchange(place, before);
        }
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t place = places.at(digit(keys[i]))++;
            moved_keys[place] = keys[i];
            if (!values.empty()) {
                moved_values[place] = values[i];
            }
        }
        keys.swap(moved_keys);
        values.swap(moved_values);
    }
}

template <class K>
Arrays expected_order(std::uint32_t n, const Sort& sort) {
    auto words = Data::words(sort.keys, key_words<K>(n));
    auto values = sort.pairs ? Data::words(Input::more_words, n) : std::vector<std::uint32_t>();
    std::vector<Bits<K>> keys(n);
    std::memcpy(keys.data(), words.data(), n * sizeof(K));
    sort_on_cpu(keys, values);
    words.assign(output_words<K>(n), Data::poison_word);
    std::memcpy(words.data(), keys.data(), n * sizeof(K));
    values.resize(words.size(), Data::poison_word);
    return {words, values};
}

template <class K>
Operation operation(const char* type, const Sort& sort, const std::vector<Shape>& shapes) {
    const auto variant = [sort](std::string impl, const RadixSortTuning& tuning,
                                const testing::Instrument& instrument) {
        return Variant{std::move(impl),
                       [=](Data& data, std::uint32_t n) { return prepare<K>(data, n, sort, tuning, instrument); }};
    };
    constexpr std::uint32_t key = sizeof(K), sorted_key = std::max(key, 4U); // narrow keys are sorted as words
    const std::uint32_t item = sort.pairs ? key + 4 : key;
    const std::uint32_t sorted_item = sort.pairs ? sorted_key + 4 : sorted_key;
    const std::uint32_t passes = sort.bits != 0 ? (sort.bits + 7) / 8 : key;
    // Bytes: a histogram reads the keys, then each pass over 8 bits reads and writes keys and values.
    Operation operation{.op = std::string(sort.pairs ? "radix_sort_pairs" : "radix_sort_keys") + sort.of,
                        .type = type,
                        .bytes_per_item = static_cast<double>(key + passes * 2 * item),
                        .memory_per_item = 3 * sorted_item + (sort.pairs ? sorted_key - 4 : 0) +
                                           1, // outputs have one size; 1 for the tile states
                        .words_per_item = sorted_key / 4,
                        .items_per_word = sorted_key / key,
                        .outputs = sort.pairs ? 2U : 1U,
                        .few_sizes = sort.keys != Input::words,
                        .expected = [sort](std::uint32_t n) { return expected_order<K>(n, sort); },
                        .variants = {variant("weir", {}, {})}};
    for (const Shape& shape : shapes) {
        operation.variants.push_back(variant(shape.impl(),
                                             {.workgroup = shape.numbers[0],
                                              .keys_per_invocation = shape.numbers[1],
                                              .rounds = shape.numbers[2],
                                              .subgroup_size = shape.subgroup_size,
                                              .single_workgroup_keys = shape.single_workgroup_keys,
                                              .max_spins = shape.max_spins},
                                             shape.instrument));
    }
    return operation;
}

} // namespace

std::vector<Operation> radix_sort_operations(const std::vector<Shape>& shapes) {
    std::vector<Operation> operations;
    for (const bool pairs : {false, true}) {
        for (const Sort& sort :
             {Sort{pairs}, Sort{pairs, Input::low_entropy, " low_entropy"}, Sort{pairs, Input::ascending, " sorted"},
              Sort{pairs, Input::constant, " constant"}, Sort{pairs, Input::mostly_equal, " mostly_equal"}}) {
            operations.push_back(operation<std::uint32_t>("u32", sort, shapes));
        }
        operations.push_back(operation<float>("f32", {pairs, Input::unit_floats, " unit"}, shapes));
        operations.push_back(operation<std::uint64_t>("u64", {pairs}, shapes));
        if (pairs) {
            operations.push_back(
                operation<std::uint64_t>("u64", {pairs, Input::tile_depths, " of_45_bits", 45}, shapes));
        }
        operations.push_back(operation<std::uint16_t>("u16", {pairs}, shapes));
        operations.push_back(operation<std::uint8_t>("u8", {pairs}, shapes));
    }
    return operations;
}

} // namespace weir::bench

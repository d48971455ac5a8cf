#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "operations.hpp"

namespace weir::bench {

namespace {

/// A key with data that moves with it.
struct Item {
    std::uint32_t depth, id;
};

bool precedes(std::uint32_t a, std::uint32_t b) {
    return a < b;
}

bool precedes(const Item& a, const Item& b) {
    return a.depth < b.depth;
}

Comparator comparator(std::uint32_t) {
    return {"a < b"};
}

Comparator comparator(const Item&) {
    return {"a.depth < b.depth", {"uint depth", "uint id"}};
}

template <class K>
Arrays expected_order(std::uint32_t n, bool pairs) {
    auto words = Data::words(Input::words, n * (sizeof(K) / 4));
    std::vector<K> keys(n);
    std::memcpy(keys.data(), words.data(), n * sizeof(K));
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return precedes(keys[a], keys[b]); });
    std::vector<K> sorted(n);
    std::transform(order.begin(), order.end(), sorted.begin(), [&](std::uint32_t place) { return keys[place]; });
    std::memcpy(words.data(), sorted.data(), n * sizeof(K));
    if (!pairs) {
        return {words};
    }
    const auto unsorted = Data::words(Input::more_words, n);
    std::transform(order.begin(), order.end(), order.begin(), [&](std::uint32_t place) { return unsorted[place]; });
    return {words, order};
}

/// Returns a program that sorts n keys; with `pairs`, each has a one-word value.
template <class K>
Result<Program> prepare(Data& data, std::uint32_t n, bool pairs, const MergeSortTuning& tuning) {
    const std::uint32_t words = n * (sizeof(K) / 4);
    Graph graph(data.context());
    const auto keys = graph.import_buffer<K>("keys", n);
    MergeSortOptions<K> options{.output_keys = graph.import_buffer<K>("sorted keys", n), .tuning = tuning};
    if (!pairs) {
        merge_sort(graph, keys, comparator(K{}), options);
        return make_program(data.context(), graph,
                            {{keys, data.input(Input::words, words)}, {options.output_keys, data.output(0, words)}});
    }
    options.values = graph.import_buffer<std::uint32_t>("values", n);
    options.output_values = graph.import_buffer<std::uint32_t>("sorted values", n);
    merge_sort(graph, keys, comparator(K{}), options);
    return make_program(data.context(), graph,
                        {{keys, data.input(Input::words, words)},
                         {options.values, data.input(Input::more_words, n)},
                         {options.output_keys, data.output(0, words)},
                         {options.output_values, data.output(1, n)}});
}

/// Returns a sort of random keys by a comparator.
template <class K>
Operation operation(const char* type, bool pairs, const std::vector<Shape>& shapes) {
    const auto variant = [=](std::string impl, const MergeSortTuning& tuning) {
        return Variant{std::move(impl),
                       [=](Data& data, std::uint32_t n) { return prepare<K>(data, n, pairs, tuning); }};
    };
    constexpr std::uint32_t key = sizeof(K);
    const std::uint32_t item = pairs ? key + 4 : key;
    Operation operation{.op = pairs ? "merge_sort_pairs" : "merge_sort_keys",
                        .type = type,
                        .bytes_per_item = 2.0 * item,
                        .memory_per_item = 3 * item,
                        .words_per_item = key / 4,
                        .outputs = pairs ? 2U : 1U,
                        .expected = [=](std::uint32_t n) { return expected_order<K>(n, pairs); },
                        .variants = {variant("weir", {})}};
    for (const Shape& shape : shapes) {
        operation.variants.push_back(variant(shape.impl(), {.workgroup = shape.numbers[0],
                                                            .keys_per_invocation = shape.numbers[1],
                                                            .splits_from = shape.splits_from}));
    }
    return operation;
}

} // namespace

std::vector<Operation> merge_sort_operations(const std::vector<Shape>& shapes) {
    return {operation<std::uint32_t>("u32", false, shapes), operation<std::uint32_t>("u32", true, shapes),
            operation<Item>("u32x2", false, shapes)};
}

} // namespace weir::bench

#include <array>
#include <cstddef>

#include "operations.hpp"

namespace weir::bench {

namespace {

Result<Program> prepare(Data& data, std::uint32_t n, bool pairs, const RadixSortTuning& tuning) {
    Graph graph(data.context());
    auto keys = graph.import_buffer<std::uint32_t>("keys", n);
    RadixSortOptions<> options{.output_keys = graph.import_buffer<std::uint32_t>("sorted keys", n), .tuning = tuning};
    if (!pairs) {
        radix_sort(graph, keys, options);
        return make_program(data.context(), graph,
                            {{keys, data.input(Input::words, n)}, {options.output_keys, data.output(0, n)}});
    }
    options.values = graph.import_buffer<std::uint32_t>("values", n);
    options.output_values = graph.import_buffer<std::uint32_t>("sorted values", n);
    radix_sort(graph, keys, options);
    return make_program(data.context(), graph,
                        {{keys, data.input(Input::words, n)},
                         {options.values, data.input(Input::more_words, n)},
                         {options.output_keys, data.output(0, n)},
                         {options.output_values, data.output(1, n)}});
}

/// Arrays sorted by the first of them, stably. Counting passes over 11 bits: std::stable_sort would take minutes for
/// the largest sizes.
Arrays sorted(Arrays arrays) {
    constexpr std::uint32_t bits = 11, digits = 1U << bits;
    const std::size_t n = arrays[0].size();
    Arrays moved(arrays.size(), std::vector<std::uint32_t>(n));
    for (std::uint32_t shift = 0; shift < 32; shift += bits) {
        std::array<std::size_t, digits> places{};
        for (const std::uint32_t key : arrays[0]) {
            ++places.at(key >> shift & (digits - 1));
        }
        std::size_t before = 0;
        for (std::size_t& place : places) {
            before += std::exchange(place, before);
        }
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t place = places.at(arrays[0][i] >> shift & (digits - 1))++;
            for (std::size_t array = 0; array < arrays.size(); ++array) {
                moved[array][place] = arrays[array][i];
            }
        }
        arrays.swap(moved);
    }
    return arrays;
}

Operation operation(bool pairs, const std::vector<Shape>& shapes) {
    const auto variant = [pairs](std::string impl, const RadixSortTuning& tuning) {
        return Variant{std::move(impl), [=](Data& data, std::uint32_t n) { return prepare(data, n, pairs, tuning); }};
    };
    // A histogram that reads the keys, then four passes that read and write everything.
    Operation sort{.op = pairs ? "radix_sort_pairs" : "radix_sort_keys",
                   .type = "u32",
                   .bytes_per_item = pairs ? 4.0 + 4 * 16 : 4.0 + 4 * 8,
                   .memory_per_item = pairs ? 25U : 13U, // a little for the tile states
                   .outputs = pairs ? 2U : 1U,
                   .expected =
                       [pairs](std::uint32_t n) {
                           return sorted(pairs ? Arrays{Data::words(Input::words, n), Data::words(Input::more_words, n)}
                                               : Arrays{Data::words(Input::words, n)});
                       },
                   .variants = {variant("weir", {})}};
    for (const Shape& shape : shapes) {
        sort.variants.push_back(variant(shape.impl(), {.workgroup = shape.numbers[0],
                                                       .keys_per_invocation = shape.numbers[1],
                                                       .rounds = shape.numbers[2],
                                                       .subgroup_size = shape.subgroup_size,
                                                       .single_workgroup_keys = shape.single_workgroup_keys,
                                                       .max_spins = shape.max_spins}));
    }
    return sort;
}

} // namespace

std::vector<Operation> radix_sort_operations(const std::vector<Shape>& shapes) {
    return {operation(false, shapes), operation(true, shapes)};
}

} // namespace weir::bench

#include <algorithm>
#include <bit>

#include "operations.hpp"

namespace weir::bench {

namespace {

template <class T>
Operation operation(const char* type, Input kind, const std::vector<Shape>& shapes) {
    const auto variant = [kind](std::string impl, const ReduceTuning& tuning) {
        return Variant{
            std::move(impl), [=](Data& data, std::uint32_t n) {
                Graph graph(data.context());
                auto input = graph.import_buffer<T>("input", n);
                auto output = graph.import_buffer<T>("output", 1);
                reduce(graph, input, {.output = output, .tuning = tuning});
                return make_program(data.context(), graph, {{input, data.input(kind, n)}, {output, data.output(0, 1)}});
            }};
    };
    Operation reduce{.op = "reduce",
                     .type = type,
                     .bytes_per_item = 4,
                     .memory_per_item = 4,
                     .results = 1,
                     .expected =
                         [kind](std::uint32_t n) {
                             T sum{};
                             for (const std::uint32_t word : Data::words(kind, n)) {
                                 sum += std::bit_cast<T>(word);
                             }
                             return Arrays{{std::bit_cast<std::uint32_t>(sum)}};
                         },
                     .variants = {variant("weir", {})}};
    for (const Shape& shape : shapes) {
        reduce.variants.push_back(variant(shape.impl(), {.workgroup = shape.numbers[0],
                                                         .chunks = shape.numbers[1],
                                                         .workgroups = shape.numbers[2],
                                                         .subgroup_size = shape.subgroup_size}));
    }
    return reduce;
}

using Words = std::vector<std::uint32_t>;

/// Returns an operation that reduces the words of an input to one word. `add` adds it for an input and an output.
template <class T, class Add>
Operation search(const char* op, const char* type, Input kind, const Add& add,
                 std::uint32_t (*expected)(const Words& words)) {
    return {.op = op,
            .type = type,
            .bytes_per_item = 4,
            .memory_per_item = 4,
            .results = 1,
            .expected = [=](std::uint32_t n) { return Arrays{{expected(Data::words(kind, n))}}; },
            .variants = {{"weir", [=](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              const auto input = graph.import_buffer<T>("input", n);
                              const auto output = graph.import_buffer<T>("output", 1);
                              add(graph, input, output);
                              return make_program(data.context(), graph,
                                                  {{input, data.input(kind, n)}, {output, data.output(0, 1)}});
                          }}}};
}

} // namespace

std::vector<Operation> reduce_operations(const std::vector<Shape>& shapes) {
    constexpr std::uint32_t half = 0x80000000;
    return {operation<std::uint32_t>("u32", Input::words, shapes), operation<float>("f32", Input::small_floats, shapes),
            search<float>(
                "fused_reduce", "f32", Input::small_floats,
                [](Graph& graph, auto input, auto output) {
                    fused_reduce<float>(graph, {.count = input.count,
                                                .buffers = {{"float x[]", read(input)}},
                                                .load = "return x[i] * abs(x[i]);",
                                                .output = output});
                },
                [](const Words& words) {
                    float sum = 0;
                    for (const std::uint32_t word : words) {
                        sum += std::bit_cast<float>(word); // -1, 0 or 1, times its magnitude
                    }
                    return std::bit_cast<std::uint32_t>(sum);
                }),
            search<std::uint32_t>(
                "count_if", "u32", Input::words,
                [](Graph& graph, auto input, auto output) {
                    count_if(graph, input, Predicate::compare(Comparison::less, half), {.output = output});
                },
                [](const Words& words) {
                    return static_cast<std::uint32_t>(
                        std::count_if(words.begin(), words.end(), [](std::uint32_t word) { return word < half; }));
                }),
            search<std::uint32_t>(
                "is_sorted", "u32", Input::runs_of_8,
                [](Graph& graph, auto input, auto output) { is_sorted(graph, input, {.output = output}); },
                [](const Words&) { return 1U; })};
}

} // namespace weir::bench

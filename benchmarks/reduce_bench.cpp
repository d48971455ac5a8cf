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

} // namespace

std::vector<Operation> reduce_operations(const std::vector<Shape>& shapes) {
    return {operation<std::uint32_t>("u32", Input::words, shapes),
            operation<float>("f32", Input::small_floats, shapes)};
}

} // namespace weir::bench

#include "operations.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t run = 8; // length of a run in Input::runs_of_8

Result<Program> prepare(Data& data, std::uint32_t n, const ScanTuning& tuning, const testing::Instrument& instrument) {
    Graph graph(data.context());
    const auto keys = graph.import_buffer<std::uint32_t>("keys", n);
    const auto values = graph.import_buffer<std::uint32_t>("values", n);
    const auto out_keys = graph.import_buffer<std::uint32_t>("keys of runs", n);
    const auto out_values = graph.import_buffer<std::uint32_t>("reduced values", n);
    const auto scope = testing::instrument(graph, instrument);
    reduce_by_key(graph, keys, values, {.output_keys = out_keys, .output_values = out_values, .tuning = tuning});
    return make_program(data.context(), graph,
                        {{keys, data.input(Input::runs_of_8, n)},
                         {values, data.input(Input::words, n)},
                         {out_keys, data.output(0, n)},
                         {out_values, data.output(1, n)}});
}

/// Returns the keys and sums of runs, followed by the previous contents of the outputs.
Arrays expected_sums(std::uint32_t n) {
    const auto keys = Data::words(Input::runs_of_8, n), values = Data::words(Input::words, n);
    Arrays reduced(2, std::vector<std::uint32_t>(n, Data::poison_word));
    for (std::uint32_t i = 0; i < n; ++i) {
        reduced[0][i / run] = keys[i];
        reduced[1][i / run] = i % run == 0 ? values[i] : reduced[1][i / run] + values[i];
    }
    return reduced;
}

} // namespace

std::vector<Operation> reduce_by_key_operations(const std::vector<Shape>& shapes) {
    const auto variant = [](std::string impl, const ScanTuning& tuning, const testing::Instrument& instrument) {
        return Variant{std::move(impl),
                       [=](Data& data, std::uint32_t n) { return prepare(data, n, tuning, instrument); }};
    };
    Operation reduction{.op = "reduce_by_key",
                        .type = "u32",
                        .bytes_per_item = 8 + 8.0 / run,
                        .memory_per_item = 16 + 1, // 1 for the tile states
                        .outputs = 2,
                        .expected = expected_sums,
                        .variants = {variant("weir", {}, {})}};
    for (const Shape& shape : shapes) {
        reduction.variants.push_back(variant(shape.impl(), shape.scan_tuning(), shape.instrument));
    }
    return {reduction};
}

} // namespace weir::bench

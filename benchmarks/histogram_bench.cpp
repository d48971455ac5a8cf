#include <algorithm>

#include "operations.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t bins = 256;

/// Benchmarks `histogram` of n items with `per_word` items per word. `bin_of` returns the bin of the item in the low
/// bits of a word; it ignores higher bits.
Operation operation(const char* type, std::uint32_t per_word, const Bins& by, std::uint32_t (*bin_of)(std::uint32_t)) {
    const auto words = [per_word](std::uint32_t n) { return n / per_word == 0 ? 1 : n / per_word; };
    return {.op = "histogram",
            .type = type,
            .bytes_per_item = 4.0 / per_word,
            .memory_per_item = 4 / per_word,
            .results = bins,
            .expected =
                [=](std::uint32_t n) {
                    std::vector<std::uint32_t> counts(bins);
                    for (const std::uint32_t word : Data::words(Input::words, words(n))) {
                        for (std::uint32_t item = 0; item < per_word; ++item) {
                            ++counts[bin_of(word >> 8 * item)];
                        }
                    }
                    return Arrays{counts};
                },
            .variants = {{"weir", [=](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              auto input = graph.import_buffer<std::uint32_t>("input", words(n));
                              auto output = graph.import_buffer<std::uint32_t>("output", bins);
                              histogram(graph, input, by, {.output = output});
                              return make_program(
                                  data.context(), graph,
                                  {{input, data.input(Input::words, words(n))}, {output, data.output(0, bins)}});
                          }}}};
}

/// Benchmarks `histogram` with edges in a buffer.
Operation edges_operation() {
    return {.op = "histogram edges",
            .type = "u32",
            .bytes_per_item = 4,
            .memory_per_item = 4,
            .results = bins,
            .expected =
                [](std::uint32_t n) {
                    const auto edges = Data::words(Input::ascending, bins + 1);
                    std::vector<std::uint32_t> counts(bins);
                    for (const std::uint32_t word : Data::words(Input::words, n)) {
                        if (word >= edges.front() && word < edges.back()) {
                            ++counts[std::upper_bound(edges.begin(), edges.end(), word) - edges.begin() - 1];
                        }
                    }
                    return Arrays{counts};
                },
            .variants = {{"weir", [](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              const auto input = graph.import_buffer<std::uint32_t>("input", n);
                              const auto edges = graph.import_buffer<std::uint32_t>("edges", bins + 1);
                              const auto output = graph.import_buffer<std::uint32_t>("output", bins);
                              histogram(graph, input, Bins::between(edges), {.output = output});
                              return make_program(data.context(), graph,
                                                  {{input, data.input(Input::words, n)},
                                                   {edges, data.input(Input::ascending, bins + 1)},
                                                   {output, data.output(0, bins)}});
                          }}}};
}

/// Benchmarks `multi_histogram` of three of the four bytes of each pixel.
Operation channels_operation() {
    constexpr std::uint32_t channels = 3;
    return {.op = "multi_histogram",
            .type = "u8x4",
            .bytes_per_item = 4,
            .memory_per_item = 4,
            .results = channels * bins,
            .expected =
                [](std::uint32_t n) {
                    std::vector<std::uint32_t> counts(static_cast<std::size_t>(channels) * bins);
                    for (const std::uint32_t pixel : Data::words(Input::words, n)) {
                        for (std::uint32_t channel = 0; channel < channels; ++channel) {
                            ++counts[channel * bins + (pixel >> 8 * channel & 0xFF)];
                        }
                    }
                    return Arrays{counts};
                },
            .variants = {{"weir", [](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              const auto input = graph.import_buffer<std::uint32_t>("input", n);
                              const auto output = graph.import_buffer<std::uint32_t>("output", channels * bins);
                              multi_histogram(graph, input, std::vector<Bins>(channels, Bins::bytes()),
                                              {.output = output});
                              return make_program(
                                  data.context(), graph,
                                  {{input, data.input(Input::words, n)}, {output, data.output(0, channels * bins)}});
                          }}}};
}

} // namespace

std::vector<Operation> histogram_operations() {
    return {operation("u8", 4, Bins::bytes(), [](std::uint32_t word) { return word & 0xFF; }),
            operation("u32", 1, Bins::digit(24), [](std::uint32_t word) { return word >> 24; }), edges_operation(),
            channels_operation()};
}

} // namespace weir::bench

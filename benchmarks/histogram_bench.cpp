#include "operations.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t bins = 256;

/// Of so many items to a word, of which each has a bin.
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
                              histogram(graph, input, by, {.counts = output});
                              return make_program(
                                  data.context(), graph,
                                  {{input, data.input(Input::words, words(n))}, {output, data.output(0, bins)}});
                          }}}};
}

} // namespace

std::vector<Operation> histogram_operations() {
    return {operation("u8", 4, Bins::bytes(), [](std::uint32_t word) { return word & 0xFF; }),
            operation("u32", 1, Bins::digit(24), [](std::uint32_t word) { return word >> 24; })};
}

} // namespace weir::bench

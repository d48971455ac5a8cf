#include <algorithm>
#include <bit>

#include "operations.hpp"

namespace weir::bench {

namespace {

/// Returns a scan along the columns of a matrix with `columns_of(n)` columns and the maximum number of whole rows that
/// fit into n elements. The rest of the output is not written.
Operation operation(const char* op, std::uint32_t (*columns_of)(std::uint32_t n)) {
    return {.op = op,
            .type = "u32",
            .bytes_per_item = 8,
            .memory_per_item = 8 + 1, // 1 for the parts of columns
            .expected =
                [=](std::uint32_t n) {
                    auto words = Data::words(Input::words, n);
                    const std::uint32_t columns = columns_of(n), end = n - n % columns;
                    for (std::uint32_t i = columns; i < end; ++i) {
                        words[i] += words[i - columns];
                    }
                    std::fill(words.begin() + end, words.end(), Data::poison_word);
                    return Arrays{words};
                },
            .variants = {{"weir", [=](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              const auto input = graph.import_buffer<std::uint32_t>("input", n);
                              const auto output = graph.import_buffer<std::uint32_t>("output", n);
                              const std::uint32_t columns = columns_of(n);
                              scan_columns(graph, input, {.rows = n / columns, .columns = columns}, {.output = output});
                              return make_program(data.context(), graph,
                                                  {{input, data.input(Input::words, n)}, {output, data.output(0, n)}});
                          }}}};
}

} // namespace

std::vector<Operation> scan_columns_operations() {
    return {operation("scan_columns square",
                      [](std::uint32_t n) { return 1U << (static_cast<std::uint32_t>(std::bit_width(n)) / 2); }),
            operation("scan_columns of_64_columns", [](std::uint32_t n) { return std::min(n, 64U); })};
}

} // namespace weir::bench

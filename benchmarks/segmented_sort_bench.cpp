#include <algorithm>
#include <numeric>
#include <string>

#include "operations.hpp"

namespace weir::bench {

namespace {

/// Returns a sort of segments of `length` keys on average and 2 * `length` keys at most.
Operation operation(std::uint32_t length, Input offsets) {
    const auto segments = [length](std::uint32_t n) { return std::max(1U, n / length); };
    const auto variant = [=](const char* impl, std::uint32_t longest) {
        return Variant{impl, [=](Data& data, std::uint32_t n) {
                           Graph graph(data.context());
                           const auto keys = graph.import_buffer<std::uint32_t>("keys", n);
                           const auto begins = graph.import_buffer<std::uint32_t>("offsets", segments(n));
                           const auto output = graph.import_buffer<std::uint32_t>("sorted keys", n);
                           segmented_sort(graph, keys, Segments::at_offsets(begins),
                                          {.output_keys = output, .longest = longest});
                           return make_program(data.context(), graph,
                                               {{keys, data.input(Input::words, n)},
                                                {begins, data.input(offsets, segments(n))},
                                                {output, data.output(0, n)}});
                       }};
    };
    return {.op = "segmented_sort of_" + std::to_string(length),
            .type = "u32",
            .bytes_per_item = 8 + 4.0 / length,
            .memory_per_item = 12 + 1, // keys, output and scratch: 12; offsets: less than 1
            .expected =
                [=](std::uint32_t n) {
                    auto keys = Data::words(Input::words, n), begins = Data::words(offsets, segments(n));
                    begins.push_back(n);
                    for (std::size_t i = 1; i < begins.size(); ++i) {
                        std::sort(keys.begin() + begins[i - 1], keys.begin() + begins[i]);
                    }
                    return Arrays{keys};
                },
            // The second variant passes the maximum length of a segment.
            .variants = {variant("weir", 0), variant("weir bounded", 2 * length)}};
}

/// Returns a sort of the rows of a matrix, or of their indices. The last row may be shorter.
Operation of_rows(std::uint32_t columns, bool indices) {
    const std::string sort = indices ? "segmented_argsort" : "segmented_sort";
    return {.op = sort + " of_rows_of_" + std::to_string(columns),
            .type = "u32",
            .bytes_per_item = 8,
            .memory_per_item = indices ? 26U : 14U, // keys, output and scratch
            .expected =
                [=](std::uint32_t n) {
                    auto keys = Data::words(Input::words, n);
                    std::vector<std::uint32_t> order(n);
                    std::iota(order.begin(), order.end(), 0U);
                    for (std::uint32_t first = 0; first < n; first += columns) {
                        const std::uint32_t end = first + std::min(columns, n - first);
                        if (indices) {
                            std::stable_sort(order.begin() + first, order.begin() + end,
                                             [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
                        } else {
                            std::sort(keys.begin() + first, keys.begin() + end);
                        }
                    }
                    return Arrays{indices ? order : keys};
                },
            .variants = {{"weir", [=](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              const auto keys = graph.import_buffer<std::uint32_t>("keys", n);
                              const auto output = graph.import_buffer<std::uint32_t>("output", n);
                              const auto rows = Segments::of_length(columns);
                              if (indices) {
                                  segmented_argsort(graph, keys, rows, {.output_values = output});
                              } else {
                                  segmented_sort(graph, keys, rows, {.output_keys = output});
                              }
                              return make_program(data.context(), graph,
                                                  {{keys, data.input(Input::words, n)}, {output, data.output(0, n)}});
                          }}}};
}

} // namespace

std::vector<Operation> segmented_sort_operations() {
    return {operation(64, Input::offsets_64), operation(1024, Input::offsets_1024), of_rows(200000, false),
            of_rows(200000, true)};
}

} // namespace weir::bench

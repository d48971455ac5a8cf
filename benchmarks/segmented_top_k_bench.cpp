#include <algorithm>

#include "operations.hpp"

namespace weir::bench {

namespace {

std::string name_of(std::uint32_t columns, std::uint32_t k, bool sorted) {
    return "segmented_top_k of_" + std::to_string(k) + "_in_" + std::to_string(columns) + (sorted ? "" : " unsorted");
}

/// Returns a selection of the k greatest numbers of each row of a matrix with their indices, greatest first or in the
/// order of the row. The last row may be shorter.
Operation operation(std::uint32_t columns, std::uint32_t k, bool sorted) {
    return {
        .op = name_of(columns, k, sorted),
        .type = "u32",
        .bytes_per_item = 8, // keys are read at least twice
        .memory_per_item = 12,
        .outputs = 2,
        .expected =
            [=](std::uint32_t n) {
                const auto keys = Data::words(Input::words, n);
                Arrays results(2, std::vector<std::uint32_t>(n, Data::poison_word));
                std::uint32_t at = 0;
                const std::uint32_t wanted = std::min(k, n);
                for (std::uint32_t first = 0; first < n; first += columns) {
                    std::vector<std::uint32_t> order(std::min(columns, n - first));
                    for (std::uint32_t i = 0; i < order.size(); ++i) {
                        order[i] = first + i;
                    }
                    const auto chosen = std::min<std::size_t>(wanted, order.size());
                    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(chosen), order.end(),
                                      [&](std::uint32_t a, std::uint32_t b) {
                                          return keys[a] > keys[b] || (keys[a] == keys[b] && a < b);
                                      });
                    if (!sorted) {
                        std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(chosen));
                    }
                    for (std::uint32_t i = 0; i < wanted; ++i, ++at) {
                        results[0][at] = i < chosen ? keys[order[i]] : 0;
                        results[1][at] = i < chosen ? order[i] : ~0U;
                    }
                }
                return results;
            },
        .variants = {{"weir", [=](Data& data, std::uint32_t n) {
                          Graph graph(data.context());
                          const auto keys = graph.import_buffer<std::uint32_t>("keys", n);
                          const auto chosen = graph.import_buffer<std::uint32_t>("chosen keys", n);
                          const auto indices = graph.import_buffer<std::uint32_t>("indices", n);
                          segmented_top_k(
                              graph, keys, Segments::of_length(columns), std::min(k, n),
                              {.descending = true, .sorted = sorted, .output_keys = chosen, .output_indices = indices});
                          return make_program(data.context(), graph,
                                              {{keys, data.input(Input::words, n)},
                                               {chosen, data.output(0, n)},
                                               {indices, data.output(1, n)}});
                      }}}};
}

} // namespace

std::vector<Operation> segmented_top_k_operations() {
    std::vector<Operation> operations;
    for (const bool sorted : {true, false}) {
        operations.push_back(operation(256, 8, sorted));
        operations.push_back(operation(65536, 2048, sorted));
        operations.push_back(operation(131072, 40, sorted));
        operations.push_back(operation(200000, 2048, sorted));
    }
    return operations;
}

} // namespace weir::bench

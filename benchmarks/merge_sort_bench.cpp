#include <algorithm>
#include <numeric>

#include "operations.hpp"

namespace weir::bench {

namespace {

/// Of random numbers by a comparator, alone or with a word of values each.
Operation operation(const char* op, bool pairs) {
    return {.op = op,
            .type = "u32",
            .bytes_per_item = pairs ? 16.0 : 8.0,
            .memory_per_item = pairs ? 24U : 12U,
            .outputs = pairs ? 2U : 1U,
            .expected =
                [=](std::uint32_t n) {
                    auto keys = Data::words(Input::words, n);
                    if (!pairs) {
                        std::sort(keys.begin(), keys.end());
                        return Arrays{keys};
                    }
                    std::vector<std::uint32_t> order(n);
                    std::iota(order.begin(), order.end(), 0U);
                    std::stable_sort(order.begin(), order.end(),
                                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
                    const auto unsorted = Data::words(Input::more_words, n);
                    std::vector<std::uint32_t> values(n);
                    std::transform(order.begin(), order.end(), values.begin(),
                                   [&](std::uint32_t place) { return unsorted[place]; });
                    std::sort(keys.begin(), keys.end());
                    return Arrays{keys, values};
                },
            .variants = {{"weir", [=](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              const auto keys = graph.import_buffer<std::uint32_t>("keys", n);
                              const auto values = graph.import_buffer<std::uint32_t>("values", n);
                              const auto sorted_keys = graph.import_buffer<std::uint32_t>("sorted keys", n);
                              const auto sorted_values = graph.import_buffer<std::uint32_t>("sorted values", n);
                              if (!pairs) {
                                  merge_sort(graph, keys, "a < b", {.output_keys = sorted_keys});
                                  return make_program(
                                      data.context(), graph,
                                      {{keys, data.input(Input::words, n)}, {sorted_keys, data.output(0, n)}});
                              }
                              merge_sort(graph, keys, values, "a < b",
                                         {.output_keys = sorted_keys, .output_values = sorted_values});
                              return make_program(data.context(), graph,
                                                  {{keys, data.input(Input::words, n)},
                                                   {values, data.input(Input::more_words, n)},
                                                   {sorted_keys, data.output(0, n)},
                                                   {sorted_values, data.output(1, n)}});
                          }}}};
}

} // namespace

std::vector<Operation> merge_sort_operations() {
    return {operation("merge_sort_keys", false), operation("merge_sort_pairs", true)};
}

} // namespace weir::bench

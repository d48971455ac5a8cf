#include <algorithm>

#include "operations.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t chosen = 1024;

/// Adds the operation, which reads the keys and writes `results` words.
using Build = void (*)(Graph& graph, BufferRef<std::uint32_t> keys, BufferRef<std::uint32_t> output);

Operation operation(const char* op, double bytes, std::uint32_t results, Build build,
                    void (*expected)(std::vector<std::uint32_t>& keys)) {
    return {.op = op,
            .type = "u32",
            .bytes_per_item = bytes,
            .memory_per_item = 4 + 1, // 1 for lists, which take half a byte
            .results = results,
            .expected =
                [=](std::uint32_t n) {
                    auto keys = Data::words(Input::words, n);
                    expected(keys);
                    keys.resize(results, Data::poison_word);
                    return Arrays{keys};
                },
            .variants = {{"weir", [=](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              const auto keys = graph.import_buffer<std::uint32_t>("keys", n);
                              const auto output = graph.import_buffer<std::uint32_t>("output", results);
                              build(graph, keys, output);
                              return make_program(
                                  data.context(), graph,
                                  {{keys, data.input(Input::words, n)}, {output, data.output(0, results)}});
                          }}}};
}

} // namespace

std::vector<Operation> top_k_operations() {
    // Bytes: keys are read for two digits, and once more if keys are selected.
    return {
        operation(
            "top_k of_1024", 12, chosen,
            [](Graph& graph, auto keys, auto output) { top_k(graph, keys, chosen, {.output_keys = output}); },
            [](auto& keys) {
                std::partial_sort(keys.begin(), keys.begin() + std::min<std::size_t>(chosen, keys.size()), keys.end());
            }),
        operation(
            "top_k of_1024 unsorted", 12, chosen,
            [](Graph& graph, auto keys, auto output) {
                top_k(graph, keys, chosen, {.sorted = false, .output_keys = output});
            },
            [](auto& keys) { // in the order of the input
                if (keys.size() <= chosen) {
                    return;
                }
                auto ordered = keys;
                const auto end = ordered.begin() + chosen;
                std::nth_element(ordered.begin(), end - 1, ordered.end());
                const std::uint32_t last = *(end - 1);
                auto equals =
                    std::count(ordered.begin(), end, last); // number of selected keys equal to `last`: the first ones
                std::erase_if(keys, [&](std::uint32_t key) { return key > last || (key == last && --equals < 0); });
            }),
        operation(
            "kth_element median", 8, 1,
            [](Graph& graph, auto keys, auto output) {
                kth_element(graph, keys, keys.capacity / 2, {.output = output});
            },
            [](auto& keys) {
                const auto middle = keys.begin() + keys.size() / 2;
                std::nth_element(keys.begin(), middle, keys.end());
                keys.front() = *middle;
            })};
}

} // namespace weir::bench

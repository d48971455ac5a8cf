#include <algorithm>
#include <iterator>
#include <utility>

#include "operations.hpp"

namespace weir::bench {

namespace {

/// Returns a program that merges n keys, half in each array.
Result<Program> prepare(Data& data, std::uint32_t n) {
    Graph graph(data.context());
    const auto first = graph.import_buffer<std::uint32_t>("first", n - n / 2);
    const auto second = graph.import_buffer<std::uint32_t>("second", std::max(1U, n / 2));
    const auto output = graph.import_buffer<std::uint32_t>("merged", n);
    merge(graph, first, second.with_count(n / 2), {.output_keys = output});
    return make_program(data.context(), graph,
                        {{first, data.input(Input::ascending, n)},
                         {second, data.input(Input::more_ascending, n)},
                         {output, data.output(0, n)}});
}

/// Returns a program that merges n keys with one-word values, half in each array.
Result<Program> prepare_pairs(Data& data, std::uint32_t n) {
    Graph graph(data.context());
    const std::uint32_t seconds = std::max(1U, n / 2);
    const auto first = graph.import_buffer<std::uint32_t>("first", n - n / 2);
    const auto first_values = graph.import_buffer<std::uint32_t>("first values", n - n / 2);
    const auto second = graph.import_buffer<std::uint32_t>("second", seconds);
    const auto second_values = graph.import_buffer<std::uint32_t>("second values", seconds);
    const auto keys = graph.import_buffer<std::uint32_t>("merged keys", n);
    const auto values = graph.import_buffer<std::uint32_t>("merged values", n);
    merge_by_key(graph, first, first_values, second.with_count(n / 2), second_values,
                 {.output_keys = keys, .output_values = values});
    return make_program(data.context(), graph,
                        {{first, data.input(Input::ascending, n)},
                         {first_values, data.input(Input::words, n)},
                         {second, data.input(Input::more_ascending, n)},
                         {second_values, data.input(Input::more_words, n)},
                         {keys, data.output(0, n)},
                         {values, data.output(1, n)}});
}

Arrays expected_merge(std::uint32_t n) {
    const auto first = Data::words(Input::ascending, n), second = Data::words(Input::more_ascending, n);
    std::vector<std::uint32_t> merged;
    std::merge(first.begin(), first.end() - n / 2, second.begin(), second.begin() + n / 2, std::back_inserter(merged));
    return {merged};
}

Arrays expected_pairs(std::uint32_t n) {
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    const auto pairs = [](Input keys_input, Input values_input, std::uint32_t length, std::uint32_t n) {
        const auto keys = Data::words(keys_input, n), values = Data::words(values_input, n);
        std::vector<Pair> zipped(length);
        std::transform(keys.begin(), keys.begin() + length, values.begin(), zipped.begin(),
                       [](std::uint32_t key, std::uint32_t value) { return Pair(key, value); });
        return zipped;
    };
    const auto first = pairs(Input::ascending, Input::words, n - n / 2, n);
    const auto second = pairs(Input::more_ascending, Input::more_words, n / 2, n);
    std::vector<Pair> merged;
    std::merge(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(merged),
               [](const Pair& a, const Pair& b) { return a.first < b.first; });
    std::vector<std::uint32_t> keys, values;
    for (const auto& [key, value] : merged) {
        keys.push_back(key);
        values.push_back(value);
    }
    return {keys, values};
}

} // namespace

std::vector<Operation> merge_operations() {
    return {{.op = "merge",
             .type = "u32",
             .bytes_per_item = 8,
             .memory_per_item = 12, // a program reads only half of each input buffer
             .expected = expected_merge,
             .variants = {{"weir", prepare}}},
            {.op = "merge_by_key",
             .type = "u32",
             .bytes_per_item = 16,
             .memory_per_item = 24,
             .outputs = 2,
             .expected = expected_pairs,
             .variants = {{"weir", prepare_pairs}}}};
}

} // namespace weir::bench

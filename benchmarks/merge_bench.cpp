#include <algorithm>
#include <iterator>

#include "operations.hpp"

namespace weir::bench {

namespace {

/// Of n keys, half in each array.
Result<Program> prepare(Data& data, std::uint32_t n) {
    Graph graph(data.context());
    const auto first = graph.import_buffer<std::uint32_t>("first", n - n / 2);
    const auto second = graph.import_buffer<std::uint32_t>("second", std::max(1U, n / 2));
    const auto output = graph.import_buffer<std::uint32_t>("merged", n);
    merge(graph, first, second.with_count(n / 2), {.keys = output});
    return make_program(data.context(), graph,
                        {{first, data.input(Input::ascending, n)},
                         {second, data.input(Input::more_ascending, n)},
                         {output, data.output(0, n)}});
}

Arrays expected_merge(std::uint32_t n) {
    const auto first = Data::words(Input::ascending, n), second = Data::words(Input::more_ascending, n);
    std::vector<std::uint32_t> merged;
    std::merge(first.begin(), first.end() - n / 2, second.begin(), second.begin() + n / 2, std::back_inserter(merged));
    return {merged};
}

} // namespace

std::vector<Operation> merge_operations() {
    return {{.op = "merge",
             .type = "u32",
             .bytes_per_item = 8,
             .memory_per_item = 12, // of the inputs only halves are seen
             .expected = expected_merge,
             .variants = {{"weir", prepare}}}};
}

} // namespace weir::bench

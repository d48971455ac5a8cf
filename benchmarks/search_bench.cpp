#include <algorithm>

#include "operations.hpp"

namespace weir::bench {

namespace {

/// Random keys, among as many elements.
Result<Program> prepare(Data& data, std::uint32_t n) {
    Graph graph(data.context());
    const auto sorted = graph.import_buffer<std::uint32_t>("sorted", n);
    const auto keys = graph.import_buffer<std::uint32_t>("keys", n);
    const auto output = graph.import_buffer<std::uint32_t>("places", n);
    lower_bound(graph, sorted, keys, {.output = output});
    return make_program(
        data.context(), graph,
        {{sorted, data.input(Input::ascending, n)}, {keys, data.input(Input::words, n)}, {output, data.output(0, n)}});
}

Arrays expected_positions(std::uint32_t n) {
    const auto sorted = Data::words(Input::ascending, n);
    auto places = Data::words(Input::words, n);
    for (std::uint32_t& place : places) {
        place = static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, place) - sorted.begin());
    }
    return {places};
}

} // namespace

std::vector<Operation> search_operations() {
    return {{.op = "lower_bound",
             .type = "u32",
             .bytes_per_item = 12,
             .memory_per_item = 12,
             .expected = expected_positions,
             .variants = {{"weir", prepare}}}};
}

} // namespace weir::bench

#include <algorithm>

#include "operations.hpp"

namespace weir::bench {

namespace {

/// Returns a search of n keys, random or ascending, in n elements.
Result<Program> prepare(Data& data, std::uint32_t n, Input kind) {
    Graph graph(data.context());
    const auto sorted = graph.import_buffer<std::uint32_t>("sorted", n);
    const auto keys = graph.import_buffer<std::uint32_t>("keys", n);
    const auto output = graph.import_buffer<std::uint32_t>("places", n);
    lower_bound(graph, sorted, keys, {.output = output});
    return make_program(
        data.context(), graph,
        {{sorted, data.input(Input::ascending, n)}, {keys, data.input(kind, n)}, {output, data.output(0, n)}});
}

Arrays expected_positions(std::uint32_t n, Input kind) {
    const auto sorted = Data::words(Input::ascending, n);
    auto places = Data::words(kind, n);
    for (std::uint32_t& place : places) {
        place = static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, place) - sorted.begin());
    }
    return {places};
}

Operation operation(const char* op, Input kind) {
    return {.op = op,
            .type = "u32",
            .bytes_per_item = 12,
            .memory_per_item = 12,
            .expected = [=](std::uint32_t n) { return expected_positions(n, kind); },
            .variants = {{"weir", [=](Data& data, std::uint32_t n) { return prepare(data, n, kind); }}}};
}

} // namespace

std::vector<Operation> search_operations() {
    return {operation("lower_bound", Input::words), operation("lower_bound sorted", Input::more_ascending)};
}

} // namespace weir::bench

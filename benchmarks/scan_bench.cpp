#include <numeric>

#include "operations.hpp"

namespace weir::bench {

namespace {

Result<Program> prepare(Data& data, std::uint32_t n, ScanKind kind, const ScanTuning& tuning) {
    Graph graph(data.context());
    auto input = graph.import_buffer<std::uint32_t>("input", n);
    auto output = graph.import_buffer<std::uint32_t>("output", n);
    scan(graph, input, {.kind = kind, .output = output, .tuning = tuning});
    return make_program(data.context(), graph, {{input, data.input(0, n)}, {output, data.output(0, n)}});
}

std::vector<std::uint32_t> expected(std::uint32_t n, ScanKind kind) {
    auto items = Data::words(0, n);
    if (kind == ScanKind::inclusive) {
        std::inclusive_scan(items.begin(), items.end(), items.begin());
    } else {
        std::exclusive_scan(items.begin(), items.end(), items.begin(), 0U);
    }
    return items;
}

Operation operation(ScanKind kind, const std::vector<Shape>& shapes) {
    const auto variant = [kind](std::string impl, const ScanTuning& tuning) {
        return Variant{std::move(impl), [=](Data& data, std::uint32_t n) { return prepare(data, n, kind, tuning); }};
    };
    Operation scan{.op = kind == ScanKind::inclusive ? "inclusive_scan" : "exclusive_scan",
                   .type = "u32",
                   .bytes_per_item = 8,
                   .memory_per_item = 9, // a little for the tile states
                   .expected = [kind](std::uint32_t n) { return Arrays{expected(n, kind)}; },
                   .variants = {variant("weir", {})}};
    for (const Shape& shape : shapes) {
        scan.variants.push_back(variant(shape.impl(), {.workgroup = shape.numbers[0],
                                                       .chunks = shape.numbers[1],
                                                       .subgroup_size = shape.subgroup_size,
                                                       .max_spins = shape.max_spins}));
    }
    return scan;
}

} // namespace

std::vector<Operation> scan_operations(const std::vector<Shape>& shapes) {
    return {operation(ScanKind::inclusive, shapes), operation(ScanKind::exclusive, shapes)};
}

} // namespace weir::bench

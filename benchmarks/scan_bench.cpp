#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include <weir/graph/description.hpp>

#include "operations.hpp"

namespace weir::bench {

namespace {

/// A scan of elements of type T.
template <class T>
struct Scan {
    const char* op;
    const char* type;
    Input input;
    ScanOptions<T> options = {};
    bool by_key = false;
};

template <class T>
Result<Program> prepare(Data& data, std::uint32_t n, const Scan<T>& scan, const ScanTuning& tuning,
                        const testing::Instrument& instrument) {
    const std::uint32_t words = n * (sizeof(T) / 4);
    Graph graph(data.context());
    auto input = graph.import_buffer<T>("input", n);
    auto output = graph.import_buffer<T>("output", n);
    ScanOptions<T> options = scan.options;
    options.output = output;
    options.tuning = tuning;
    const auto scope = testing::instrument(graph, instrument);
    if (!scan.by_key) {
        weir::scan(graph, input, options);
        return make_program(data.context(), graph,
                            {{input, data.input(scan.input, words)}, {output, data.output(0, words)}});
    }
    auto keys = graph.import_buffer<std::uint32_t>("keys", n);
    options.segments = Segments::of_keys(keys);
    weir::scan(graph, input, options);
    return make_program(data.context(), graph,
                        {{input, data.input(scan.input, words)},
                         {keys, data.input(Input::runs_of_8, n)},
                         {output, data.output(0, words)}});
}

/// Returns the expected scan: applies `combine` from left to right, and restarts where a key begins.
template <class T, class Combine>
std::vector<std::uint32_t> expected(std::uint32_t n, const Scan<T>& scan, T sum, const Combine& combine) {
    auto words = Data::words(scan.input, n * static_cast<std::uint32_t>(sizeof(T) / 4));
    for (std::uint32_t i = 0; i < n; ++i) {
        T item;
        std::uint32_t* place = &words[i * (sizeof(T) / 4)];
        std::memcpy(&item, place, sizeof(T));
        const T before = sum;
        sum = i == 0 || (scan.by_key && i % 8 == 0) ? item : combine(sum, item);
        std::memcpy(place, scan.options.kind == ScanKind::exclusive ? &before : &sum, sizeof(T));
    }
    return words;
}

template <class T>
Variant variant(std::string impl, const Scan<T>& scan, const ScanTuning& tuning = {},
                const testing::Instrument& instrument = {}) {
    return {std::move(impl), [=](Data& data, std::uint32_t n) { return prepare(data, n, scan, tuning, instrument); }};
}

/// Counts the tiles that never post, except the last one, for which no tile waits.
std::string silent_tiles(const Program& program, std::uint32_t one_in) {
    const Dispatch& dispatch = program.description().passes.back().compute_pass()->dispatch;
    const std::uint32_t tiles = std::max(1U, (dispatch.count.max + dispatch.per_group - 1) / dispatch.per_group);
    return std::to_string((tiles - 1) / one_in) + " of " + std::to_string(tiles) + " tiles silent";
}

/// `order_free`: an operator that rounds but is declared exact, to measure the cost of reproducible results.
template <class T, class Combine>
Operation operation(const Scan<T>& scan, T identity, const Combine& combine, const std::vector<Shape>& shapes,
                    const std::optional<Monoid>& order_free = {}) {
    constexpr std::uint32_t bytes = sizeof(T);
    Operation operation{.op = scan.op,
                        .type = scan.type,
                        .bytes_per_item = 2.0 * bytes + (scan.by_key ? 4 : 0),
                        .memory_per_item = 2 * bytes + (scan.by_key ? 4 : 0) + 1, // 1 for the tile states
                        .words_per_item = bytes / 4,
                        .expected = [=](std::uint32_t n) { return Arrays{expected(n, scan, identity, combine)}; },
                        .variants = {variant("weir", scan)}};
    if (order_free) {
        Scan<T> other = scan;
        other.options.op = *order_free;
        operation.variants.push_back(variant("weir order-free", other));
    }
    for (const Shape& shape : shapes) {
        operation.variants.push_back(variant(shape.impl(), scan, shape.scan_tuning(), shape.instrument));
        const std::uint32_t one_in = shape.instrument.one_in;
        if (const auto prepare = operation.variants.back().prepare; one_in != 0) {
            operation.variants.back().describe = [=](Data& data, std::uint32_t n) {
                return prepare(data, n).map([&](const Program& program) { return silent_tiles(program, one_in); });
            };
        }
    }
    return operation;
}

} // namespace

std::vector<Operation> scan_operations(const std::vector<Shape>& shapes) {
    using Affine = std::array<float, 2>; // x -> a x + b
    const Monoid affine{.name = "affine",
                        .fields = {"float a", "float b"},
                        .identity = "T(1.0, 0.0)",
                        .combine = "return T(right.a * left.a, right.a * left.b + right.b);"};
    Monoid order_free_affine = affine;
    order_free_affine.exact = true;
    const Monoid order_free_sum{.name = "sum",
                                .fields = {"float value"},
                                .identity = "T(-0.0)",
                                .combine = "return T(left.value + right.value);",
                                .commutes = true,
                                .exact = true};
    const auto compose = [](const Affine& left, const Affine& right) {
        return Affine{right[0] * left[0], right[0] * left[1] + right[1]};
    };
    const auto add = [](auto a, auto b) { return a + b; };
    const ScanOptions<std::uint32_t> exclusive{.kind = ScanKind::exclusive};
    return {operation<std::uint32_t>({"inclusive_scan", "u32", Input::words}, 0, add, shapes),
            operation<std::uint32_t>({"exclusive_scan", "u32", Input::words, exclusive}, 0, add, shapes),
            operation<float>({"inclusive_scan", "f32", Input::small_floats}, 0, add, shapes, order_free_sum),
            operation<std::uint64_t>({"inclusive_scan", "u64", Input::words}, 0, add, shapes),
            operation<Affine>({"inclusive_scan", "affine", Input::affine_maps, {.op = affine}}, {1, 0}, compose, shapes,
                              order_free_affine),
            operation<std::uint32_t>({"inclusive_scan_by_key", "u32", Input::words, {}, true}, 0, add, shapes)};
}

} // namespace weir::bench

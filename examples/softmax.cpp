// Softmax and cumulative probability of the rows of a matrix. One program works for every size: the number of elements
// and the length of rows are parameters.

#include <cmath>

#include "show.hpp"

constexpr std::uint32_t most = 2000000; // elements

/// Returns logits with ties, large magnitudes and, in some rows, one element that dominates.
std::vector<float> made_up(std::uint32_t n) {
    std::vector<float> logits(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        logits[i] = static_cast<float>(i * 7919 % 1013) / 50 - 10;
        logits[i] += i % 5003 == 17 ? 500 : i % 4001 == 3 ? -700 : 0;
    }
    return logits;
}

/// Returns true if each row has the probabilities and cumulative probabilities of a reference in double precision.
bool is_right(const std::vector<float>& logits, std::uint32_t columns, const std::vector<float>& found,
              const std::vector<float>& sums) {
    std::vector<double> row(columns);
    for (std::size_t first = 0; first < logits.size(); first += columns) {
        double highest = -INFINITY, sum = 0, cumulative = 0;
        for (std::uint32_t j = 0; j < columns; ++j) {
            highest = std::max(highest, static_cast<double>(logits[first + j]));
        }
        for (std::uint32_t j = 0; j < columns; ++j) {
            sum += row[j] = std::exp(logits[first + j] - highest);
        }
        for (std::uint32_t j = 0; j < columns; ++j) {
            const double expected = row[j] / sum;
            cumulative += expected;
            if (!(std::abs(found[first + j] - expected) <= 1e-4 * expected + 1e-30) ||
                !(std::abs(sums[first + j] - cumulative) <= 1e-4 * cumulative + 1e-30)) {
                std::printf("rows of %u: element %zu has %g and %g, expected %g and %g\n", columns, first + j,
                            static_cast<double>(found[first + j]), static_cast<double>(sums[first + j]), expected,
                            cumulative);
                return false;
            }
        }
    }
    return true;
}

int main() {
    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    auto size = graph.parameter("size", most); // rows times columns
    auto columns = graph.parameter("columns", most);
    auto logits = graph.import_buffer<float>("logits", most).with_count(size);
    // [softmax]
    // The maximum of a row, and the sum of exp(x - maximum), in one pass: two partial results are combined by scaling
    // both sums to the greater maximum. No exponent is positive, so nothing overflows.
    auto rows = graph.transient_buffer<std::array<float, 2>>("maximum and sum", most);
    auto by_row = weir::Segments::of_length(columns);
    weir::fused_scan(graph, {.monoid = {.name = "softmax",
                                        .fields = {"float most", "float sum"},
                                        .identity = "T(-3e38, 0.0)",
                                        .combine = R"(
                                            float most = max(left.most, right.most);
                                            return T(most, left.sum * exp(left.most - most) +
                                                               right.sum * exp(right.most - most));)"},
                             .count = size,
                             .buffers = {{"float x[]", read(logits)}, {"vec2 rows[]", write(rows)}},
                             .values = {{"columns", columns}},
                             .load = "return T(x[i], 1.0);",
                             .store = "if (is_last || (i + 1) % columns == 0) {"
                                      "    rows[i / columns] = vec2(inclusive.most, inclusive.sum);"
                                      "}",
                             .segments = by_row});
    auto probabilities =
        weir::transform<float>(graph, logits,
                               weir::Expression{.text = "exp(x - rows[i / columns].x) / rows[i / columns].y",
                                                .buffers = {{"vec2 rows[]", read(rows)}},
                                                .values = {{"columns", columns}}});
    // [/softmax]
    // [cumulative]
    // Cumulative probabilities, as top-p sampling needs, straight from the logits.
    auto sums = graph.transient_buffer<float>("cumulative", most);
    weir::fused_scan(
        graph, {.monoid = {.name = "cumulative",
                           .fields = {"float p"},
                           .identity = "T(0.0)",
                           .combine = "return T(left.p + right.p);",
                           .commutes = true},
                .count = size,
                .buffers = {{"float x[]", read(logits)}, {"vec2 rows[]", read(rows)}, {"float sums[]", write(sums)}},
                .values = {{"columns", columns}},
                .load = "return T(exp(x[i] - rows[i / columns].x) / rows[i / columns].y);",
                .store = "sums[i] = inclusive.p;",
                .segments = by_row});
    // [/cumulative]
    graph.export_buffer(probabilities);
    graph.export_buffer(sums);
    auto program = weir::check(weir::compile(gpu, graph));

    const auto data = made_up(most);
    const auto memory = buffer_of(gpu, data);
    weir::check(program.bind(logits, memory));
    constexpr std::uint32_t shapes[][2] = {{1, 1}, {1000, 1}, {300, 7}, {3, 4097}, {20, 32000}, {2, 1000000}};
    for (const auto& [row_count, length] : shapes) {
        const std::uint32_t n = row_count * length;
        weir::check(program.set(size, n));
        weir::check(program.set(columns, length));
        weir::check(program.run());
        if (!is_right({data.begin(), data.begin() + n}, length,
                      weir::check(gpu.download<float>(program.view(probabilities), n)),
                      weir::check(gpu.download<float>(program.view(sums), n)))) {
            return 1;
        }
        std::printf("%u x %u\n", row_count, length);
    }
}

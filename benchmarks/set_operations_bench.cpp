#include <algorithm>
#include <iterator>

#include "operations.hpp"

namespace weir::bench {

namespace {

using Words = std::vector<std::uint32_t>;
using Ref = BufferRef<std::uint32_t>;

/// Functions that add the operation to a graph and that compute its result on the CPU.
using Build = void (*)(Graph& graph, Ref first, Ref second, Ref output);
using Compute = void (*)(const Words& first, const Words& second, std::back_insert_iterator<Words> result);

/// Returns a set operation on n keys, half in each array. On average every other key is in both.
Operation operation(const char* op, Build build, Compute compute) {
    return {.op = op,
            .type = "u32",
            .bytes_per_item = 8,
            .memory_per_item = 12, // a program reads only half of each input buffer
            .expected =
                [=](std::uint32_t n) {
                    auto first = Data::words(Input::one_of_two, n), second = Data::words(Input::other_of_two, n);
                    first.resize(n - n / 2);
                    second.resize(n / 2);
                    Words result;
                    compute(first, second, std::back_inserter(result));
                    result.resize(n, Data::poison_word);
                    return Arrays{result};
                },
            .variants = {{"weir", [=](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              const auto first = graph.import_buffer<std::uint32_t>("first", n - n / 2);
                              const auto second = graph.import_buffer<std::uint32_t>("second", std::max(1U, n / 2));
                              const auto output = graph.import_buffer<std::uint32_t>("output", n);
                              build(graph, first, second.with_count(n / 2), output);
                              return make_program(data.context(), graph,
                                                  {{first, data.input(Input::one_of_two, n)},
                                                   {second, data.input(Input::other_of_two, n)},
                                                   {output, data.output(0, n)}});
                          }}}};
}

} // namespace

std::vector<Operation> set_operations() {
    return {operation(
                "set_union",
                [](Graph& graph, Ref first, Ref second, Ref output) {
                    set_union(graph, first, second, {.output_keys = output});
                },
                [](const Words& first, const Words& second, auto result) {
                    std::set_union(first.begin(), first.end(), second.begin(), second.end(), result);
                }),
            operation(
                "set_intersection",
                [](Graph& graph, Ref first, Ref second, Ref output) {
                    set_intersection(graph, first, second, {.output_keys = output});
                },
                [](const Words& first, const Words& second, auto result) {
                    std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), result);
                }),
            operation(
                "set_difference",
                [](Graph& graph, Ref first, Ref second, Ref output) {
                    set_difference(graph, first, second, {.output_keys = output});
                },
                [](const Words& first, const Words& second, auto result) {
                    std::set_difference(first.begin(), first.end(), second.begin(), second.end(), result);
                })};
}

} // namespace weir::bench

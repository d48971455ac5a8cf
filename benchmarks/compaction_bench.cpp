#include <algorithm>

#include "operations.hpp"

namespace weir::bench {

namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t half = 1U << 31; // half of the words of Input::words are less than this

/// Returns the expected contents of an output of n words: `words`, then poison that must not be overwritten.
Words padded(Words words, std::size_t n) {
    words.resize(n, Data::poison_word);
    return words;
}

/// Adds the primitive to the graph. `second` is invalid if the primitive has one output.
using Build = std::function<void(Graph& graph, BufferRef<std::uint32_t> input, BufferRef<std::uint32_t> first,
                                 BufferRef<std::uint32_t> second, const CompactionTuning& tuning)>;

Operation operation(const char* op, Input kind, double bytes, std::uint32_t outputs, const Build& build,
                    const std::function<Arrays(const Words& words)>& expected, const std::vector<Shape>& shapes) {
    const auto variant = [=](std::string impl, const CompactionTuning& tuning, const testing::Instrument& instrument) {
        return Variant{std::move(impl), [=](Data& data, std::uint32_t n) {
                           Graph graph(data.context());
                           const auto input = graph.import_buffer<std::uint32_t>("input", n);
                           const auto first = graph.import_buffer<std::uint32_t>("output", n);
                           const auto scope = testing::instrument(graph, instrument);
                           if (outputs == 1) {
                               build(graph, input, first, {}, tuning);
                               return make_program(data.context(), graph,
                                                   {{input, data.input(kind, n)}, {first, data.output(0, n)}});
                           }
                           const auto second = graph.import_buffer<std::uint32_t>("second output", n);
                           build(graph, input, first, second, tuning);
                           return make_program(
                               data.context(), graph,
                               {{input, data.input(kind, n)}, {first, data.output(0, n)}, {second, data.output(1, n)}});
                       }};
    };
    Operation result{.op = op,
                     .type = "u32",
                     .bytes_per_item = bytes,
                     .memory_per_item = 4 + 4 * outputs + 1, // 1: upper bound for tile states
                     .outputs = outputs,
                     .expected =
                         [=](std::uint32_t n) {
                             Arrays arrays = expected(Data::words(kind, n));
                             for (Words& words : arrays) {
                                 words = padded(std::move(words), n);
                             }
                             return arrays;
                         },
                     .variants = {variant("weir", {}, {})}};
    for (const Shape& shape : shapes) {
        result.variants.push_back(variant(shape.impl(),
                                          {.workgroup = shape.numbers[0],
                                           .rows = shape.numbers[1],
                                           .subgroup_size = shape.subgroup_size,
                                           .max_spins = shape.max_spins},
                                          shape.instrument));
    }
    return result;
}

} // namespace

std::vector<Operation> compaction_operations(const std::vector<Shape>& shapes) {
    const Predicate is_low = Predicate::compare(Comparison::less, half);
    const auto split = [](const Words& words) {
        Arrays parts(2);
        for (const std::uint32_t word : words) {
            parts[word < half ? 0 : 1].push_back(word);
        }
        return parts;
    };
    const auto runs = [](const Words& words) { // of Input::runs_of_8
        Arrays found(2);
        for (std::size_t i = 0; i < words.size(); i += 8) {
            found[0].push_back(words[i]);
            found[1].push_back(static_cast<std::uint32_t>(std::min<std::size_t>(8, words.size() - i)));
        }
        return found;
    };
    return {operation(
                "select_if", Input::words, 6, 1,
                [=](Graph& graph, auto input, auto first, auto, const CompactionTuning& tuning) {
                    select_if(graph, input, is_low, {.output = first, .tuning = tuning});
                },
                [=](const Words& words) { return Arrays{split(words).front()}; }, shapes),
            operation(
                "partition", Input::words, 8, 2,
                [=](Graph& graph, auto input, auto first, auto second, const CompactionTuning& tuning) {
                    partition(graph, input, {is_low}, {.outputs = {first, second}, .tuning = tuning});
                },
                split, shapes),
            operation(
                "unique", Input::runs_of_8, 4.5, 1,
                [](Graph& graph, auto input, auto first, auto, const CompactionTuning& tuning) {
                    unique(graph, input, {.output = first, .tuning = tuning});
                },
                [=](const Words& words) { return Arrays{runs(words).front()}; }, shapes),
            operation(
                "run_length_encode", Input::runs_of_8, 5, 2,
                [](Graph& graph, auto input, auto first, auto second, const CompactionTuning& tuning) {
                    run_length_encode(graph, input,
                                      {.output_values = first, .output_lengths = second, .tuning = tuning});
                },
                runs, shapes)};
}

} // namespace weir::bench

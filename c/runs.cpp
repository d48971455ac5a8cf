#include <weir/primitives/expand.hpp>
#include <weir/primitives/run_length.hpp>
#include <weir/primitives/run_length_decode.hpp>

#include "c/convert.hpp"

using namespace weir::c;
using weir::Graph;

namespace {

weir::ExpandOptions expand_options(const Graph& graph, const weir_expand_options* options) {
    const auto given = options_or_zeros(options);
    weir::ExpandOptions out;
    out.capacity = given.capacity;
    out.want_sources = given.omit_sources == VK_FALSE;
    out.want_ranks = given.want_ranks != VK_FALSE;
    out.output_sources = words(graph, given.output_sources, "the output of sources");
    out.output_ranks = words(graph, given.output_ranks, "the output of ranks");
    out.output_offsets = words(graph, given.output_offsets, "the output of offsets");
    out.output_count = words(graph, given.output_count, "the count");
    return out;
}

weir_expand_result expanded_of(const weir::ExpandResult& expanded) {
    return {to_c(expanded.sources), to_c(expanded.ranks), to_c(expanded.offsets), to_c(expanded.count)};
}

} // namespace

weir_run_length_result weir_run_length_encode(weir_graph* graph, weir_buffer_ref in,
                                              const weir_run_length_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        return with_words(Structs(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            weir::RunLengthOptions<T> out;
            out.want_values = given.omit_values == VK_FALSE;
            out.want_offsets = given.want_offsets != VK_FALSE;
            out.repeated_only = given.repeated_only != VK_FALSE;
            out.output_values = sized<T>(to, given.output_values, "the output of values");
            out.output_lengths = words(to, given.output_lengths, "the output of lengths");
            out.output_offsets = words(to, given.output_offsets, "the output of offsets");
            out.output_count = words(to, given.output_count, "the count");
            const auto runs = weir::run_length_encode(to, sized_input<T>(to, in, "the input"), out);
            return weir_run_length_result{to_c(runs.values, in.type), to_c(runs.lengths), to_c(runs.offsets),
                                          to_c(runs.count)};
        });
    });
}

weir_run_length_decode_result weir_run_length_decode(weir_graph* graph, weir_buffer_ref values, weir_buffer_ref lengths,
                                                     const weir_run_length_decode_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        return with_words(Structs(), "the input", values.type, [&]<class T>(std::type_identity<T>) {
            weir::RunLengthDecodeOptions<T> out;
            out.capacity = given.capacity;
            out.output = sized<T>(to, given.output, "the output");
            out.output_count = words(to, given.output_count, "the count");
            const auto decoded = weir::run_length_decode(to, sized_input<T>(to, values, "the input of values"),
                                                         words(to, lengths, "the input of lengths"), out);
            return weir_run_length_decode_result{to_c(decoded.items, values.type), to_c(decoded.count)};
        });
    });
}

weir_expand_result weir_expand(weir_graph* graph, weir_buffer_ref counts, const weir_expand_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        return expanded_of(
            weir::expand(to, input<std::uint32_t>(to, counts, "the input of counts"), expand_options(to, options)));
    });
}

weir_expand_result weir_expand_offsets(weir_graph* graph, weir_buffer_ref offsets, weir_count slot_count,
                                       const weir_expand_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        return expanded_of(weir::expand_offsets(to, input<std::uint32_t>(to, offsets, "the input of offsets"),
                                                count_of(slot_count), expand_options(to, options)));
    });
}

#include <weir/primitives/extremum.hpp>
#include <weir/primitives/extremum_by_segment.hpp>
#include <weir/primitives/reduce.hpp>
#include <weir/primitives/reduce_by_key.hpp>
#include <weir/primitives/reduce_by_segment.hpp>

#include "c/convert.hpp"

using namespace weir::c;
using weir::Graph;

namespace {

weir_extremum_result extremum(weir_graph* graph, const char* function, const weir_buffer_ref& in,
                              const weir_extremum_options* options, bool greatest) {
    return add(graph, function, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        return with_type(Numbers(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            weir::ExtremumOptions<T> out;
            out.output_value = typed<T>(to, given.output_value, "the value");
            out.output_position = words(to, given.output_position, "the position");
            out.input_layout = layout_of(given.input_layout);
            const auto from = input<T>(to, in, "the input");
            const weir::ExtremumResult<T> found =
                greatest ? weir::max_element(to, from, out) : weir::min_element(to, from, out);
            return weir_extremum_result{to_c(found.value), to_c(found.position)};
        });
    });
}

} // namespace

weir_buffer_ref weir_reduce(weir_graph* graph, weir_buffer_ref in, const weir_reduce_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        return with_type(Elements(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            weir::ReduceOptions<T> out;
            out.op = operator_of(given.op, given.monoid);
            out.initial = value_of<T>(given.initial);
            out.output = typed<T>(to, given.output, "the output");
            out.input_layout = layout_of(given.input_layout);
            return to_c(weir::reduce(to, input<T>(to, in, "the input"), out));
        });
    });
}

weir_buffer_ref weir_reduce_by_segment(weir_graph* graph, weir_buffer_ref in, const weir_segments* segments,
                                       const weir_reduce_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        const auto by = segments_of(&needed(segments, "segments"));
        return with_type(Elements(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            weir::SegmentedReduceOptions<T> out;
            out.op = operator_of(given.op, given.monoid);
            out.initial = value_of<T>(given.initial);
            out.output = typed<T>(to, given.output, "the output");
            out.input_layout = layout_of(given.input_layout);
            return to_c(weir::reduce_by_segment(to, input<T>(to, in, "the input"), by, out));
        });
    });
}

weir_buffer_ref weir_add_fused_reduce(weir_graph* graph, const weir_fused_reduce* reduction) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = needed_struct(reduction, "the reduction");
        return with_type(Elements(), "the result", given.type, [&]<class T>(std::type_identity<T>) {
            weir::FusedReduce<T> out;
            out.op = operator_of(given.op, given.monoid);
            out.count = count_of(given.count);
            out.buffers = buffers_of(given.buffers, given.buffer_count);
            out.values = values_of(given.values, given.value_count);
            out.functions = text(given.functions);
            out.load = text(given.load);
            out.initial = value_of<T>(given.initial);
            out.output = typed<T>(to, given.output, "the output");
            if (given.name != nullptr) {
                out.name = given.name;
            }
            return to_c(weir::fused_reduce<T>(to, out));
        });
    });
}

weir_reduce_by_key_result weir_reduce_by_key(weir_graph* graph, weir_buffer_ref keys, weir_buffer_ref values,
                                             const weir_reduce_by_key_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        const auto add_of = [&]<class K, class V>(std::type_identity<K>, std::type_identity<V>) {
            weir::ReduceByKeyOptions<K, V> out;
            out.op = operator_of(given.op, given.monoid);
            out.initial = value_of<V>(given.initial);
            out.output_keys = sized<K>(to, given.output_keys, "the output of keys");
            out.output_values = typed<V>(to, given.output_values, "the output of values");
            out.output_count = words(to, given.output_count, "the count");
            const auto runs = weir::reduce_by_key(to, sized_input<K>(to, keys, "the input of keys"),
                                                  input<V>(to, values, "the input of values"), out);
            return weir_reduce_by_key_result{to_c(runs.keys, keys.type), to_c(runs.values), to_c(runs.count)};
        };
        using KeySizes = Types<Words<1>, Words<2>>;
        return with_words(KeySizes(), "the input of keys", keys.type, [&]<class K>(std::type_identity<K> key) {
            return with_type(Elements(), "the input of values", values.type,
                             [&]<class V>(std::type_identity<V> value) { return add_of(key, value); });
        });
    });
}

weir_extremum_result weir_min_element(weir_graph* graph, weir_buffer_ref in, const weir_extremum_options* options) {
    return extremum(graph, __func__, in, options, false);
}

weir_extremum_result weir_max_element(weir_graph* graph, weir_buffer_ref in, const weir_extremum_options* options) {
    return extremum(graph, __func__, in, options, true);
}

weir_minmax_result weir_minmax_element_by_segment(weir_graph* graph, weir_buffer_ref in, const weir_segments* segments,
                                                  const weir_segmented_extremum_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        const auto by = segments_of(&needed(segments, "segments"));
        return with_type(Numbers(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            weir::SegmentedMinMaxOptions<T> out;
            out.positions_in_segments = given.positions_in_segments != VK_FALSE;
            out.output_min = typed<T>(to, given.output_min, "the output of minima");
            out.output_max = typed<T>(to, given.output_max, "the output of maxima");
            out.output_min_position = words(to, given.output_min_position, "the positions of minima");
            out.output_max_position = words(to, given.output_max_position, "the positions of maxima");
            out.input_layout = layout_of(given.input_layout);
            const auto found = weir::minmax_element_by_segment(to, input<T>(to, in, "the input"), by, out);
            return weir_minmax_result{{to_c(found.min.value), to_c(found.min.position)},
                                      {to_c(found.max.value), to_c(found.max.position)}};
        });
    });
}

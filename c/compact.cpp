#include <weir/primitives/find.hpp>
#include <weir/primitives/partition.hpp>
#include <weir/primitives/search.hpp>
#include <weir/primitives/select.hpp>
#include <weir/primitives/unique.hpp>

#include "c/convert.hpp"

using namespace weir::c;
using weir::Graph;

namespace {

template <class T>
weir::SelectOptions<T> select_options(const Graph& graph, const weir_select_options& given) {
    weir::SelectOptions<T> out;
    out.want_items = given.omit_items == VK_FALSE;
    out.want_indices = given.want_indices != VK_FALSE;
    out.output = sized<T>(graph, given.output, "the output");
    out.output_indices = words(graph, given.output_indices, "the output of indices");
    out.output_count = words(graph, given.output_count, "the count");
    out.input_layout = layout_of(given.input_layout);
    out.output_layout = layout_of(given.output_layout);
    return out;
}

template <class T>
weir_select_result selected_of(const weir::SelectResult<T>& selected, weir_type type) {
    return {to_c(selected.items, type), to_c(selected.indices), to_c(selected.count)};
}

/// Calls `body` to add a selection that depends on the size of elements only.
template <class Body>
weir_select_result select_words(weir_graph* graph, const char* function, const weir_buffer_ref& in,
                                const weir_select_options* options, const Body& body) {
    return add(graph, function, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        return with_words(Structs(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            const auto out = select_options<T>(to, given);
            return selected_of(body(to, sized_input<T>(to, in, "the input"), out), in.type);
        });
    });
}

/// Calls `body` to add a search by a predicate.
template <class Body>
weir_buffer_ref find(weir_graph* graph, const char* function, const weir_buffer_ref& in,
                     const weir_predicate* predicate, const weir_find_options* options, const Body& body) {
    return add(graph, function, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        if (given.descending != VK_FALSE) {
            refuse("the option descending is supported by weir_is_sorted and weir_is_sorted_until only");
        }
        const auto by = predicate_of(predicate, in.type);
        const weir::FindOptions out{.output = words(to, given.output, "the output"),
                                    .input_layout = layout_of(given.input_layout)};
        return with_type(Elements(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            return to_c(body(to, input<T>(to, in, "the input"), by, out));
        });
    });
}

/// Calls `body` to add a search for elements that are out of order.
template <class Body>
weir_buffer_ref find_order(weir_graph* graph, const char* function, const weir_buffer_ref& in,
                           const weir_find_options* options, const Body& body) {
    return add(graph, function, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        const weir::SortedOptions out{.output = words(to, given.output, "the output"),
                                      .descending = given.descending != VK_FALSE,
                                      .input_layout = layout_of(given.input_layout)};
        return with_type(Numbers(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            return to_c(body(to, input<T>(to, in, "the input"), out));
        });
    });
}

} // namespace

weir_select_result weir_select_if(weir_graph* graph, weir_buffer_ref in, const weir_predicate* predicate,
                                  const weir_select_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        const auto by = predicate_of(predicate, in.type);
        return with_type(Elements(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            const auto out = select_options<T>(to, given);
            return selected_of(weir::select_if(to, input<T>(to, in, "the input"), by, out), in.type);
        });
    });
}

weir_select_result weir_select_flagged(weir_graph* graph, weir_buffer_ref in, weir_buffer_ref flags,
                                       const weir_select_options* options) {
    return select_words(graph, __func__, in, options, [&](Graph& to, const auto& from, const auto& out) {
        return weir::select_flagged(to, from, input<std::uint32_t>(to, flags, "the buffer of flags"), out);
    });
}

weir_select_result weir_select_by_bits(weir_graph* graph, weir_buffer_ref in, weir_buffer_ref bits,
                                       const weir_select_options* options) {
    return select_words(graph, __func__, in, options, [&](Graph& to, const auto& from, const auto& out) {
        return weir::select_by_bits(to, from, input<std::uint32_t>(to, bits, "the buffer of bits"), out);
    });
}

weir_select_result weir_unique(weir_graph* graph, weir_buffer_ref in, const weir_select_options* options) {
    return select_words(graph, __func__, in, options,
                        [&](Graph& to, const auto& from, const auto& out) { return weir::unique(to, from, out); });
}

weir_unique_by_key_result weir_unique_by_key(weir_graph* graph, weir_buffer_ref keys, weir_buffer_ref values,
                                             const weir_unique_by_key_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        const auto add_of = [&]<class K, class V>(std::type_identity<K>, std::type_identity<V>) {
            weir::UniqueByKeyOptions<K, V> out;
            out.key_options.want_indices = given.want_indices != VK_FALSE;
            out.key_options.output = sized<K>(to, given.output_keys, "the output of keys");
            out.key_options.output_indices = words(to, given.output_indices, "the output of indices");
            out.key_options.output_count = words(to, given.output_count, "the count");
            out.output_values = sized<V>(to, given.output_values, "the output of values");
            const auto kept = weir::unique_by_key(to, sized_input<K>(to, keys, "the input of keys"),
                                                  sized_input<V>(to, values, "the input of values"), out);
            return weir_unique_by_key_result{to_c(kept.keys, keys.type), to_c(kept.values, values.type),
                                             to_c(kept.indices), to_c(kept.count)};
        };
        return with_words(SmallStructs(), "the input of keys", keys.type, [&]<class K>(std::type_identity<K> key) {
            return with_words(Structs(), "the input of values", values.type,
                              [&]<class V>(std::type_identity<V> value) { return add_of(key, value); });
        });
    });
}

weir_partition_result weir_partition(weir_graph* graph, weir_buffer_ref in, const weir_predicate* first,
                                     const weir_predicate* second, const weir_partition_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        std::vector<weir::Predicate> predicates = {predicate_of(first, in.type)};
        if (second != nullptr) {
            predicates.push_back(predicate_of(second, in.type));
        }
        return with_type(Elements(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            weir::PartitionOptions<T> out;
            out.want_items = given.omit_items == VK_FALSE;
            out.want_indices = given.want_indices != VK_FALSE;
            for (std::size_t i = 0; i < out.outputs.size(); ++i) {
                out.outputs[i] = typed<T>(to, given.outputs[i], "an output");
                out.output_indices[i] = words(to, given.output_indices[i], "an output of indices");
            }
            out.output_counts = words(to, given.output_counts, "the buffer of counts");
            out.input_layout = layout_of(given.input_layout);
            out.output_layout = layout_of(given.output_layout);
            const auto parts = weir::partition(to, input<T>(to, in, "the input"), predicates, out);
            weir_partition_result all{};
            for (std::size_t i = 0; i < parts.size(); ++i) {
                all.parts[i] = selected_of(parts[i], in.type);
            }
            return all;
        });
    });
}

weir_buffer_ref weir_count_if(weir_graph* graph, weir_buffer_ref in, const weir_predicate* predicate,
                              const weir_find_options* options) {
    return find(
        graph, __func__, in, predicate, options,
        [](Graph& to, const auto& from, const auto& by, const auto& out) { return weir::count_if(to, from, by, out); });
}

weir_buffer_ref weir_find_if(weir_graph* graph, weir_buffer_ref in, const weir_predicate* predicate,
                             const weir_find_options* options) {
    return find(
        graph, __func__, in, predicate, options,
        [](Graph& to, const auto& from, const auto& by, const auto& out) { return weir::find_if(to, from, by, out); });
}

weir_buffer_ref weir_partition_point(weir_graph* graph, weir_buffer_ref in, const weir_predicate* predicate,
                                     const weir_find_options* options) {
    return find(graph, __func__, in, predicate, options,
                [](Graph& to, const auto& from, const auto& by, const weir::FindOptions& out) {
                    return weir::partition_point(to, from, by,
                                                 {.output = out.output, .input_layout = out.input_layout});
                });
}

weir_buffer_ref weir_is_sorted(weir_graph* graph, weir_buffer_ref in, const weir_find_options* options) {
    return find_order(graph, __func__, in, options,
                      [](Graph& to, const auto& from, const auto& out) { return weir::is_sorted(to, from, out); });
}

weir_buffer_ref weir_is_sorted_until(weir_graph* graph, weir_buffer_ref in, const weir_find_options* options) {
    return find_order(graph, __func__, in, options, [](Graph& to, const auto& from, const auto& out) {
        return weir::is_sorted_until(to, from, out);
    });
}

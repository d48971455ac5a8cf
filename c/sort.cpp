#include <weir/primitives/merge_sort.hpp>
#include <weir/primitives/radix_sort.hpp>
#include <weir/primitives/segmented_sort.hpp>
#include <weir/primitives/segmented_top_k.hpp>
#include <weir/primitives/top_k.hpp>

#include "c/convert.hpp"

using namespace weir::c;
using weir::Graph;

namespace {

/// Calls `body` with a type of the size of the values. Without values, and for indices, the type is std::uint32_t.
template <class Body>
weir_sort_result with_values(const weir_buffer_ref& values, const Body& body) {
    if (values.id == 0) {
        return body(std::type_identity<std::uint32_t>());
    }
    return with_words(SmallStructs(), "the buffer of values", values.type, body);
}

weir_type type_of_values(const weir_buffer_ref& values) {
    return values.id != 0 ? values.type : WEIR_U32;
}

/// Returns the options that weir_radix_sort and weir_segmented_sort have in common.
template <class K, class V, class Options>
Options sort_options(const Graph& graph, const weir_sort_options& given) {
    Options out;
    out.values = sized<V>(graph, given.values, "the buffer of values");
    out.want_indices = given.want_indices != VK_FALSE;
    out.descending = given.descending != VK_FALSE;
    out.first_bit = given.first_bit;
    out.end_bit = given.end_bit != 0 ? given.end_bit : sizeof(K) * 8;
    out.want_keys = given.omit_keys == VK_FALSE;
    out.output_keys = typed<K>(graph, given.output_keys, "the output of keys");
    out.output_values = sized<V>(graph, given.output_values, "the output of values");
    return out;
}

weir_sort_options given_or_zeros(const weir_sort_options* options) {
    return options_or_zeros(options, offsetof(weir_sort_options, local_indices));
}
weir_top_k_options given_or_zeros(const weir_top_k_options* options) {
    return options_or_zeros(options, offsetof(weir_top_k_options, local_indices));
}

template <class K>
weir::SegmentedTopKOptions<K> segmented_top_k_options(const Graph& graph, const weir_top_k_options& given) {
    if (given.omit_keys != VK_FALSE || given.output_count.id != 0) {
        refuse(std::string("the option ") + (given.omit_keys != VK_FALSE ? "omit_keys" : "output_count") +
               " is supported by weir_top_k only");
    }
    weir::SegmentedTopKOptions<K> out;
    out.descending = given.descending != VK_FALSE;
    out.sorted = given.unsorted == VK_FALSE;
    out.want_indices = given.want_indices != VK_FALSE;
    out.local_indices = given.local_indices != VK_FALSE;
    out.output_keys = typed<K>(graph, given.output_keys, "the output of keys");
    out.output_indices = words(graph, given.output_indices, "the output of indices");
    return out;
}

} // namespace

weir_sort_result weir_radix_sort(weir_graph* graph, weir_buffer_ref keys, const weir_sort_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = given_or_zeros(options);
        if (given.longest != 0 || given.local_indices != VK_FALSE) {
            refuse(std::string("the option ") + (given.longest != 0 ? "longest" : "local_indices") +
                   " is supported by weir_segmented_sort only");
        }
        return with_type(Keys(), "the input", keys.type, [&]<class K>(std::type_identity<K>) {
            return with_values(given.values, [&]<class V>(std::type_identity<V>) {
                const auto out = sort_options<K, V, weir::RadixSortOptions<K, V>>(to, given);
                const auto sorted = weir::radix_sort<K, V>(to, input<K>(to, keys, "the input"), out);
                return weir_sort_result{to_c(sorted.keys), to_c(sorted.values, type_of_values(given.values))};
            });
        });
    });
}

weir_sort_result weir_segmented_sort(weir_graph* graph, weir_buffer_ref keys, const weir_segments* segments,
                                     const weir_sort_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = given_or_zeros(options);
        const auto by = segments_of(&needed(segments, "segments"));
        return with_type(Numbers(), "the input", keys.type, [&]<class K>(std::type_identity<K>) {
            return with_values(given.values, [&]<class V>(std::type_identity<V>) {
                auto out = sort_options<K, V, weir::SegmentedSortOptions<K, V>>(to, given);
                out.longest = given.longest;
                out.local_indices = given.local_indices != VK_FALSE;
                const auto sorted = weir::segmented_sort<K, V>(to, input<K>(to, keys, "the input"), by, out);
                return weir_sort_result{to_c(sorted.keys), to_c(sorted.values, type_of_values(given.values))};
            });
        });
    });
}

weir_sort_result weir_merge_sort(weir_graph* graph, weir_buffer_ref keys, const weir_comparator* order,
                                 const weir_merge_sort_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        const auto by = needed_struct(order, "the order");
        weir::Comparator comparator{.expression = text(by.expression),
                                    .fields = texts_of(by.fields, by.field_count, "a field of the order"),
                                    .functions = text(by.functions)};
        if (by.name != nullptr) {
            comparator.name = by.name;
        }
        using SortedTypes = Joined<Numbers, Vectors, SmallStructs>::type;
        return with_type(SortedTypes(), "the input", keys.type, [&]<class K>(std::type_identity<K>) {
            return with_values(given.values, [&]<class V>(std::type_identity<V>) {
                weir::MergeSortOptions<K, V> out;
                out.values = sized<V>(to, given.values, "the buffer of values");
                out.want_indices = given.want_indices != VK_FALSE;
                out.output_keys = typed<K>(to, given.output_keys, "the output of keys");
                out.output_values = sized<V>(to, given.output_values, "the output of values");
                const auto sorted = weir::merge_sort<K, V>(to, input<K>(to, keys, "the input"), comparator, out);
                return weir_sort_result{to_c(sorted.keys), to_c(sorted.values, type_of_values(given.values))};
            });
        });
    });
}

weir_top_k_result weir_top_k(weir_graph* graph, weir_buffer_ref keys, weir_count k, const weir_top_k_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = given_or_zeros(options);
        if (given.local_indices != VK_FALSE) {
            refuse("the option local_indices is supported by weir_segmented_top_k only");
        }
        return with_type(Numbers(), "the input", keys.type, [&]<class K>(std::type_identity<K>) {
            weir::TopKOptions<K> out;
            out.descending = given.descending != VK_FALSE;
            out.sorted = given.unsorted == VK_FALSE;
            out.want_keys = given.omit_keys == VK_FALSE;
            out.want_indices = given.want_indices != VK_FALSE;
            out.output_keys = typed<K>(to, given.output_keys, "the output of keys");
            out.output_indices = words(to, given.output_indices, "the output of indices");
            out.output_count = words(to, given.output_count, "the count");
            const auto top = weir::top_k<K>(to, input<K>(to, keys, "the input"), count_of(k), out);
            return weir_top_k_result{to_c(top.keys), to_c(top.indices), to_c(top.count)};
        });
    });
}

weir_top_k_result weir_segmented_top_k(weir_graph* graph, weir_buffer_ref keys, const weir_segments* segments,
                                       weir_count k, const weir_top_k_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = given_or_zeros(options);
        const auto by = segments_of(&needed(segments, "segments"));
        return with_type(Numbers(), "the input", keys.type, [&]<class K>(std::type_identity<K>) {
            const auto top = weir::segmented_top_k<K>(to, input<K>(to, keys, "the input"), by, count_of(k),
                                                      segmented_top_k_options<K>(to, given));
            return weir_top_k_result{to_c(top.keys), to_c(top.indices), {}};
        });
    });
}

weir_buffer_ref weir_kth_element(weir_graph* graph, weir_buffer_ref keys, weir_count k,
                                 const weir_kth_element_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        return with_type(Numbers(), "the input", keys.type, [&]<class K>(std::type_identity<K>) {
            weir::KthElementOptions<K> out;
            out.descending = given.descending != VK_FALSE;
            out.output = typed<K>(to, given.output, "the output");
            return to_c(weir::kth_element<K>(to, input<K>(to, keys, "the input"), count_of(k), out));
        });
    });
}

#include <weir/primitives/merge.hpp>
#include <weir/primitives/search.hpp>
#include <weir/primitives/set_operations.hpp>

#include "c/convert.hpp"

using namespace weir::c;
using weir::Graph;

namespace {

weir_buffer_ref bound(weir_graph* graph, const char* function, const weir_buffer_ref& sorted,
                      const weir_buffer_ref& keys, const weir_buffer_ref& output, bool upper) {
    return add(graph, function, [&](Graph& to) {
        const weir::SearchOptions out{.output = words(to, output, "the output")};
        return with_type(Numbers(), "the input", sorted.type, [&]<class T>(std::type_identity<T>) {
            const auto in = input<T>(to, sorted, "the input");
            const auto of = input<T>(to, keys, "the buffer of keys");
            return to_c(upper ? weir::upper_bound(to, in, of, out) : weir::lower_bound(to, in, of, out));
        });
    });
}

/// Calls `body` to add an operation on two arrays of keys without values.
template <class Body>
weir_merge_result merge_keys(weir_graph* graph, const char* function, const weir_buffer_ref& first,
                             const weir_buffer_ref& second, const weir_merge_options* options, const Body& body) {
    return add(graph, function, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        if (given.output_values.id != 0) {
            refuse("an output is set for values, but this function has no values");
        }
        return with_type(Numbers(), "the input", first.type, [&]<class K>(std::type_identity<K>) {
            const auto merged =
                body(to, input<K>(to, first, "the first input"), input<K>(to, second, "the second input"),
                     typed<K>(to, given.output_keys, "the output"), words(to, given.output_count, "the count"));
            return weir_merge_result{to_c(merged.keys), {}, to_c(merged.count)};
        });
    });
}

} // namespace

weir_buffer_ref weir_lower_bound(weir_graph* graph, weir_buffer_ref sorted, weir_buffer_ref keys,
                                 weir_buffer_ref output) {
    return bound(graph, __func__, sorted, keys, output, false);
}

weir_buffer_ref weir_upper_bound(weir_graph* graph, weir_buffer_ref sorted, weir_buffer_ref keys,
                                 weir_buffer_ref output) {
    return bound(graph, __func__, sorted, keys, output, true);
}

weir_merge_result weir_merge(weir_graph* graph, weir_buffer_ref first, weir_buffer_ref second,
                             const weir_merge_options* options) {
    return merge_keys(graph, __func__, first, second, options,
                      [](Graph& to, const auto& a, const auto& b, const auto& keys, const auto& count) {
                          return weir::merge(to, a, b, {.output_keys = keys, .output_count = count});
                      });
}

weir_merge_result weir_merge_by_key(weir_graph* graph, weir_buffer_ref first_keys, weir_buffer_ref first_values,
                                    weir_buffer_ref second_keys, weir_buffer_ref second_values,
                                    const weir_merge_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        const auto add_of = [&]<class K, class V>(std::type_identity<K>, std::type_identity<V>) {
            const auto merged =
                weir::merge_by_key(to, input<K>(to, first_keys, "the first input of keys"),
                                   sized_input<V>(to, first_values, "the first input of values"),
                                   input<K>(to, second_keys, "the second input of keys"),
                                   sized_input<V>(to, second_values, "the second input of values"),
                                   {.output_keys = typed<K>(to, given.output_keys, "the output of keys"),
                                    .output_values = sized<V>(to, given.output_values, "the output of values"),
                                    .output_count = words(to, given.output_count, "the count")});
            return weir_merge_result{to_c(merged.keys), to_c(merged.values, first_values.type), to_c(merged.count)};
        };
        return with_type(Numbers(), "the input of keys", first_keys.type, [&]<class K>(std::type_identity<K> key) {
            return with_words(SmallStructs(), "the input of values", first_values.type,
                              [&]<class V>(std::type_identity<V> value) { return add_of(key, value); });
        });
    });
}

weir_merge_result weir_set_operation(weir_graph* graph, weir_set_operation_kind kind, weir_buffer_ref first,
                                     weir_buffer_ref second, const weir_merge_options* options) {
    return merge_keys(graph, __func__, first, second, options,
                      [&]<class K>(Graph& to, const weir::BufferRef<K>& a, const weir::BufferRef<K>& b,
                                   const weir::BufferRef<K>& keys, const weir::BufferRef<std::uint32_t>& count) {
                          const weir::SetOptions<K> out{.output_keys = keys, .output_count = count};
                          switch (kind) {
                          case WEIR_SET_UNION: return weir::set_union(to, a, b, out);
                          case WEIR_SET_INTERSECTION: return weir::set_intersection(to, a, b, out);
                          case WEIR_SET_DIFFERENCE: return weir::set_difference(to, a, b, out);
                          case WEIR_SET_SYMMETRIC_DIFFERENCE: return weir::set_symmetric_difference(to, a, b, out);
                          default:
                              refuse("set operation " + std::to_string(static_cast<unsigned>(kind)) +
                                     " does not exist");
                          }
                      });
}

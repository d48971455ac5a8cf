#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/sort_key.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/sort_types.hpp>

namespace weir::detail {

/// A sort whose types are known at run time only.
struct SortRequest {
    Scalar key = Scalar::u32; ///< 32 or 64 bits; narrow keys use the 32-bit type of the same kind
    std::uint32_t key_bits = 32;
    Count count = {};
    /// `values` is optional.
    BufferId keys = {}, values = {};
    BufferId output_keys = {}, output_values = {}; ///< valid if requested
    std::uint32_t capacity = 0;
    std::uint64_t large_count = 0; ///< if not 0: the number of keys, instead of `count` and `capacity`
    std::uint64_t value_capacity = 0, output_key_capacity = 0, output_value_capacity = 0;
    std::uint32_t value_words = 0; ///< 0: no values
    bool indices = false;
    bool descending = false;
    std::uint32_t first_bit = 0, end_bit = 0;
};

/// Returns the request for a sort with these options and sets its output buffers in `result`. Returns nothing and fails
/// the graph if the input is not valid or the options contradict each other.
template <class K, class V, class Options>
std::optional<SortRequest> sort_request(Graph& graph, const char* primitive, BufferRef<K> keys, const Options& options,
                                        SortResult<K, V>& result) {
    static_assert(is_sort_key<K>, "keys must be numbers of 8, 16, 32 or 64 bits");
    static_assert(std::is_trivially_copyable_v<V> && sizeof(V) % 4 == 0 && sizeof(V) <= 16,
                  "a value must have 1 to 4 words of 32 bits");
    const auto fail = [&](const char* why) {
        graph.fail({ErrorCode::invalid_argument, std::string(primitive) + ": " + why});
        return std::nullopt;
    };
    if (!keys.valid()) {
        return fail("the input is null");
    }
    const bool has_values = options.values.valid() || options.want_indices;
    if (options.want_indices && (options.values.valid() || !std::is_same_v<V, std::uint32_t>)) {
        return fail(options.values.valid() ? ".values and .want_indices must not both be set"
                                           : ".want_indices requires values of type uint32_t");
    }
    if (!options.want_keys && options.output_keys.valid()) {
        return fail(".output_keys is set but .want_keys is false");
    }
    if (!has_values && options.output_values.valid()) {
        return fail(".output_values is set, but neither .values nor .want_indices is");
    }
    if (!options.want_keys && !has_values) {
        return fail("nothing is requested: set .want_keys, .values or .want_indices");
    }
    if (options.want_keys) {
        result.keys = options.output_keys.valid()
                          ? options.output_keys.with_count(keys.count)
                          : graph.transient_buffer<K>("sorted keys", keys.capacity).with_count(keys.count);
    }
    if (has_values) {
        result.values = options.output_values.valid()
                            ? options.output_values.with_count(keys.count)
                            : graph.transient_buffer<V>("sorted values", keys.capacity).with_count(keys.count);
    }
    return SortRequest{.key = SortKey<K>::number.scalar,
                       .key_bits = sizeof(K) * 8,
                       .count = keys.count,
                       .keys = keys,
                       .values = options.values,
                       .output_keys = result.keys,
                       .output_values = result.values,
                       .capacity = keys.capacity,
                       .value_capacity = options.values.capacity,
                       .output_key_capacity = result.keys.capacity,
                       .output_value_capacity = result.values.capacity,
                       .value_words = has_values ? static_cast<std::uint32_t>(sizeof(V) / 4) : 0,
                       .indices = options.want_indices,
                       .descending = options.descending,
                       .first_bit = options.first_bit,
                       .end_bit = options.end_bit};
}

} // namespace weir::detail

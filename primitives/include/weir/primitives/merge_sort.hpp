#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/fused.hpp>
#include <weir/primitives/sort_types.hpp>

namespace weir {

/// An order of keys: a GLSL expression of two keys.
///
///     merge_sort(graph, numbers, "a % 10u < b % 10u");
///     merge_sort(graph, splats, {"a.depth < b.depth", {"float depth", "uint id"}});
struct Comparator {
    /// GLSL expression of type bool: true if key `a` comes before key `b`. It must be a strict weak order: no key comes
    /// before itself; if a comes before b and b before c, a comes before c; and the relation "neither comes before the
    /// other" is transitive too.
    ///
    /// With any other expression, such as `a < b` for floats that include NaNs, the result consists of keys of the
    /// input, each with its own value, but some keys may appear several times and others may be missing.
    ///
    /// The type of a key is uint, int or float for a 32-bit number; uvec, ivec or vec for an array; uvec2 for a 64-bit
    /// number, with its bits, the low word first; the struct itself if `fields` is set; otherwise uint for a struct of
    /// one word, and an array of uint for a larger struct. Float arithmetic is `precise`. The shader is compiled with
    /// the graph, which requires shaderc.
    std::string expression = {};
    /// Members of the key struct, if keys are structs: "TYPE NAME" in memory order, without padding. Types: uint, int,
    /// float, their vectors of 2 to 4, mat2. Also double, uint64_t and int64_t, of two words each, if the device
    /// supports them (`Capabilities`).
    std::vector<std::string> fields = {};
    /// GLSL declarations that precede the expression, which may use them. Return values are `precise`; `out` parameters
    /// must be declared precise by the application. Names of shaders/sort and shaders/lib are reserved.
    std::string functions = {};
    std::vector<FusedBuffer> buffers = {}; ///< buffers that the expression reads
    std::vector<FusedValue> values = {};   ///< values that the expression uses
    std::string name = "comparator";       ///< file name in compile errors
};

/// Kernel shapes for tests and tuning. 0: chosen by device, key size and number of keys. Results do not depend on it.
struct MergeSortTuning {
    std::uint32_t workgroup = 0; ///< invocations per workgroup: a power of two, at least 64
    /// Keys per invocation; at most 64. A tile has workgroup * keys_per_invocation keys, at most 65,536.
    std::uint32_t keys_per_invocation = 0;
    /// Minimum number of tiles for which a separate dispatch before each merge finds where tiles begin.
    std::uint32_t splits_from = 0;
};

/// Options of merge_sort. K is the key type. V is the value type: any trivially copyable type of 1 to 4 words.
template <class K, class V = std::uint32_t>
struct MergeSortOptions {
    BufferRef<V> values = {};  ///< if valid: values that move with the keys; capacity for all keys
    bool want_indices = false; ///< use the indices of the keys as values; V is std::uint32_t and `values` is not set
    BufferRef<K> output_keys = {};   ///< not valid: a new transient; may be the keys' own buffer: sorted in place
    BufferRef<V> output_values = {}; ///< not valid: a new transient; may be the values' own buffer: sorted in place
    MergeSortTuning tuning = {};     ///< kernel shapes
};

namespace detail {

/// A sort whose types are known at run time only.
struct MergeSortRequest {
    ElementType element = {}; ///< type of the keys
    const Comparator* order = nullptr;
    Count count = {};
    BufferId keys = {}, values = {};
    BufferId output_keys = {}, output_values = {};
    std::uint32_t key_capacity = 0, value_capacity = 0, output_key_capacity = 0, output_value_capacity = 0;
    std::uint32_t value_words = 0; ///< 0: no values
    bool indices = false;
    MergeSortTuning tuning = {};
};

/// Adds the passes.
WEIR_API void add_merge_sort(Graph& graph, const MergeSortRequest& request);

} // namespace detail

/// Adds a stable sort of the first `keys.count` keys by a comparator. Returns the sorted keys, and the values if there
/// are any. Keys of which neither comes before the other keep their order. K may be any type of `element_type`: a
/// number, an array, or a struct of 1 to 16 words. Inputs are not modified unless they are also outputs. `radix_sort`
/// sorts numbers in their own order faster.
///
/// Algorithm: merge sort. One dispatch sorts tiles of a few thousand words of keys in workgroup memory. Then runs of
/// tiles are merged in pairs, once for each doubling of their length: 13 times on a GPU for 2^24 keys of one word. Each
/// merge reads and writes all keys and values once. A merge is one dispatch, with a small one before it if there are
/// many tiles. If the count is on the GPU, merges that it does not need do nothing.
///
/// Scratch memory, if there is more than one tile: one key per key and one value per value; and 4 bytes per tile if
/// separate dispatches find where tiles begin.
///
/// Errors, reported by `compile`: `invalid_argument` for a buffer that is too small or used twice, for an empty
/// expression, for fields whose size is not that of a key, or for a shape that the device cannot run; `limit_exceeded`
/// for more than 2^30 keys, if a buffer needs 2^32 words or more, or if the shape needs more workgroup memory than the
/// device has; `shader_compilation`, which names the comparator and its line.
template <class K, class V = std::uint32_t>
SortResult<K, V> merge_sort(const GraphCall& graph, BufferRef<K> keys, const Comparator& order,
                            const std::type_identity_t<MergeSortOptions<K, V>>& options = {}) {
    static_assert(std::is_trivially_copyable_v<V> && sizeof(V) % 4 == 0 && sizeof(V) <= 16,
                  "a value must have 1 to 4 words of 32 bits");
    SortResult<K, V> result;
    const bool has_values = options.values.valid() || options.want_indices;
    if (options.want_indices && (options.values.valid() || !std::is_same_v<V, std::uint32_t>)) {
        graph->fail({ErrorCode::invalid_argument, options.values.valid()
                                                      ? "merge sort: .values and .want_indices must not both be set"
                                                      : "merge sort: .want_indices requires values of type uint32_t"});
        return result;
    }
    if (!has_values && options.output_values.valid()) {
        graph->fail({ErrorCode::invalid_argument,
                     "merge sort: .output_values is set, but neither .values nor .want_indices is"});
        return result;
    }
    const std::uint32_t most = keys.count.max;
    result.keys = detail::given_or_transient(graph, options.output_keys, "sorted keys", most).with_count(keys.count);
    if (has_values) {
        result.values =
            detail::given_or_transient(graph, options.output_values, "sorted values", most).with_count(keys.count);
    }
    detail::add_merge_sort(graph, {.element = element_type<K>,
                                   .order = &order,
                                   .count = keys.count,
                                   .keys = keys,
                                   .values = options.values,
                                   .output_keys = result.keys,
                                   .output_values = result.values,
                                   .key_capacity = keys.capacity,
                                   .value_capacity = options.values.capacity,
                                   .output_key_capacity = result.keys.capacity,
                                   .output_value_capacity = result.values.capacity,
                                   .value_words = has_values ? static_cast<std::uint32_t>(sizeof(V) / 4) : 0,
                                   .indices = options.want_indices,
                                   .tuning = options.tuning});
    return result;
}

/// Adds a merge sort of keys with values of any type. `values` replaces `options.values`.
template <class K, class V>
SortResult<K, V> merge_sort(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values, const Comparator& order,
                            std::type_identity_t<MergeSortOptions<K, V>> options = {}) {
    options.values = values;
    return merge_sort<K, V>(graph, keys, order, options);
}

/// Adds a merge sort of keys by a GLSL expression. Same as `Comparator{.expression = expression}`.
template <class K, class V = std::uint32_t, std::convertible_to<std::string> Glsl>
SortResult<K, V> merge_sort(const GraphCall& graph, BufferRef<K> keys, const Glsl& expression,
                            const std::type_identity_t<MergeSortOptions<K, V>>& options = {}) {
    return merge_sort<K, V>(graph, keys, Comparator{.expression = expression}, options);
}

/// Adds a merge sort of keys with values of any type by a GLSL expression. The expression replaces the
/// comparator.
template <class K, class V, std::convertible_to<std::string> Glsl>
SortResult<K, V> merge_sort(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values, const Glsl& expression,
                            const std::type_identity_t<MergeSortOptions<K, V>>& options = {}) {
    return merge_sort<K, V>(graph, keys, values, Comparator{.expression = expression}, options);
}

} // namespace weir

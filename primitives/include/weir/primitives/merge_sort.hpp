#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/scan.hpp>
#include <weir/primitives/sort_request.hpp>

namespace weir {

/// An order of keys: a GLSL expression of two of them.
///
///     merge_sort(graph, numbers, "a % 10u < b % 10u");
///     merge_sort(graph, splats, {"a.depth < b.depth", {"float depth", "uint id"}});
struct Comparator {
    /// GLSL of type bool, of `a` and `b`, two keys: whether a comes before b. It has to be a strict weak order: no key
    /// comes before itself, and if a comes before b and b before c, a comes before c; likewise for keys that do not
    /// come before each other. With any other expression, such as `a < b` of floats of which some are NaN, the result
    /// has keys of the input, each with its own value, but some of them several times and others not at all. Keys are
    /// uint, int or float; of an array a uvec, ivec or vec; of a 64-bit number a uvec2 of its bits, the low word first;
    /// of a struct with `fields` that struct, otherwise of one word a uint, of more words an array of uint. Arithmetic
    /// of floats is `precise`. The shader is compiled with the graph, which needs shaderc.
    std::string expression;
    /// If there are any: the keys are structs with these members, "TYPE NAME" in memory order, without padding. Types:
    /// uint, int, float, their vectors of 2 to 4, mat2; and where the device has such numbers (`Capabilities`), double,
    /// uint64_t and int64_t, of two words.
    std::vector<std::string> fields;
    /// GLSL declarations before the expression, which it may use. Return values are `precise`; declare `out` parameters
    /// precise yourself. Names of shaders/sort and shaders/lib are reserved.
    std::string functions;
    std::vector<FusedBuffer> buffers; ///< buffers that it reads
    std::vector<FusedValue> values;   ///< values that it uses
    std::string name = "comparator";  ///< stands for the file in compile errors

    /// No order.
    Comparator() = default;
    // NOLINTBEGIN(google-explicit-constructor): an expression is an order
    /// An expression, and the members of keys.
    Comparator(std::string glsl, std::vector<std::string> members = {})
        : expression(std::move(glsl)), fields(std::move(members)) {}
    /// An expression, and the members of keys.
    Comparator(const char* glsl, std::vector<std::string> members = {})
        : expression(glsl), fields(std::move(members)) {}
    // NOLINTEND(google-explicit-constructor)
};

/// The shape of the kernels; 0: chosen by device, size of a key and number of keys. Results do not depend on it.
struct MergeSortTuning {
    std::uint32_t workgroup = 0;           ///< invocations: a power of two, at least 64
    std::uint32_t keys_per_invocation = 0; ///< the tile has workgroup * keys_per_invocation keys, at most 65,536
    /// From so many tiles on, a dispatch of its own before each merge finds where tiles begin.
    std::uint32_t splits_from = 0;
};

/// Options of merge_sort. K is the type of the keys, V that of the values: any trivially copyable type of 1 to 4 words.
template <class K, class V = std::uint32_t>
struct MergeSortOptions {
    BufferRef<V> values = {};        ///< if valid: move along with the keys; at least as many as there are keys
    bool indices = false;            ///< the values are the indices of the keys, std::uint32_t; no values go in
    BufferRef<K> output_keys = {};   ///< not valid: a new transient; the keys' own buffer: sorted in place
    BufferRef<V> output_values = {}; ///< not valid: a new transient; the values' own buffer: sorted in place
    MergeSortTuning tuning = {};     ///< shape of the kernels
};

namespace detail {

/// A sort whose types are known at run time only.
struct MergeSortRequest {
    ElementType element = {}; ///< of the keys
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

/// Adds a sort of the first `keys.count` keys by an order of your own. Stable: keys of which none comes before the
/// other keep their order. K is any type of `element_type`: a number, or a struct of 1 to 16 words. Inputs do not
/// change unless they are the outputs as well. Returns the sorted keys, and the values if there are any. Numbers in
/// their own order are sorted faster by `radix_sort`.
///
/// A merge sort: tiles of some thousand words of keys are sorted in workgroup memory, in one dispatch; then runs of
/// tiles are merged in pairs, for each doubling of their length, 12 times on a GPU for 2^24 keys of a word. Each merge
/// reads and writes all keys and values once. It is one dispatch, and for many tiles a small one before it. Where the
/// count is on the GPU, merges that it does not need do nothing.
///
/// Scratch: as much as the outputs for as many keys, and 4 bytes per tile, where there is more than one tile. Errors,
/// reported by `compile`: `invalid_argument` for buffers that are too small or used twice, no expression, fields of
/// another size than the keys', or a shape that the device cannot run; `limit_exceeded` for more than 2^30 keys or
/// words past 2^32; `shader_compilation` names the comparator and its line.
template <class K, class V = std::uint32_t>
SortResult<K, V> merge_sort(const GraphCall& graph, BufferRef<K> keys, const Comparator& order,
                            const std::type_identity_t<MergeSortOptions<K, V>>& options = {}) {
    static_assert(std::is_trivially_copyable_v<V> && sizeof(V) % 4 == 0 && sizeof(V) <= 16,
                  "a value has 1 to 4 words of 32 bits");
    SortResult<K, V> result;
    const bool has_values = options.values.valid() || options.indices;
    if (options.indices && (options.values.valid() || !std::is_same_v<V, std::uint32_t>)) {
        graph->fail({ErrorCode::invalid_argument, "merge sort: indices are 32-bit values; other values are given"});
        return result;
    }
    if (!has_values && options.output_values.valid()) {
        graph->fail({ErrorCode::invalid_argument, "merge sort: an output is given for values, and there are none"});
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
                                   .indices = options.indices,
                                   .tuning = options.tuning});
    return result;
}

/// The same for values of any type, which replace those of the options.
template <class K, class V>
SortResult<K, V> merge_sort(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values, const Comparator& order,
                            std::type_identity_t<MergeSortOptions<K, V>> options = {}) {
    options.values = values;
    return merge_sort<K, V>(graph, keys, order, options);
}

} // namespace weir

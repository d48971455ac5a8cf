#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/monoid.hpp>
#include <weir/primitives/scan_tuning.hpp>

namespace weir {

/// Options of reduce_by_key.
template <class K, class V>
struct ReduceByKeyOptions {
    std::variant<Operator, Monoid> op = Operator::add; ///< operator
    std::optional<V> initial = {};                     ///< value before the first value of each run
    BufferRef<K> output_keys = {};              ///< not valid: a new transient with capacity for one run per element
    BufferRef<V> output_values = {};            ///< not valid: a new transient with capacity for one run per element
    BufferRef<std::uint32_t> output_count = {}; ///< a word; not valid: a new transient
    ScanTuning tuning = {};                     ///< kernel shape
};

/// Result of reduce_by_key: a key and a value for each run of equal keys, in the order of the runs.
template <class K, class V>
struct ReduceByKeyResult {
    /// Key of each run. The count is `count`, limited to the capacity of the smaller output.
    BufferRef<K> keys;
    BufferRef<V> values;            ///< value of each run; count as for `keys`
    BufferRef<std::uint32_t> count; ///< a word: number of all runs, including those that did not fit
};

namespace detail {

/// A reduction by key whose types are known at run time only.
struct ReduceByKeyRequest {
    ElementType element = {}; ///< type of the values
    std::uint32_t key_words = 1;
    const std::variant<Operator, Monoid>* op = nullptr;
    std::optional<std::array<std::uint32_t, 16>> initial = {};
    Count count = {};
    BufferId keys = {}, values = {}, output_keys = {}, output_values = {};
    std::uint32_t key_capacity = 0, value_capacity = 0; ///< capacities of the inputs
    std::uint32_t room = 0;                             ///< runs that fit in both outputs
    BufferRef<std::uint32_t> run_count = {};
    ScanTuning tuning = {};
};

/// Adds the reduction.
WEIR_API void add_reduce_by_key(Graph& graph, const ReduceByKeyRequest& request);

} // namespace detail

/// Adds the reduction of the values of each run of equal consecutive keys, in order, by a built-in operator or a
/// Monoid. Returns the key and the reduced value of each run.
///
/// Keys are equal if their bits are. A key has 1 to 16 words. `values` must have one value per key. V is one of the
/// types of `element_type`. Results have the same bits in every run on one device, floats included. If an output has
/// capacity for fewer runs, the first ones are written, and `count` holds the number of all runs.
///
/// One dispatch: a scan by key that also counts runs and keeps the total of each. Values are read once. Keys are read
/// once, and again where runs begin, mostly from a cache. State memory: 32 bytes per tile and 64 bytes per 32 tiles,
/// for values of up to three words.
///
/// Errors, reported by `compile`: `invalid_argument` for buffers that are too small, overlap or do not fit the
/// operator; `limit_exceeded` for too many elements; `unsupported` for doubles on a device without them.
template <class K, class V>
ReduceByKeyResult<K, V> reduce_by_key(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values,
                                      const std::type_identity_t<ReduceByKeyOptions<K, V>>& options = {}) {
    static_assert(sizeof(K) % 4 == 0 && sizeof(K) <= 64, "a key must have 1 to 16 words");
    detail::ReduceByKeyRequest request;
    request.element = element_type<V>;
    request.key_words = sizeof(K) / 4;
    request.op = &options.op;
    request.initial = detail::words_of(options.initial);
    request.count = keys.count;
    request.keys = keys;
    request.values = values;
    request.key_capacity = keys.capacity;
    request.value_capacity = values.capacity;
    request.tuning = options.tuning;
    ReduceByKeyResult<K, V> runs;
    if (keys.valid() && values.valid()) {
        const std::uint32_t most = keys.count.max;
        runs.keys = detail::given_or_transient(graph, options.output_keys, "keys of runs", most);
        runs.values = detail::given_or_transient(graph, options.output_values, "reduced by key", most);
        runs.count = detail::given_or_transient(graph, options.output_count, "run count", 1);
        request.output_keys = runs.keys;
        request.output_values = runs.values;
        request.run_count = runs.count;
        request.room = most;
        for (const auto capacity : {runs.keys.capacity, runs.values.capacity}) {
            request.room = capacity < request.room ? static_cast<std::uint32_t>(capacity) : request.room;
        }
    }
    detail::add_reduce_by_key(graph, request);
    if (runs.count.valid()) {
        runs.keys.count = runs.values.count = graph->count_in(runs.count, 0, request.room);
    }
    return runs;
}

} // namespace weir

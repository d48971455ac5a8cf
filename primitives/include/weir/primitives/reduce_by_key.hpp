#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include <weir/engine/export.hpp>
#include <weir/primitives/reduce.hpp>
#include <weir/primitives/unique.hpp>

namespace weir {

template <class K, class V>
struct ReduceByKeyOptions {
    std::variant<Operator, Monoid> op = Operator::add;
    std::optional<V> initial;       ///< comes before the first value of every run
    BufferRef<K> keys;              ///< room for a run to every element; not valid: a new transient
    BufferRef<V> values;            ///< likewise
    BufferRef<std::uint32_t> count; ///< a word; not valid: a new transient
    FaultInjection faults;
    BufferRef<std::uint32_t> counters; ///< if valid: four words that become LookBackCounters, of the values
};

/// A value for each run of equal keys, in their order.
template <class K, class V>
struct ReducedByKey {
    BufferRef<K> keys;              ///< what each run consists of; its count is `count`
    BufferRef<V> values;            ///< likewise
    BufferRef<std::uint32_t> count; ///< a word: how many runs there are
};

/// Adds the reduction of the values of each run of equal neighbouring keys, in order, by a built-in operator or one of
/// your own. Keys are equal if their bits are, and have 1 to 16 words. There are as many values as keys. V is one of
/// the types of `element_type`. Results have the same bits in every run on one device, floats included.
///
/// Two dispatches: the runs are found, and the values reduced by what they begin with. Keys are read twice, most often
/// from a cache, and values once. Scratch: 4 bytes for each key. Memory, capacity and errors are those of
/// `unique` and `scan`; outputs that have not the room are the error `invalid_argument`.
template <class K, class V>
ReducedByKey<K, V> reduce_by_key(Graph& graph, BufferRef<K> keys, BufferRef<V> values,
                                 const std::type_identity_t<ReduceByKeyOptions<K, V>>& options = {}) {
    const auto has_room = [&](const auto& buffer) { return buffer.capacity >= keys.count.max; };
    if (!values.valid() || !has_room(values)) {
        graph.fail({ErrorCode::invalid_argument, "reduce by key: there are fewer values than keys"});
        return {};
    }
    if ((options.keys.valid() && !has_room(options.keys)) || (options.values.valid() && !has_room(options.values))) {
        graph.fail(
            {ErrorCode::invalid_argument, "reduce by key: an output has room for fewer runs than there are keys"});
        return {};
    }
    const Selected<K> runs = unique(
        graph, keys, {.output = options.keys, .indices = true, .count = options.count, .faults = options.faults});
    const BufferRef<V> reduced =
        reduce_by_segment(graph, values.with_count(keys.count), Segments::at_offsets(runs.indices),
                          {.op = options.op,
                           .initial = options.initial,
                           .output = options.values,
                           .faults = options.faults,
                           .counters = options.counters});
    return {runs.items, reduced, runs.count};
}

} // namespace weir

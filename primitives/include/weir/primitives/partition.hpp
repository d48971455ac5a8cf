#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>

namespace weir {

/// Options of partition.
template <class T>
struct PartitionOptions {
    std::array<BufferRef<T>, 3> outputs = {}; ///< of each part; not valid: a new transient with room for all elements
    bool items = true;                        ///< whether the elements are wanted
    /// of each part; not valid: a new transient, if wanted
    std::array<BufferRef<std::uint32_t>, 3> output_indices = {};
    bool indices = false;                   ///< whether the indices of the elements are wanted
    BufferRef<std::uint32_t> counts = {};   ///< one word per part; not valid: a new transient
    WordLayout input_layout = {};           ///< of the input
    WordLayout output_layout = {};          ///< of the items
    FaultInjection faults = {};             ///< for tests
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four or five words that become LookBackCounters
    CompactionTuning tuning = {};           ///< shape of the kernel
};

/// Adds a stable partition: the elements that satisfy the first predicate; of the rest, those that satisfy the second
/// predicate, if there is one; and the others. Each part is in the order of the input, in buffers of its own. Returns
/// two or three parts; word p of `counts` is the count of part p. If one part has indices, all have them. Two
/// predicates are both expressions or both comparisons. Otherwise as `select_if`. Further errors `invalid_argument`: no
/// predicate or more than two, and outputs for a part that does not exist.
template <class T>
requires(!is_narrow<T>) std::vector<Selected<T>> partition(
    const GraphCall& graph, BufferRef<T> input, const std::vector<Predicate>& predicates,
    const std::type_identity_t<PartitionOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.name = "partition";
    std::vector<detail::CompactionOutput<T>> outputs;
    for (const Predicate& predicate : predicates) {
        request.predicates.push_back(&predicate);
    }
    for (std::size_t i = 0; i < options.outputs.size(); ++i) {
        if (i <= predicates.size()) {
            outputs.push_back({options.items, options.indices, options.outputs[i], options.output_indices[i]});
        } else if (options.outputs[i].valid() || options.output_indices[i].valid()) {
            graph->fail({ErrorCode::invalid_argument, "partition: an output is given for a part that does not exist"});
        }
    }
    request.input_layout = options.input_layout;
    request.output_layout = options.output_layout;
    request.faults = &options.faults;
    request.counters = options.counters;
    request.tuning = options.tuning;
    return detail::compact<T>(graph, request, input, outputs, options.counts);
}

} // namespace weir

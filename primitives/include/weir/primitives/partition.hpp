#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>

namespace weir {

template <class T>
struct PartitionOptions {
    std::array<BufferRef<T>, 3> outputs = {}; ///< of each part; not valid: a new transient with room for all elements
    bool items = true;                        ///< whether the elements themselves are wanted
    std::array<BufferRef<std::uint32_t>, 3> output_indices = {}; ///< likewise
    bool indices = false;                                        ///< whether it is wanted where they were
    BufferRef<std::uint32_t> counts = {};                        ///< as many words as parts; not valid: a new transient
    WordLayout input_layout = {};
    WordLayout output_layout = {};
    FaultInjection faults = {};
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four words that become LookBackCounters
    CompactionTuning tuning = {};
};

/// Adds a stable partition: the elements that satisfy the first predicate, those of the rest that satisfy the second
/// one, if there is one, and the others, each part in the order of the input and in buffers of its own. Returns two or
/// three parts; part p's count is word p of `counts`. If there are indices of one part, there are of all. Two
/// predicates are both expressions or both comparisons. Otherwise as `select_if`. The error `invalid_argument` is also
/// for no or more than two predicates, and for outputs of a part that there is not.
template <class T>
std::vector<Selected<T>> partition(const GraphCall& graph, BufferRef<T> input, const std::vector<Predicate>& predicates,
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
            graph->fail({ErrorCode::invalid_argument, "partition: an output is given for a part that there is not"});
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

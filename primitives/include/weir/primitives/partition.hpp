#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/detail/compaction_request.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/layout.hpp>
#include <weir/primitives/predicate.hpp>

namespace weir {

/// Options of partition.
template <class T>
struct PartitionOptions {
    /// Items of each part. Not valid: a new transient with capacity for all elements.
    std::array<BufferRef<T>, 3> outputs = {};
    bool want_items = true; ///< write the elements
    /// Indices of each part. Not valid: a new transient, if indices are requested.
    std::array<BufferRef<std::uint32_t>, 3> output_indices = {};
    bool want_indices = false;                   ///< write the indices of the elements
    BufferRef<std::uint32_t> output_counts = {}; ///< one word per part; not valid: a new transient
    WordLayout input_layout = {};                ///< layout of the input
    WordLayout output_layout = {};               ///< layout of the items
    CompactionTuning tuning = {};                ///< kernel shape
};

/// Adds a stable partition of the first `input.count` elements into two or three parts. Part 0 has the elements that
/// satisfy the first predicate. Part 1 has the remaining elements that satisfy the second predicate, if there is one.
/// The last part has all others. Each part is in the order of the input and has its own buffers.
///
/// Returns the parts. Word p of `count` is the count of part p. If one part has indices, all parts have them. Two
/// predicates must both be expressions or both be comparisons.
///
/// Outputs that are too small, memory, capacity and errors are those of `select_if`. Further errors `invalid_argument`:
/// no predicate or more than two, and an output for a part that does not exist.
template <Element T>
std::vector<SelectResult<T>> partition(const GraphCall& graph, BufferRef<T> input,
                                       const std::vector<Predicate>& predicates,
                                       const std::type_identity_t<PartitionOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.name = "partition";
    std::vector<detail::CompactionOutput<T>> outputs;
    for (const Predicate& predicate : predicates) {
        request.predicates.push_back(&predicate);
    }
    for (std::size_t i = 0; i < options.outputs.size(); ++i) {
        if (i <= predicates.size()) {
            outputs.push_back(
                {options.want_items, options.want_indices, options.outputs[i], options.output_indices[i]});
        } else if (options.outputs[i].valid() || options.output_indices[i].valid()) {
            graph->fail({ErrorCode::invalid_argument, "partition: an output is set for a part that does not exist"});
        }
    }
    request.input_layout = options.input_layout;
    request.output_layout = options.output_layout;
    request.tuning = options.tuning;
    return detail::compact<T>(graph, request, input, outputs, options.output_counts);
}

/// Adds a partition by one or two GLSL expressions. Each is the same as `Predicate{.expression = expression}`.
template <class T>
std::vector<SelectResult<T>> partition(const GraphCall& graph, BufferRef<T> input,
                                       std::initializer_list<const char*> expressions,
                                       const std::type_identity_t<PartitionOptions<T>>& options = {}) {
    std::vector<Predicate> predicates;
    for (const char* expression : expressions) {
        predicates.push_back({.expression = expression});
    }
    return partition(graph, input, predicates, options);
}

} // namespace weir

#pragma once

#include <string>

#include <weir/graph/description.hpp>

// What passes that run only under conditions are made of.

namespace weir {

/// Adds a pass that runs only if all that is open holds, as far as the host decides that.
void append(GraphDescription& graph, GraphDescription::PassNode node);

/// The count on the GPU that must not be 0 for what is added now, if there is one.
std::optional<Count> open_gate(const GraphDescription& graph);

/// Where the arguments of an indirect dispatch are.
struct IndirectDispatch {
    BufferId arguments;
    std::uint32_t word = 0; ///< of their buffer, from which on
};

/// Arguments for an indirect dispatch of as many workgroups as `dispatch` has, which may be by elements that the GPU
/// counts; none where a gate is 0. One pass computes those of all dispatches that come from the same buffers, as long
/// as these are not written anew; it is added for the first one.
IndirectDispatch indirect_arguments(GraphDescription& graph, const Dispatch& dispatch,
                                    const std::optional<Count>& gate);

/// What a copy, or without a source a fill, comes down to where a dispatch is needed; see shaders/graph/move.comp.
Pass move_pass(std::string name, std::optional<BufferId> source, BufferId destination, std::uint64_t bytes,
               std::uint32_t value = 0);

} // namespace weir

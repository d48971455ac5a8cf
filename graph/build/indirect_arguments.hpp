#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <weir/graph/description.hpp>

// The arguments of indirect dispatches that passes of the graph's own compute, from counts on the GPU.

namespace weir {

struct IndirectDispatch {
    BufferId arguments;
    std::uint32_t word = 0; ///< of the buffer, where the arguments begin
};

/// Arguments for an indirect dispatch of as many workgroups as `dispatch` has, which may depend on a count on the GPU;
/// 0 workgroups where the gate is 0. One pass computes the arguments of all dispatches that depend on the same buffers,
/// until a pass writes these again; it is added for the first of them.
IndirectDispatch indirect_arguments(GraphDescription& graph, const Dispatch& dispatch,
                                    const std::optional<Count>& gate);

/// A count on the GPU: 1 where neither `count` nor the gate is 0, else 0. Computed under the conditions of the
/// outermost `depth` scopes.
Count as_flag(GraphDescription& graph, Count count, const std::optional<Count>& gate, std::size_t depth);

/// Before a pass that may write counts is added: dispatches that follow need arguments of their own. Scopes that are
/// open keep the value that their count had when they began.
void renew_arguments(GraphDescription& graph, const GraphDescription::PassNode& writer);

} // namespace weir

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <weir/graph/description.hpp>

// Arguments of indirect dispatches that passes added by the graph compute from counts on the GPU.

namespace weir {

struct IndirectDispatch {
    BufferId arguments;
    std::uint32_t word = 0; ///< first word of the arguments in the buffer
};

/// Returns arguments for an indirect dispatch of the same number of workgroups as `dispatch`, which may depend on a
/// count on the GPU; 0 workgroups if the gate is 0. One pass computes the arguments of several dispatches that depend
/// on the same buffers. It is added for the first of them, and shared until a pass writes these buffers again.
IndirectDispatch indirect_arguments(GraphDescription& graph, const Dispatch& dispatch,
                                    const std::optional<Count>& gate);

/// Returns a count on the GPU that is 1 if neither `count` nor the gate is 0, otherwise 0. It is computed under the
/// conditions of the outermost `depth` scopes.
Count as_flag(GraphDescription& graph, Count count, const std::optional<Count>& gate, std::size_t depth);

/// Must be called before a pass that may write counts is added. Removes known arguments that depend on what `writer`
/// writes, so that later dispatches get new ones. Open scopes keep the value that their count had when they began.
void renew_arguments(GraphDescription& graph, const GraphDescription::PassNode& writer);

} // namespace weir

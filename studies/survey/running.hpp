#pragma once

#include <cstdint>
#include <functional>

#include <weir/weir.hpp>

namespace weir::bench {

/// Returns the maximum number of workgroups of a pass that ran at the same time, at least 1. The workgroups count
/// themselves (shaders/running.glsl). `add` adds the pass to a graph, with the buffer of the counts. The result
/// is below the capacity of the device if the pass has too few workgroups, or if they end as fast as others begin.
Result<std::uint32_t> most_running(const Context& context,
                                   const std::function<void(Graph& graph, BufferRef<std::uint32_t> counts)>& add);

} // namespace weir::bench

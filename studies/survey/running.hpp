#pragma once

#include <cstdint>
#include <functional>

#include <weir/weir.hpp>

namespace weir::bench {

/// How many workgroups of a pass run at the same time, as they count it themselves (shaders/running.glsl).
/// `add` adds the pass to a graph, with the buffer that it counts in. At least 1. It is less than the device has room
/// for if the pass has too few workgroups, or if they end as fast as others begin.
Result<std::uint32_t> most_running(const Context& context,
                                   const std::function<void(Graph& graph, BufferRef<std::uint32_t> counts)>& add);

} // namespace weir::bench

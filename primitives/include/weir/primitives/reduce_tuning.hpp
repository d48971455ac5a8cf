#pragma once

#include <cstdint>

namespace weir {

/// Kernel shape for tests and tuning. 0: chosen by device and size. Results of operators that round depend on it.
struct ReduceTuning {
    /// Invocations per workgroup: a power of two from the subgroup size to the device limit.
    std::uint32_t workgroup = 0;
    /// Chunks that an invocation loads at a time; see ScanTuning.
    std::uint32_t chunks = 0;
    /// Maximum number of workgroups that share the input.
    std::uint32_t workgroups = 0;
    /// Required subgroup size, if the device supports requiring one.
    std::uint32_t subgroup_size = 0;
};

} // namespace weir

#pragma once

#include <cstdint>

namespace weir {

/// Kernel shape of compactions, for tests and tuning. 0: chosen by device and size. Results do not depend on it.
struct CompactionTuning {
    /// Invocations per workgroup: a power of two from the subgroup size to the device limit.
    std::uint32_t workgroup = 0;
    std::uint32_t rows = 0;          ///< elements per invocation; at most 32
    std::uint32_t subgroup_size = 0; ///< required subgroup size, if the device supports requiring one
    /// Polls of a late predecessor before a workgroup falls back and counts its elements itself.
    std::uint32_t max_spins = 0;
};

} // namespace weir

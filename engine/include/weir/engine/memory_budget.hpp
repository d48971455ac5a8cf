#pragma once

#include <cstdint>
#include <vector>

namespace weir {

/// A heap of the device's memory. All sizes are in bytes.
struct MemoryHeap {
    bool device_local =
        false;              ///< whether it is the device's own memory; where host and device share theirs, it is that
    std::uint64_t size = 0; ///< of the heap
    /// How much of the heap the process can use at this moment before allocations may fail or become slow. It changes
    /// with what other processes do.
    std::uint64_t budget = 0;
    std::uint64_t usage = 0; ///< what the process uses of the heap: through Weir, through the application, the driver
    /// What the context's device has allocated for buffers and images: blocks of memory, of which parts may be free.
    /// Without what comes from MemoryHooks of the application, which knows it.
    std::uint64_t weir = 0;
};

/// The result of Context::memory_budget.
struct MemoryBudget {
    /// Whether `budget` and `usage` are the driver's (Capabilities::memory_budget). Otherwise they are estimates: four
    /// fifths of the size, and what Weir has allocated itself.
    bool is_measured = false;
    std::vector<MemoryHeap> heaps; ///< by their numbers in Vulkan
};

} // namespace weir

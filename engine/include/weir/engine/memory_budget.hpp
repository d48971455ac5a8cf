#pragma once

#include <cstdint>
#include <vector>

namespace weir {

/// A memory heap of the device. All sizes are in bytes.
struct MemoryHeap {
    bool device_local = false; ///< VK_MEMORY_HEAP_DEVICE_LOCAL_BIT; also set for memory that host and device share
    std::uint64_t size = 0;    ///< size of the heap
    /// Bytes of the heap that the process can use at this moment before allocations may fail or become slow. Changes
    /// with the allocations of other processes.
    std::uint64_t budget = 0;
    std::uint64_t usage = 0; ///< bytes in use by the process: by Weir, the application and the driver
    /// Bytes that Weir has allocated for buffers and images of the context's device. These are blocks of memory, parts
    /// of which may be free. Excludes memory that comes from the application's MemoryHooks.
    std::uint64_t weir = 0;
};

/// The result of Context::memory_budget.
struct MemoryBudget {
    /// True if `budget` and `usage` are the driver's (Capabilities::memory_budget). Otherwise they are estimates:
    /// `budget` is four fifths of `size`, and `usage` equals `weir`.
    bool is_measured = false;
    std::vector<MemoryHeap> heaps; ///< by Vulkan's heap index
};

} // namespace weir

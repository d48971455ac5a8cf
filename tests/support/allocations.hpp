#pragma once

#include <cstddef>

namespace weir::tests {

/// Counts this thread's calls of operator new while the object lives. The program must link allocations.cpp. Objects of
/// a thread that live at the same time share one count.
class AllocationCounter {
public:
    AllocationCounter();
    ~AllocationCounter();
    AllocationCounter(const AllocationCounter&) = delete;
    AllocationCounter& operator=(const AllocationCounter&) = delete;

    [[nodiscard]] std::size_t count() const;
    /// Returns false under a sanitizer that has its own operator new: nothing is counted then.
    static bool works();
};

/// Pauses the counting of this thread while the object lives.
class AllocationPause {
public:
    AllocationPause();
    ~AllocationPause();
    AllocationPause(const AllocationPause&) = delete;
    AllocationPause& operator=(const AllocationPause&) = delete;
};

} // namespace weir::tests

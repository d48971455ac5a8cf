#pragma once

#include <cstddef>

namespace weir::tests {

/// Counts what this thread takes from the heap with operator new while the object lives. The program that links
/// allocations.cpp counts; the counts of objects that live at once are the same.
class AllocationCounter {
public:
    AllocationCounter();
    ~AllocationCounter();
    AllocationCounter(const AllocationCounter&) = delete;
    AllocationCounter& operator=(const AllocationCounter&) = delete;

    [[nodiscard]] std::size_t count() const;
    /// False under a sanitizer that has an operator new of its own: nothing is counted then.
    static bool works();
};

/// Nothing that this thread does is counted while the object lives.
class AllocationPause {
public:
    AllocationPause();
    ~AllocationPause();
    AllocationPause(const AllocationPause&) = delete;
    AllocationPause& operator=(const AllocationPause&) = delete;
};

} // namespace weir::tests

#pragma once

#include <atomic>

#include <weir/engine/context.hpp>

#include "tests/support/host_device.hpp"

namespace weir::tests {

/// What a device of CountedHost was asked for.
struct PipelineCalls {
    std::atomic<int> modules = 0, made = 0, destroyed = 0;
    /// Pipelines, at most 4095, are pointers that no driver has heard of: for tests that make many, and run none.
    bool pretend = false;
    /// How many more vkCreateComputePipelines work; the others are out of memory.
    std::atomic<int> left = 1 << 30;
};

/// A host's device that counts what pipelines Weir makes and destroys on it. One at a time.
class CountedHost {
public:
    CountedHost();
    ~CountedHost();
    CountedHost(const CountedHost&) = delete;
    CountedHost& operator=(const CountedHost&) = delete;

    [[nodiscard]] AdoptedDevice adopted() const;
    PipelineCalls calls;

private:
    HostDevice host_;
};

} // namespace weir::tests

#pragma once

#include <atomic>

#include <weir/engine/context.hpp>

#include "tests/support/host_device.hpp"
#include "tests/support/replaced_functions.hpp"

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

    [[nodiscard]] const AdoptedDevice& adopted() const { return adopted_; }
    PipelineCalls calls;

private:
    HostDevice host_;
    AdoptedDevice adopted_;
    ReplacedFunctions replaced_;
};

} // namespace weir::tests

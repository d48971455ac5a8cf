#pragma once

#include <atomic>

#include <weir/engine/context.hpp>

#include "tests/support/host_device.hpp"
#include "tests/support/replaced_functions.hpp"

namespace weir::tests {

/// Calls of the device of a CountedHost.
struct PipelineCalls {
    std::atomic<int> modules = 0, made = 0, destroyed = 0;
    /// Returns made-up handles, at most 4095, instead of pipelines of the driver. For tests that create many pipelines
    /// and run none.
    bool pretend = false;
    /// Remaining calls of vkCreateComputePipelines that work. Later calls return VK_ERROR_OUT_OF_DEVICE_MEMORY.
    std::atomic<int> left = 1 << 30;
};

/// A host's device that counts the shader modules and pipelines that Weir creates, and the pipelines that it destroys.
/// Only one object may exist at a time.
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

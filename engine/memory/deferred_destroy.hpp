#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <weir/engine/context.hpp>
#include <weir/engine/error.hpp>

#include "engine/base/device_handle.hpp"

namespace weir {

/// Objects that the application has released and the GPU may still use. `collect` and the destructor destroy those
/// whose timeline points are reached. Thread-safe. The objects must not own this one.
class DeferredDestroy {
public:
    explicit DeferredDestroy(std::shared_ptr<DeviceHandle> device) : device_(std::move(device)) {}
    /// Waits for the remaining objects and destroys them (see Device::wait_in_destructor).
    ~DeferredDestroy();
    DeferredDestroy(const DeferredDestroy&) = delete;
    DeferredDestroy& operator=(const DeferredDestroy&) = delete;

    /// Checks that all points can be waited for. Errors: `invalid_argument` for a null semaphore, `unsupported` without
    /// Capabilities::timeline_semaphores.
    [[nodiscard]] Result<> check(const std::vector<TimelinePoint>& until) const;
    /// Keeps `object` alive until all points in `until` are reached. Precondition: check(until) succeeded.
    void add(std::shared_ptr<void> object, std::vector<TimelinePoint> until);
    /// Implements Context::collect.
    [[nodiscard]] Result<std::size_t> collect();

private:
    struct Entry {
        std::shared_ptr<void> object;
        std::vector<TimelinePoint> until;
    };
    std::shared_ptr<DeviceHandle> device_;
    std::mutex mutex_;
    std::vector<Entry> entries_; ///< in the order in which they were added
};

} // namespace weir

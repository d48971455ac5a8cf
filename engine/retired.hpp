#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <weir/engine/context.hpp>
#include <weir/engine/error.hpp>

namespace weir {

/// Objects that nobody uses any more but the GPU, until it does not either. All functions may be called from any
/// thread. The objects must not keep this one alive.
class RetiredObjects {
public:
    explicit RetiredObjects(std::shared_ptr<Device> device) : device_(std::move(device)) {}
    /// Waits for what is left, and destroys it (see Device::wait_in_destructor).
    ~RetiredObjects();
    RetiredObjects(const RetiredObjects&) = delete;
    RetiredObjects& operator=(const RetiredObjects&) = delete;

    /// Whether such points can be waited for. Errors: `invalid_argument` for no semaphore, `unsupported` without
    /// Capabilities::timeline_semaphores.
    [[nodiscard]] Result<> check(const std::vector<TimelinePoint>& until) const;
    /// Keeps an object until all points are reached, which have been checked.
    void add(std::shared_ptr<void> object, std::vector<TimelinePoint> until);
    /// As Context::collect.
    [[nodiscard]] Result<std::size_t> collect();

private:
    struct Entry {
        std::shared_ptr<void> object;
        std::vector<TimelinePoint> until;
    };
    std::shared_ptr<Device> device_;
    std::mutex mutex_;
    std::vector<Entry> entries_; ///< in the order in which they were added
};

} // namespace weir

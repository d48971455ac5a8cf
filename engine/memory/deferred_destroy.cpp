#include "engine/memory/deferred_destroy.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "engine/base/device_handle.hpp"
#include "engine/submit/timeline.hpp"

namespace weir {

DeferredDestroy::~DeferredDestroy() {
    for (Entry& entry : entries_) {
        for (const TimelinePoint& point : entry.until) { // a lost device has no pending work
            device_->wait_in_destructor([&](std::chrono::nanoseconds timeout) {
                return Timeline::wait(*device_, point, "of a retired object", timeout);
            });
        }
        entry.object.reset();
    }
}

Result<> DeferredDestroy::check(const std::vector<TimelinePoint>& until) const {
    for (const TimelinePoint& point : until) {
        if (point.semaphore == VK_NULL_HANDLE) {
            return tl::unexpected(Error{ErrorCode::invalid_argument, "retire: the semaphore of a point is null"});
        }
    }
    if (!until.empty() && !device_->capabilities().timeline_semaphores) {
        return tl::unexpected(
            Error{ErrorCode::unsupported,
                  "retire: timeline points require timelineSemaphore, which is not enabled on the device"});
    }
    return {};
}

void DeferredDestroy::add(std::shared_ptr<void> object, std::vector<TimelinePoint> until) {
    const std::lock_guard lock(mutex_);
    entries_.push_back({std::move(object), std::move(until)});
}

Result<std::size_t> DeferredDestroy::collect() {
    std::vector<Entry> reached; // destroyed without the lock
    const std::lock_guard lock(mutex_);
    std::vector<Entry> left;
    std::optional<Error> failure;
    for (Entry& entry : entries_) {
        bool is_reached = true;
        for (const TimelinePoint& point : entry.until) {
            const auto value = Timeline::value(*device_, point.semaphore, "of a retired object");
            failure = value ? std::move(failure) : value.error();
            is_reached = is_reached && value && *value >= point.value;
        }
        (is_reached ? reached : left).push_back(std::move(entry));
    }
    entries_ = std::move(left);
    if (failure) {
        return tl::unexpected(*failure);
    }
    return entries_.size();
}

} // namespace weir

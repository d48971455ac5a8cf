#pragma once

#include "engine/device/device.hpp"
#include "engine/submit/timeline.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"
#include "tests/support/semaphores.hpp"

namespace weir::tests {

/// A timeline semaphore of the test device that the test signals.
class HostTimeline {
public:
    [[nodiscard]] VkSemaphore handle() const { return timeline_->handle(); }
    [[nodiscard]] std::uint64_t value() const { return ok(timeline_->value()); }
    void wait(std::uint64_t value) const { ok(timeline_->wait(value)); }
    void signal(std::uint64_t value) const {
        const Device& device = *ContextAccess::device(test_context());
        raise(device.vk(), device.handle(), handle(), value);
    }
    /// Returns a wait for `value`, or a signal of it, in all stages.
    [[nodiscard]] VkSemaphoreSubmitInfo at(std::uint64_t value) const { return at_value(handle(), value); }

private:
    std::unique_ptr<Timeline> timeline_ = ok(Timeline::create(ContextAccess::device(test_context()), "the host's"));
};

} // namespace weir::tests

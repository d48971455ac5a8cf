#pragma once

#include "engine/device/device.hpp"
#include "engine/submit/timeline.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"

namespace weir::tests {

/// A timeline semaphore of the test device that the test signals.
class HostTimeline {
public:
    [[nodiscard]] VkSemaphore handle() const { return timeline_->handle(); }
    [[nodiscard]] std::uint64_t value() const { return ok(timeline_->value()); }
    void wait(std::uint64_t value) const { ok(timeline_->wait(value)); }
    void signal(std::uint64_t value) const {
        VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
        info.semaphore = handle();
        info.value = value;
        const Device& device = *ContextAccess::device(test_context());
        EXPECT_EQ(device.vk().vkSignalSemaphore(device.handle(), &info), VK_SUCCESS);
    }
    /// Returns a wait for `value`, or a signal of it, in all stages.
    [[nodiscard]] VkSemaphoreSubmitInfo at(std::uint64_t value) const {
        VkSemaphoreSubmitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
        info.semaphore = handle();
        info.value = value;
        info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        return info;
    }

private:
    std::unique_ptr<Timeline> timeline_ = ok(Timeline::create(ContextAccess::device(test_context()), "the host's"));
};

} // namespace weir::tests

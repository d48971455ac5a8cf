#include "engine/submit/queue.hpp"

#include "engine/submit/synchronization.hpp"

namespace weir {

template <class Call>
VkResult LockedQueue::locked(const Call& call) {
    const std::lock_guard ours(mutex_);
    if (queue_.lock) {
        queue_.lock();
    }
    const VkResult status = call();
    if (queue_.unlock) {
        queue_.unlock();
    }
    return status;
}

VkResult LockedQueue::submit(std::span<const VkSubmitInfo2> submits, VkFence fence) {
    return locked([&] { return weir::submit(vk_, queue_.handle, submits, fence); });
}

VkResult LockedQueue::wait() {
    return locked([&] { return vk_.vkQueueWaitIdle(queue_.handle); });
}

} // namespace weir

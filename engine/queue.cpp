#include "engine/queue.hpp"

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
    return locked([&] {
        return vk_.vkQueueSubmit2(queue_.handle, static_cast<std::uint32_t>(submits.size()), submits.data(), fence);
    });
}

VkResult LockedQueue::wait() {
    return locked([&] { return vk_.vkQueueWaitIdle(queue_.handle); });
}

} // namespace weir

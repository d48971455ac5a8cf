#include "engine/queue.hpp"

namespace weir {

VkResult LockedQueue::submit(std::span<const VkSubmitInfo2> submits, VkFence fence) {
    const std::lock_guard ours(mutex_);
    if (queue_.lock) {
        queue_.lock();
    }
    const VkResult status =
        vk_.vkQueueSubmit2(queue_.handle, static_cast<std::uint32_t>(submits.size()), submits.data(), fence);
    if (queue_.unlock) {
        queue_.unlock();
    }
    return status;
}

} // namespace weir

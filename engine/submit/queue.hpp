#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <utility>

#include <weir/engine/capabilities.hpp>

#include "engine/base/volk.hpp"

namespace weir {

/// A queue, and the lock of an application that uses it too. Both functions are set, or both are empty.
struct Queue {
    VkQueue handle = VK_NULL_HANDLE;
    std::uint32_t family = Capabilities::no_queue;
    std::function<void()> lock;
    std::function<void()> unlock;
};

/// A queue to which one thread submits at a time.
class LockedQueue {
public:
    LockedQueue(const VolkDeviceTable& vk, Queue queue) : vk_(vk), queue_(std::move(queue)) {}
    LockedQueue(const LockedQueue&) = delete;
    LockedQueue& operator=(const LockedQueue&) = delete;

    [[nodiscard]] const Queue& get() const { return queue_; }

    /// Submits once, while Weir's lock and the application's are held. The queue must not be null.
    [[nodiscard]] VkResult submit(std::span<const VkSubmitInfo2> submits, VkFence fence);

    /// Waits until the queue is empty, while both locks are held. The queue must not be null.
    [[nodiscard]] VkResult wait();

private:
    template <class Call>
    VkResult locked(const Call& call);

    const VolkDeviceTable& vk_;
    Queue queue_;
    std::mutex mutex_;
};

/// Sets the sharing mode of the buffer or image of `info`. Queues of all `families` may use it at the same time; with
/// fewer than two families, one family owns it at a time. `families` must be distinct and outlive `info`.
template <class Info>
void share(Info& info, std::span<const std::uint32_t> families) {
    if (families.size() < 2) {
        info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
        return;
    }
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = static_cast<std::uint32_t>(families.size());
    info.pQueueFamilyIndices = families.data();
}

} // namespace weir

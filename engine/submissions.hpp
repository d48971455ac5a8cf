#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include <weir/engine/error.hpp>

#include "engine/volk.hpp"

namespace weir {

/// A queue, and the lock of a host that uses it too (both functions set, or both empty).
struct Queue {
    VkQueue handle = VK_NULL_HANDLE;
    std::uint32_t family = 0;
    std::function<void()> lock;
    std::function<void()> unlock;
};

/// Records, submits and waits, with command buffers and fences that are used again. Any number of threads at a time.
class Submissions {
public:
    Submissions(const VolkDeviceTable& vk, VkDevice device, Queue queue);
    ~Submissions();
    Submissions(const Submissions&) = delete;
    Submissions& operator=(const Submissions&) = delete;

    [[nodiscard]] const Queue& queue() const { return queue_; }

    /// As Context::submit.
    Result<> run(const std::function<Result<>(VkCommandBuffer)>& record);

private:
    struct Slot {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        VkFence fence = VK_NULL_HANDLE;
    };
    Result<Slot> acquire();
    void release(const Slot& slot);
    void destroy(const Slot& slot);
    Result<> run_in(const Slot& slot, const std::function<Result<>(VkCommandBuffer)>& record);
    VkResult submit_locked(const Slot& slot);

    const VolkDeviceTable& vk_;
    VkDevice device_;
    Queue queue_;
    std::mutex queue_mutex_;
    std::mutex slots_mutex_;
    std::vector<Slot> free_;
};

} // namespace weir

#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include <weir/engine/error.hpp>

#include "engine/queue.hpp"

namespace weir {

/// Records, submits and waits, with command buffers and fences that are used again. Any number of threads at a time.
class Submissions {
public:
    /// `queue` must outlive the object.
    Submissions(const VolkDeviceTable& vk, VkDevice device, LockedQueue& queue)
        : vk_(vk), device_(device), queue_(queue) {}
    ~Submissions();
    Submissions(const Submissions&) = delete;
    Submissions& operator=(const Submissions&) = delete;

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
    VkResult submit(const Slot& slot);

    const VolkDeviceTable& vk_;
    VkDevice device_;
    LockedQueue& queue_;
    std::mutex slots_mutex_;
    std::vector<Slot> free_;
};

} // namespace weir

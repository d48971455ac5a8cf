#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include <weir/engine/error.hpp>

#include "engine/submit/queue.hpp"

namespace weir {

class DeviceHandle;

/// Records, submits and waits. Reuses command buffers and fences. Thread-safe.
class Submissions {
public:
    /// `queue` must outlive the object.
    Submissions(DeviceHandle& device, LockedQueue& queue) : device_(device), queue_(queue) {}
    ~Submissions();
    Submissions(const Submissions&) = delete;
    Submissions& operator=(const Submissions&) = delete;

    /// Implements Context::submit. `submitted` becomes true once the queue has accepted the commands, even if a later
    /// step fails.
    Result<> run(const std::function<Result<>(VkCommandBuffer)>& record, bool* submitted = nullptr);

private:
    struct Slot {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        VkFence fence = VK_NULL_HANDLE;
    };
    Result<Slot> acquire();
    void release(const Slot& slot);
    void destroy(const Slot& slot);
    Result<> submit(const Slot& slot, const std::function<Result<>(VkCommandBuffer)>& record);
    Result<> wait(const Slot& slot);

    DeviceHandle& device_;
    LockedQueue& queue_;
    std::mutex slots_mutex_;
    std::vector<Slot> free_;
    std::vector<Slot> lost_; ///< released after the device was abandoned
};

} // namespace weir

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include <vulkan/vulkan_core.h>

#include <weir/engine/context.hpp>
#include <weir/engine/error.hpp>

#include "engine/submit/waiting.hpp"

namespace weir {

class DeviceHandle;

/// A timeline semaphore: a number that submissions and the host raise and wait for. It begins at 0. It is destroyed
/// with the object, which must outlive all submissions that use it. Thread-safe.
class Timeline {
public:
    /// Creates a semaphore. `name` appears in debuggers and error messages. Errors: `unsupported` without
    /// Capabilities::timeline_semaphores, `out_of_memory`.
    static Result<std::unique_ptr<Timeline>> create(std::shared_ptr<DeviceHandle> device, const std::string& name);
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    [[nodiscard]] VkSemaphore handle() const { return semaphore_; }

    /// Waits until the number is at least `value`. Errors: `device_lost`, `out_of_memory`; `vulkan` after `timeout`.
    [[nodiscard]] Result<> wait(std::uint64_t value, std::chrono::nanoseconds timeout = forever) const;

    /// Returns the current number. Errors: `device_lost`, `out_of_memory`.
    [[nodiscard]] Result<std::uint64_t> value() const;

    /// Waits for any timeline semaphore, as above. Error messages call it `name`.
    static Result<> wait(DeviceHandle& device, const TimelinePoint& until, const std::string& name,
                         std::chrono::nanoseconds timeout = forever);
    static Result<std::uint64_t> value(const DeviceHandle& device, VkSemaphore semaphore, const std::string& name);

private:
    Timeline(std::shared_ptr<DeviceHandle> device, const std::string& name) : device_(std::move(device)), name_(name) {}

    std::shared_ptr<DeviceHandle> device_;
    std::string name_;
    VkSemaphore semaphore_ = VK_NULL_HANDLE;
};

} // namespace weir

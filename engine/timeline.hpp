#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include <vulkan/vulkan_core.h>

#include <weir/engine/context.hpp>
#include <weir/engine/error.hpp>

#include "engine/waiting.hpp"

namespace weir {

class Device;

/// A timeline semaphore: a number that submissions and the host raise and wait for. It begins at 0. Destroyed with the
/// object, when nothing that was submitted uses it any more. All functions may be called from any thread.
class Timeline {
public:
    /// `name` shows in debuggers and in errors. Errors: `unsupported` without Capabilities::timeline_semaphores,
    /// `out_of_memory`.
    static Result<std::unique_ptr<Timeline>> create(std::shared_ptr<Device> device, const std::string& name);
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    [[nodiscard]] VkSemaphore handle() const { return semaphore_; }

    /// Returns when the number is at least `value`. Errors: `device_lost`, `out_of_memory`; `vulkan` after `most`.
    [[nodiscard]] Result<> wait(std::uint64_t value, std::chrono::nanoseconds most = forever) const;

    /// The number at this moment. Errors: as of `wait`.
    [[nodiscard]] Result<std::uint64_t> value() const;

    /// The same for any timeline semaphore, which the errors call `name`.
    static Result<> wait(Device& device, const TimelinePoint& until, const std::string& name,
                         std::chrono::nanoseconds most = forever);
    static Result<std::uint64_t> value(const Device& device, VkSemaphore semaphore, const std::string& name);

private:
    Timeline(std::shared_ptr<Device> device, const std::string& name) : device_(std::move(device)), name_(name) {}

    std::shared_ptr<Device> device_;
    std::string name_;
    VkSemaphore semaphore_ = VK_NULL_HANDLE;
};

} // namespace weir

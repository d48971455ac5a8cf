#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>

#include "engine/base/instance_table.hpp"
#include "engine/base/log.hpp"
#include "engine/base/volk.hpp"
#include "engine/base/vulkan_error.hpp"

namespace weir {

/// A VkDevice with its function tables, capabilities and log: all that the subsystems of a device need to create and
/// destroy Vulkan objects. Device derives from it and owns the subsystems. Thread-safe.
class DeviceHandle : public std::enable_shared_from_this<DeviceHandle> {
public:
    struct Setup {
        InstanceTable functions;
        VkInstance instance = VK_NULL_HANDLE;
        VkPhysicalDevice physical_device = VK_NULL_HANDLE;
        VkDevice device = VK_NULL_HANDLE;
        Capabilities capabilities;     ///< Device sets the queue families and flags
        std::uint32_t api_version = 0; ///< highest usable version: the lower one of instance and device
        std::optional<VkAllocationCallbacks> callbacks;
        std::shared_ptr<const Log> log;
    };
    DeviceHandle(const DeviceHandle&) = delete;
    DeviceHandle& operator=(const DeviceHandle&) = delete;

    [[nodiscard]] const Capabilities& capabilities() const { return parts_.capabilities; }
    [[nodiscard]] std::uint32_t api_version() const { return parts_.api_version; }
    [[nodiscard]] VkDevice handle() const { return parts_.device; }
    /// Returns the allocation callbacks of all objects of the device. Null: Vulkan's own allocator.
    [[nodiscard]] const VkAllocationCallbacks* callbacks() const {
        return parts_.callbacks ? &*parts_.callbacks : nullptr;
    }
    [[nodiscard]] VkPhysicalDevice physical_device() const { return parts_.physical_device; }
    [[nodiscard]] VkInstance instance() const { return parts_.instance; }
    [[nodiscard]] const InstanceTable& instance_functions() const { return parts_.functions; }
    /// Returns the device functions. Functions of extensions that are not enabled are null, and so are those that Weir
    /// uses of synchronization2 and maintenance4 if these are not enabled. After `abandon`, functions that destroy or
    /// free do nothing.
    [[nodiscard]] const VolkDeviceTable& vk() const { return *vk_in_use_.load(std::memory_order_acquire); }
    [[nodiscard]] const Log& log() const { return *parts_.log; }

    /// Stops all freeing of memory and destruction of objects. Called when the completion of a submission can no longer
    /// be observed, so the GPU may still use anything it was given.
    void abandon();
    [[nodiscard]] bool is_abandoned() const { return &vk() != &vk_; }

    /// Calls `wait(timeout)` with the maximum time of a wait in a destructor. Skips the call after such a wait has
    /// timed out, and while the process destroys objects with static lifetime. In both cases the device is abandoned,
    /// and destructors end without waiting.
    template <class Wait>
    void wait_in_destructor(const Wait& wait) const {
        if (!has_left_) {
            static_cast<void>(wait(longest_wait_));
        }
    }
    /// Replaces the maximum time of a wait in a destructor, for tests.
    void set_longest_wait(std::chrono::nanoseconds timeout) { longest_wait_ = timeout; }

    /// Converts the status of `wait_or_ask` to a Result. `describe` describes the wait for error messages. Abandons the
    /// device after any error except device loss, because the GPU may still be running.
    template <class Describe>
    Result<> waited(VkResult status, const Describe& describe) {
        if (status == VK_SUCCESS) {
            return {};
        }
        Error error = vulkan_error(status, describe());
        if (status != VK_ERROR_DEVICE_LOST) {
            abandon();
            error.message += "; the GPU may still be running: memory and objects of the device are no longer freed";
        }
        if (status == VK_TIMEOUT) { // in a destructor, which cannot return the error
            has_left_ = true;
            log().tell(LogLevel::warning, error.message);
        }
        return tl::unexpected(std::move(error));
    }

    /// Sets debug names and labels, if VK_EXT_debug_utils is enabled. Names get the prefix "weir: ". Labels allocate
    /// nothing.
    [[nodiscard]] bool has_names() const { return parts_.functions.vkSetDebugUtilsObjectNameEXT != nullptr; }
    void set_name(VkObjectType type, std::uint64_t object, std::string_view name) const;
    void begin_label(VkCommandBuffer commands, const char* name) const;
    void end_label(VkCommandBuffer commands) const;

protected:
    explicit DeviceHandle(Setup setup) : parts_(std::move(setup)) {}
    ~DeviceHandle() = default;

    /// Loads the device functions. Returns the name of a required function that the device lacks, or null.
    [[nodiscard]] const char* load_functions();
    /// Reverts `abandon`. All submissions must be complete.
    void resume() { vk_in_use_ = &vk_; }
    /// Lets destructors end without waiting.
    void stop_waiting() { has_left_ = true; }
    [[nodiscard]] std::chrono::nanoseconds longest_wait() const { return longest_wait_; }
    /// Returns the device functions, also after `abandon`.
    [[nodiscard]] const VolkDeviceTable& all_functions() const { return vk_; }
    [[nodiscard]] Capabilities& capabilities_to_set() { return parts_.capabilities; }

private:
    Setup parts_;
    VolkDeviceTable vk_{};
    std::mutex abandon_mutex_;
    std::unique_ptr<const VolkDeviceTable> vk_abandoned_; ///< set once
    std::atomic<const VolkDeviceTable*> vk_in_use_ = &vk_;
    /// Longer than submissions take: drivers end those that take more than seconds, except on servers and CPUs.
    std::chrono::nanoseconds longest_wait_ = std::chrono::minutes(1);
    std::atomic<bool> has_left_ = false; ///< destructors no longer wait
};

} // namespace weir

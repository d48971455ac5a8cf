#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <volk.h>
#include <weir/weir.hpp>

#include "common/device_features.hpp"
#include "common/propagate.hpp"
#include "common/window.hpp"

namespace samples {

/// Returns an error if a Vulkan call failed. `doing` names the step in the message: "making a swapchain".
weir::Result<> checked(VkResult status, const char* doing);

/// Runs Vulkan's two-call enumeration idiom: `call(&count, nullptr)`, then `call(&count, items)`. `doing` names the
/// step in error messages: "listing devices".
template <class Item, class Call>
weir::Result<std::vector<Item>> listed(const char* doing, const Call& call) {
    std::vector<Item> items;
    std::uint32_t count = 0;
    VkResult status = VK_INCOMPLETE;
    while (status == VK_INCOMPLETE) { // the number grew between the calls
        status = call(&count, static_cast<Item*>(nullptr));
        if (status == VK_SUCCESS) {
            items.resize(count);
            status = call(&count, items.data());
        }
    }
    SAMPLES_PROPAGATE(checked(status, doing));
    items.resize(count);
    return items;
}

/// Waits for all submitted work, after which objects may be destroyed. Retries a failed wait for a second, for instance
/// one that failed for lack of memory. Returns at once if the device is lost.
void wait_until_idle(VkDevice device);

/// A Vulkan device that the sample creates, that can present to a window, and that Weir adopts.
class WindowDevice {
public:
    /// `device`: see DeviceOptions. `choose` enables features in addition to those of Weir and of windows. The window
    /// must outlive the device. Errors: those of `weir::Context::create`, `weir::Context::adopt` and `choose`;
    /// `unsupported` if the device cannot present.
    static weir::Result<std::unique_ptr<WindowDevice>> create(const Window& window, const std::string& device,
                                                              const FeatureChoice& choose = {});
    ~WindowDevice();
    WindowDevice(const WindowDevice&) = delete;
    WindowDevice& operator=(const WindowDevice&) = delete;

    /// Returns Weir's context on the device. Copies must not outlive this object.
    [[nodiscard]] const weir::Context& gpu() const { return *gpu_; }
    [[nodiscard]] VkInstance instance() const { return instance_; }
    [[nodiscard]] VkSurfaceKHR surface() const { return surface_; }
    [[nodiscard]] VkPhysicalDevice physical_device() const { return physical_device_; }
    [[nodiscard]] VkDevice device() const { return device_; }
    [[nodiscard]] VkQueue queue() const { return queue_; }         ///< supports compute, graphics and presenting
    [[nodiscard]] std::uint32_t family() const { return family_; } ///< queue family

private:
    WindowDevice() = default;
    weir::Result<> create_instance();
    weir::Result<> choose_device(const std::string& device);
    weir::Result<> choose_queue(const std::string& name);
    weir::Result<> create_device(const FeatureChoice& choose);

    VkInstance instance_ = VK_NULL_HANDLE;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::uint32_t family_ = 0;
    std::optional<weir::Context> gpu_;
};

} // namespace samples

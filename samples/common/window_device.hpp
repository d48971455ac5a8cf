#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <volk.h>
#include <weir/weir.hpp>

#include "common/device_features.hpp"
#include "common/window.hpp"

namespace samples {

/// An error of a call of Vulkan, or nothing. `doing` says what failed: "making a swapchain".
weir::Result<> checked(VkResult status, const char* doing);

/// All that a function of Vulkan lists as `call(&count, items)`. `doing` as for `checked`: "listing devices".
template <class Item, class Call>
weir::Result<std::vector<Item>> listed(const char* doing, const Call& call) {
    std::vector<Item> items;
    std::uint32_t count = 0;
    VkResult status = VK_INCOMPLETE;
    while (status == VK_INCOMPLETE) { // one more came between the calls
        status = call(&count, static_cast<Item*>(nullptr));
        if (status == VK_SUCCESS) {
            items.resize(count);
            status = call(&count, items.data());
        }
    }
    if (auto done = checked(status, doing); !done) {
        return tl::unexpected(done.error());
    }
    items.resize(count);
    return items;
}

/// Waits for all that was submitted to the device, as what is in use must not be destroyed. A wait that fails, as for
/// want of memory, is tried again for a second; on a device that is lost nothing is in use.
void wait_until_idle(VkDevice device);

/// A Vulkan device of the program's own that can present to a window, adopted by Weir.
class WindowDevice {
public:
    /// `device`: as DeviceOptions has it. `choose`: enables features beside those of Weir and of windows. The window
    /// has to outlive the device. Errors: those of `weir::Context::create`, `weir::Context::adopt` and `choose`;
    /// `unsupported` for a device that cannot present.
    static weir::Result<std::unique_ptr<WindowDevice>> create(const Window& window, const std::string& device,
                                                              const FeatureChoice& choose = {});
    ~WindowDevice();
    WindowDevice(const WindowDevice&) = delete;
    WindowDevice& operator=(const WindowDevice&) = delete;

    /// Weir on the device. Copies of it must not outlive this object.
    [[nodiscard]] const weir::Context& gpu() const { return *gpu_; }
    [[nodiscard]] VkInstance instance() const { return instance_; }
    [[nodiscard]] VkSurfaceKHR surface() const { return surface_; }
    [[nodiscard]] VkPhysicalDevice physical_device() const { return physical_device_; }
    [[nodiscard]] VkDevice device() const { return device_; }
    [[nodiscard]] VkQueue queue() const { return queue_; }         ///< computes, draws and presents
    [[nodiscard]] std::uint32_t family() const { return family_; } ///< of the queue

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

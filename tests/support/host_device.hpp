#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <weir/engine/context.hpp>

#include "engine/base/volk.hpp"
#include "engine/device/instance.hpp"

namespace weir::tests {

/// A host application's chain of feature structures, and its extensions.
struct HostFeatures {
    VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13};
    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12};
    std::vector<const char*> extensions; ///< in addition to those that Weir recommends

    HostFeatures() = default;
    HostFeatures(const HostFeatures&) = delete;
    HostFeatures& operator=(const HostFeatures&) = delete;
};

/// A Vulkan device as a host application creates it, on the physical device of the shared context, with validation.
class HostDevice {
public:
    /// Enables the features that Weir recommends. `change` may then remove features or add others.
    explicit HostDevice(const std::function<void(HostFeatures&)>& change = {},
                        std::uint32_t api_version = VK_API_VERSION_1_3);
    ~HostDevice();
    HostDevice(const HostDevice&) = delete;
    HostDevice& operator=(const HostDevice&) = delete;

    /// Returns the argument for Context::adopt.
    [[nodiscard]] AdoptedDevice adopted() const;

    [[nodiscard]] VkInstance instance() const { return instance_->handle(); }
    [[nodiscard]] VkPhysicalDevice physical_device() const { return physical_device_; }
    [[nodiscard]] VkDevice device() const { return device_; }
    [[nodiscard]] VkQueue queue() const { return queue_; }
    [[nodiscard]] std::uint32_t queue_family() const { return family_; }
    [[nodiscard]] const VolkDeviceTable& vk() const { return vk_; }
    [[nodiscard]] const InstanceTable& instance_functions() const { return instance_->vk(); }

private:
    std::unique_ptr<Instance> instance_;
    HostFeatures features_;
    std::vector<const char*> extensions_;
    VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::uint32_t family_ = 0;
    VolkDeviceTable vk_{};
};

} // namespace weir::tests

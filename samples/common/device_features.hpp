#pragma once

#include <functional>

#include <vulkan/vulkan_core.h>
#include <weir/engine/error.hpp>

namespace samples {

/// Device features, as reported by vkGetPhysicalDeviceFeatures2 and enabled by vkCreateDevice.
struct DeviceFeatures {
    DeviceFeatures() {
        head.pNext = &vulkan12;
        vulkan12.pNext = &vulkan13;
    }
    DeviceFeatures(const DeviceFeatures&) = delete;
    DeviceFeatures& operator=(const DeviceFeatures&) = delete;

    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2}; ///< head of the chain
    VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
};

/// Enables the features that a program needs. `can` holds the features of the device. Errors: `unsupported`.
using FeatureChoice = std::function<weir::Result<>(const DeviceFeatures& can, DeviceFeatures& enabled)>;

} // namespace samples

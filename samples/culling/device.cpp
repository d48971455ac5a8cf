#include "culling/device.hpp"

#include <utility>

#include "common/propagate.hpp"

namespace samples::culling {

namespace {

template <class Function>
Function function_of(const weir::Context& gpu, const char* name) {
    return reinterpret_cast<Function>(gpu.get_instance_proc_addr()(gpu.instance(), name));
}

weir::Error cannot_draw() {
    return {weir::ErrorCode::unsupported,
            "the device does not support indirect draws of instances (--device selects another device)"};
}

} // namespace

weir::Result<DrawFeatures> enable_draws(const DeviceFeatures& can, DeviceFeatures& enabled) {
    if (can.head.features.drawIndirectFirstInstance != VK_TRUE) {
        return tl::unexpected(cannot_draw());
    }
    enabled.head.features.drawIndirectFirstInstance = VK_TRUE;
    enabled.head.features.multiDrawIndirect = can.head.features.multiDrawIndirect;
    enabled.vulkan12.drawIndirectCount = can.vulkan12.drawIndirectCount;
    enabled.vulkan13.dynamicRendering = VK_TRUE; // required by Vulkan 1.3
    return DrawFeatures{.indirect_count = can.vulkan12.drawIndirectCount == VK_TRUE,
                        .multi_draw = can.head.features.multiDrawIndirect == VK_TRUE};
}

weir::Result<std::unique_ptr<DrawDevice>> DrawDevice::create(const std::string& device) {
    auto chosen = weir::Context::create({.device = device});
    SAMPLES_PROPAGATE(chosen);
    std::unique_ptr<DrawDevice> made(new DrawDevice(std::move(*chosen)));
    SAMPLES_PROPAGATE(made->create_device());
    return made;
}

DrawDevice::~DrawDevice() {
    gpu_.reset();
    if (device_ != VK_NULL_HANDLE) {
        function_of<PFN_vkDestroyDevice>(chosen_, "vkDestroyDevice")(device_, nullptr);
    }
}

weir::Result<> DrawDevice::create_device() {
    const VkPhysicalDevice physical = chosen_.physical_device();
    const std::uint32_t family = chosen_.queue_family();
    const weir::DeviceRequirements needs =
        weir::device_requirements(chosen_.get_instance_proc_addr(), chosen_.instance(), physical);
    DeviceFeatures can, features;
    function_of<PFN_vkGetPhysicalDeviceFeatures2>(chosen_, "vkGetPhysicalDeviceFeatures2")(physical, &can.head);
    const auto draws = enable_draws(can, features);
    const auto families =
        function_of<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(chosen_, "vkGetPhysicalDeviceQueueFamilyProperties");
    std::uint32_t count = 0;
    families(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> properties(count);
    families(physical, &count, properties.data());
    if (!draws || (properties[family].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0) {
        return tl::unexpected(draws ? cannot_draw() : draws.error());
    }
    features_ = *draws;
    SAMPLES_PROPAGATE(weir::enable_features(needs, features.head));
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &features.head;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(needs.recommended_extensions.size());
    info.ppEnabledExtensionNames = needs.recommended_extensions.data();
    SAMPLES_PROPAGATE(
        checked(function_of<PFN_vkCreateDevice>(chosen_, "vkCreateDevice")(physical, &info, nullptr, &device_),
                "making a device"));
    weir::AdoptedDevice adopted;
    adopted.get_instance_proc_addr = chosen_.get_instance_proc_addr();
    adopted.instance = chosen_.instance();
    adopted.physical_device = physical;
    adopted.device = device_;
    function_of<PFN_vkGetDeviceQueue>(chosen_, "vkGetDeviceQueue")(device_, family, 0, &adopted.queue);
    adopted.queue_family = family;
    adopted.enabled_features = &features.head;
    adopted.enabled_extensions = needs.recommended_extensions;
    auto gpu = weir::Context::adopt(adopted);
    SAMPLES_PROPAGATE(gpu);
    gpu_ = std::move(*gpu);
    return {};
}

} // namespace samples::culling

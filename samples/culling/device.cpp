#include "culling/device.hpp"

#include <utility>

namespace samples::culling {

namespace {

template <class Function>
Function function_of(const weir::Context& gpu, const char* name) {
    return reinterpret_cast<Function>(gpu.get_instance_proc_addr()(gpu.instance(), name));
}

} // namespace

weir::Result<std::unique_ptr<DrawDevice>> DrawDevice::create(const std::string& device) {
    auto chosen = weir::Context::create({.device = device});
    if (!chosen) {
        return tl::unexpected(chosen.error());
    }
    std::unique_ptr<DrawDevice> made(new DrawDevice(std::move(*chosen)));
    if (auto done = made->create_device(); !done) {
        return tl::unexpected(done.error());
    }
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
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan12Features features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features features13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    features.pNext = &features12;
    features12.pNext = &features13;
    function_of<PFN_vkGetPhysicalDeviceFeatures2>(chosen_, "vkGetPhysicalDeviceFeatures2")(physical, &features);
    features_ = {.indirect_count = features12.drawIndirectCount == VK_TRUE,
                 .multi_draw = features.features.multiDrawIndirect == VK_TRUE};
    const auto families =
        function_of<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(chosen_, "vkGetPhysicalDeviceQueueFamilyProperties");
    std::uint32_t count = 0;
    families(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> properties(count);
    families(physical, &count, properties.data());
    if (features.features.drawIndirectFirstInstance != VK_TRUE ||
        (properties[family].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0) {
        return tl::unexpected(
            weir::Error{weir::ErrorCode::unsupported,
                        chosen_.capabilities().device_name +
                            " cannot draw instances from a buffer (--device selects another device)"});
    }
    features12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &features13};
    features13 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    features.features = {};
    features.features.drawIndirectFirstInstance = VK_TRUE;
    features.features.multiDrawIndirect = features_.multi_draw ? VK_TRUE : VK_FALSE;
    features12.drawIndirectCount = features_.indirect_count ? VK_TRUE : VK_FALSE;
    features13.dynamicRendering = VK_TRUE; // every device of Vulkan 1.3 has it
    if (auto done = weir::enable_features(needs, features); !done) {
        return done;
    }
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &features;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(needs.recommended_extensions.size());
    info.ppEnabledExtensionNames = needs.recommended_extensions.data();
    if (auto done =
            checked(function_of<PFN_vkCreateDevice>(chosen_, "vkCreateDevice")(physical, &info, nullptr, &device_),
                    "making a device");
        !done) {
        return done;
    }
    weir::AdoptedDevice adopted;
    adopted.get_instance_proc_addr = chosen_.get_instance_proc_addr();
    adopted.instance = chosen_.instance();
    adopted.physical_device = physical;
    adopted.device = device_;
    function_of<PFN_vkGetDeviceQueue>(chosen_, "vkGetDeviceQueue")(device_, family, 0, &adopted.queue);
    adopted.queue_family = family;
    adopted.enabled_features = &features;
    adopted.enabled_extensions = needs.recommended_extensions;
    auto gpu = weir::Context::adopt(adopted);
    if (!gpu) {
        return tl::unexpected(gpu.error());
    }
    gpu_ = std::move(*gpu);
    return {};
}

} // namespace samples::culling

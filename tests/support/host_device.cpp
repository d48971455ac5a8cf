#include "tests/support/host_device.hpp"

#include <stdexcept>

#include "tests/support/device.hpp"
#include "tests/support/result.hpp"

namespace weir::tests {

namespace {

/// Finds the physical device of the shared context in another instance.
VkPhysicalDevice find_physical_device(const Instance& instance) {
    const Capabilities& wanted = test_context().capabilities();
    for (const VkPhysicalDevice device : ok(instance.physical_devices())) {
        VkPhysicalDeviceProperties properties{};
        instance.vk().vkGetPhysicalDeviceProperties(device, &properties);
        if (properties.deviceName == wanted.device_name && properties.deviceID == wanted.device_id) {
            return device;
        }
    }
    throw std::runtime_error("the host's instance does not list the physical device of the shared context");
}

} // namespace

HostDevice::HostDevice(const std::function<void(HostFeatures&)>& change, std::uint32_t api_version)
    : instance_(ok(Instance::create(
          {.validation = loads_layers(), .on_validation = on_validation, .log = nullptr, .api_version = api_version}))),
      physical_device_(find_physical_device(*instance_)), family_(test_context().queue_family()) {
    const DeviceRequirements needs =
        device_requirements(instance_->vk().vkGetInstanceProcAddr, instance_->handle(), physical_device_, api_version);
    ok(enable_features(needs, features_.head));
    extensions_ = needs.recommended_extensions;
    if (change) {
        change(features_);
    }
    extensions_.insert(extensions_.end(), features_.extensions.begin(), features_.extensions.end());
    const float priority = 1.0F;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &features_.head;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions_.size());
    info.ppEnabledExtensionNames = extensions_.data();
    if (instance_->vk().vkCreateDevice(physical_device_, &info, nullptr, &device_) != VK_SUCCESS) {
        throw std::runtime_error("vkCreateDevice of the host failed");
    }
    weir_volk_load_device_table(&vk_, device_, instance_->vk().vkGetDeviceProcAddr);
    vk_.vkGetDeviceQueue(device_, family_, 0, &queue_);
}

HostDevice::~HostDevice() {
    if (device_ != VK_NULL_HANDLE) {
        vk_.vkDeviceWaitIdle(device_);
        vk_.vkDestroyDevice(device_, nullptr);
    }
}

AdoptedDevice HostDevice::adopted() const {
    AdoptedDevice out;
    out.get_instance_proc_addr = instance_->vk().vkGetInstanceProcAddr;
    out.instance = instance_->handle();
    out.api_version = instance_->api_version();
    out.physical_device = physical_device_;
    out.device = device_;
    out.queue = queue_;
    out.queue_family = family_;
    out.enabled_features = &features_.head;
    out.enabled_extensions = extensions_;
    return out;
}

} // namespace weir::tests

#include "common/window_device.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "common/propagate.hpp"

namespace samples {

weir::Result<> checked(VkResult status, const char* doing) {
    if (status == VK_SUCCESS) {
        return {};
    }
    const bool is_lost = status == VK_ERROR_DEVICE_LOST;
    return tl::unexpected(weir::Error{is_lost ? weir::ErrorCode::device_lost : weir::ErrorCode::vulkan,
                                      std::string(doing) + " failed with VkResult " + std::to_string(status), status});
}

void wait_until_idle(VkDevice device) {
    for (int tries = 0; tries < 100; ++tries) {
        const VkResult status = vkDeviceWaitIdle(device);
        if (status == VK_SUCCESS || status == VK_ERROR_DEVICE_LOST) {
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

weir::Result<std::unique_ptr<WindowDevice>> WindowDevice::create(const Window& window, const std::string& device,
                                                                 const FeatureChoice& choose) {
    std::unique_ptr<WindowDevice> made(new WindowDevice());
    auto done = made->create_instance()
                    .and_then([&] { return window.create_surface(made->instance_); })
                    .map([&](VkSurfaceKHR surface) { made->surface_ = surface; })
                    .and_then([&] { return made->choose_device(device); })
                    .and_then([&] { return made->create_device(choose); });
    SAMPLES_PROPAGATE(done);
    return made;
}

WindowDevice::~WindowDevice() {
    gpu_.reset();
    if (device_ != VK_NULL_HANDLE) {
        vkDestroyDevice(device_, nullptr);
    }
    if (instance_ != VK_NULL_HANDLE) {
        if (surface_ != VK_NULL_HANDLE) {
            vkDestroySurfaceKHR(instance_, surface_, nullptr);
        }
        vkDestroyInstance(instance_, nullptr);
    }
}

weir::Result<> WindowDevice::create_instance() {
    if (volkInitialize() != VK_SUCCESS) {
        return tl::unexpected(weir::Error{weir::ErrorCode::no_device, "the Vulkan loader was not found"});
    }
    const auto extensions = surface_extensions();
    SAMPLES_PROPAGATE(extensions);
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions->size());
    info.ppEnabledExtensionNames = extensions->data();
    SAMPLES_PROPAGATE(checked(vkCreateInstance(&info, nullptr, &instance_), "making a Vulkan instance"));
    volkLoadInstance(instance_);
    return {};
}

/// Finds the device that a sample without a window would use in this instance.
weir::Result<> WindowDevice::choose_device(const std::string& device) {
    const auto id_of = [](PFN_vkGetPhysicalDeviceProperties2 get_properties, VkPhysicalDevice physical) {
        VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
        VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
        properties.pNext = &id;
        get_properties(physical, &properties);
        return std::vector(std::begin(id.deviceUUID), std::end(id.deviceUUID));
    };
    const auto chosen = weir::Context::create({.device = device});
    SAMPLES_PROPAGATE(chosen);
    const auto get_properties = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(
        chosen->get_instance_proc_addr()(chosen->instance(), "vkGetPhysicalDeviceProperties2"));
    const auto wanted = id_of(get_properties, chosen->physical_device());
    const auto devices = listed<VkPhysicalDevice>(
        "listing devices", [&](auto* count, auto* out) { return vkEnumeratePhysicalDevices(instance_, count, out); });
    SAMPLES_PROPAGATE(devices);
    const auto found = std::find_if(devices->begin(), devices->end(), [&](VkPhysicalDevice candidate) {
        return id_of(vkGetPhysicalDeviceProperties2, candidate) == wanted;
    });
    const std::string& name = chosen->capabilities().device_name;
    if (found == devices->end()) {
        return tl::unexpected(
            weir::Error{weir::ErrorCode::no_device, name + " was not found in the instance of the window"});
    }
    physical_device_ = *found;
    return choose_queue(name);
}

weir::Result<> WindowDevice::choose_queue(const std::string& name) {
    const auto extensions =
        listed<VkExtensionProperties>("listing the extensions of the device", [&](auto* count, auto* out) {
            return vkEnumerateDeviceExtensionProperties(physical_device_, nullptr, count, out);
        });
    SAMPLES_PROPAGATE(extensions);
    const bool has_swapchains = std::any_of(extensions->begin(), extensions->end(), [](const auto& extension) {
        return std::strcmp(extension.extensionName, VK_KHR_SWAPCHAIN_EXTENSION_NAME) == 0;
    });
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, families.data());
    constexpr VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (family_ = 0; has_swapchains && family_ < count; ++family_) {
        if ((families[family_].queueFlags & needed) != needed) {
            continue;
        }
        VkBool32 presents = VK_FALSE;
        auto done = checked(vkGetPhysicalDeviceSurfaceSupportKHR(physical_device_, family_, surface_, &presents),
                            "querying whether a queue can present");
        if (!done || presents == VK_TRUE) {
            return done;
        }
    }
    return tl::unexpected(weir::Error{weir::ErrorCode::unsupported,
                                      name + " cannot present to this display (--device selects another device)"});
}

weir::Result<> WindowDevice::create_device(const FeatureChoice& choose) {
    const weir::DeviceRequirements requirements =
        weir::device_requirements(vkGetInstanceProcAddr, instance_, physical_device_);
    DeviceFeatures can, features;
    vkGetPhysicalDeviceFeatures2(physical_device_, &can.head);
    features.vulkan13.dynamicRendering = VK_TRUE; // required by Vulkan 1.3
    auto chosen = choose ? choose(can, features) : weir::Result<>();
    chosen = chosen.and_then([&] { return weir::enable_features(requirements, features.head); });
    SAMPLES_PROPAGATE(chosen);
    std::vector<const char*> extensions = requirements.recommended_extensions;
    extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &features.head;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    SAMPLES_PROPAGATE(checked(vkCreateDevice(physical_device_, &info, nullptr, &device_), "making a device"));
    volkLoadDevice(device_);
    vkGetDeviceQueue(device_, family_, 0, &queue_);
    weir::AdoptedDevice adopted;
    adopted.get_instance_proc_addr = vkGetInstanceProcAddr;
    adopted.instance = instance_;
    adopted.physical_device = physical_device_;
    adopted.device = device_;
    adopted.queue = queue_;
    adopted.queue_family = family_;
    adopted.enabled_features = &features.head;
    adopted.enabled_extensions = extensions;
    auto gpu = weir::Context::adopt(adopted);
    SAMPLES_PROPAGATE(gpu);
    gpu_ = std::move(*gpu);
    return {};
}

} // namespace samples

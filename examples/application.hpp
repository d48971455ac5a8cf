#pragma once

// An application that creates its own Vulkan instance and device, through its own volk, with the validation layer.

#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

/// Ends the program unless `worked`.
inline void require(bool worked, const std::string& what) {
    if (!worked) {
        std::printf("failed: %s\n", what.c_str());
        std::exit(1);
    }
}
inline void require(VkResult status, const char* what) {
    require(status == VK_SUCCESS, what);
}
template <class T>
T require(weir::Result<T> result) {
    require(result.has_value(), result ? "" : result.error().message);
    if constexpr (!std::is_void_v<T>) {
        return std::move(*result);
    }
}

/// Number of messages of the validation layer. The examples fail if it is not 0.
inline int validation_messages = 0;
inline void on_validation(const char* message) {
    ++validation_messages;
    std::printf("validation: %s\n", message);
}

class Application {
public:
    /// Its queue has all of `flags`. With VK_QUEUE_GRAPHICS_BIT, dynamic rendering is enabled.
    explicit Application(VkQueueFlags flags = VK_QUEUE_COMPUTE_BIT) : flags_(flags | VK_QUEUE_COMPUTE_BIT) {
        require(volkInitialize(), "finding the Vulkan loader");
        make_instance();
        choose_device();
        make_device();
    }
    ~Application() {
        vkDestroyDevice(device, nullptr);
        vkDestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
        vkDestroyInstance(instance, nullptr);
    }
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    [[nodiscard]] weir::AdoptedDevice adopted() const {
        // [adopted]
        weir::AdoptedDevice adopted;
        adopted.get_instance_proc_addr = vkGetInstanceProcAddr;
        adopted.instance = instance;
        adopted.api_version = VK_API_VERSION_1_3; // VkApplicationInfo::apiVersion of the instance
        adopted.physical_device = physical_device;
        adopted.device = device;
        adopted.queue = queue; // supports compute; for Weir's own uploads, downloads and run()
        adopted.queue_family = queue_family;
        adopted.enabled_features = &features_;
        adopted.enabled_extensions = extensions_;
        // [/adopted]
        return adopted;
    }

    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t queue_family = 0;

private:
    static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                     VkDebugUtilsMessageTypeFlagsEXT,
                                                     const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
        on_validation(data->pMessage);
        return VK_FALSE;
    }

    void make_instance() {
        const VkValidationFeatureEnableEXT checks[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
        VkValidationFeaturesEXT validation{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
        validation.enabledValidationFeatureCount = 1;
        validation.pEnabledValidationFeatures = checks;
        VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
        messenger.pNext = &validation;
        messenger.messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
        messenger.messageType =
            VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
        messenger.pfnUserCallback = on_message;
        VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
        application.apiVersion = VK_API_VERSION_1_3;
        const char* const layers[] = {"VK_LAYER_KHRONOS_validation"};
        const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
        VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
        info.pNext = &messenger;
        info.pApplicationInfo = &application;
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = layers;
        info.enabledExtensionCount = 1;
        info.ppEnabledExtensionNames = extensions;
        require(vkCreateInstance(&info, nullptr, &instance), "creating an instance with validation");
        volkLoadInstance(instance);
        messenger.pNext = nullptr;
        require(vkCreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &messenger_), "creating the messenger");
    }

    void choose_device() {
        std::uint32_t count = 0;
        vkEnumeratePhysicalDevices(instance, &count, nullptr);
        std::vector<VkPhysicalDevice> devices(count);
        vkEnumeratePhysicalDevices(instance, &count, devices.data());
        std::string why = "no Vulkan device found";
        for (const VkPhysicalDevice candidate : devices) {
            // [requirements]
            requirements_ = weir::device_requirements(vkGetInstanceProcAddr, instance, candidate);
            // [/requirements]
            if (requirements_.unusable.empty()) {
                physical_device = candidate;
                break;
            }
            why = requirements_.unusable;
        }
        require(physical_device != VK_NULL_HANDLE, why);
        vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, nullptr);
        std::vector<VkQueueFamilyProperties> families(count);
        vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families.data());
        while (queue_family < count && (families[queue_family].queueFlags & flags_) != flags_) {
            ++queue_family;
        }
        require(queue_family < count, "finding a queue");
    }

    void make_device() {
        // [enable]
        features_.pNext = &vulkan12_; // VkPhysicalDeviceVulkan12Features
        vulkan12_.pNext = &vulkan13_; // VkPhysicalDeviceVulkan13Features
        require(weir::enable_features(requirements_, features_));
        extensions_ = requirements_.recommended_extensions; // append the application's own
        // [/enable]
        vulkan13_.dynamicRendering = (flags_ & VK_QUEUE_GRAPHICS_BIT) != 0 ? VK_TRUE : VK_FALSE;
        const float priority = 1;
        VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
        queue_info.queueFamilyIndex = queue_family;
        queue_info.queueCount = 1;
        queue_info.pQueuePriorities = &priority;
        VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
        info.pNext = &features_;
        info.queueCreateInfoCount = 1;
        info.pQueueCreateInfos = &queue_info;
        info.enabledExtensionCount = static_cast<std::uint32_t>(extensions_.size());
        info.ppEnabledExtensionNames = extensions_.data();
        require(vkCreateDevice(physical_device, &info, nullptr, &device), "creating a device");
        volkLoadDevice(device);
        vkGetDeviceQueue(device, queue_family, 0, &queue);
    }

    VkQueueFlags flags_;
    weir::DeviceRequirements requirements_;
    VkPhysicalDeviceFeatures2 features_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan12Features vulkan12_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features vulkan13_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    std::vector<const char*> extensions_;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

/// Records into a command buffer of the application with `record`, submits it to the application's queue, and waits.
template <class Record>
void submit(const Application& application, Record record) {
    VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool_info.queueFamilyIndex = application.queue_family;
    VkCommandPool pool = VK_NULL_HANDLE;
    require(vkCreateCommandPool(application.device, &pool_info, nullptr, &pool), "creating a command pool");
    VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = pool;
    allocate.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    require(vkAllocateCommandBuffers(application.device, &allocate, &commands), "allocating a command buffer");
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    require(vkBeginCommandBuffer(commands, &begin), "beginning a command buffer");
    record(commands);
    require(vkEndCommandBuffer(commands), "ending a command buffer");
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    require(vkQueueSubmit(application.queue, 1, &info, VK_NULL_HANDLE), "submitting");
    require(vkQueueWaitIdle(application.queue), "waiting");
    vkDestroyCommandPool(application.device, pool, nullptr);
}

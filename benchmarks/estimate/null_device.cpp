#include "estimate/null_device.hpp"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <vector>

#include <dlfcn.h>

#include "common/propagate.hpp"
#include "engine/base/strings.hpp"

#if !defined(__linux__)
#error "NullDevice requires Mesa's RADV, which can create devices of absent GPUs on Linux only"
#endif

namespace weir::bench {

struct NullDevice::Parts {
    PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13};
    VkPhysicalDeviceVulkan11Features vulkan11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &vulkan12};
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, &vulkan11};
    VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR uniform_control_flow{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR, &statistics};
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &uniform_control_flow};
    std::vector<const char*> extensions;
    std::function<void(const char* message)> on_error;
    PFN_vkCreateBuffer create_buffer = nullptr;
    PFN_vkDestroyBuffer destroy_buffer = nullptr;

    Parts() = default;
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
};

namespace {

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

tl::unexpected<Error> no_device(const std::string& why) {
    return tl::unexpected(Error{ErrorCode::no_device, why});
}

} // namespace

Result<NullDevice> NullDevice::create(const std::string& generation,
                                      std::function<void(const char* message)> on_error) {
    void* loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (loader == nullptr) {
        return no_device("the Vulkan loader libvulkan.so.1 cannot be opened");
    }
    auto parts = std::make_shared<Parts>();
    parts->on_error = std::move(on_error);
    parts->get_instance_proc_addr = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(loader, "vkGetInstanceProcAddr"));
    const auto load = [&]<class Function>(Function& function, const char* name) {
        function = reinterpret_cast<Function>(parts->get_instance_proc_addr(parts->instance, name));
    };
    setenv("RADV_FORCE_FAMILY", generation.c_str(), 1);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1); // a cached shader is not compiled, so its messages would be missing
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    instance_info.pApplicationInfo = &application;
    const char* const report = VK_EXT_DEBUG_REPORT_EXTENSION_NAME;
    instance_info.enabledExtensionCount = 1;
    instance_info.ppEnabledExtensionNames = &report;
    PFN_vkCreateInstance create_instance = nullptr;
    load(create_instance, "vkCreateInstance");
    if (create_instance(&instance_info, nullptr, &parts->instance) != VK_SUCCESS) {
        return no_device("vkCreateInstance failed for Vulkan 1.3 with VK_EXT_debug_report");
    }
    VkDebugReportCallbackCreateInfoEXT callback{VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT};
    callback.flags = VK_DEBUG_REPORT_ERROR_BIT_EXT;
    callback.pfnCallback = [](VkDebugReportFlagsEXT, VkDebugReportObjectTypeEXT, std::uint64_t, std::size_t,
                              std::int32_t, const char*, const char* message, void* self) -> VkBool32 {
        static_cast<const Parts*>(self)->on_error(message);
        return VK_FALSE;
    };
    callback.pUserData = parts.get();
    PFN_vkCreateDebugReportCallbackEXT create_callback = nullptr;
    load(create_callback, "vkCreateDebugReportCallbackEXT");
    VkDebugReportCallbackEXT messenger = VK_NULL_HANDLE; // never destroyed, like the instance
    create_callback(parts->instance, &callback, nullptr, &messenger);

    PFN_vkEnumeratePhysicalDevices enumerate = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 get_properties = nullptr;
    PFN_vkCreateDevice create_device = nullptr;
    load(enumerate, "vkEnumeratePhysicalDevices");
    load(get_properties, "vkGetPhysicalDeviceProperties2");
    load(create_device, "vkCreateDevice");

    // RADV prints a message and aborts if it does not know the generation. The handler exits with status 1 instead.
    const auto old_handler = std::signal(SIGABRT, [](int) { std::_Exit(1); });
    std::uint32_t count = 0;
    enumerate(parts->instance, &count, nullptr);
    std::vector<VkPhysicalDevice> devices(count);
    enumerate(parts->instance, &count, devices.data());
    std::signal(SIGABRT, old_handler);
    std::string name; // such as "Null hardware (RADV NAVI21)"
    for (const VkPhysicalDevice device : devices) {
        VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
        VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &driver};
        get_properties(device, &properties);
        if (driver.driverID == VK_DRIVER_ID_MESA_RADV) {
            parts->physical_device = device;
            name = properties.properties.deviceName;
        }
    }
    const char* remedy =
        "; RADV of Mesa 26 makes devices of absent GPUs with amdgpu_noop_drm_shim only (docs/platforms.md)";
    if (parts->physical_device == VK_NULL_HANDLE) {
        return no_device(concat("none of the Vulkan devices uses Mesa's RADV", remedy));
    }
    if (lower_case(name).find("radv " + lower_case(generation)) == std::string::npos) {
        return no_device(concat("the device of RADV is ", name, ", not of the generation ", generation, remedy));
    }
    const DeviceRequirements needs =
        device_requirements(parts->get_instance_proc_addr, parts->instance, parts->physical_device);
    SAMPLES_PROPAGATE(enable_features(needs, parts->features));
    parts->extensions = needs.recommended_extensions;
    const float priority = 1.0F;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &parts->features;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(parts->extensions.size());
    info.ppEnabledExtensionNames = parts->extensions.data();
    if (create_device(parts->physical_device, &info, nullptr, &parts->device) != VK_SUCCESS) {
        return no_device("RADV cannot create a device of the generation " + generation);
    }
    PFN_vkGetDeviceProcAddr get_device_proc_addr = nullptr;
    load(get_device_proc_addr, "vkGetDeviceProcAddr");
    parts->create_buffer = reinterpret_cast<PFN_vkCreateBuffer>(get_device_proc_addr(parts->device, "vkCreateBuffer"));
    parts->destroy_buffer =
        reinterpret_cast<PFN_vkDestroyBuffer>(get_device_proc_addr(parts->device, "vkDestroyBuffer"));
    return NullDevice(std::move(parts));
}

AdoptedDevice NullDevice::adopted() const {
    AdoptedDevice out;
    out.get_instance_proc_addr = parts_->get_instance_proc_addr;
    out.instance = parts_->instance;
    out.physical_device = parts_->physical_device;
    out.device = parts_->device;
    out.probe_behavior = false;
    out.enabled_features = &parts_->features;
    out.enabled_extensions = parts_->extensions;
    // The device has no memory. Buffers stay without memory, which is sufficient because nothing is submitted.
    out.memory.create_buffer = [parts = parts_](const VkBufferCreateInfo& info, MemoryKind,
                                                MemoryHooks::Allocation& allocation) {
        return parts->create_buffer(parts->device, &info, nullptr, &allocation.buffer);
    };
    out.memory.destroy_buffer = [parts = parts_](const MemoryHooks::Allocation& allocation) {
        parts->destroy_buffer(parts->device, allocation.buffer, nullptr);
    };
    return out;
}

} // namespace weir::bench

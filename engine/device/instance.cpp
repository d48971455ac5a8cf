#include "engine/device/instance.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/base/enumerate.hpp"
#include "engine/base/host_callback.hpp"
#include "engine/base/log.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/base/vulkan_error.hpp"

namespace weir {

namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

/// The functions that can be called without an instance.
struct LoaderTable {
    PFN_vkCreateInstance vkCreateInstance = nullptr;
    PFN_vkEnumerateInstanceVersion vkEnumerateInstanceVersion = nullptr;
    PFN_vkEnumerateInstanceLayerProperties vkEnumerateInstanceLayerProperties = nullptr;
    PFN_vkEnumerateInstanceExtensionProperties vkEnumerateInstanceExtensionProperties = nullptr;
    std::uint32_t version = VK_API_VERSION_1_0; ///< for loaders without vkEnumerateInstanceVersion
};

class Loader {
public:
    Loader(PFN_vkGetInstanceProcAddr get, VkInstance instance) : get_(get), instance_(instance) {}

    template <class Function>
    void optional(Function& function, const char* name) {
        function = reinterpret_cast<Function>(get_(instance_, name));
    }
    template <class Function>
    void required(Function& function, const char* name) {
        optional(function, name);
        if (function == nullptr && missing_.empty()) {
            missing_ = name;
        }
    }
    [[nodiscard]] const std::string& missing() const { return missing_; }

private:
    PFN_vkGetInstanceProcAddr get_;
    VkInstance instance_;
    std::string missing_;
};

using Extensions = std::vector<VkExtensionProperties>;

Result<Extensions> instance_extensions(const LoaderTable& loader, const char* layer) {
    const std::string what = concat("the extensions of ", layer != nullptr ? layer : "Vulkan instances");
    return enumerate<VkExtensionProperties>(what, [&](std::uint32_t* count, VkExtensionProperties* out) {
        return loader.vkEnumerateInstanceExtensionProperties(layer, count, out);
    });
}

bool has(const Extensions& extensions, std::string_view name) {
    return std::any_of(extensions.begin(), extensions.end(),
                       [&](const VkExtensionProperties& one) { return name == one.extensionName; });
}

/// Returns the extensions of the validation layer. Errors: `unsupported` if it is not installed, and those of the
/// enumeration.
Result<Extensions> extensions_of_validation(const LoaderTable& loader) {
    const auto layers =
        enumerate<VkLayerProperties>("the Vulkan layers", [&](std::uint32_t* count, VkLayerProperties* out) {
            return loader.vkEnumerateInstanceLayerProperties(count, out);
        });
    WEIR_PROPAGATE(layers);
    const bool is_there = std::any_of(layers->begin(), layers->end(), [](const VkLayerProperties& layer) {
        return std::string_view(layer.layerName) == validation_layer;
    });
    if (!is_there) {
        return tl::unexpected(Error{ErrorCode::unsupported,
                                    "validation is enabled, but the layer VK_LAYER_KHRONOS_validation is not "
                                    "installed (Debian: vulkan-validationlayers)"});
    }
    return instance_extensions(loader, validation_layer);
}

Result<LoaderTable> load_loader_table(PFN_vkGetInstanceProcAddr get) {
    LoaderTable loader;
    Loader load(get, VK_NULL_HANDLE);
    load.required(loader.vkCreateInstance, "vkCreateInstance");
    load.required(loader.vkEnumerateInstanceLayerProperties, "vkEnumerateInstanceLayerProperties");
    load.required(loader.vkEnumerateInstanceExtensionProperties, "vkEnumerateInstanceExtensionProperties");
    if (!load.missing().empty()) {
        return tl::unexpected(
            Error{ErrorCode::no_device, concat("the Vulkan loader has no function ", load.missing())});
    }
    load.optional(loader.vkEnumerateInstanceVersion, "vkEnumerateInstanceVersion");
    std::uint32_t& version = loader.version;
    const VkResult status =
        loader.vkEnumerateInstanceVersion != nullptr ? loader.vkEnumerateInstanceVersion(&version) : VK_SUCCESS;
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "querying the version of the Vulkan loader"));
    }
    if (version < oldest_api_version) {
        return tl::unexpected(
            Error{ErrorCode::unsupported, concat("the Vulkan loader supports version ", VK_API_VERSION_MAJOR(version),
                                                 ".", VK_API_VERSION_MINOR(version), "; 1.2 is required")});
    }
    return loader;
}

} // namespace

Result<InstanceTable> load_instance_table(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance) {
    InstanceTable table;
    table.vkGetInstanceProcAddr = get_instance_proc_addr;
    Loader load(get_instance_proc_addr, instance);
    load.required(table.vkGetDeviceProcAddr, "vkGetDeviceProcAddr");
    load.required(table.vkDestroyInstance, "vkDestroyInstance");
    load.required(table.vkEnumeratePhysicalDevices, "vkEnumeratePhysicalDevices");
    load.required(table.vkGetPhysicalDeviceProperties, "vkGetPhysicalDeviceProperties");
    load.required(table.vkGetPhysicalDeviceProperties2, "vkGetPhysicalDeviceProperties2");
    load.required(table.vkGetPhysicalDeviceFeatures2, "vkGetPhysicalDeviceFeatures2");
    load.required(table.vkGetPhysicalDeviceImageFormatProperties2, "vkGetPhysicalDeviceImageFormatProperties2");
    load.required(table.vkGetPhysicalDeviceMemoryProperties, "vkGetPhysicalDeviceMemoryProperties");
    load.required(table.vkGetPhysicalDeviceMemoryProperties2, "vkGetPhysicalDeviceMemoryProperties2");
    load.required(table.vkGetPhysicalDeviceQueueFamilyProperties, "vkGetPhysicalDeviceQueueFamilyProperties");
    load.required(table.vkEnumerateDeviceExtensionProperties, "vkEnumerateDeviceExtensionProperties");
    load.required(table.vkCreateDevice, "vkCreateDevice");
    load.optional(table.vkCreateDebugUtilsMessengerEXT, "vkCreateDebugUtilsMessengerEXT");
    load.optional(table.vkDestroyDebugUtilsMessengerEXT, "vkDestroyDebugUtilsMessengerEXT");
    load.optional(table.vkSetDebugUtilsObjectNameEXT, "vkSetDebugUtilsObjectNameEXT");
    load.optional(table.vkCmdBeginDebugUtilsLabelEXT, "vkCmdBeginDebugUtilsLabelEXT");
    load.optional(table.vkCmdEndDebugUtilsLabelEXT, "vkCmdEndDebugUtilsLabelEXT");
    if (!load.missing().empty()) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, concat("get_instance_proc_addr returns null for ", load.missing(),
                                                      "; the instance must be created for Vulkan 1.2 "
                                                      "(VkApplicationInfo::apiVersion)")});
    }
    return table;
}

PFN_vkGetInstanceProcAddr vulkan_loader() {
    static const PFN_vkGetInstanceProcAddr loader = weir_volk_open_loader();
    return loader;
}

Result<std::unique_ptr<Instance>> Instance::create(Options options) {
    const PFN_vkGetInstanceProcAddr get =
        options.get_instance_proc_addr != nullptr ? options.get_instance_proc_addr : vulkan_loader();
    if (get == nullptr) {
        return tl::unexpected(Error{ErrorCode::no_device, "no Vulkan loader is installed (Debian: libvulkan1)"});
    }
    const auto loader = load_loader_table(get);
    WEIR_PROPAGATE(loader);

    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    std::vector<const char*> extensions;
    const auto available = instance_extensions(*loader, nullptr);
    WEIR_PROPAGATE(available);
    const bool debug_utils = has(*available, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    if (debug_utils) {
        extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    }
    if (has(*available, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
        extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
        info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    }

    options.api_version = std::min(options.api_version, loader->version);
    std::unique_ptr<Instance> instance(new Instance(std::move(options)));
    const bool validation = instance->options_.validation;
    const VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    VkValidationFeaturesEXT validation_features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
    VkDebugUtilsMessengerCreateInfoEXT messenger = instance->messenger_info();
    if (validation) {
        const auto of_layer = extensions_of_validation(*loader);
        WEIR_PROPAGATE(of_layer);
        if (has(*of_layer, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME)) {
            extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
        }
        if (!debug_utils && has(*of_layer, VK_EXT_DEBUG_UTILS_EXTENSION_NAME)) {
            extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
        }
        validation_features.enabledValidationFeatureCount = 1;
        validation_features.pEnabledValidationFeatures = &synchronization;
        messenger.pNext = &validation_features;
        info.pNext = &messenger; // reports messages of creation and destruction, which the messenger below does not
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = &validation_layer;
    }

    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.pEngineName = "weir";
    application.apiVersion = instance->api_version();
    info.pApplicationInfo = &application;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    VkInstance handle = VK_NULL_HANDLE;
    if (const VkResult status = loader->vkCreateInstance(&info, instance->callbacks(), &handle); status != VK_SUCCESS) {
        if (status == VK_ERROR_INCOMPATIBLE_DRIVER) {
            return tl::unexpected(Error{ErrorCode::no_device,
                                        "no Vulkan driver was found; install one (Debian: mesa-vulkan-drivers, which "
                                        "includes one for the CPU) and check the files that VK_DRIVER_FILES and "
                                        "VK_ICD_FILENAMES name",
                                        status});
        }
        return tl::unexpected(vulkan_error(status, "creating a Vulkan instance"));
    }
    auto table = load_instance_table(get, handle);
    if (!table) {
        PFN_vkDestroyInstance destroy = nullptr;
        Loader(get, handle).optional(destroy, "vkDestroyInstance");
        if (destroy != nullptr) {
            destroy(handle, instance->callbacks());
        }
        return tl::unexpected(Error{ErrorCode::no_device, table.error().message});
    }
    instance->instance_ = handle;
    instance->vk_ = *table;
    if (validation && table->vkCreateDebugUtilsMessengerEXT != nullptr) {
        messenger.pNext = nullptr;
        const VkResult status =
            table->vkCreateDebugUtilsMessengerEXT(handle, &messenger, instance->callbacks(), &instance->messenger_);
        if (status != VK_SUCCESS) {
            return tl::unexpected(vulkan_error(status, "creating a debug messenger"));
        }
    }
    return instance;
}

Instance::~Instance() {
    if (instance_ == VK_NULL_HANDLE) {
        return;
    }
    if (messenger_ != VK_NULL_HANDLE) {
        vk_.vkDestroyDebugUtilsMessengerEXT(instance_, messenger_, callbacks());
    }
    vk_.vkDestroyInstance(instance_, callbacks());
}

Result<std::vector<VkPhysicalDevice>> Instance::physical_devices() const {
    std::vector<VkPhysicalDevice> devices;
    std::uint32_t count = 0;
    VkResult status = VK_INCOMPLETE;
    while (status == VK_INCOMPLETE) {
        status = vk_.vkEnumeratePhysicalDevices(instance_, &count, nullptr);
        devices.resize(count);
        if (status == VK_SUCCESS && count > 0) {
            status = vk_.vkEnumeratePhysicalDevices(instance_, &count, devices.data());
        }
    }
    devices.resize(count);
    // Without any driver the loader returns VK_ERROR_INITIALIZATION_FAILED. This counts as an empty list.
    if (status == VK_ERROR_INITIALIZATION_FAILED) {
        return std::vector<VkPhysicalDevice>{};
    }
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "listing the Vulkan devices"));
    }
    return devices;
}

VkDebugUtilsMessengerCreateInfoEXT Instance::messenger_info() {
    VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    info.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    // Without the general type: the loader uses it for messages about other drivers and layers of the machine.
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    info.pfnUserCallback = on_message;
    info.pUserData = this;
    return info;
}

VkBool32 Instance::on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT,
                              const VkDebugUtilsMessengerCallbackDataEXT* data, void* self) {
    const Options& options = static_cast<Instance*>(self)->options_;
    // Layers since 2025 put the id in pMessageIdName only, older ones also in the first line.
    const auto text = [data] {
        const std::string_view id = data->pMessageIdName != nullptr ? data->pMessageIdName : "";
        const std::string_view message = data->pMessage;
        const bool has_id = message.substr(0, message.find('\n')).find(id) != std::string_view::npos;
        return has_id ? std::string(message) : concat(id, ": ", message);
    };
    if (options.on_validation) {
        // An exception from the application's function must not reach the layer, which is C.
        const auto called =
            call_host([&] { options.on_validation(text().c_str()); }, [] { return "ContextOptions::on_validation"; });
        if (!called && options.log != nullptr) {
            options.log->tell(LogLevel::error, called.error().message);
        }
    } else if (options.log != nullptr) {
        const bool is_error = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
        options.log->tell(is_error ? LogLevel::error : LogLevel::warning, text());
    }
    return VK_FALSE;
}

} // namespace weir

// Instances of a simulated loader whose functions can fail.

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include <gmock/gmock.h>

#include "engine/device/instance.hpp"
#include "tests/support/errors.hpp"

namespace weir::tests::instance_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Behavior of the simulated loader. Each test sets it again.
struct Behaviour {
    VkResult version_status = VK_SUCCESS, layers_status = VK_SUCCESS, extensions_status = VK_SUCCESS;
    std::uint32_t version = VK_API_VERSION_1_3;
    const char* missing = ""; ///< name of a function that the loader does not have
    bool has_validation = false;
    VkResult instance_status = VK_SUCCESS, messenger_status = VK_SUCCESS, devices_status = VK_SUCCESS;
    const char* layer_extension = nullptr; ///< extension of the validation layer
    bool has_messengers = false;
    int instances = 0, messengers = 0; ///< existing ones
    std::vector<std::string> enabled;  ///< extensions of the last instance
    VkDebugUtilsMessengerCreateInfoEXT messenger{};
};
Behaviour loader;

VkResult VKAPI_CALL version(std::uint32_t* out) {
    *out = loader.version;
    return loader.version_status;
}
VkResult VKAPI_CALL layers(std::uint32_t* count, VkLayerProperties* out) {
    *count = loader.has_validation ? 1 : 0;
    if (out != nullptr && loader.has_validation) {
        std::strcpy(out->layerName, "VK_LAYER_KHRONOS_validation");
    }
    return loader.layers_status;
}
VkResult VKAPI_CALL extensions(const char* layer, std::uint32_t* count, VkExtensionProperties* out) {
    const bool has_one = layer != nullptr && loader.layer_extension != nullptr;
    *count = has_one ? 1 : 0;
    if (out != nullptr && has_one) {
        std::strcpy(out->extensionName, loader.layer_extension);
    }
    return loader.extensions_status;
}
VkResult VKAPI_CALL create(const VkInstanceCreateInfo* info, const VkAllocationCallbacks*, VkInstance* out) {
    if (loader.instance_status != VK_SUCCESS) {
        return loader.instance_status;
    }
    ++loader.instances;
    loader.enabled.assign(info->ppEnabledExtensionNames, info->ppEnabledExtensionNames + info->enabledExtensionCount);
    *out = reinterpret_cast<VkInstance>(&loader);
    return VK_SUCCESS;
}
void VKAPI_CALL destroy(VkInstance, const VkAllocationCallbacks*) {
    --loader.instances;
}
VkResult VKAPI_CALL devices(VkInstance, std::uint32_t* count, VkPhysicalDevice*) {
    *count = 0;
    return loader.devices_status;
}
VkResult VKAPI_CALL create_messenger(VkInstance, const VkDebugUtilsMessengerCreateInfoEXT* info,
                                     const VkAllocationCallbacks*, VkDebugUtilsMessengerEXT* out) {
    if (loader.messenger_status == VK_SUCCESS) {
        ++loader.messengers;
        loader.messenger = *info;
        *out = reinterpret_cast<VkDebugUtilsMessengerEXT>(&loader);
    }
    return loader.messenger_status;
}
void VKAPI_CALL destroy_messenger(VkInstance, VkDebugUtilsMessengerEXT, const VkAllocationCallbacks*) {
    --loader.messengers;
}
void VKAPI_CALL never_called() {}

PFN_vkVoidFunction VKAPI_CALL get(VkInstance, const char* name) {
    const std::string_view wanted = name;
    const auto cast = [](auto function) { return reinterpret_cast<PFN_vkVoidFunction>(function); };
    return wanted == loader.missing                                               ? nullptr
           : wanted == "vkEnumerateInstanceVersion"                               ? cast(version)
           : wanted == "vkEnumerateInstanceLayerProperties"                       ? cast(layers)
           : wanted == "vkEnumerateInstanceExtensionProperties"                   ? cast(extensions)
           : wanted == "vkCreateInstance"                                         ? cast(create)
           : wanted == "vkDestroyInstance"                                        ? cast(destroy)
           : wanted == "vkEnumeratePhysicalDevices"                               ? cast(devices)
           : !loader.has_messengers && wanted == "vkCreateDebugUtilsMessengerEXT" ? nullptr
           : wanted == "vkCreateDebugUtilsMessengerEXT"                           ? cast(create_messenger)
           : wanted == "vkDestroyDebugUtilsMessengerEXT"                          ? cast(destroy_messenger)
                                                                                  : cast(never_called);
}

auto create(const Behaviour& behaviour, bool validation = false,
            const std::function<void(const char*)>& on_validation = {},
            const std::shared_ptr<const Log>& log = nullptr) {
    loader = behaviour;
    return Instance::create(
        {.validation = validation, .on_validation = on_validation, .log = log, .get_instance_proc_addr = get});
}

std::string error_of(const Behaviour& behaviour, bool validation = false) {
    const auto made = create(behaviour, validation);
    return made ? "no error" : made.error().message;
}

TEST(Instance, CreateAndDestroy) {
    EXPECT_EQ(error_of({}), "no error");
    EXPECT_EQ(loader.instances, 0);
    EXPECT_EQ(error_of({.has_validation = true}, true), "no error");
}

TEST(Instance, UsesVersionOfLoader) {
    for (const std::uint32_t version : {VK_API_VERSION_1_2, VK_API_VERSION_1_3, VK_MAKE_API_VERSION(0, 1, 4, 0)}) {
        const auto made = create({.version = version});
        ASSERT_TRUE(made);
        EXPECT_EQ((*made)->api_version(), std::min<std::uint32_t>(version, VK_API_VERSION_1_3));
    }
}

TEST(Instance, MissingFunctionDestroysInstance) {
    EXPECT_THAT(error_of({.missing = "vkCreateDevice"}), HasSubstr("vkCreateDevice"));
    EXPECT_EQ(loader.instances, 0);
    EXPECT_THAT(error_of({.missing = "vkDestroyInstance"}), HasSubstr("vkDestroyInstance"));
}

TEST(Instance, FailedVersionQueryIsNotVersion1_0) {
    EXPECT_THAT(
        error_of({.version_status = VK_ERROR_OUT_OF_HOST_MEMORY}),
        AllOf(HasSubstr("querying the version of the Vulkan loader: out of host memory"), Not(HasSubstr("1.0"))));
    EXPECT_THAT(error_of({.version = VK_API_VERSION_1_1}), HasSubstr("supports version 1.1; 1.2 is required"));
    EXPECT_THAT(error_of({.missing = "vkEnumerateInstanceVersion"}),
                HasSubstr("supports version 1.0; 1.2 is required"));
    EXPECT_THAT(error_of({.missing = "vkCreateInstance"}),
                HasSubstr("the Vulkan loader has no function vkCreateInstance"));
}

TEST(Instance, FailedListOfLayersIsAnError) {
    EXPECT_THAT(error_of({.layers_status = VK_ERROR_OUT_OF_HOST_MEMORY, .has_validation = true}, true),
                AllOf(HasSubstr("listing the Vulkan layers: out of host memory"), Not(HasSubstr("not installed"))));
    EXPECT_THAT(error_of({}, true), HasSubstr("not installed"));
    EXPECT_THAT(error_of({.extensions_status = VK_ERROR_OUT_OF_HOST_MEMORY}),
                HasSubstr("listing the extensions of Vulkan instances: out of host memory"));
}

TEST(Instance, CreationErrorNamesCause) {
    const auto no_driver = create({.instance_status = VK_ERROR_INCOMPATIBLE_DRIVER});
    ASSERT_THAT(no_driver, FailsWith(ErrorCode::no_device,
                                     AllOf(HasSubstr("no Vulkan driver was found"), HasSubstr("VK_ICD_FILENAMES"))));
    EXPECT_EQ(no_driver.error().result, VK_ERROR_INCOMPATIBLE_DRIVER);
    const auto no_memory = create({.instance_status = VK_ERROR_OUT_OF_HOST_MEMORY});
    ASSERT_THAT(no_memory,
                FailsWith(ErrorCode::out_of_memory, HasSubstr("creating a Vulkan instance: out of host memory")));
    EXPECT_EQ(no_memory.error().result, VK_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(loader.instances, 0);
}

TEST(Instance, WithoutDriversListsNoDevices) {
    const auto made = create({});
    ASSERT_TRUE(made);
    for (const VkResult none : {VK_SUCCESS, VK_ERROR_INITIALIZATION_FAILED}) {
        loader.devices_status = none;
        const auto devices = (*made)->physical_devices();
        ASSERT_TRUE(devices);
        EXPECT_TRUE(devices->empty());
    }
    loader.devices_status = VK_ERROR_OUT_OF_HOST_MEMORY;
    EXPECT_THAT((*made)->physical_devices(),
                FailsWith(ErrorCode::out_of_memory, HasSubstr("listing the Vulkan devices: out of host memory")));
}

TEST(Instance, ValidationCreatesMessenger) {
    Behaviour behaviour{.has_validation = true, .has_messengers = true};
    behaviour.layer_extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME; // the loader itself does not have it
    EXPECT_EQ(error_of(behaviour, true), "no error");
    EXPECT_THAT(loader.enabled, testing::ElementsAre(VK_EXT_DEBUG_UTILS_EXTENSION_NAME));
    EXPECT_EQ(loader.messengers, 0);
    EXPECT_EQ(loader.messenger.sType, VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    EXPECT_EQ(error_of(behaviour, false), "no error");
    EXPECT_TRUE(loader.enabled.empty());
    EXPECT_EQ(loader.messenger.pfnUserCallback, nullptr);
    behaviour.messenger_status = VK_ERROR_OUT_OF_HOST_MEMORY;
    EXPECT_THAT(error_of(behaviour, true), HasSubstr("creating a debug messenger: out of host memory"));
    EXPECT_EQ(loader.instances, 0);
}

/// Sends a message of the validation layer to an instance with these receivers.
void send(const std::function<void(const char*)>& on_validation, const std::shared_ptr<const Log>& log,
          VkDebugUtilsMessageSeverityFlagBitsEXT severity, const char* message, const char* id = nullptr) {
    const auto made = create({.has_validation = true, .has_messengers = true}, true, on_validation, log);
    ASSERT_TRUE(made);
    VkDebugUtilsMessengerCallbackDataEXT data{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT};
    data.pMessageIdName = id;
    data.pMessage = message;
    EXPECT_EQ(loader.messenger.pfnUserCallback(severity, VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, &data,
                                               loader.messenger.pUserData),
              VK_FALSE);
}

TEST(Instance, MessagesGoToHostOrLog) {
    std::vector<std::string> logged;
    const auto log = std::make_shared<const Log>(
        [&](LogLevel level, const char* message) {
            logged.push_back(to_string(level) + (": " + std::string(message)));
        },
        LogLevel::debug);
    const auto error = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    send({}, log, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, "a hazard");
    send({}, log, error, "a hazard");
    EXPECT_THAT(logged, testing::ElementsAre("warning: a hazard", "error: a hazard"));
    logged.clear();
    std::string told;
    send([&](const char* message) { told += message; }, log, error, "a hazard");
    EXPECT_EQ(told, "a hazard");
    EXPECT_TRUE(logged.empty());
    send([](const char*) { throw std::runtime_error("no more ink"); }, log, error, "a hazard");
    EXPECT_THAT(logged, testing::ElementsAre("error: ContextOptions::on_validation threw: no more ink"));
}

TEST(Instance, MessagesNameTheirIdInFirstLine) {
    const auto received = [](const char* id, const char* message) {
        std::string text;
        send([&](const char* sent) { text = sent; }, nullptr, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, message,
             id);
        return text;
    };
    EXPECT_EQ(received("VUID-1", "a fault\nThe Vulkan spec states: (page.html#VUID-1)"), // layers since 2025
              "VUID-1: a fault\nThe Vulkan spec states: (page.html#VUID-1)");
    EXPECT_EQ(received("VUID-1", "Validation Error: [ VUID-1 ] a fault"), // older layers
              "Validation Error: [ VUID-1 ] a fault");
    EXPECT_EQ(received(nullptr, "a fault"), "a fault");
}

} // namespace
} // namespace weir::tests::instance_test

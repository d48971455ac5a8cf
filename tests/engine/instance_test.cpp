// Instances of a loader that is made up, whose functions fail.

#include <algorithm>
#include <cstring>
#include <string_view>

#include <gmock/gmock.h>

#include "engine/instance.hpp"

namespace weir::tests::instance_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// What the loader does; reset by each test.
struct Behaviour {
    VkResult version_status = VK_SUCCESS, layers_status = VK_SUCCESS, extensions_status = VK_SUCCESS;
    std::uint32_t version = VK_API_VERSION_1_3;
    const char* missing = ""; ///< a function
    bool has_validation = false;
    int instances = 0; ///< that are there
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
VkResult VKAPI_CALL extensions(const char*, std::uint32_t* count, VkExtensionProperties*) {
    *count = 0;
    return loader.extensions_status;
}
VkResult VKAPI_CALL create(const VkInstanceCreateInfo*, const VkAllocationCallbacks*, VkInstance* out) {
    ++loader.instances;
    *out = reinterpret_cast<VkInstance>(&loader);
    return VK_SUCCESS;
}
void VKAPI_CALL destroy(VkInstance, const VkAllocationCallbacks*) {
    --loader.instances;
}
void VKAPI_CALL never_called() {}

PFN_vkVoidFunction VKAPI_CALL get(VkInstance, const char* name) {
    const std::string_view wanted = name;
    const auto cast = [](auto function) { return reinterpret_cast<PFN_vkVoidFunction>(function); };
    return wanted == loader.missing                             ? nullptr
           : wanted == "vkEnumerateInstanceVersion"             ? cast(version)
           : wanted == "vkEnumerateInstanceLayerProperties"     ? cast(layers)
           : wanted == "vkEnumerateInstanceExtensionProperties" ? cast(extensions)
           : wanted == "vkCreateInstance"                       ? cast(create)
           : wanted == "vkDestroyInstance"                      ? cast(destroy)
           : wanted == "vkCreateDebugUtilsMessengerEXT"         ? nullptr
                                                                : cast(never_called);
}

std::string error_of(const Behaviour& behaviour, bool validation = false) {
    loader = behaviour;
    const auto made = Instance::create(
        {.validation = validation, .on_validation = {}, .log = nullptr, .get_instance_proc_addr = get});
    return made ? "no error" : made.error().message;
}

TEST(Instance, ComesAndGoes) {
    EXPECT_EQ(error_of({}), "no error");
    EXPECT_EQ(loader.instances, 0);
    EXPECT_EQ(error_of({.has_validation = true}, true), "no error");
}

TEST(Instance, IsMadeForTheVersionOfTheLoader) {
    for (const std::uint32_t version : {VK_API_VERSION_1_2, VK_API_VERSION_1_3, VK_MAKE_API_VERSION(0, 1, 4, 0)}) {
        loader = {.version = version};
        const auto made =
            Instance::create({.validation = false, .on_validation = {}, .log = nullptr, .get_instance_proc_addr = get});
        ASSERT_TRUE(made);
        EXPECT_EQ((*made)->api_version(), std::min<std::uint32_t>(version, VK_API_VERSION_1_3));
    }
}

TEST(Instance, IsDestroyedWhereItsFunctionsAreMissing) {
    EXPECT_THAT(error_of({.missing = "vkCreateDevice"}), HasSubstr("vkCreateDevice"));
    EXPECT_EQ(loader.instances, 0);
    EXPECT_THAT(error_of({.missing = "vkDestroyInstance"}), HasSubstr("vkDestroyInstance"));
}

TEST(Instance, AVersionThatCannotBeAskedForIsNot1_0) {
    EXPECT_THAT(error_of({.version_status = VK_ERROR_OUT_OF_HOST_MEMORY}),
                AllOf(HasSubstr("which version it supports: out of host memory"), Not(HasSubstr("1.0"))));
    EXPECT_THAT(error_of({.version = VK_API_VERSION_1_1}), HasSubstr("supports version 1.1; 1.2 is needed"));
    EXPECT_THAT(error_of({.missing = "vkEnumerateInstanceVersion"}), HasSubstr("supports version 1.0; 1.2 is needed"));
    EXPECT_THAT(error_of({.missing = "vkCreateInstance"}),
                HasSubstr("the Vulkan loader has no function vkCreateInstance"));
}

TEST(Instance, LayersThatCannotBeListedAreNotTakenForMissing) {
    EXPECT_THAT(error_of({.layers_status = VK_ERROR_OUT_OF_HOST_MEMORY, .has_validation = true}, true),
                AllOf(HasSubstr("listing the Vulkan layers: out of host memory"), Not(HasSubstr("not installed"))));
    EXPECT_THAT(error_of({}, true), HasSubstr("not installed"));
    EXPECT_THAT(error_of({.extensions_status = VK_ERROR_OUT_OF_HOST_MEMORY}),
                HasSubstr("listing the extensions of Vulkan instances: out of host memory"));
}

} // namespace
} // namespace weir::tests::instance_test

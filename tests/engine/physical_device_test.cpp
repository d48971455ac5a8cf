// Capabilities of a simulated device, and reasons why Weir cannot run on a device.

#include "engine/device/physical_device.hpp"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/engine/context.hpp>

namespace weir::tests::physical_device_test {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t mib = 1U << 20;

/// Properties of the simulated device. By default Weir can run on it. Each test sets them again.
struct Card {
    std::uint32_t api_version = VK_API_VERSION_1_3;
    std::uint32_t vendor = vendors::amd, driver = VK_MAKE_API_VERSION(0, 25, 0, 7);
    VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    VkQueueFlags queues = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    VkShaderStageFlags subgroup_stages = VK_SHADER_STAGE_ALL;
    VkSubgroupFeatureFlags subgroup_operations = 0xFF;
    std::uint32_t subgroup = 64, least_subgroup = 32, greatest_subgroup = 64;
    std::uint32_t invocations = 1024;
    std::vector<const char*> extensions;
    VkResult extensions_status = VK_SUCCESS;
};
Card card;

void VKAPI_CALL properties(VkPhysicalDevice, VkPhysicalDeviceProperties* out) {
    out->apiVersion = card.api_version;
    out->driverVersion = card.driver;
    out->vendorID = card.vendor;
    out->deviceType = card.type;
    std::strcpy(out->deviceName, "a card");
    VkPhysicalDeviceLimits& limits = out->limits;
    limits.maxComputeWorkGroupInvocations = limits.maxComputeWorkGroupSize[0] = card.invocations;
    limits.maxPerStageDescriptorStorageBuffers = 20;
    limits.maxDescriptorSetStorageBuffers = 30;
    limits.maxPerStageResources = 25;
}

void VKAPI_CALL properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
    properties(device, &out->properties);
    for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next != nullptr; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES) {
            auto& found = *reinterpret_cast<VkPhysicalDeviceVulkan11Properties*>(next);
            found.subgroupSize = card.subgroup;
            found.subgroupSupportedStages = card.subgroup_stages;
            found.subgroupSupportedOperations = card.subgroup_operations;
            found.maxMemoryAllocationSize = 1024 * mib;
        } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES) {
            auto& found = *reinterpret_cast<VkPhysicalDeviceVulkan13Properties*>(next);
            found.minSubgroupSize = card.least_subgroup;
            found.maxSubgroupSize = card.greatest_subgroup;
            found.maxComputeWorkgroupSubgroups = 11;
            found.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
            found.maxBufferSize = 512 * mib;
        } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) {
            auto& found = *reinterpret_cast<VkPhysicalDeviceSubgroupSizeControlProperties*>(next);
            found.minSubgroupSize = card.least_subgroup;
            found.maxSubgroupSize = card.greatest_subgroup;
            found.maxComputeWorkgroupSubgroups = 13;
            found.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
        }
    }
}

void VKAPI_CALL families(VkPhysicalDevice, std::uint32_t* count, VkQueueFamilyProperties* out) {
    *count = 1;
    if (out != nullptr) {
        *out = {card.queues, 1, 64, {1, 1, 1}};
    }
}

void VKAPI_CALL memory(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* out) {
    out->memoryHeapCount = 3;
    out->memoryHeaps[0] = {256 * mib, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    out->memoryHeaps[1] = {2048 * mib, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    out->memoryHeaps[2] = {VkDeviceSize{8192} * mib, 0};
}

VkResult VKAPI_CALL extensions(VkPhysicalDevice, const char*, std::uint32_t* count, VkExtensionProperties* out) {
    *count = static_cast<std::uint32_t>(card.extensions.size());
    for (std::size_t i = 0; out != nullptr && i < card.extensions.size(); ++i) {
        std::strcpy(out[i].extensionName, card.extensions[i]);
    }
    return card.extensions_status;
}

PhysicalDevice inspected(const Card& of, std::uint32_t instance_version = VK_API_VERSION_1_3) {
    card = of;
    InstanceTable vk;
    vk.vkGetPhysicalDeviceProperties = properties;
    vk.vkGetPhysicalDeviceProperties2 = properties2;
    vk.vkGetPhysicalDeviceQueueFamilyProperties = families;
    vk.vkGetPhysicalDeviceMemoryProperties = memory;
    vk.vkEnumerateDeviceExtensionProperties = extensions;
    return inspect(vk, VK_NULL_HANDLE, instance_version);
}

std::string unusable(const Card& of, std::uint32_t instance_version = VK_API_VERSION_1_3) {
    const std::optional<Error> why = inspected(of, instance_version).unusable;
    if (!why) {
        return "";
    }
    const bool is_memory = of.extensions_status == VK_ERROR_OUT_OF_HOST_MEMORY;
    EXPECT_EQ(why->code, is_memory ? ErrorCode::out_of_memory : ErrorCode::unsupported) << why->message;
    return why->message;
}

TEST(PhysicalDevice, CapabilitiesDescribeDevice) {
    const PhysicalDevice device = inspected({});
    EXPECT_FALSE(device.unusable);
    EXPECT_EQ(device.api_version, VK_API_VERSION_1_3);
    const Capabilities& can = device.capabilities;
    EXPECT_EQ(can.device_name, "a card");
    EXPECT_THAT(can.driver, HasSubstr(", 25.0.7"));
    EXPECT_EQ(can.subgroup_size, 64U);
    EXPECT_EQ(can.subgroup_size_min, 32U);
    EXPECT_EQ(can.subgroup_size_max, 64U);
    EXPECT_TRUE(can.subgroup_size_selectable);
    EXPECT_EQ(can.max_workgroup_subgroups, 11U);
    EXPECT_EQ(can.max_storage_buffers, 20U);
    EXPECT_EQ(can.max_allocation, 512U * mib);
    EXPECT_EQ(can.max_buffer_size, 512U * mib);
    EXPECT_EQ(can.device_local_memory, 2048U * mib);
    // NVIDIA packs the version of the driver with other bit widths.
    EXPECT_THAT(
        inspected({.vendor = vendors::nvidia, .driver = (535U << 22) | (104U << 14) | (5U << 6)}).capabilities.driver,
        HasSubstr(", 535.104.5"));
}

TEST(PhysicalDevice, TypesMapToKinds) {
    const std::tuple<VkPhysicalDeviceType, DeviceKind, const char*> kinds[] = {
        {VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, DeviceKind::integrated, "integrated"},
        {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, DeviceKind::discrete, "discrete"},
        {VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, DeviceKind::virtual_gpu, "virtual"},
        {VK_PHYSICAL_DEVICE_TYPE_CPU, DeviceKind::cpu, "cpu"},
        {VK_PHYSICAL_DEVICE_TYPE_OTHER, DeviceKind::other, "other"},
    };
    for (const auto& [type, kind, name] : kinds) {
        EXPECT_EQ(inspected({.type = type}).capabilities.kind, kind);
        EXPECT_STREQ(to_string(kind), name);
    }
    EXPECT_STREQ(to_string(DeviceKind{99}), "other");
}

TEST(PhysicalDevice, Vulkan12WithoutExtensionHasOneSubgroupSize) {
    const PhysicalDevice plain = inspected({.api_version = VK_API_VERSION_1_2});
    EXPECT_FALSE(plain.unusable);
    EXPECT_EQ(plain.capabilities.subgroup_size_min, 64U);
    EXPECT_EQ(plain.capabilities.subgroup_size_max, 64U);
    EXPECT_FALSE(plain.capabilities.subgroup_size_selectable);
    EXPECT_EQ(plain.capabilities.max_workgroup_subgroups, 1024U / 64);
    EXPECT_EQ(plain.capabilities.max_allocation, 1024U * mib);
    EXPECT_EQ(plain.capabilities.max_buffer_size, 1024U * mib);

    const PhysicalDevice extended =
        inspected({.api_version = VK_API_VERSION_1_2, .extensions = {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME}});
    EXPECT_EQ(extended.capabilities.subgroup_size_min, 32U);
    EXPECT_TRUE(extended.capabilities.subgroup_size_selectable);
    EXPECT_EQ(extended.capabilities.max_workgroup_subgroups, 13U);
}

TEST(PhysicalDevice, UnusableDeviceNamesReason) {
    EXPECT_EQ(unusable({.api_version = VK_API_VERSION_1_1}), "it supports Vulkan 1.1; 1.2 is required");
    EXPECT_EQ(unusable({}, VK_API_VERSION_1_1), "the instance was created for Vulkan 1.1; 1.2 is required");
    EXPECT_THAT(unusable({.extensions_status = VK_ERROR_OUT_OF_HOST_MEMORY}),
                HasSubstr("listing the extensions of the device: out of host memory"));
    EXPECT_EQ(unusable({.queues = VK_QUEUE_GRAPHICS_BIT}), "it has no queue family that supports compute");
    EXPECT_EQ(unusable({.subgroup_stages = VK_SHADER_STAGE_FRAGMENT_BIT}),
              "it does not support subgroup operations in compute shaders");
    EXPECT_EQ(unusable({.subgroup_operations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT}),
              "it lacks the subgroup operations ballot, shuffle");
    EXPECT_EQ(unusable({.least_subgroup = 2}), "its subgroups have 2 to 64 invocations; 4 to 128 are supported");
    EXPECT_EQ(unusable({.greatest_subgroup = 256}), "its subgroups have 32 to 256 invocations; 4 to 128 are supported");
    EXPECT_EQ(unusable({.least_subgroup = 4, .greatest_subgroup = 128}), "");
    EXPECT_EQ(unusable({.invocations = 128}), "its workgroups have at most 128 invocations; 256 are required");
}

TEST(PhysicalDevice, MissingFunctionsMakeDeviceUnusable) {
    const auto unusable = [](PFN_vkGetInstanceProcAddr get, VkInstance instance) {
        const auto device = reinterpret_cast<VkPhysicalDevice>(&card);
        const DeviceRequirements needs = device_requirements(get, instance, device, VK_API_VERSION_1_3);
        EXPECT_TRUE(needs.recommended_features.empty() && needs.recommended_extensions.empty());
        return needs.unusable;
    };
    const PFN_vkGetInstanceProcAddr nothing = [](VkInstance, const char*) -> PFN_vkVoidFunction { return nullptr; };
    const auto instance = reinterpret_cast<VkInstance>(&card);
    EXPECT_THAT(unusable(nothing, instance), HasSubstr("vkGetDeviceProcAddr"));
    EXPECT_THAT(unusable(nullptr, instance), HasSubstr("must not be null"));
    EXPECT_THAT(unusable(nothing, VK_NULL_HANDLE), HasSubstr("must not be null"));
}

} // namespace
} // namespace weir::tests::physical_device_test

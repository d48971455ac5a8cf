#include "engine/device/features.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/engine/context.hpp>

#include "engine/device/physical_device.hpp"
#include "tests/support/errors.hpp"

namespace weir::tests::features_test {
namespace {

DeviceRequirements requirements() {
    DeviceRequirements out;
    for (const Feature& feature : features()) {
        out.recommended_features.emplace_back(feature.name);
    }
    return out;
}

/// A host's chain of the feature structures of the Vulkan versions.
struct Chain {
    VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13};
    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12};
};

TEST(Features, EnablesOnlyRecommendedFeatures) {
    Chain chain;
    chain.head.features.geometryShader = VK_TRUE;
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    EXPECT_TRUE(chain.vulkan13.synchronization2 && chain.vulkan13.subgroupSizeControl &&
                chain.vulkan13.computeFullSubgroups);
    EXPECT_TRUE(chain.vulkan12.vulkanMemoryModel && chain.vulkan12.vulkanMemoryModelDeviceScope &&
                chain.vulkan12.shaderBufferInt64Atomics);
    EXPECT_TRUE(chain.head.features.shaderInt64 && chain.head.features.geometryShader);
    EXPECT_FALSE(chain.head.features.robustBufferAccess || chain.vulkan13.dynamicRendering);
}

TEST(Features, FeatureNotRecommendedStaysOff) {
    DeviceRequirements without = requirements();
    std::erase(without.recommended_features, "shaderInt64");
    Chain chain;
    ASSERT_TRUE(enable_features(without, chain.head));
    EXPECT_FALSE(chain.head.features.shaderInt64);
    EXPECT_TRUE(chain.head.features.shaderFloat64);
}

TEST(Features, FindsStructuresOfExtensions) {
    VkPhysicalDeviceVulkanMemoryModelFeatures model{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES};
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroup{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES, &model};
    VkPhysicalDeviceMaintenance4Features maintenance{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
                                                     &subgroup};
    VkPhysicalDeviceSynchronization2Features synchronization{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, &maintenance};
    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &synchronization};
    Capabilities can;
    can.subgroup_size_selectable = true;
    apply_features(can, head, {}, VK_API_VERSION_1_3);
    EXPECT_FALSE(can.synchronization2 || can.maintenance4 || can.subgroup_size_selectable || can.full_subgroups ||
                 can.memory_model || can.memory_model_device_scope);
    const auto done = enable_features(requirements(), head);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(synchronization.synchronization2 && subgroup.computeFullSubgroups &&
                model.vulkanMemoryModelDeviceScope);
    can.subgroup_size_selectable = true;
    apply_features(can, head, {}, VK_API_VERSION_1_3);
    EXPECT_TRUE(can.synchronization2 && can.maintenance4 && can.subgroup_size_selectable && can.full_subgroups &&
                can.memory_model && can.memory_model_device_scope);
}

TEST(Features, EnablingDoesNotMakeSubgroupSizeSelectable) {
    Chain chain;
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    Capabilities can; // of a device whose pipelines cannot require a size
    apply_features(can, chain.head, {}, VK_API_VERSION_1_3);
    EXPECT_FALSE(can.subgroup_size_selectable);
}

TEST(Features, Vulkan12CommandsAndSubgroupSizes) {
    Chain chain;
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    const auto enabled = [&] {
        Capabilities can;
        can.subgroup_size = 32;
        can.subgroup_size_min = 8;
        can.subgroup_size_max = 64;
        can.subgroup_size_selectable = true;
        apply_features(can, chain.head, {}, VK_API_VERSION_1_2);
        return can;
    };
    EXPECT_FALSE(enabled().synchronization2 || enabled().maintenance4);
    EXPECT_TRUE(enabled().memory_model && enabled().subgroup_size_selectable);
    EXPECT_EQ(enabled().subgroup_size_min, 8U);
    chain.vulkan13.subgroupSizeControl = VK_FALSE;
    EXPECT_EQ(enabled().subgroup_size_min, 32U);
    EXPECT_EQ(enabled().subgroup_size_max, 32U);
}

TEST(Features, ChainOmitsStructuresOfLaterVersions) {
    const auto has = [](const FeatureChain& chain, VkStructureType type) {
        for (const auto* next = static_cast<const VkBaseInStructure*>(chain.head().pNext); next != nullptr;
             next = next->pNext) {
            if (next->sType == type) {
                return true;
            }
        }
        return false;
    };
    const char* const names[] = {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME};
    const ExtensionSet extensions{std::span(names)};
    const FeatureChain now(extensions, VK_API_VERSION_1_3), before(extensions, VK_API_VERSION_1_2);
    EXPECT_TRUE(has(now, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES));
    EXPECT_FALSE(has(before, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES));
    EXPECT_FALSE(has(now, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES));
    EXPECT_TRUE(has(before, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES));
    EXPECT_TRUE(has(now, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT));
    EXPECT_FALSE(has(before, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT));
    EXPECT_STREQ(recommended_extensions(extensions, VK_API_VERSION_1_3).at(0), names[1]);
    EXPECT_STREQ(recommended_extensions(extensions, VK_API_VERSION_1_2).at(0), names[0]);
}

TEST(Features, IntelHidesSubgroupSizeFromShadersBeforeSpirv16) {
    Capabilities intel;
    intel.vendor_id = vendors::intel;
    EXPECT_TRUE(hides_subgroup_size(intel, VK_API_VERSION_1_2));
    EXPECT_FALSE(hides_subgroup_size(intel, VK_API_VERSION_1_3));
    intel.full_subgroups = true;
    EXPECT_FALSE(hides_subgroup_size(intel, VK_API_VERSION_1_2));
    EXPECT_FALSE(hides_subgroup_size({}, VK_API_VERSION_1_2));
}

/// Checks that the feature `member` of a structure of Vulkan 1.2, or `own_member` of its own structure, enables
/// `capability`.
template <class Own>
void expect_in_either_structure(Own own, VkBool32 Own::*own_member, VkBool32 VkPhysicalDeviceVulkan12Features::*member,
                                bool Capabilities::*capability) {
    const auto has = [&](const VkPhysicalDeviceFeatures2& head) {
        Capabilities can;
        can.*capability = true; // an earlier value does not matter
        apply_features(can, head, {}, VK_API_VERSION_1_3);
        return can.*capability;
    };
    Chain chain;
    EXPECT_FALSE(has(chain.head));
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    EXPECT_TRUE(chain.vulkan12.*member);
    EXPECT_TRUE(has(chain.head));
    const VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &own};
    EXPECT_FALSE(has(head));
    own.*own_member = VK_TRUE;
    EXPECT_TRUE(has(head));
}

TEST(Features, AreFoundInEitherStructure) {
    expect_in_either_structure<VkPhysicalDeviceTimelineSemaphoreFeatures>(
        {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES},
        &VkPhysicalDeviceTimelineSemaphoreFeatures::timelineSemaphore,
        &VkPhysicalDeviceVulkan12Features::timelineSemaphore, &Capabilities::timeline_semaphores);
    expect_in_either_structure<VkPhysicalDeviceHostQueryResetFeatures>(
        {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES},
        &VkPhysicalDeviceHostQueryResetFeatures::hostQueryReset, &VkPhysicalDeviceVulkan12Features::hostQueryReset,
        &Capabilities::host_query_reset);
}

TEST(Features, DescriptorIndexingNeedsAllItsFeatures) {
    Chain chain;
    Capabilities can;
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    EXPECT_TRUE(chain.vulkan12.runtimeDescriptorArray);
    EXPECT_TRUE(chain.vulkan12.descriptorBindingUpdateUnusedWhilePending);
    apply_features(can, chain.head, {}, VK_API_VERSION_1_3);
    EXPECT_TRUE(can.descriptor_indexing);
    for (VkBool32* const one :
         {&chain.vulkan12.runtimeDescriptorArray, &chain.vulkan12.shaderSampledImageArrayNonUniformIndexing,
          &chain.vulkan12.descriptorBindingPartiallyBound,
          &chain.head.features.shaderStorageBufferArrayDynamicIndexing}) {
        *one = VK_FALSE;
        apply_features(can, chain.head, {}, VK_API_VERSION_1_3);
        EXPECT_FALSE(can.descriptor_indexing);
        *one = VK_TRUE;
    }
    VkPhysicalDeviceDescriptorIndexingFeatures indexing{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};
    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &indexing};
    ASSERT_TRUE(enable_features(requirements(), head));
    apply_features(can, head, {}, VK_API_VERSION_1_3);
    EXPECT_TRUE(can.descriptor_indexing);
}

TEST(Features, FeatureWithoutStructureStaysOff) {
    Chain chain;
    chain.vulkan12.pNext = nullptr;
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    EXPECT_TRUE(chain.vulkan12.vulkanMemoryModel);
    EXPECT_FALSE(chain.vulkan13.synchronization2);
}

TEST(Features, UnusableDeviceIsAnError) {
    DeviceRequirements unusable = requirements();
    unusable.unusable = "it supports Vulkan 1.1; 1.2 is required";
    Chain chain;
    EXPECT_THAT(enable_features(unusable, chain.head), FailsWith(ErrorCode::unsupported, unusable.unusable));
}

TEST(Features, ExtensionFeatureNeedsExtension) {
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    Chain chain;
    chain.vulkan13.pNext = &executable;
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    EXPECT_TRUE(executable.pipelineExecutableInfo);
    Capabilities can;
    apply_features(can, chain.head, {}, VK_API_VERSION_1_3);
    EXPECT_FALSE(can.pipeline_statistics);
    EXPECT_TRUE(can.int64);
    const char* const names[] = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME};
    apply_features(can, chain.head, ExtensionSet(names), VK_API_VERSION_1_3);
    EXPECT_TRUE(can.pipeline_statistics);
}

TEST(Features, NullDeviceHasNoRecommendations) {
    const DeviceRequirements asked = device_requirements(nullptr, VK_NULL_HANDLE, VK_NULL_HANDLE);
    EXPECT_FALSE(asked.unusable.empty());
    EXPECT_TRUE(asked.recommended_features.empty());
}

} // namespace
} // namespace weir::tests::features_test

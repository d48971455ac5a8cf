#include "engine/device/features.hpp"

#include <gtest/gtest.h>

#include <weir/engine/context.hpp>

#include "engine/device/physical_device.hpp"

namespace weir {
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
    EXPECT_TRUE(chain.vulkan13.synchronization2);
    EXPECT_TRUE(chain.vulkan13.subgroupSizeControl);
    EXPECT_TRUE(chain.vulkan13.computeFullSubgroups);
    EXPECT_TRUE(chain.vulkan12.vulkanMemoryModel);
    EXPECT_TRUE(chain.vulkan12.vulkanMemoryModelDeviceScope);
    EXPECT_TRUE(chain.vulkan12.shaderBufferInt64Atomics);
    EXPECT_TRUE(chain.head.features.shaderInt64);
    EXPECT_TRUE(chain.head.features.geometryShader);
    EXPECT_FALSE(chain.head.features.robustBufferAccess);
    EXPECT_FALSE(chain.vulkan13.dynamicRendering);
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

TEST(Features, PartialSubgroupsAreRefused) {
    Capabilities intel;
    intel.vendor_id = vendors::intel;
    EXPECT_NE(missing_for_subgroups(intel, VK_API_VERSION_1_2).find("computeFullSubgroups"), std::string::npos);
    EXPECT_EQ(missing_for_subgroups(intel, VK_API_VERSION_1_3), "");
    intel.full_subgroups = true;
    EXPECT_EQ(missing_for_subgroups(intel, VK_API_VERSION_1_2), "");
    EXPECT_EQ(missing_for_subgroups({}, VK_API_VERSION_1_2), "");
}

TEST(Features, TimelineSemaphoresAreFoundInEitherStructure) {
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
    Chain chain;
    Capabilities can;
    apply_features(can, chain.head, {}, VK_API_VERSION_1_3);
    EXPECT_FALSE(can.timeline_semaphores);
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    EXPECT_TRUE(chain.vulkan12.timelineSemaphore);
    apply_features(can, chain.head, {}, VK_API_VERSION_1_3);
    EXPECT_TRUE(can.timeline_semaphores);

    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &timeline};
    apply_features(can, head, {}, VK_API_VERSION_1_3);
    EXPECT_FALSE(can.timeline_semaphores);
    timeline.timelineSemaphore = VK_TRUE;
    apply_features(can, head, {}, VK_API_VERSION_1_3);
    EXPECT_TRUE(can.timeline_semaphores);
}

TEST(Features, HostQueryResetIsFoundInEitherStructure) {
    VkPhysicalDeviceHostQueryResetFeatures reset{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES};
    Chain chain;
    Capabilities can;
    apply_features(can, chain.head, {}, VK_API_VERSION_1_3);
    EXPECT_FALSE(can.host_query_reset);
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    apply_features(can, chain.head, {}, VK_API_VERSION_1_3);
    EXPECT_TRUE(can.host_query_reset);

    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &reset};
    apply_features(can, head, {}, VK_API_VERSION_1_3);
    EXPECT_FALSE(can.host_query_reset);
    reset.hostQueryReset = VK_TRUE;
    apply_features(can, head, {}, VK_API_VERSION_1_3);
    EXPECT_TRUE(can.host_query_reset);
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
    const auto done = enable_features(unusable, chain.head);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::unsupported);
    EXPECT_EQ(done.error().message, unusable.unusable);
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
} // namespace weir

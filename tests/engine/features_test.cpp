#include "engine/features.hpp"

#include <gtest/gtest.h>

#include <weir/engine/context.hpp>

namespace weir {
namespace {

DeviceRequirements requirements() {
    DeviceRequirements out;
    for (const Feature& feature : features()) {
        (feature.required ? out.required_features : out.recommended_features).emplace_back(feature.name);
    }
    return out;
}

/// A host's chain of the structures that came with Vulkan versions.
struct Chain {
    VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13};
    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12};
};

TEST(Features, EnablesWhatIsRequiredAndRecommendedAndNothingElse) {
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
    EXPECT_EQ(missing_features(chain.head, {}), "");
}

TEST(Features, RecommendedOnesFollowTheRequirements) {
    DeviceRequirements without = requirements();
    std::erase(without.recommended_features, "shaderInt64");
    Chain chain;
    ASSERT_TRUE(enable_features(without, chain.head));
    EXPECT_FALSE(chain.head.features.shaderInt64);
    EXPECT_TRUE(chain.head.features.shaderFloat64);
}

TEST(Features, FindsTheStructuresFromBeforeTheyBecameCore) {
    VkPhysicalDeviceVulkanMemoryModelFeatures model{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES};
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroup{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES, &model};
    VkPhysicalDeviceMaintenance4Features maintenance{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
                                                     &subgroup};
    VkPhysicalDeviceSynchronization2Features synchronization{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, &maintenance};
    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &synchronization};
    EXPECT_EQ(missing_features(head, {}), "synchronization2, maintenance4, subgroupSizeControl, computeFullSubgroups, "
                                          "vulkanMemoryModel, vulkanMemoryModelDeviceScope");
    const auto done = enable_features(requirements(), head);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(synchronization.synchronization2 && subgroup.computeFullSubgroups &&
                model.vulkanMemoryModelDeviceScope);
    EXPECT_EQ(missing_features(head, {}), "");
}

TEST(Features, TimelineSemaphoresAreFoundInEitherStructure) {
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
    Chain chain;
    Capabilities can;
    apply_features(can, chain.head, {});
    EXPECT_FALSE(can.timeline_semaphores);
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    EXPECT_TRUE(chain.vulkan12.timelineSemaphore);
    apply_features(can, chain.head, {});
    EXPECT_TRUE(can.timeline_semaphores);

    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &timeline};
    apply_features(can, head, {});
    EXPECT_FALSE(can.timeline_semaphores);
    timeline.timelineSemaphore = VK_TRUE;
    apply_features(can, head, {});
    EXPECT_TRUE(can.timeline_semaphores);
}

TEST(Features, HostQueryResetIsFoundInEitherStructure) {
    VkPhysicalDeviceHostQueryResetFeatures reset{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES};
    Chain chain;
    Capabilities can;
    apply_features(can, chain.head, {});
    EXPECT_FALSE(can.host_query_reset);
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    apply_features(can, chain.head, {});
    EXPECT_TRUE(can.host_query_reset);

    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &reset};
    apply_features(can, head, {});
    EXPECT_FALSE(can.host_query_reset);
    reset.hostQueryReset = VK_TRUE;
    apply_features(can, head, {});
    EXPECT_TRUE(can.host_query_reset);
}

TEST(Features, DescriptorIndexingNeedsAllOfIts) {
    Chain chain;
    Capabilities can;
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    EXPECT_TRUE(chain.vulkan12.runtimeDescriptorArray);
    EXPECT_TRUE(chain.vulkan12.descriptorBindingUpdateUnusedWhilePending);
    apply_features(can, chain.head, {});
    EXPECT_TRUE(can.descriptor_indexing);
    for (VkBool32* const one :
         {&chain.vulkan12.runtimeDescriptorArray, &chain.vulkan12.shaderSampledImageArrayNonUniformIndexing,
          &chain.vulkan12.descriptorBindingPartiallyBound,
          &chain.head.features.shaderStorageBufferArrayDynamicIndexing}) {
        *one = VK_FALSE;
        apply_features(can, chain.head, {});
        EXPECT_FALSE(can.descriptor_indexing);
        *one = VK_TRUE;
    }
    VkPhysicalDeviceDescriptorIndexingFeatures indexing{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};
    VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &indexing};
    DeviceRequirements only = requirements();
    only.required_features.clear();
    ASSERT_TRUE(enable_features(only, head));
    apply_features(can, head, {});
    EXPECT_TRUE(can.descriptor_indexing);
}

TEST(Features, AMissingStructureIsNamedAndNothingIsChanged) {
    Chain chain;
    chain.vulkan12.pNext = nullptr;
    const auto done = enable_features(requirements(), chain.head);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(done.error().message.find("VkPhysicalDeviceVulkan13Features"), std::string::npos) << done.error().message;
    EXPECT_NE(done.error().message.find("synchronization2"), std::string::npos) << done.error().message;
    EXPECT_FALSE(chain.vulkan12.vulkanMemoryModel);
}

TEST(Features, AnUnusableDeviceStaysUnusable) {
    DeviceRequirements unusable = requirements();
    unusable.unusable = "it lacks the features synchronization2";
    Chain chain;
    const auto done = enable_features(unusable, chain.head);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::unsupported);
    EXPECT_EQ(done.error().message, unusable.unusable);
}

TEST(Features, ThoseOfExtensionsNeedTheExtension) {
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    Chain chain;
    chain.vulkan13.pNext = &executable;
    ASSERT_TRUE(enable_features(requirements(), chain.head));
    EXPECT_TRUE(executable.pipelineExecutableInfo);
    Capabilities can;
    apply_features(can, chain.head, {});
    EXPECT_FALSE(can.pipeline_statistics);
    EXPECT_TRUE(can.int64);
    const char* const names[] = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME};
    apply_features(can, chain.head, ExtensionSet(names));
    EXPECT_TRUE(can.pipeline_statistics);
}

TEST(Features, EveryRequirementIsNamedForADeviceThatCannotBeAsked) {
    const DeviceRequirements asked = device_requirements(nullptr, VK_NULL_HANDLE, VK_NULL_HANDLE);
    EXPECT_FALSE(asked.unusable.empty());
    EXPECT_EQ(asked.required_features, requirements().required_features);
}

} // namespace
} // namespace weir

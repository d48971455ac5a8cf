#include "engine/features.hpp"

#include <algorithm>
#include <type_traits>

#include <weir/engine/context.hpp>

namespace weir {

namespace {

template <class Structure>
struct StructureId;
template <>
struct StructureId<VkPhysicalDeviceFeatures> { // nested in the head of every chain
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    static constexpr auto name = "VkPhysicalDeviceFeatures2";
};
template <>
struct StructureId<VkPhysicalDeviceVulkan11Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceVulkan11Features";
};
template <>
struct StructureId<VkPhysicalDeviceVulkan12Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceVulkan12Features";
};
template <>
struct StructureId<VkPhysicalDeviceVulkan13Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceVulkan13Features";
};
template <>
struct StructureId<VkPhysicalDeviceSynchronization2Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceSynchronization2Features";
};
template <>
struct StructureId<VkPhysicalDeviceMaintenance4Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceMaintenance4Features";
};
template <>
struct StructureId<VkPhysicalDeviceSubgroupSizeControlFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceSubgroupSizeControlFeatures";
};
template <>
struct StructureId<VkPhysicalDeviceVulkanMemoryModelFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceVulkanMemoryModelFeatures";
};
template <>
struct StructureId<VkPhysicalDevice16BitStorageFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
    static constexpr auto name = "VkPhysicalDevice16BitStorageFeatures";
};
template <>
struct StructureId<VkPhysicalDevice8BitStorageFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES;
    static constexpr auto name = "VkPhysicalDevice8BitStorageFeatures";
};
template <>
struct StructureId<VkPhysicalDeviceShaderAtomicInt64Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceShaderAtomicInt64Features";
};
template <>
struct StructureId<VkPhysicalDeviceDescriptorIndexingFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceDescriptorIndexingFeatures";
};
template <>
struct StructureId<VkPhysicalDeviceBufferDeviceAddressFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceBufferDeviceAddressFeatures";
};
template <>
struct StructureId<VkPhysicalDeviceHostQueryResetFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceHostQueryResetFeatures";
};
template <>
struct StructureId<VkPhysicalDeviceTimelineSemaphoreFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
    static constexpr auto name = "VkPhysicalDeviceTimelineSemaphoreFeatures";
};
template <>
struct StructureId<VkPhysicalDeviceDescriptorBufferFeaturesEXT> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT;
    static constexpr auto name = "VkPhysicalDeviceDescriptorBufferFeaturesEXT";
};
template <>
struct StructureId<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR;
    static constexpr auto name = "VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR";
};
template <>
struct StructureId<VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR;
    static constexpr auto name = "VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR";
};

template <class Structure, VkBool32 Structure::*member>
constexpr FeatureLocation in() {
    using Id = StructureId<Structure>;
    return {Id::type, Id::name, [](void* structure) -> VkBool32& {
                if constexpr (std::is_same_v<Structure, VkPhysicalDeviceFeatures>) {
                    return static_cast<VkPhysicalDeviceFeatures2*>(structure)->features.*member;
                } else {
                    return static_cast<Structure*>(structure)->*member;
                }
            }};
}

using Core = VkPhysicalDeviceFeatures;
using Vulkan11 = VkPhysicalDeviceVulkan11Features;
using Vulkan12 = VkPhysicalDeviceVulkan12Features;
using Vulkan13 = VkPhysicalDeviceVulkan13Features;
using Synchronization2 = VkPhysicalDeviceSynchronization2Features;
using Maintenance4 = VkPhysicalDeviceMaintenance4Features;
using SubgroupSizeControl = VkPhysicalDeviceSubgroupSizeControlFeatures;
using MemoryModel = VkPhysicalDeviceVulkanMemoryModelFeatures;
using Storage16 = VkPhysicalDevice16BitStorageFeatures;
using Storage8 = VkPhysicalDevice8BitStorageFeatures;
using AtomicInt64 = VkPhysicalDeviceShaderAtomicInt64Features;
using DescriptorIndexing = VkPhysicalDeviceDescriptorIndexingFeatures;
using BufferAddress = VkPhysicalDeviceBufferDeviceAddressFeatures;
using HostQueryReset = VkPhysicalDeviceHostQueryResetFeatures;
using TimelineSemaphore = VkPhysicalDeviceTimelineSemaphoreFeatures;
using DescriptorBuffer = VkPhysicalDeviceDescriptorBufferFeaturesEXT;
using PipelineExecutable = VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR;
using UniformControlFlow = VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR;

const Feature all_features[] = {
    {.name = "synchronization2",
     .required = true,
     .core = in<Vulkan13, &Vulkan13::synchronization2>(),
     .alternative = in<Synchronization2, &Synchronization2::synchronization2>()},
    {.name = "maintenance4", // workgroup sizes as specialization constants
     .required = true,
     .core = in<Vulkan13, &Vulkan13::maintenance4>(),
     .alternative = in<Maintenance4, &Maintenance4::maintenance4>()},
    {.name = "subgroupSizeControl",
     .required = true,
     .core = in<Vulkan13, &Vulkan13::subgroupSizeControl>(),
     .alternative = in<SubgroupSizeControl, &SubgroupSizeControl::subgroupSizeControl>()},
    {.name = "computeFullSubgroups",
     .required = true,
     .core = in<Vulkan13, &Vulkan13::computeFullSubgroups>(),
     .alternative = in<SubgroupSizeControl, &SubgroupSizeControl::computeFullSubgroups>()},
    {.name = "vulkanMemoryModel",
     .required = true,
     .core = in<Vulkan12, &Vulkan12::vulkanMemoryModel>(),
     .alternative = in<MemoryModel, &MemoryModel::vulkanMemoryModel>()},
    {.name = "vulkanMemoryModelDeviceScope",
     .required = true,
     .core = in<Vulkan12, &Vulkan12::vulkanMemoryModelDeviceScope>(),
     .alternative = in<MemoryModel, &MemoryModel::vulkanMemoryModelDeviceScope>()},
    {.name = "shaderInt64",
     .required = false,
     .core = in<Core, &Core::shaderInt64>(),
     .capability = &Capabilities::int64},
    {.name = "shaderFloat64",
     .required = false,
     .core = in<Core, &Core::shaderFloat64>(),
     .capability = &Capabilities::float64},
    {.name = "shaderInt16", .required = false, .core = in<Core, &Core::shaderInt16>()},
    {.name = "shaderBufferInt64Atomics",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::shaderBufferInt64Atomics>(),
     .alternative = in<AtomicInt64, &AtomicInt64::shaderBufferInt64Atomics>(),
     .capability = &Capabilities::int64_atomics},
    {.name = "storageBuffer16BitAccess",
     .required = false,
     .core = in<Vulkan11, &Vulkan11::storageBuffer16BitAccess>(),
     .alternative = in<Storage16, &Storage16::storageBuffer16BitAccess>(),
     .capability = &Capabilities::narrow_storage},
    {.name = "storageBuffer8BitAccess",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::storageBuffer8BitAccess>(),
     .alternative = in<Storage8, &Storage8::storageBuffer8BitAccess>(),
     .capability = &Capabilities::narrow_storage},
    {.name = "shaderSampledImageArrayDynamicIndexing",
     .required = false,
     .core = in<Core, &Core::shaderSampledImageArrayDynamicIndexing>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "shaderStorageBufferArrayDynamicIndexing",
     .required = false,
     .core = in<Core, &Core::shaderStorageBufferArrayDynamicIndexing>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "runtimeDescriptorArray",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::runtimeDescriptorArray>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::runtimeDescriptorArray>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "shaderSampledImageArrayNonUniformIndexing",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::shaderSampledImageArrayNonUniformIndexing>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::shaderSampledImageArrayNonUniformIndexing>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "shaderStorageBufferArrayNonUniformIndexing",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::shaderStorageBufferArrayNonUniformIndexing>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::shaderStorageBufferArrayNonUniformIndexing>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "descriptorBindingPartiallyBound",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::descriptorBindingPartiallyBound>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::descriptorBindingPartiallyBound>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "descriptorBindingSampledImageUpdateAfterBind",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::descriptorBindingSampledImageUpdateAfterBind>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::descriptorBindingSampledImageUpdateAfterBind>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "descriptorBindingStorageBufferUpdateAfterBind",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::descriptorBindingStorageBufferUpdateAfterBind>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::descriptorBindingStorageBufferUpdateAfterBind>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "descriptorBindingUpdateUnusedWhilePending",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::descriptorBindingUpdateUnusedWhilePending>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::descriptorBindingUpdateUnusedWhilePending>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "bufferDeviceAddress",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::bufferDeviceAddress>(),
     .alternative = in<BufferAddress, &BufferAddress::bufferDeviceAddress>(),
     .capability = &Capabilities::buffer_address},
    {.name = "hostQueryReset",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::hostQueryReset>(),
     .alternative = in<HostQueryReset, &HostQueryReset::hostQueryReset>(),
     .capability = &Capabilities::host_query_reset},
    {.name = "timelineSemaphore",
     .required = false,
     .core = in<Vulkan12, &Vulkan12::timelineSemaphore>(),
     .alternative = in<TimelineSemaphore, &TimelineSemaphore::timelineSemaphore>(),
     .capability = &Capabilities::timeline_semaphores},
    {.name = "descriptorBuffer",
     .required = false,
     .core = in<DescriptorBuffer, &DescriptorBuffer::descriptorBuffer>(),
     .extension = VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,
     .capability = &Capabilities::descriptor_buffer},
    {.name = "pipelineExecutableInfo",
     .required = false,
     .core = in<PipelineExecutable, &PipelineExecutable::pipelineExecutableInfo>(),
     .extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
     .capability = &Capabilities::pipeline_statistics},
    {.name = "shaderSubgroupUniformControlFlow",
     .required = false,
     .core = in<UniformControlFlow, &UniformControlFlow::shaderSubgroupUniformControlFlow>(),
     .extension = VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME,
     .capability = &Capabilities::uniform_control_flow},
};

constexpr const char* extension_list[] = {
    VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,
    VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
    VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
    VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME,
    "VK_KHR_portability_subset", // must be enabled where a device reports it; declared only in the headers of beta
                                 // extensions
};

const VkBool32* find_at(const FeatureLocation& location, const VkPhysicalDeviceFeatures2& chain) {
    const auto* structure = reinterpret_cast<const VkBaseInStructure*>(&chain);
    for (; structure != nullptr; structure = structure->pNext) {
        if (structure->sType == location.structure && location.member != nullptr) {
            return &location.member(const_cast<VkBaseInStructure*>(structure));
        }
    }
    return nullptr;
}

} // namespace

std::span<const Feature> features() {
    return all_features;
}

std::span<const char* const> recommended_extensions() {
    return extension_list;
}

bool ExtensionSet::contains(std::string_view name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
}

FeatureChain::FeatureChain(const ExtensionSet& extensions) {
    core_.pNext = &vulkan11_;
    vulkan11_.pNext = &vulkan12_;
    vulkan12_.pNext = &vulkan13_;
    void** last = &vulkan13_.pNext;
    if (extensions.contains(VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME)) {
        *last = &descriptor_buffer_;
        last = &descriptor_buffer_.pNext;
    }
    if (extensions.contains(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME)) {
        *last = &pipeline_executable_;
        last = &pipeline_executable_.pNext;
    }
    if (extensions.contains(VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME)) {
        *last = &uniform_control_flow_;
    }
}

const VkBool32* find_feature(const Feature& feature, const VkPhysicalDeviceFeatures2& chain) {
    const VkBool32* found = find_at(feature.core, chain);
    return found != nullptr ? found : find_at(feature.alternative, chain);
}

VkBool32* find_feature(const Feature& feature, VkPhysicalDeviceFeatures2& chain) {
    return const_cast<VkBool32*>(find_feature(feature, std::as_const(chain)));
}

bool is_on(const Feature& feature, const VkPhysicalDeviceFeatures2& chain, const ExtensionSet& extensions) {
    if (feature.extension != nullptr && !extensions.contains(feature.extension)) {
        return false;
    }
    const VkBool32* value = find_feature(feature, chain);
    return value != nullptr && *value != VK_FALSE;
}

std::string missing_features(const VkPhysicalDeviceFeatures2& chain, const ExtensionSet& extensions) {
    std::string missing;
    for (const Feature& feature : features()) {
        if (feature.required && !is_on(feature, chain, extensions)) {
            missing += (missing.empty() ? "" : ", ") + std::string(feature.name);
        }
    }
    return missing;
}

void apply_features(Capabilities& capabilities, const VkPhysicalDeviceFeatures2& chain,
                    const ExtensionSet& extensions) {
    const auto for_each_capability = [](const auto& visit) {
        for (const Feature& feature : features()) {
            if (feature.capability != nullptr) {
                visit(feature);
            }
        }
    };
    for_each_capability([&](const Feature& feature) { capabilities.*feature.capability = true; });
    for_each_capability([&](const Feature& feature) { // a capability may need several features
        bool& has_all = capabilities.*feature.capability;
        has_all = has_all && is_on(feature, chain, extensions);
    });
    capabilities.int64_atomics = capabilities.int64_atomics && capabilities.int64;
    capabilities.descriptor_buffer = capabilities.descriptor_buffer && capabilities.buffer_address;
    capabilities.robust_buffer_access = chain.features.robustBufferAccess != VK_FALSE;
    if (!extensions.contains(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME)) {
        capabilities.max_push_descriptors = 0;
    }
}

Result<> enable_features(const DeviceRequirements& requirements, VkPhysicalDeviceFeatures2& chain) {
    if (!requirements.unusable.empty()) {
        return tl::unexpected(Error{ErrorCode::unsupported, requirements.unusable});
    }
    const auto wanted = [](const std::vector<std::string>& names, const Feature& feature) {
        return std::find(names.begin(), names.end(), feature.name) != names.end();
    };
    // First look, then change: a chain that will not do stays as it was.
    for (const Feature& feature : features()) {
        if (wanted(requirements.required_features, feature) && find_feature(feature, chain) == nullptr) {
            return tl::unexpected(Error{ErrorCode::invalid_argument,
                                        "the chain of features has no " + std::string(feature.core.structure_name) +
                                            ", which holds the required feature " + feature.name});
        }
    }
    for (const Feature& feature : features()) {
        VkBool32* value = find_feature(feature, chain);
        if (value != nullptr &&
            (wanted(requirements.required_features, feature) || wanted(requirements.recommended_features, feature))) {
            *value = VK_TRUE;
        }
    }
    return {};
}

} // namespace weir

#include "engine/device/features.hpp"

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
};
template <>
struct StructureId<VkPhysicalDeviceVulkan11Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceVulkan12Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceVulkan13Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceSynchronization2Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceMaintenance4Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceSubgroupSizeControlFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceVulkanMemoryModelFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
};
template <>
struct StructureId<VkPhysicalDevice16BitStorageFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
};
template <>
struct StructureId<VkPhysicalDevice8BitStorageFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceShaderAtomicInt64Features> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceDescriptorIndexingFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceBufferDeviceAddressFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceHostQueryResetFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceTimelineSemaphoreFeatures> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
};
template <>
struct StructureId<VkPhysicalDeviceDescriptorBufferFeaturesEXT> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT;
};
template <>
struct StructureId<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR;
};
template <>
struct StructureId<VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR> {
    static constexpr auto type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR;
};

template <class Structure, VkBool32 Structure::*member>
constexpr FeatureLocation in() {
    using Id = StructureId<Structure>;
    return {Id::type, [](void* structure) -> VkBool32& {
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
     .core = in<Vulkan13, &Vulkan13::synchronization2>(),
     .alternative = in<Synchronization2, &Synchronization2::synchronization2>(),
     .capability = &Capabilities::synchronization2},
    {.name = "maintenance4",
     .core = in<Vulkan13, &Vulkan13::maintenance4>(),
     .alternative = in<Maintenance4, &Maintenance4::maintenance4>(),
     .capability = &Capabilities::maintenance4},
    {.name = "subgroupSizeControl",
     .core = in<Vulkan13, &Vulkan13::subgroupSizeControl>(),
     .alternative = in<SubgroupSizeControl, &SubgroupSizeControl::subgroupSizeControl>(),
     .capability = &Capabilities::subgroup_size_selectable},
    {.name = "computeFullSubgroups",
     .core = in<Vulkan13, &Vulkan13::computeFullSubgroups>(),
     .alternative = in<SubgroupSizeControl, &SubgroupSizeControl::computeFullSubgroups>(),
     .capability = &Capabilities::full_subgroups},
    {.name = "vulkanMemoryModel",
     .core = in<Vulkan12, &Vulkan12::vulkanMemoryModel>(),
     .alternative = in<MemoryModel, &MemoryModel::vulkanMemoryModel>(),
     .capability = &Capabilities::memory_model},
    {.name = "vulkanMemoryModelDeviceScope",
     .core = in<Vulkan12, &Vulkan12::vulkanMemoryModelDeviceScope>(),
     .alternative = in<MemoryModel, &MemoryModel::vulkanMemoryModelDeviceScope>(),
     .capability = &Capabilities::memory_model_device_scope},
    {.name = "shaderInt64", .core = in<Core, &Core::shaderInt64>(), .capability = &Capabilities::int64},
    {.name = "shaderFloat64", .core = in<Core, &Core::shaderFloat64>(), .capability = &Capabilities::float64},
    {.name = "shaderInt16", .core = in<Core, &Core::shaderInt16>()},
    {.name = "shaderBufferInt64Atomics",
     .core = in<Vulkan12, &Vulkan12::shaderBufferInt64Atomics>(),
     .alternative = in<AtomicInt64, &AtomicInt64::shaderBufferInt64Atomics>(),
     .capability = &Capabilities::int64_atomics},
    {.name = "storageBuffer16BitAccess",
     .core = in<Vulkan11, &Vulkan11::storageBuffer16BitAccess>(),
     .alternative = in<Storage16, &Storage16::storageBuffer16BitAccess>(),
     .capability = &Capabilities::narrow_storage},
    {.name = "storageBuffer8BitAccess",
     .core = in<Vulkan12, &Vulkan12::storageBuffer8BitAccess>(),
     .alternative = in<Storage8, &Storage8::storageBuffer8BitAccess>(),
     .capability = &Capabilities::narrow_storage},
    {.name = "shaderSampledImageArrayDynamicIndexing",
     .core = in<Core, &Core::shaderSampledImageArrayDynamicIndexing>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "shaderStorageBufferArrayDynamicIndexing",
     .core = in<Core, &Core::shaderStorageBufferArrayDynamicIndexing>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "runtimeDescriptorArray",
     .core = in<Vulkan12, &Vulkan12::runtimeDescriptorArray>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::runtimeDescriptorArray>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "shaderSampledImageArrayNonUniformIndexing",
     .core = in<Vulkan12, &Vulkan12::shaderSampledImageArrayNonUniformIndexing>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::shaderSampledImageArrayNonUniformIndexing>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "shaderStorageBufferArrayNonUniformIndexing",
     .core = in<Vulkan12, &Vulkan12::shaderStorageBufferArrayNonUniformIndexing>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::shaderStorageBufferArrayNonUniformIndexing>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "descriptorBindingPartiallyBound",
     .core = in<Vulkan12, &Vulkan12::descriptorBindingPartiallyBound>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::descriptorBindingPartiallyBound>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "descriptorBindingSampledImageUpdateAfterBind",
     .core = in<Vulkan12, &Vulkan12::descriptorBindingSampledImageUpdateAfterBind>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::descriptorBindingSampledImageUpdateAfterBind>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "descriptorBindingStorageBufferUpdateAfterBind",
     .core = in<Vulkan12, &Vulkan12::descriptorBindingStorageBufferUpdateAfterBind>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::descriptorBindingStorageBufferUpdateAfterBind>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "descriptorBindingUpdateUnusedWhilePending",
     .core = in<Vulkan12, &Vulkan12::descriptorBindingUpdateUnusedWhilePending>(),
     .alternative = in<DescriptorIndexing, &DescriptorIndexing::descriptorBindingUpdateUnusedWhilePending>(),
     .capability = &Capabilities::descriptor_indexing},
    {.name = "bufferDeviceAddress",
     .core = in<Vulkan12, &Vulkan12::bufferDeviceAddress>(),
     .alternative = in<BufferAddress, &BufferAddress::bufferDeviceAddress>(),
     .capability = &Capabilities::buffer_address},
    {.name = "hostQueryReset",
     .core = in<Vulkan12, &Vulkan12::hostQueryReset>(),
     .alternative = in<HostQueryReset, &HostQueryReset::hostQueryReset>(),
     .capability = &Capabilities::host_query_reset},
    {.name = "timelineSemaphore",
     .core = in<Vulkan12, &Vulkan12::timelineSemaphore>(),
     .alternative = in<TimelineSemaphore, &TimelineSemaphore::timelineSemaphore>(),
     .capability = &Capabilities::timeline_semaphores},
    {.name = "descriptorBuffer",
     .core = in<DescriptorBuffer, &DescriptorBuffer::descriptorBuffer>(),
     .extension = VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,
     .capability = &Capabilities::descriptor_buffer},
    {.name = "pipelineExecutableInfo",
     .core = in<PipelineExecutable, &PipelineExecutable::pipelineExecutableInfo>(),
     .extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
     .capability = &Capabilities::pipeline_statistics},
    {.name = "shaderSubgroupUniformControlFlow",
     .core = in<UniformControlFlow, &UniformControlFlow::shaderSubgroupUniformControlFlow>(),
     .extension = VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME,
     .capability = &Capabilities::uniform_control_flow},
};

/// Vulkan headers before 1.4.317 do not declare it. The extension alone is a promise: it adds no command or layout.
constexpr const char* unified_image_layouts = "VK_KHR_unified_image_layouts";

struct RecommendedExtension {
    const char* name;
    std::uint32_t since = VK_API_VERSION_1_2;
    std::uint32_t before = ~0U; ///< exclusive: the version in which it became core
};
constexpr RecommendedExtension extension_list[] = {
    {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME, VK_API_VERSION_1_3}, // before 1.3, it needs other extensions
    {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME},
    {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, VK_API_VERSION_1_2, VK_API_VERSION_1_3},
    {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME},
    {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME},
    {unified_image_layouts},
    {VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME},
    {"VK_KHR_portability_subset"}, // must be enabled if a device reports it; declared only in headers of beta
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

std::vector<const char*> recommended_extensions(const ExtensionSet& extensions, std::uint32_t api_version) {
    std::vector<const char*> out;
    for (const RecommendedExtension& one : extension_list) {
        if (extensions.contains(one.name) && one.since <= api_version && api_version < one.before) {
            out.push_back(one.name);
        }
    }
    return out;
}

bool ExtensionSet::contains(std::string_view name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
}

FeatureChain::FeatureChain(const ExtensionSet& supported, std::uint32_t api_version) {
    const std::vector<const char*> names = recommended_extensions(supported, api_version);
    const ExtensionSet extensions{std::span(names)};
    core_.pNext = &vulkan11_;
    vulkan11_.pNext = &vulkan12_;
    void** last = &vulkan12_.pNext;
    if (api_version >= VK_API_VERSION_1_3) {
        *last = &vulkan13_;
        last = &vulkan13_.pNext;
    }
    if (extensions.contains(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) {
        *last = &subgroup_size_control_;
        last = &subgroup_size_control_.pNext;
    }
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

void apply_features(Capabilities& capabilities, const VkPhysicalDeviceFeatures2& chain, const ExtensionSet& extensions,
                    std::uint32_t api_version) {
    const bool can_select_size = capabilities.subgroup_size_selectable;
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
    capabilities.subgroup_size_selectable = capabilities.subgroup_size_selectable && can_select_size;
    if (api_version < VK_API_VERSION_1_3) { // before 1.3, their functions and SPIR-V have other names
        capabilities.synchronization2 = false;
        capabilities.maintenance4 = false;
        // Before SPIR-V 1.6, subgroups have the size that the device reports, unless the pipeline requires another one.
        if (!capabilities.subgroup_size_selectable) {
            capabilities.subgroup_size_min = capabilities.subgroup_size;
            capabilities.subgroup_size_max = capabilities.subgroup_size;
            if (hides_subgroup_size(capabilities, api_version)) {
                capabilities.subgroup_size_min = std::min(smallest_hidden_subgroup, capabilities.subgroup_size);
                capabilities.max_workgroup_subgroups =
                    capabilities.max_workgroup_invocations / capabilities.subgroup_size_min;
            }
        }
    }
    capabilities.memory_model_device_scope = capabilities.memory_model_device_scope && capabilities.memory_model;
    capabilities.robust_buffer_access = chain.features.robustBufferAccess != VK_FALSE;
    capabilities.memory_budget = extensions.contains(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    capabilities.unified_image_layouts = extensions.contains(unified_image_layouts);
    if (!extensions.contains(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME)) {
        capabilities.max_push_descriptors = 0;
    }
}

Result<> enable_features(const DeviceRequirements& requirements, VkPhysicalDeviceFeatures2& chain) {
    if (!requirements.unusable.empty()) {
        return tl::unexpected(Error{ErrorCode::unsupported, requirements.unusable});
    }
    const auto& wanted = requirements.recommended_features;
    for (const Feature& feature : features()) {
        VkBool32* value = find_feature(feature, chain);
        if (value != nullptr && std::ranges::find(wanted, feature.name) != wanted.end()) {
            *value = VK_TRUE;
        }
    }
    return {};
}

bool hides_subgroup_size(const Capabilities& enabled, std::uint32_t api_version) {
    return enabled.vendor_id == vendors::intel && api_version < VK_API_VERSION_1_3 && !enabled.full_subgroups;
}

} // namespace weir

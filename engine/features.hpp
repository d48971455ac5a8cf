#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/capabilities.hpp>

namespace weir {

/// Where the switch of a feature is: a member of a structure that can stand in a chain.
struct FeatureLocation {
    VkStructureType structure = VK_STRUCTURE_TYPE_MAX_ENUM;
    VkBool32& (*member)(void* structure) = nullptr;
};

/// A device feature that Weir can use.
struct Feature {
    const char* name;
    FeatureLocation core;             ///< in the structure of a Vulkan version, or of its extension
    FeatureLocation alternative = {}; ///< in the structure from before it became core, which a host may chain instead
    const char* extension = nullptr;  ///< the extension it comes with, where it is not core
    bool Capabilities::*capability = nullptr; ///< what says that it, and all others that have it here, are enabled
};

/// All of them: everything that asks for, checks or switches on features does it by this list.
std::span<const Feature> features();

/// Names of extensions.
class ExtensionSet {
public:
    ExtensionSet() = default;
    explicit ExtensionSet(std::vector<std::string> names) : names_(std::move(names)) {}
    explicit ExtensionSet(std::span<const char* const> names) : names_(names.begin(), names.end()) {}
    [[nodiscard]] bool contains(std::string_view name) const;

private:
    std::vector<std::string> names_;
};

/// Those of `extensions` that Weir uses, on a device and an instance of that version of Vulkan.
std::vector<const char*> recommended_extensions(const ExtensionSet& extensions, std::uint32_t api_version);

/// The structures that hold the features of the list, for a query or to create a device.
class FeatureChain {
public:
    /// Has the structures of that version of Vulkan, and of the recommended extensions among `supported`.
    FeatureChain(const ExtensionSet& supported, std::uint32_t api_version);
    FeatureChain(const FeatureChain&) = delete;
    FeatureChain& operator=(const FeatureChain&) = delete;

    VkPhysicalDeviceFeatures2& head() { return core_; }
    [[nodiscard]] const VkPhysicalDeviceFeatures2& head() const { return core_; }

private:
    VkPhysicalDeviceFeatures2 core_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan11Features vulkan11_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features vulkan12_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features vulkan13_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_size_control_{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
    VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer_{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR pipeline_executable_{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR uniform_control_flow_{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR};
};

/// The switch of `feature` in a chain, wherever the chain has it; null where it has none.
const VkBool32* find_feature(const Feature& feature, const VkPhysicalDeviceFeatures2& chain);
VkBool32* find_feature(const Feature& feature, VkPhysicalDeviceFeatures2& chain);

/// Whether `feature` is on in a chain that was made with `extensions`.
bool is_on(const Feature& feature, const VkPhysicalDeviceFeatures2& chain, const ExtensionSet& extensions);

/// Sets the capabilities that follow from enabled features, where no more than `api_version` of Vulkan may be used.
/// Before, `subgroup_size_selectable` says whether the device could.
void apply_features(Capabilities& capabilities, const VkPhysicalDeviceFeatures2& chain, const ExtensionSet& extensions,
                    std::uint32_t api_version);

} // namespace weir

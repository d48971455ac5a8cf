#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/capabilities.hpp>

namespace weir {

/// Location of a feature's VkBool32: a member of a structure that can be in a pNext chain.
struct FeatureLocation {
    VkStructureType structure = VK_STRUCTURE_TYPE_MAX_ENUM;
    VkBool32& (*member)(void* structure) = nullptr;
};

/// A device feature that Weir can use.
struct Feature {
    const char* name;
    FeatureLocation core;             ///< structure of a Vulkan version, or of the extension
    FeatureLocation alternative = {}; ///< structure from before it became core, which the application may chain instead
    const char* extension = nullptr;  ///< the extension that adds it; null: core
    bool Capabilities::*capability = nullptr; ///< true if all features with this capability are enabled
};

/// Returns all features that Weir can use. Everything that queries, checks or enables features uses this list.
std::span<const Feature> features();

/// A set of extension names.
class ExtensionSet {
public:
    ExtensionSet() = default;
    explicit ExtensionSet(std::vector<std::string> names) : names_(std::move(names)) {}
    explicit ExtensionSet(std::span<const char* const> names) : names_(names.begin(), names.end()) {}
    [[nodiscard]] bool contains(std::string_view name) const;

private:
    std::vector<std::string> names_;
};

/// Returns those of `extensions` that Weir uses on a device and an instance of version `api_version`.
std::vector<const char*> recommended_extensions(const ExtensionSet& extensions, std::uint32_t api_version);

/// A pNext chain of the structures that hold the listed features, to query them or to create a device.
class FeatureChain {
public:
    /// Chains the structures of Vulkan `api_version` and of the recommended extensions in `supported`.
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

/// Returns the value of `feature` in `chain`: in the core structure, or else in the alternative one. Null if the chain
/// has neither.
const VkBool32* find_feature(const Feature& feature, const VkPhysicalDeviceFeatures2& chain);
VkBool32* find_feature(const Feature& feature, VkPhysicalDeviceFeatures2& chain);

/// Checks that `feature` is enabled in `chain`, for a device with `extensions`.
bool is_on(const Feature& feature, const VkPhysicalDeviceFeatures2& chain, const ExtensionSet& extensions);

/// Sets the capabilities that depend on enabled features, for Vulkan up to `api_version`. On entry,
/// `subgroup_size_selectable` must say if the device supports selecting a size.
void apply_features(Capabilities& capabilities, const VkPhysicalDeviceFeatures2& chain, const ExtensionSet& extensions,
                    std::uint32_t api_version);

/// Returns true if subgroups may be smaller than the size that shaders read. Intel's drivers report 32 to shaders of
/// SPIR-V before 1.6, and run them in subgroups of 8, 16 or 32, unless a pipeline requires full subgroups or a size.
bool hides_subgroup_size(const Capabilities& enabled, std::uint32_t api_version);
constexpr std::uint32_t smallest_hidden_subgroup = 8; ///< invocations

} // namespace weir

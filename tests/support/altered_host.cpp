#include "tests/support/altered_host.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace weir::tests {

namespace {

// Globals, because Vulkan passes no user pointer to these functions.
Alterations now_altered;
PFN_vkGetPhysicalDeviceProperties unaltered_properties = nullptr;
PFN_vkGetPhysicalDeviceProperties2 unaltered_properties2 = nullptr;
PFN_vkGetPhysicalDeviceQueueFamilyProperties unaltered_families = nullptr;
PFN_vkCreateShaderModule unaltered_module = nullptr;

template <class Structure>
void alter(const std::function<void(Structure&)>& change, Structure& structure) {
    if (change) {
        change(structure);
    }
}

void VKAPI_CALL altered_properties(VkPhysicalDevice device, VkPhysicalDeviceProperties* out) {
    unaltered_properties(device, out);
    alter(now_altered.properties, *out);
}

void VKAPI_CALL altered_properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
    unaltered_properties2(device, out);
    alter(now_altered.properties, out->properties);
    for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next != nullptr; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES) {
            alter(now_altered.vulkan11, *reinterpret_cast<VkPhysicalDeviceVulkan11Properties*>(next));
        } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES) {
            alter(now_altered.vulkan13, *reinterpret_cast<VkPhysicalDeviceVulkan13Properties*>(next));
        }
    }
}

void VKAPI_CALL altered_families(VkPhysicalDevice device, std::uint32_t* count, VkQueueFamilyProperties* out) {
    std::uint32_t there = 0;
    unaltered_families(device, &there, nullptr);
    std::vector<VkQueueFamilyProperties> all(there);
    unaltered_families(device, &there, all.data());
    alter(now_altered.families, all);
    if (out != nullptr) {
        std::copy_n(all.begin(), std::min<std::size_t>(*count, all.size()), out);
    }
    *count = static_cast<std::uint32_t>(all.size());
}

VkResult VKAPI_CALL altered_module(VkDevice device, const VkShaderModuleCreateInfo* info,
                                   const VkAllocationCallbacks* callbacks, VkShaderModule* module) {
    std::vector<std::uint32_t> words(info->pCode, info->pCode + info->codeSize / 4);
    alter(now_altered.spirv, words);
    VkShaderModuleCreateInfo changed = *info;
    changed.codeSize = words.size() * 4;
    changed.pCode = words.data();
    return unaltered_module(device, &changed, callbacks, module);
}

PFN_vkVoidFunction altered(std::string_view name, PFN_vkVoidFunction real) {
    if (now_altered.lacks && now_altered.lacks(name)) {
        return nullptr;
    }
    return name == "vkGetPhysicalDeviceProperties"
               ? ReplacedFunctions::take(real, unaltered_properties, altered_properties)
           : name == "vkGetPhysicalDeviceProperties2"
               ? ReplacedFunctions::take(real, unaltered_properties2, altered_properties2)
           : name == "vkGetPhysicalDeviceQueueFamilyProperties"
               ? ReplacedFunctions::take(real, unaltered_families, altered_families)
           : name == "vkCreateShaderModule" ? ReplacedFunctions::take(real, unaltered_module, altered_module)
                                            : real;
}

} // namespace

AlteredHost::AlteredHost(Alterations alterations, const std::function<void(HostFeatures&)>& features,
                         std::uint32_t api_version)
    : host_(features, api_version), adopted_(host_.adopted()), replaced_(adopted_, altered) {
    now_altered = std::move(alterations);
}

} // namespace weir::tests

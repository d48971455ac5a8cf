#include "tests/support/altered_host.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace weir::tests {

namespace {

// Functions without an object, as drivers have them.
Alterations current;
PFN_vkGetPhysicalDeviceProperties real_properties = nullptr;
PFN_vkGetPhysicalDeviceProperties2 real_properties2 = nullptr;
PFN_vkGetPhysicalDeviceQueueFamilyProperties real_families = nullptr;

template <class Structure>
void alter(const std::function<void(Structure&)>& change, Structure& structure) {
    if (change) {
        change(structure);
    }
}

void VKAPI_CALL properties(VkPhysicalDevice device, VkPhysicalDeviceProperties* out) {
    real_properties(device, out);
    alter(current.properties, *out);
}

void VKAPI_CALL properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
    real_properties2(device, out);
    alter(current.properties, out->properties);
    for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next != nullptr; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES) {
            alter(current.vulkan13, *reinterpret_cast<VkPhysicalDeviceVulkan13Properties*>(next));
        }
    }
}

void VKAPI_CALL families(VkPhysicalDevice device, std::uint32_t* count, VkQueueFamilyProperties* out) {
    std::uint32_t there = 0;
    real_families(device, &there, nullptr);
    std::vector<VkQueueFamilyProperties> all(there);
    real_families(device, &there, all.data());
    alter(current.families, all);
    if (out != nullptr) {
        std::copy_n(all.begin(), std::min<std::size_t>(*count, all.size()), out);
    }
    *count = static_cast<std::uint32_t>(all.size());
}

PFN_vkVoidFunction altered(std::string_view name, PFN_vkVoidFunction real) {
    return name == "vkGetPhysicalDeviceProperties"    ? ReplacedFunctions::take(real, real_properties, properties)
           : name == "vkGetPhysicalDeviceProperties2" ? ReplacedFunctions::take(real, real_properties2, properties2)
           : name == "vkGetPhysicalDeviceQueueFamilyProperties" ? ReplacedFunctions::take(real, real_families, families)
                                                                : real;
}

} // namespace

AlteredHost::AlteredHost(Alterations alterations, const std::function<void(HostFeatures&)>& features,
                         std::uint32_t api_version)
    : host_(features, api_version), adopted_(host_.adopted()), replaced_(adopted_, altered) {
    current = std::move(alterations);
}

} // namespace weir::tests

#include "tests/support/device_profile.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace weir::tests {

const DeviceProfile device_profiles[4] = {
    {.name = "libplacebo, FFmpeg or Qt", .api_version = VK_API_VERSION_1_2},
    {.name = "like MoltenVK", .synchronization2 = true, .maintenance4 = true},
    {.name = "like Adreno",
     .synchronization2 = true,
     .full_subgroups = true,
     .memory_model = true,
     .device_scope = true,
     .sizes_vary = true},
    {.name = "without device scope", .maintenance4 = true, .memory_model = true, .sizes_vary = true},
};

namespace {

// Globals, because Vulkan passes no user pointer to these functions.
const DeviceProfile* current = nullptr;
PFN_vkGetPhysicalDeviceProperties real_properties = nullptr;
PFN_vkGetPhysicalDeviceProperties2 real_properties2 = nullptr;

void VKAPI_CALL properties(VkPhysicalDevice device, VkPhysicalDeviceProperties* out) {
    real_properties(device, out);
    out->apiVersion = std::min(out->apiVersion, current->api_version);
}

void VKAPI_CALL properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
    real_properties2(device, out);
    out->properties.apiVersion = std::min(out->properties.apiVersion, current->api_version);
    for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next != nullptr; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES) {
            auto& found = *reinterpret_cast<VkPhysicalDeviceVulkan13Properties*>(next);
            found.maxSubgroupSize = found.minSubgroupSize * (current->sizes_vary ? 2 : 1);
            found.requiredSubgroupSizeStages = current->subgroup_size_control ? found.requiredSubgroupSizeStages : 0;
        }
    }
}

/// Disables the features that the profile lacks.
void limit(HostFeatures& features) {
    const auto keep = [](VkBool32& feature, bool is_there) { feature = is_there ? feature : VK_FALSE; };
    keep(features.vulkan13.synchronization2, current->synchronization2);
    keep(features.vulkan13.maintenance4, current->maintenance4);
    keep(features.vulkan13.subgroupSizeControl, current->subgroup_size_control);
    keep(features.vulkan13.computeFullSubgroups, current->full_subgroups);
    keep(features.vulkan12.vulkanMemoryModel, current->memory_model);
    keep(features.vulkan12.vulkanMemoryModelDeviceScope, current->device_scope);
    if (current->api_version < VK_API_VERSION_1_3) {
        features.vulkan12.pNext = nullptr;
    }
}

PFN_vkVoidFunction of_profile(std::string_view name, PFN_vkVoidFunction real) {
    constexpr std::string_view of_synchronization2[] = {"vkCmdPipelineBarrier2", "vkCmdPipelineBarrier2KHR",
                                                        "vkCmdWriteTimestamp2",  "vkCmdWriteTimestamp2KHR",
                                                        "vkQueueSubmit2",        "vkQueueSubmit2KHR"};
    if (!current->synchronization2 && std::ranges::find(of_synchronization2, name) != std::end(of_synchronization2)) {
        return nullptr;
    }
    if (!current->maintenance4 && name.starts_with("vkGetDeviceBufferMemoryRequirements")) {
        return nullptr;
    }
    return name == "vkGetPhysicalDeviceProperties"    ? ReplacedFunctions::take(real, real_properties, properties)
           : name == "vkGetPhysicalDeviceProperties2" ? ReplacedFunctions::take(real, real_properties2, properties2)
                                                      : real;
}

const DeviceProfile& made_current(const DeviceProfile& profile) {
    current = &profile;
    return profile;
}

} // namespace

ProfiledHost::ProfiledHost(const DeviceProfile& profile)
    : host_(limit, made_current(profile).api_version), adopted_(host_.adopted()), replaced_(adopted_, of_profile) {
    adopted_.compute_queue = {.queue = adopted_.queue, .family = adopted_.queue_family};
}

} // namespace weir::tests

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

/// Returns a function that disables the features that the profile lacks.
std::function<void(HostFeatures&)> limits_of(const DeviceProfile& profile) {
    return [&profile](HostFeatures& features) {
        const auto keep = [](VkBool32& feature, bool is_there) { feature = is_there ? feature : VK_FALSE; };
        keep(features.vulkan13.synchronization2, profile.synchronization2);
        keep(features.vulkan13.maintenance4, profile.maintenance4);
        keep(features.vulkan13.subgroupSizeControl, profile.subgroup_size_control);
        keep(features.vulkan13.computeFullSubgroups, profile.full_subgroups);
        keep(features.vulkan12.vulkanMemoryModel, profile.memory_model);
        keep(features.vulkan12.vulkanMemoryModelDeviceScope, profile.device_scope);
        if (profile.api_version < VK_API_VERSION_1_3) {
            features.vulkan12.pNext = nullptr;
        }
    };
}

/// Returns what the device of a profile reports.
Alterations alterations_of(const DeviceProfile& profile) {
    return {.properties =
                [&profile](VkPhysicalDeviceProperties& properties) {
                    properties.apiVersion = std::min(properties.apiVersion, profile.api_version);
                },
            .vulkan13 =
                [&profile](VkPhysicalDeviceVulkan13Properties& properties) {
                    properties.maxSubgroupSize = properties.minSubgroupSize * (profile.sizes_vary ? 2 : 1);
                    properties.requiredSubgroupSizeStages =
                        profile.subgroup_size_control ? properties.requiredSubgroupSizeStages : 0;
                },
            .lacks =
                [&profile](std::string_view name) {
                    constexpr std::string_view of_synchronization2[] = {
                        "vkCmdPipelineBarrier2",   "vkCmdPipelineBarrier2KHR", "vkCmdWriteTimestamp2",
                        "vkCmdWriteTimestamp2KHR", "vkQueueSubmit2",           "vkQueueSubmit2KHR"};
                    return (!profile.synchronization2 &&
                            std::ranges::find(of_synchronization2, name) != std::end(of_synchronization2)) ||
                           (!profile.maintenance4 && name.starts_with("vkGetDeviceBufferMemoryRequirements"));
                }};
}

} // namespace

ProfiledHost::ProfiledHost(const DeviceProfile& profile)
    : host_(alterations_of(profile), limits_of(profile), profile.api_version), adopted_(host_.adopted()) {
    adopted_.compute_queue = {.queue = adopted_.queue, .family = adopted_.queue_family};
}

} // namespace weir::tests

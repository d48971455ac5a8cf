#include "engine/device/physical_device.hpp"
#include "engine/base/enumerate.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <weir/engine/context.hpp>

namespace weir {

namespace {

constexpr std::uint32_t smallest_subgroup = 4;
constexpr std::uint32_t largest_subgroup = 128;
constexpr std::uint32_t fewest_invocations = 256;

struct SubgroupOperation {
    VkSubgroupFeatureFlagBits bit;
    const char* name;
};
constexpr SubgroupOperation required_operations[] = {
    {VK_SUBGROUP_FEATURE_BASIC_BIT, "basic"},
    {VK_SUBGROUP_FEATURE_VOTE_BIT, "vote"},
    {VK_SUBGROUP_FEATURE_BALLOT_BIT, "ballot"},
    {VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"},
};

struct Properties {
    VkPhysicalDeviceProperties2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    VkPhysicalDeviceVulkan11Properties vulkan11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
    VkPhysicalDeviceVulkan12Properties vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceVulkan13Properties vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
    VkPhysicalDeviceSubgroupSizeControlProperties subgroup_sizes{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDevicePushDescriptorPropertiesKHR push_descriptors{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR};
};

DeviceKind kind_of(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return DeviceKind::integrated;
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return DeviceKind::discrete;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return DeviceKind::virtual_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return DeviceKind::cpu;
    default: return DeviceKind::other;
    }
}

std::string driver_version(std::uint32_t vendor, std::uint32_t version) {
    if (vendor == vendors::nvidia) { // packs 10.8.8.6 bits
        return concat(version >> 22U, ".", (version >> 14U) & 0xffU, ".", (version >> 6U) & 0xffU);
    }
    return concat(VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version), ".",
                  VK_API_VERSION_PATCH(version));
}

Result<std::vector<std::string>> device_extensions(const InstanceTable& vk, VkPhysicalDevice device) {
    const auto properties = enumerate<VkExtensionProperties>(
        "the extensions of the device", [&](std::uint32_t* count, VkExtensionProperties* out) {
            return vk.vkEnumerateDeviceExtensionProperties(device, nullptr, count, out);
        });
    WEIR_PROPAGATE(properties);
    std::vector<std::string> names;
    for (const VkExtensionProperties& one : *properties) {
        names.emplace_back(one.extensionName);
    }
    return names;
}

void read_identity(Capabilities& out, const VkPhysicalDeviceProperties& core) {
    out.device_name = core.deviceName;
    out.driver = driver_version(core.vendorID, core.driverVersion);
    out.kind = kind_of(core.deviceType);
    out.vendor_id = core.vendorID;
    out.device_id = core.deviceID;
    out.driver_version = core.driverVersion;
    out.api_version = core.apiVersion;
}

/// Reads the properties that the version and extensions of `device` provide. Sets the others to values of a device that
/// lacks their features.
void read_properties(const InstanceTable& vk, const PhysicalDevice& device, Properties& out) {
    out.core.pNext = &out.vulkan11;
    out.vulkan11.pNext = &out.vulkan12;
    void** last = &out.vulkan12.pNext;
    const bool is_new = device.api_version >= VK_API_VERSION_1_3;
    const bool has_sizes = device.extensions.contains(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    if (is_new) {
        *last = &out.vulkan13;
        last = &out.vulkan13.pNext;
    } else if (has_sizes) {
        *last = &out.subgroup_sizes;
        last = &out.subgroup_sizes.pNext;
    }
    if (device.extensions.contains(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME)) {
        *last = &out.push_descriptors;
    }
    vk.vkGetPhysicalDeviceProperties2(device.handle, &out.core);
    if (is_new) {
        return;
    }
    VkPhysicalDeviceSubgroupSizeControlProperties& sizes = out.subgroup_sizes;
    if (!has_sizes) { // all subgroups have the size that the device reports
        sizes.minSubgroupSize = sizes.maxSubgroupSize = out.vulkan11.subgroupSize;
        sizes.maxComputeWorkgroupSubgroups =
            out.core.properties.limits.maxComputeWorkGroupInvocations / std::max(1U, out.vulkan11.subgroupSize);
    }
    out.vulkan13.minSubgroupSize = sizes.minSubgroupSize;
    out.vulkan13.maxSubgroupSize = sizes.maxSubgroupSize;
    out.vulkan13.maxComputeWorkgroupSubgroups = sizes.maxComputeWorkgroupSubgroups;
    out.vulkan13.requiredSubgroupSizeStages = sizes.requiredSubgroupSizeStages;
    out.vulkan13.maxBufferSize = out.vulkan11.maxMemoryAllocationSize;
}

void read_limits(Capabilities& out, const Properties& properties) {
    const VkPhysicalDeviceLimits& limits = properties.core.properties.limits;
    const VkPhysicalDeviceVulkan13Properties& vulkan13 = properties.vulkan13;
    // True for Mesa 22.3, false for Mesa 25, the first with Vulkan 1.4. All versions report driver version 0.0.1.
    out.ordered_atomics_are_barriers =
        properties.vulkan12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE && out.api_version < VK_MAKE_API_VERSION(0, 1, 4, 0);
    out.driver = concat(properties.vulkan12.driverName, properties.vulkan12.driverInfo[0] != '\0' ? " " : "",
                        properties.vulkan12.driverInfo, ", ", driver_version(out.vendor_id, out.driver_version));
    out.subgroup_size = properties.vulkan11.subgroupSize;
    out.subgroup_arithmetic =
        (properties.vulkan11.subgroupSupportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT) != 0;
    out.subgroup_size_min = vulkan13.minSubgroupSize;
    out.subgroup_size_max = vulkan13.maxSubgroupSize;
    out.subgroup_size_selectable = vulkan13.minSubgroupSize != vulkan13.maxSubgroupSize &&
                                   (vulkan13.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
    out.max_workgroup_invocations = std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
    out.max_workgroup_size_y = limits.maxComputeWorkGroupSize[1];
    out.max_workgroup_size_z = limits.maxComputeWorkGroupSize[2];
    out.max_workgroup_subgroups = vulkan13.maxComputeWorkgroupSubgroups;
    out.max_workgroup_memory = limits.maxComputeSharedMemorySize;
    out.max_workgroup_count_x = limits.maxComputeWorkGroupCount[0];
    out.max_workgroup_count_y = limits.maxComputeWorkGroupCount[1];
    out.max_workgroup_count_z = limits.maxComputeWorkGroupCount[2];
    out.max_push_constants = limits.maxPushConstantsSize;
    out.max_storage_buffers = std::min({limits.maxPerStageDescriptorStorageBuffers,
                                        limits.maxDescriptorSetStorageBuffers, limits.maxPerStageResources});
    out.max_storage_range = limits.maxStorageBufferRange;
    out.max_uniform_buffers = std::min({limits.maxPerStageDescriptorUniformBuffers,
                                        limits.maxDescriptorSetUniformBuffers, limits.maxPerStageResources});
    out.max_uniform_range = limits.maxUniformBufferRange;
    out.max_bound_sets = limits.maxBoundDescriptorSets;
    out.max_allocation = std::min(properties.vulkan11.maxMemoryAllocationSize, vulkan13.maxBufferSize);
    out.max_buffer_size = vulkan13.maxBufferSize;
    out.storage_offset_alignment = static_cast<std::uint32_t>(limits.minStorageBufferOffsetAlignment);
    out.uniform_offset_alignment = static_cast<std::uint32_t>(limits.minUniformBufferOffsetAlignment);
    out.image_granularity = limits.bufferImageGranularity;
    out.timestamp_period = limits.timestampPeriod;
    out.max_push_descriptors = properties.push_descriptors.maxPushDescriptors;
}

std::uint64_t largest_device_heap(const InstanceTable& vk, VkPhysicalDevice device) {
    VkPhysicalDeviceMemoryProperties memory{};
    vk.vkGetPhysicalDeviceMemoryProperties(device, &memory);
    std::uint64_t largest = 0;
    for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
            largest = std::max<std::uint64_t>(largest, memory.memoryHeaps[i].size);
        }
    }
    return largest;
}

std::string missing_operations(const VkPhysicalDeviceVulkan11Properties& properties) {
    if ((properties.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) == 0) {
        return "it does not support subgroup operations in compute shaders";
    }
    std::string missing;
    for (const SubgroupOperation& operation : required_operations) {
        if ((properties.subgroupSupportedOperations & operation.bit) == 0) {
            missing += (missing.empty() ? "" : ", ") + std::string(operation.name);
        }
    }
    return missing.empty() ? "" : "it lacks the subgroup operations " + missing;
}

} // namespace

const char* to_string(DeviceKind kind) {
    switch (kind) {
    case DeviceKind::integrated: return "integrated";
    case DeviceKind::discrete: return "discrete";
    case DeviceKind::virtual_gpu: return "virtual";
    case DeviceKind::cpu: return "cpu";
    case DeviceKind::other: break;
    }
    return "other";
}

const char* to_string(QueueKind kind) {
    switch (kind) {
    case QueueKind::compute: return "compute";
    case QueueKind::transfer: return "transfer";
    case QueueKind::main: break;
    }
    return "main";
}

PhysicalDevice inspect(const InstanceTable& vk, VkPhysicalDevice device, std::uint32_t api_version) {
    PhysicalDevice out;
    out.handle = device;
    Capabilities& capabilities = out.capabilities;

    std::uint32_t count = 0;
    vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    out.queue_families.resize(count);
    vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, out.queue_families.data());

    const auto lacks = [&](std::string what) { out.unusable = {ErrorCode::unsupported, std::move(what)}; };
    Properties properties;
    vk.vkGetPhysicalDeviceProperties(device, &properties.core.properties);
    read_identity(capabilities, properties.core.properties);
    out.api_version = std::min(api_version, capabilities.api_version);
    if (out.api_version < oldest_api_version) {
        lacks(concat(out.api_version < capabilities.api_version ? "the instance was created for" : "it supports",
                     " Vulkan ", VK_API_VERSION_MAJOR(out.api_version), ".", VK_API_VERSION_MINOR(out.api_version),
                     "; 1.2 is required"));
        return out;
    }
    const auto extensions = device_extensions(vk, device);
    if (!extensions) {
        out.unusable = extensions.error();
        return out;
    }
    out.extensions = ExtensionSet(*extensions);
    read_properties(vk, out, properties);
    read_limits(capabilities, properties);
    capabilities.device_local_memory = largest_device_heap(vk, device);
    capabilities.max_buffer_size =
        std::min(capabilities.max_buffer_size, std::max(capabilities.device_local_memory, capabilities.max_allocation));

    const std::string operations = missing_operations(properties.vulkan11);
    if (!choose_queue_family(out.queue_families)) {
        lacks("it has no queue family that supports compute");
    } else if (!operations.empty()) {
        lacks(operations);
    } else if (capabilities.subgroup_size_min < smallest_subgroup ||
               capabilities.subgroup_size_max > largest_subgroup) {
        lacks(concat("its subgroups have ", capabilities.subgroup_size_min, " to ", capabilities.subgroup_size_max,
                     " invocations; ", smallest_subgroup, " to ", largest_subgroup, " are supported"));
    } else if (capabilities.max_workgroup_invocations < fewest_invocations) {
        lacks(concat("its workgroups have at most ", capabilities.max_workgroup_invocations, " invocations; ",
                     fewest_invocations, " are required"));
    }
    return out;
}

std::optional<std::uint32_t> choose_queue_family(const std::vector<VkQueueFamilyProperties>& families) {
    std::optional<std::uint32_t> best;
    int best_score = -1;
    for (std::uint32_t i = 0; i < families.size(); ++i) {
        const VkQueueFamilyProperties& family = families[i];
        if ((family.queueFlags & VK_QUEUE_COMPUTE_BIT) == 0 || family.queueCount == 0) {
            continue;
        }
        const int score =
            (family.timestampValidBits != 0 ? 2 : 0) + ((family.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0 ? 1 : 0);
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    return best;
}

QueuePlaces choose_queues(const std::vector<VkQueueFamilyProperties>& families, std::uint32_t main) {
    const auto choose = [&](VkQueueFlags needed, VkQueueFlags unwanted) {
        QueuePlace best;
        for (std::uint32_t i = 0; i < families.size(); ++i) {
            const VkQueueFlags flags = families[i].queueFlags;
            const bool fits = families[i].queueCount > 0 && (flags & needed) != 0 && (flags & unwanted) == 0;
            if (fits && (best.family == Capabilities::no_queue ||
                         std::popcount(flags) < std::popcount(families[best.family].queueFlags))) {
                best.family = i;
            }
        }
        return best;
    };
    QueuePlace compute;
    if ((families[main].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0) {
        compute = choose(VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    }
    if (compute.family == Capabilities::no_queue && families[main].queueCount > 1) {
        compute = {main, 1};
    }
    return {QueuePlace{main, 0}, compute, choose(VK_QUEUE_TRANSFER_BIT, VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)};
}

DeviceRequirements device_requirements(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                       VkPhysicalDevice physical_device, std::uint32_t api_version) {
    DeviceRequirements out;
    if (get_instance_proc_addr == nullptr || instance == VK_NULL_HANDLE || physical_device == VK_NULL_HANDLE) {
        out.unusable = "get_instance_proc_addr, instance and physical_device must not be null";
        return out;
    }
    const auto vk = load_instance_table(get_instance_proc_addr, instance);
    if (!vk) {
        out.unusable = vk.error().message;
        return out;
    }
    const PhysicalDevice device = inspect(*vk, physical_device, api_version);
    out.unusable = device.unusable ? device.unusable->message : "";
    if (device.api_version < oldest_api_version) {
        return out;
    }
    FeatureChain supported(device.extensions, device.api_version);
    vk->vkGetPhysicalDeviceFeatures2(physical_device, &supported.head());
    for (const Feature& feature : features()) {
        if (is_on(feature, supported.head(), device.extensions)) {
            out.recommended_features.emplace_back(feature.name);
        }
    }
    out.recommended_extensions = recommended_extensions(device.extensions, device.api_version);
    return out;
}

} // namespace weir

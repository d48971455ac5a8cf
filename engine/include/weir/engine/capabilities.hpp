#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <vulkan/vulkan_core.h>

#include <weir/engine/export.hpp>

namespace weir {

/// Kind of a device, as in VkPhysicalDeviceType.
enum class DeviceKind : std::uint8_t {
    other,       ///< none of the following
    integrated,  ///< a GPU that shares memory with the host
    discrete,    ///< a GPU with memory of its own
    virtual_gpu, ///< a GPU of a virtual machine
    cpu,         ///< software, such as lavapipe
};

/// Returns "other", "integrated", "discrete", "virtual" or "cpu".
WEIR_API const char* to_string(DeviceKind kind);

/// Purpose of a queue.
enum class QueueKind : std::uint8_t {
    main,     ///< the context's queue, which every device has
    compute,  ///< compute work, concurrent with the main queue
    transfer, ///< copies and fills, concurrent with both other queues
};
constexpr std::size_t queue_kinds = 3; ///< number of kinds

/// Returns "main", "compute" or "transfer".
WEIR_API const char* to_string(QueueKind kind);

/// Values of Capabilities::vendor_id.
namespace vendors {
constexpr std::uint32_t amd = 0x1002, ///< AMD
    apple = 0x106B,                   ///< Apple
    arm = 0x13B5,                     ///< Arm
    imagination = 0x1010,             ///< Imagination
    intel = 0x8086,                   ///< Intel
    nvidia = 0x10DE,                  ///< NVIDIA
    qualcomm = 0x5143;                ///< Qualcomm
} // namespace vendors

/// Limits and *enabled* optional features of a device, as far as Weir uses them. Plain data without Vulkan handles:
/// graphs can be compiled to plans and kernels can be chosen without a device. The default values describe a small
/// device without optional features.
struct Capabilities {
    std::string device_name;             ///< as the driver reports it
    std::string driver;                  ///< name, information and version of the driver in one line
    DeviceKind kind = DeviceKind::other; ///< kind of device
    std::uint32_t vendor_id = 0;         ///< see vendors
    std::uint32_t device_id = 0;         ///< as in VkPhysicalDeviceProperties
    std::uint32_t driver_version = 0;    ///< as in VkPhysicalDeviceProperties
    std::uint32_t api_version = 0;       ///< as in VkPhysicalDeviceProperties

    std::uint32_t subgroup_size = 32;      ///< invocations; the driver's default
    std::uint32_t subgroup_size_min = 32;  ///< invocations; equal to subgroup_size_max if the size is fixed
    std::uint32_t subgroup_size_max = 32;  ///< invocations
    bool subgroup_size_selectable = false; ///< a compute pipeline may require a size in this range
    /// computeFullSubgroups: a compute pipeline may require full subgroups. If false and the subgroup size is not
    /// fixed, kernels read the size at run time.
    bool full_subgroups = false;

    std::uint32_t max_workgroup_invocations = 256; ///< invocations per workgroup, in total and in x
    std::uint32_t max_workgroup_size_y = 128;      ///< invocations per workgroup in y
    std::uint32_t max_workgroup_size_z = 64;       ///< invocations per workgroup in z
    std::uint32_t max_workgroup_subgroups = 8;  ///< subgroups per workgroup of a pipeline that requires a subgroup size
    std::uint32_t max_workgroup_memory = 16384; ///< bytes of shared memory per workgroup
    std::uint32_t max_workgroup_count_x = 65535;  ///< workgroups per dispatch in x
    std::uint32_t max_workgroup_count_y = 65535;  ///< workgroups per dispatch in y
    std::uint32_t max_workgroup_count_z = 65535;  ///< workgroups per dispatch in z
    std::uint32_t max_push_constants = 128;       ///< bytes
    std::uint32_t max_storage_buffers = 16;       ///< bindings per stage
    std::uint64_t max_storage_range = 1ULL << 27; ///< bytes that one storage buffer binding can access
    std::uint32_t max_uniform_buffers = 12;       ///< bindings per stage
    std::uint64_t max_uniform_range = 16384;      ///< bytes that one uniform buffer binding can access
    std::uint32_t max_bound_sets = 4;             ///< descriptor sets per pipeline
    /// Bytes of one memory allocation (maxMemoryAllocationSize, maxBufferSize). A driver may accept a larger buffer.
    std::uint64_t max_allocation = 1ULL << 30;
    /// Bytes of one buffer: maxBufferSize, but at most the memory of the device or `max_allocation`, if that is more.
    std::uint64_t max_buffer_size = 1ULL << 30;
    std::uint64_t device_local_memory = 1ULL << 30; ///< bytes of the largest device-local heap
    std::uint32_t storage_offset_alignment = 1;     ///< bytes; alignment of storage buffer offsets
    std::uint32_t uniform_offset_alignment = 1;     ///< bytes; alignment of uniform buffer offsets
    std::uint64_t image_granularity = 1;            ///< bytes; VkPhysicalDeviceLimits::bufferImageGranularity
    float timestamp_period = 0.0F;                  ///< nanoseconds per tick
    std::uint32_t timestamp_bits = 0;               ///< valid bits; 0: the main queue has no timestamps

    /// Workgroups start in the order of their indices, except for those that run at the same time. Vulkan guarantees
    /// neither this nor the next property. Weir tests both when it first uses a device with this driver, with a kernel
    /// that takes milliseconds, and keeps the result next to the pipeline cache. Kernels are correct without them; they
    /// only select a faster variant. False for CPU devices and for devices without a main queue, which are not tested.
    bool workgroups_start_in_order = false;
    /// Atomics of a subgroup on one word of workgroup memory are performed in the order of the invocations. Tested
    /// together with the property above.
    bool atomics_in_lane_order = false;
    /// Atomics with acquire or release semantics act as workgroup barriers. A kernel in which not all invocations reach
    /// such an atomic would hang.
    bool ordered_atomics_are_barriers = false;

    /// Subgroup reductions and scans are available in shaders. If false, Weir replaces them with shuffles in all
    /// shaders, including the application's. Passes that use them must then require full subgroups
    /// (Pass::full_subgroups), otherwise compilation fails with `unsupported`. All invocations of a subgroup must take
    /// part in each operation.
    bool subgroup_arithmetic = false;
    bool int64 = false;             ///< 64-bit integers in shaders
    bool float64 = false;           ///< 64-bit floats in shaders
    bool int64_atomics = false;     ///< 64-bit atomics on storage buffers
    bool narrow_storage = false;    ///< storageBuffer8BitAccess and storageBuffer16BitAccess
    bool descriptor_buffer = false; ///< VK_EXT_descriptor_buffer
    bool buffer_address = false;    ///< bufferDeviceAddress
    /// Arrays of sampled images and of storage buffers for Graph::import_set. They may be indexed with non-uniform
    /// values, partially bound, and updated after they were bound. Features: shaderSampledImageArrayDynamicIndexing,
    /// shaderSampledImageArrayNonUniformIndexing, shaderStorageBufferArrayDynamicIndexing,
    /// shaderStorageBufferArrayNonUniformIndexing, runtimeDescriptorArray, descriptorBindingPartiallyBound,
    /// descriptorBindingSampledImageUpdateAfterBind, descriptorBindingStorageBufferUpdateAfterBind and
    /// descriptorBindingUpdateUnusedWhilePending.
    bool descriptor_indexing = false;
    bool robust_buffer_access = false;      ///< robustBufferAccess; set only if the application has enabled it
    std::uint32_t max_push_descriptors = 0; ///< per set; 0: VK_KHR_push_descriptor is not enabled
    bool pipeline_statistics = false;       ///< VK_KHR_pipeline_executable_properties
    bool memory_budget = false;             ///< VK_EXT_memory_budget; see Context::memory_budget
    bool unified_image_layouts = false;     ///< VK_KHR_unified_image_layouts; see CompileOptions::general_layouts
    bool timeline_semaphores = false;       ///< timelineSemaphore
    bool host_query_reset = false;          ///< hostQueryReset
    bool uniform_control_flow = false;      ///< VK_KHR_shader_subgroup_uniform_control_flow
    bool synchronization2 = false;          ///< synchronization2; without it, Weir calls the Vulkan 1.0 commands
    bool maintenance4 = false;              ///< maintenance4; without it, Weir rewrites SPIR-V for each pipeline
    bool memory_model = false;              ///< vulkanMemoryModel; without it, Weir rewrites SPIR-V
    bool memory_model_device_scope = false; ///< vulkanMemoryModelDeviceScope; without it, Weir rewrites SPIR-V

    /// Returns true if a shuffle inside a loop needs an execution barrier before it. Without the barrier, shuffles on
    /// NVIDIA have returned stale values, because invocations that diverged do not reconverge on their own. Passes with
    /// full subgroups request uniform control flow if available, which guarantees reconvergence. CPU drivers never
    /// diverge. This is not tested on the device, because a test kernel might stay converged by chance.
    [[nodiscard]] bool shuffles_need_barriers() const { return kind != DeviceKind::cpu && !uniform_control_flow; }

    static constexpr std::uint32_t no_queue = ~0U; ///< value in `queue_families`: no such queue
    /// Queue family by QueueKind. If the family of another kind than main is `no_queue`, the main queue does its work.
    /// Without `timeline_semaphores` only the main queue exists.
    std::array<std::uint32_t, queue_kinds> queue_families{0, no_queue, no_queue};
    /// Capabilities of the queue family by QueueKind; 0 if the queue does not exist. Barriers on a main queue without
    /// VK_QUEUE_GRAPHICS_BIT name no graphics stages.
    std::array<VkQueueFlags, queue_kinds> queue_flags{
        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 0, 0};
};

} // namespace weir

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <vulkan/vulkan_core.h>

#include <weir/engine/export.hpp>

namespace weir {

/// Kinds of devices, as in VkPhysicalDeviceType.
enum class DeviceKind : std::uint8_t {
    other,       ///< none of the following
    integrated,  ///< a GPU that shares memory with the host
    discrete,    ///< a GPU with memory of its own
    virtual_gpu, ///< a GPU of a virtual machine
    cpu,         ///< software, such as lavapipe
};

/// "other", "integrated", "discrete", "virtual" or "cpu".
WEIR_API const char* to_string(DeviceKind kind);

/// The purposes of queues.
enum class QueueKind : std::uint8_t {
    main,     ///< the context's queue, which every device has
    compute,  ///< compute work beside the main queue
    transfer, ///< copies and fills beside both
};
constexpr std::size_t queue_kinds = 3; ///< the number of kinds

/// "main", "compute" or "transfer".
WEIR_API const char* to_string(QueueKind kind);

/// Vendors of devices: values of Capabilities::vendor_id.
namespace vendors {
constexpr std::uint32_t amd = 0x1002, ///< AMD
    apple = 0x106B,                   ///< Apple
    arm = 0x13B5,                     ///< Arm
    imagination = 0x1010,             ///< Imagination
    intel = 0x8086,                   ///< Intel
    nvidia = 0x10DE,                  ///< NVIDIA
    qualcomm = 0x5143;                ///< Qualcomm
} // namespace vendors

/// What a device can do, as far as Weir uses it: limits, and optional features that are *enabled*. Plain data without a
/// Vulkan handle, so that graphs can be compiled to plans and kernels chosen without a device. By default those of a
/// small device without optional features.
struct Capabilities {
    std::string device_name;             ///< as the driver reports it
    std::string driver;                  ///< name, information and version of the driver in one line
    DeviceKind kind = DeviceKind::other; ///< kind of device
    std::uint32_t vendor_id = 0;         ///< see vendors
    std::uint32_t device_id = 0;         ///< as in VkPhysicalDeviceProperties
    std::uint32_t driver_version = 0;    ///< as in VkPhysicalDeviceProperties
    std::uint32_t api_version = 0;       ///< as in VkPhysicalDeviceProperties

    std::uint32_t subgroup_size = 32;      ///< invocations; the default of the driver
    std::uint32_t subgroup_size_min = 32;  ///< equal to subgroup_size_max where there is no choice
    std::uint32_t subgroup_size_max = 32;  ///< invocations
    bool subgroup_size_selectable = false; ///< a compute pipeline may require a size between these two
    /// A compute pipeline may require full subgroups (computeFullSubgroups). Where it may not, and the size is not
    /// always the same, kernels read the size when they run.
    bool full_subgroups = false;

    std::uint32_t max_workgroup_invocations = 256;  ///< invocations of a workgroup, even if all are in x
    std::uint32_t max_workgroup_size_y = 128;       ///< invocations
    std::uint32_t max_workgroup_size_z = 64;        ///< invocations
    std::uint32_t max_workgroup_subgroups = 8;      ///< in a pipeline that requires a subgroup size
    std::uint32_t max_workgroup_memory = 16384;     ///< bytes
    std::uint32_t max_workgroup_count_x = 65535;    ///< workgroups of one dispatch
    std::uint32_t max_workgroup_count_y = 65535;    ///< workgroups of one dispatch
    std::uint32_t max_workgroup_count_z = 65535;    ///< workgroups of one dispatch
    std::uint32_t max_push_constants = 128;         ///< bytes
    std::uint32_t max_storage_buffers = 16;         ///< bindings in one stage
    std::uint64_t max_storage_range = 1ULL << 27;   ///< bytes that one storage buffer binding can access
    std::uint32_t max_uniform_buffers = 12;         ///< bindings in one stage
    std::uint64_t max_uniform_range = 16384;        ///< bytes that one uniform buffer binding can access
    std::uint32_t max_bound_sets = 4;               ///< descriptor sets of one pipeline
    std::uint64_t max_allocation = 1ULL << 30;      ///< bytes
    std::uint64_t device_local_memory = 1ULL << 30; ///< bytes of the largest device-local heap
    std::uint32_t storage_offset_alignment = 1;     ///< bytes; offsets of storage buffer bindings are multiples
    std::uint32_t uniform_offset_alignment = 1;     ///< bytes; offsets of uniform buffer bindings are multiples
    std::uint64_t image_granularity = 1;            ///< bytes; alignment between a buffer and an image in one memory
    float timestamp_period = 0.0F;                  ///< nanoseconds per tick
    std::uint32_t timestamp_bits = 0;               ///< 0: the main queue has no timestamps

    /// Whether workgroups start in the order of their numbers, except for those that run at the same time. Nothing
    /// promises this or the next property: Weir tests them with a kernel of milliseconds when it first sees a device of
    /// this kind and driver, and keeps the result with the pipeline cache. Kernels are correct without them and only
    /// choose a faster variant. False for devices on the CPU or without a main queue, which are not tested.
    bool workgroups_start_in_order = false;
    /// Whether atomics of a subgroup's invocations on one word of workgroup memory are performed in the order of the
    /// invocations. Tested like the property above.
    bool atomics_in_lane_order = false;
    /// Whether an acquire or release atomic waits for the whole workgroup. Kernels in which not all invocations reach
    /// such an atomic would then hang.
    bool ordered_atomics_are_barriers = false;

    /// Reductions and scans over the lanes of a subgroup. Where they are missing, Weir makes those of shaders, yours
    /// included, of shuffles. Subgroups must then be full (Pass::full_subgroups), else compilation fails with
    /// `unsupported`, and all lanes of a subgroup must take part in them.
    bool subgroup_arithmetic = false;
    bool int64 = false;             ///< 64-bit integers in shaders
    bool float64 = false;           ///< 64-bit floats in shaders
    bool int64_atomics = false;     ///< 64-bit atomics on storage buffers
    bool narrow_storage = false;    ///< storageBuffer8BitAccess and storageBuffer16BitAccess
    bool descriptor_buffer = false; ///< VK_EXT_descriptor_buffer
    bool buffer_address = false;    ///< bufferDeviceAddress
    /// Arrays of sampled images and of storage buffers for Graph::import_set, indexed with any values, partially bound,
    /// and updated after they were bound: shaderSampledImageArrayDynamicIndexing and -NonUniformIndexing, the same for
    /// storage buffers, runtimeDescriptorArray, descriptorBindingPartiallyBound, -SampledImageUpdateAfterBind,
    /// -StorageBufferUpdateAfterBind and -UpdateUnusedWhilePending.
    bool descriptor_indexing = false;
    bool robust_buffer_access = false;      ///< robustBufferAccess, which an application may have enabled
    std::uint32_t max_push_descriptors = 0; ///< in one set; 0: VK_KHR_push_descriptor is not enabled
    bool pipeline_statistics = false;       ///< VK_KHR_pipeline_executable_properties
    bool memory_budget = false;             ///< VK_EXT_memory_budget, for Context::memory_budget
    bool timeline_semaphores = false;       ///< timelineSemaphore
    bool host_query_reset = false;          ///< hostQueryReset
    bool uniform_control_flow = false;      ///< VK_KHR_shader_subgroup_uniform_control_flow
    bool synchronization2 = false;          ///< synchronization2; else Weir calls the commands of Vulkan 1.0
    bool maintenance4 = false;              ///< maintenance4; else SPIR-V is changed when pipelines are made
    bool memory_model = false;              ///< vulkanMemoryModel; likewise
    bool memory_model_device_scope = false; ///< vulkanMemoryModelDeviceScope; likewise

    /// Whether a shuffle inside a loop needs an execution barrier before it. Without one, shuffles on NVIDIA have
    /// returned stale values, because invocations that diverged do not reconverge by themselves. Passes with full
    /// subgroups request uniform control flow where the device has it, which guarantees reconvergence; drivers on the
    /// CPU never diverge. This is not tested on the device, since a test kernel may happen to stay converged.
    [[nodiscard]] bool shuffles_need_barriers() const { return kind != DeviceKind::cpu && !uniform_control_flow; }

    static constexpr std::uint32_t no_queue = ~0U; ///< in `queue_families`: the device has no such queue
    /// By QueueKind, the family of the queue. Where it is `no_queue`, which is possible for all kinds but main, the
    /// main queue does the work. Without `timeline_semaphores` there is only the main queue.
    std::array<std::uint32_t, queue_kinds> queue_families{0, no_queue, no_queue};
    /// By QueueKind, the capabilities of the family; 0 where there is no queue. Barriers on a main queue without
    /// VK_QUEUE_GRAPHICS_BIT name no graphics stages.
    std::array<VkQueueFlags, queue_kinds> queue_flags{
        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 0, 0};
};

} // namespace weir

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <vulkan/vulkan_core.h>

#include <weir/engine/export.hpp>

namespace weir {

enum class DeviceKind : std::uint8_t { other, integrated, discrete, virtual_gpu, cpu };

/// "other", "integrated", "discrete", "virtual" or "cpu".
WEIR_API const char* to_string(DeviceKind kind);

/// What a queue is for.
enum class QueueKind : std::uint8_t {
    main,     ///< the context's queue, which every device has
    compute,  ///< compute beside what is on the main queue
    transfer, ///< copies and fills beside both
};
constexpr std::size_t queue_kinds = 3;

/// "main", "compute" or "transfer".
WEIR_API const char* to_string(QueueKind kind);

/// Who makes devices: values of Capabilities::vendor_id.
namespace vendors {
constexpr std::uint32_t amd = 0x1002, apple = 0x106B, arm = 0x13B5, imagination = 0x1010, intel = 0x8086,
                        nvidia = 0x10DE, qualcomm = 0x5143;
} // namespace vendors

/// What a device can do, as far as Weir cares: limits, and optional features that are *enabled* on it.
/// Plain data without a Vulkan handle, so graphs can be compiled to plans and kernels chosen without a device.
struct Capabilities {
    std::string device_name;
    std::string driver; ///< name, information and version of the driver in one line
    DeviceKind kind = DeviceKind::other;
    std::uint32_t vendor_id = 0;
    std::uint32_t device_id = 0;
    std::uint32_t driver_version = 0;
    std::uint32_t api_version = 0;

    std::uint32_t subgroup_size = 0;     ///< invocations, as the driver chooses them when nothing is required
    std::uint32_t subgroup_size_min = 0; ///< equal to subgroup_size_max where there is no choice
    std::uint32_t subgroup_size_max = 0;
    bool subgroup_size_selectable = false; ///< a compute pipeline may require a size between the two

    std::uint32_t max_workgroup_invocations = 0; ///< also if all are in x
    std::uint32_t max_workgroup_size_y = 0;
    std::uint32_t max_workgroup_size_z = 0;
    std::uint32_t max_workgroup_subgroups = 0; ///< in a pipeline that requires a subgroup size
    std::uint32_t max_workgroup_memory = 0;    ///< bytes
    std::uint32_t max_workgroup_count_x = 0;   ///< groups in one dispatch
    std::uint32_t max_workgroup_count_y = 0;
    std::uint32_t max_workgroup_count_z = 0;
    std::uint32_t max_push_constants = 0;       ///< bytes
    std::uint32_t max_storage_buffers = 0;      ///< bindings in one stage
    std::uint64_t max_storage_range = 0;        ///< bytes that one storage binding can see
    std::uint64_t max_allocation = 0;           ///< bytes
    std::uint64_t device_local_memory = 0;      ///< bytes in the largest device-local heap
    std::uint32_t storage_offset_alignment = 1; ///< bytes
    std::uint64_t image_granularity = 1;        ///< bytes that a buffer and an image in one memory are apart, aligned
    float timestamp_period = 0.0F;              ///< nanoseconds per tick
    std::uint32_t timestamp_bits = 0;           ///< 0: the main queue has no timestamps

    /// Workgroups start in the order of their numbers, but for those that run at the same time.
    /// This and the next are no promises of the device: they were tested, in a kernel of milliseconds, when a device of
    /// its kind and driver was first seen, and are kept with the pipeline cache. Kernels are right without them, and
    /// only choose the faster way by them. False for devices on the CPU or without a main queue, which are not tested.
    bool workgroups_start_in_order = false;
    /// Atomics of a subgroup's lanes on one word of workgroup memory come in the order of the lanes. Likewise tested.
    bool atomics_in_lane_order = false;
    /// Atomics that acquire or release wait for the whole workgroup, of which others may never come.
    bool ordered_atomics_are_barriers = false;

    bool int64 = false;                     ///< 64-bit integers in shaders
    bool float64 = false;                   ///< 64-bit floats in shaders
    bool int64_atomics = false;             ///< 64-bit atomics on storage buffers
    bool descriptor_buffer = false;         ///< VK_EXT_descriptor_buffer
    bool buffer_address = false;            ///< bufferDeviceAddress
    bool robust_buffer_access = false;      ///< robustBufferAccess, which a host may have enabled
    std::uint32_t max_push_descriptors = 0; ///< in one set; 0: VK_KHR_push_descriptor is not enabled
    bool pipeline_statistics = false;       ///< VK_KHR_pipeline_executable_properties
    bool timeline_semaphores = false;       ///< timelineSemaphore
    bool uniform_control_flow = false;      ///< VK_KHR_shader_subgroup_uniform_control_flow

    /// Whether shuffles in loops want an execution barrier before them: without one, they have been seen to return
    /// stale values on NVIDIA, where lanes that parted do not meet again by themselves. Passes with full subgroups ask
    /// for uniform control flow where the device has it, which promises that they do, and drivers that run on CPUs keep
    /// lanes together. Not tested on the device: lanes that were together in a test still may part in another kernel.
    [[nodiscard]] bool shuffles_need_barriers() const { return kind != DeviceKind::cpu && !uniform_control_flow; }

    static constexpr std::uint32_t no_queue = ~0U;
    /// By QueueKind, the family of the queue. Where there is `no_queue`, which can be so of each but the main one, the
    /// main queue does its work; without `timeline_semaphores` that is all there is.
    std::array<std::uint32_t, queue_kinds> queue_families{0, no_queue, no_queue};
    /// By QueueKind, what that family can do; 0 where there is no queue. A main queue without VK_QUEUE_GRAPHICS_BIT has
    /// no stages of drawing.
    std::array<VkQueueFlags, queue_kinds> queue_flags{
        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 0, 0};
};

} // namespace weir

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/buffer.hpp>
#include <weir/engine/bytes.hpp>
#include <weir/engine/capabilities.hpp>
#include <weir/engine/descriptor_mode.hpp>
#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/engine/log.hpp>

namespace weir {

class Device;

/// One entry of `Context::list_devices`.
struct DeviceInfo {
    std::uint32_t index = 0; ///< what `ContextOptions::device` and WEIR_DEVICE call it
    std::string name;
    std::string driver;
    DeviceKind kind = DeviceKind::other;
    std::string unusable; ///< why Weir cannot run on it; empty if it can
};

/// Calls `task(i)` once for each i below `count`, from any threads, several at a time if it can, and returns when all
/// have returned.
using ParallelFor = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

/// How a context compiles shaders and makes pipelines.
struct CompilerOptions {
    /// How many threads make the pipelines of one program, the calling one among them. 0: one for each of the
    /// machine's. They are started where there is more than one to make, and end with it.
    std::uint32_t threads = 0;
    /// Instead of such threads a host's own. Called by whoever compiles a program, from several threads at once if they
    /// do so. Empty: threads of Weir's own.
    ParallelFor parallel_for = {};
    /// How many pipelines are kept, those that were asked for last, although no program uses them any more.
    std::uint32_t kept_pipelines = 256;
    /// A file that `compile_ahead` wrote: what is in it needs no shader compiler. Empty: none.
    std::string shader_file = {};
};

struct ContextOptions {
    /// An index of `list_devices`, a part of a name (any case), or a kind ("discrete", "integrated", "virtual", "cpu").
    /// Empty: the environment variable WEIR_DEVICE if set, else the best device: discrete, integrated, virtual, cpu.
    std::string device = {};
    /// Loads the Khronos validation layer with its synchronization checks; an error if it is not installed.
    /// Messages go to `on_validation` if set, else to the log.
    bool validation = false;
    std::function<void(const char* message)> on_validation = {};
    /// Where compiled pipelines, SPIR-V that GLSL was compiled to, and what the device was tested for (see
    /// Capabilities::workgroups_start_in_order) are kept between runs. Empty: $XDG_CACHE_HOME/weir or ~/.cache/weir.
    /// "none": nowhere.
    std::string pipeline_cache_directory = {};
    CompilerOptions compiler = {};
    /// Where messages go. Empty: to stderr.
    LogFunction log = {};
    /// The least that is told. At level debug that is also what the driver says of each pipeline (registers, workgroup
    /// memory), where Capabilities::pipeline_statistics.
    LogLevel log_level = LogLevel::warning;
    /// Of programs that are compiled with DescriptorMode::automatic.
    DescriptorMode descriptors = DescriptorMode::automatic;
    /// The most bytes of device memory that the context's buffers may hold together, those of its programs among them;
    /// more is `out_of_memory`. 0: as much as there is.
    std::uint64_t memory_limit = 0;
    /// For tests of programs with several queues on devices with one: compute and transfer queues are there too, but
    /// are the main queue. Those that the device has are its own; without timeline semaphores there are none.
    bool emulate_queues = false;
};

/// Memory from a host that has its own allocator. The functions are called from any thread and must not throw.
/// <weir/engine/vma.hpp> makes one from a VmaAllocator.
struct MemoryHooks {
    struct Allocation {
        VkBuffer buffer = VK_NULL_HANDLE;
        void* allocation = nullptr;
        void* mapped = nullptr; ///< set for host-visible kinds; the memory must be coherent
    };
    std::function<VkResult(const VkBufferCreateInfo& info, MemoryKind kind, Allocation& out)> create_buffer = {};
    std::function<void(const Allocation& allocation)> destroy_buffer = {};

    struct Memory {
        VkDeviceMemory memory = VK_NULL_HANDLE;
        VkDeviceSize offset = 0; ///< bytes, aligned as required
        void* allocation = nullptr;
    };
    /// Memory of the device for images of programs, and for buffers among them, which may need
    /// VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT. Optional; empty: Weir allocates it from the device.
    std::function<VkResult(const VkMemoryRequirements& needs, Memory& out)> allocate = {};
    std::function<void(const Memory& memory)> free = {};
};

/// A queue of a host's beside its main one.
struct HostQueue {
    VkQueue queue = VK_NULL_HANDLE; ///< null: none
    std::uint32_t family = 0;
    /// Called around each submission to `queue`; may be empty if only one thread uses the queue. They must not throw.
    std::function<void()> lock = {};
    std::function<void()> unlock = {};
};

/// A host's Vulkan device that Weir is to run on. Everything in it stays the host's and must outlive the context and
/// whatever was made from it. No entry point but those reached through `get_instance_proc_addr` is called.
struct AdoptedDevice {
    PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
    VkInstance instance = VK_NULL_HANDLE; ///< made for Vulkan 1.3 or newer
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;

    /// A queue with compute capability, for `run`, uploads and downloads, which are errors if it is null. Recording
    /// into the host's own command buffers needs none of it beyond the family: without it, the first recording of a
    /// program clears what else `compile` does.
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t queue_family = 0;
    /// Called around each submission to `queue`; may be empty if only one thread uses the queue. They must not throw.
    std::function<void()> lock_queue = {};
    std::function<void()> unlock_queue = {};
    /// Whether `adopt` may test what Capabilities::workgroups_start_in_order and atomics_in_lane_order say: where no
    /// context of the process and no file has done so for such a device, it then submits once to `queue`, which it
    /// locks, and waits for that. False: nothing is submitted, and both are false. A host that calls `adopt` while it
    /// holds the lock has to say so.
    bool probe_behavior = true;

    /// Optional: queues for passes beside `queue`, one with compute and one for copies and fills. They need the feature
    /// timelineSemaphore. One that is the same VkQueue as another, which they may be, has its family and its locks.
    HostQueue compute_queue = {};
    HostQueue transfer_queue = {};

    /// The feature chain and the extensions that the device was created with. Weir uses nothing that is not in them.
    const VkPhysicalDeviceFeatures2* enabled_features = nullptr;
    std::span<const char* const> enabled_extensions = {};

    /// Optional; null: a cache in memory. Several threads use it at once.
    VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
    /// Where SPIR-V that GLSL was compiled to, and what the device was tested for, are kept between runs; empty:
    /// nowhere.
    std::string shader_cache_directory = {};
    CompilerOptions compiler = {};
    MemoryHooks memory = {};                                ///< optional; empty: Weir's own allocator on this device
    LogFunction log = {};                                   ///< as in ContextOptions
    LogLevel log_level = LogLevel::warning;                 ///< as in ContextOptions
    DescriptorMode descriptors = DescriptorMode::automatic; ///< as in ContextOptions
    std::uint64_t memory_limit = 0;                         ///< as in ContextOptions
};

/// Device features and extensions that Weir needs or can use, for a host that creates its own device.
struct DeviceRequirements {
    std::uint32_t api_version = VK_API_VERSION_1_3;
    std::vector<std::string> required_features; ///< names as in the Vulkan structures, for instance "synchronization2"
    std::vector<std::string> recommended_features; ///< those that `physical_device` supports
    std::vector<const char*> recommended_extensions;
    std::string unusable; ///< why Weir cannot run on the device at all; empty if it can
};

/// What to enable on `physical_device`. Nothing is changed.
WEIR_API DeviceRequirements device_requirements(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                                VkPhysicalDevice physical_device);

/// Switches on every required and recommended feature in the structures found in the host's chain
/// (VkPhysicalDeviceFeatures2, VkPhysicalDeviceVulkan11/12/13Features and the extensions' own), leaving others as they
/// are. Errors: `invalid_argument` names a required structure that the chain lacks; `unsupported` names a missing
/// feature.
WEIR_API Result<> enable_features(const DeviceRequirements& requirements, VkPhysicalDeviceFeatures2& chain);

/// A device to compute on: created here, or adopted from a host. Movable; copies nothing; every object made from it
/// keeps what it needs alive. All functions may be called from any thread.
class WEIR_API Context {
public:
    /// The devices of this machine in the loader's order, usable or not. Errors: `no_device` without a Vulkan loader or
    /// driver.
    static Result<std::vector<DeviceInfo>> list_devices();

    /// Makes an instance and a device of Weir's own. Errors: `no_device` (none, or none that matches, with what there
    /// is), `unsupported` (the chosen device lacks a required feature, which is named), `io` (a shader file that cannot
    /// be read, is damaged or of another version of Weir).
    static Result<Context> create(const ContextOptions& options = {});

    /// Runs on the host's device. Errors: `invalid_argument`, `unsupported` (a required feature is not enabled), `io`
    /// as for `create`.
    static Result<Context> adopt(const AdoptedDevice& host);

    [[nodiscard]] const Capabilities& capabilities() const;

    /// A buffer of `size` bytes (at least 1). Its contents are undefined. Errors: `out_of_memory`, `limit_exceeded`.
    [[nodiscard]] Result<Buffer> create_buffer(VkDeviceSize size, MemoryKind kind = MemoryKind::device) const;
    /// The same, for further usages, and for queues of several families at a time. Errors: also `invalid_argument` for
    /// a family that the device has not.
    [[nodiscard]] Result<Buffer> create_buffer(VkDeviceSize size, const BufferOptions& options) const;

    /// Bytes of device memory that buffers of this context hold.
    [[nodiscard]] std::uint64_t memory_in_use() const;

    /// Copies host bytes into `destination` (of at least as many bytes) and waits until they are there.
    [[nodiscard]] Result<> upload(BufferView destination, std::span<const std::byte> bytes) const;
    /// The same of items that lie one after the other: a span, a vector, an array.
    template <SpanOfBytes Items>
    [[nodiscard]] Result<> upload(BufferView destination, const Items& items) const {
        return upload(destination, bytes_of(items));
    }

    /// Copies the first `bytes.size()` bytes of `source` to the host and waits until they are there.
    [[nodiscard]] Result<> download(std::span<std::byte> bytes, BufferView source) const;
    /// The same to items that lie one after the other: a span, a vector, an array.
    template <SpanOfBytes Items>
    [[nodiscard]] Result<> download(Items&& items, BufferView source) const {
        const std::span<std::byte> bytes = std::as_writable_bytes(std::span(items));
        return download(bytes, source);
    }
    /// The first `count` items of `source`.
    template <class T>
    [[nodiscard]] Result<std::vector<T>> download(BufferView source, std::size_t count) const {
        std::vector<T> items(count);
        if (auto done = download(items, source); !done) {
            return tl::unexpected(done.error());
        }
        return items;
    }

    /// Records commands with `record`, submits them to the context's main queue and waits for them.
    /// Errors: those of `record`, `invalid_argument` if it throws, `device_lost`, `out_of_memory`.
    [[nodiscard]] Result<> submit(const std::function<Result<>(VkCommandBuffer)>& record) const;

    [[nodiscard]] VkDevice device() const;
    [[nodiscard]] VkPhysicalDevice physical_device() const;
    [[nodiscard]] VkInstance instance() const;
    /// Null if there is no such queue, or if the device was adopted without it. Kinds may be the same queue.
    [[nodiscard]] VkQueue queue(QueueKind kind = QueueKind::main) const;
    /// Capabilities::no_queue if there is no such queue.
    [[nodiscard]] std::uint32_t queue_family(QueueKind kind = QueueKind::main) const;
    [[nodiscard]] PFN_vkGetInstanceProcAddr get_instance_proc_addr() const;

    /// Weir's own view of the device, for its graph and primitives.
    [[nodiscard]] const std::shared_ptr<Device>& shared_device() const { return device_; }

private:
    explicit Context(std::shared_ptr<Device> device);
    std::shared_ptr<Device> device_;
};

} // namespace weir

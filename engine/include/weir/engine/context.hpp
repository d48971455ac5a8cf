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
#include <weir/engine/descriptor_buffer.hpp>
#include <weir/engine/descriptor_mode.hpp>
#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/engine/log.hpp>
#include <weir/engine/memory_budget.hpp>

namespace weir {

class DeferredDestroy;
class Device;

/// An entry of `Context::list_devices`.
struct DeviceInfo {
    std::uint32_t index = 0;             ///< value for `ContextOptions::device` and WEIR_DEVICE
    std::string name;                    ///< as the driver reports it
    std::string driver;                  ///< name, information and version of the driver
    DeviceKind kind = DeviceKind::other; ///< kind of device
    std::string unusable;                ///< reason why Weir cannot run on the device; empty if it can
};

/// A function that calls `task(i)` exactly once for each i < `count` and returns when all calls have returned. The
/// calls may run on any threads, concurrently.
using ParallelFor = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

/// Options for the compilation of shaders and pipelines.
struct CompilerOptions {
    /// Number of threads that compile the pipelines of one program, including the calling thread. 0: the number of
    /// hardware threads. Threads are started only if a program has more than one pipeline to compile, and they end with
    /// the call.
    std::uint32_t threads = 0;
    /// Runs the compilation on the application's threads instead. Called by the thread that compiles a program, and
    /// concurrently if several threads compile programs. Empty: Weir starts its own threads.
    ParallelFor parallel_for = {};
    /// Number of pipelines to keep alive although no program may use them any more: the most recently requested ones.
    std::uint32_t kept_pipelines = 256;
    /// A file written by `compile_ahead`. Shaders in it need no shader compiler. Empty: none. Paths here and below are
    /// encoded as for ShaderSource::glsl_file.
    std::string shader_file = {};
    /// A file written by Context::write_pipelines on a device of the same kind with the same driver. It is only read.
    /// If it is missing, damaged, or has no data for this device and driver, it is ignored with a warning and the
    /// driver compiles the pipelines. Empty: none. Must be empty if AdoptedDevice::pipeline_cache is set.
    std::string pipeline_file = {};
    /// Allows the compilation of GLSL. If false, no shader compiler is loaded. For GLSL that is neither in
    /// `shader_file` nor kept from an earlier run, `compile` then returns `unsupported` with the names of the pass and
    /// the shader.
    bool compiles_glsl = true;
    /// Keeps the driver's statistics of pipelines, such as registers and workgroup memory, for Profile::statistics.
    /// Requires Capabilities::pipeline_statistics; ignored without it. Compiling takes longer.
    bool statistics = false;
};

/// Options of Context::create.
struct ContextOptions {
    /// An index from `list_devices`, a part of a device name (case-insensitive), or a kind ("discrete", "integrated",
    /// "virtual", "other", "cpu"). If several devices match, the best usable one is chosen, in this order of kinds.
    /// Empty: the value of the environment variable WEIR_DEVICE if it is set, otherwise any device matches.
    std::string device = {};
    /// Loads the Khronos validation layer with synchronization checks. `create` fails if the layer is not installed.
    /// Messages go to `on_validation` if it is set, otherwise to the log. The first line of a message contains its ID.
    bool validation = false;
    std::function<void(const char* message)> on_validation = {}; ///< receives messages of the validation layer
    /// Folder for data that is kept between runs: pipelines, SPIR-V of compiled GLSL, and results of device tests (see
    /// Capabilities::workgroups_start_in_order). Empty: $XDG_CACHE_HOME/weir if XDG_CACHE_HOME is an absolute path,
    /// otherwise %LOCALAPPDATA%\\weir if set (Windows only), otherwise ~/.cache/weir. "none": nothing is kept.
    std::string pipeline_cache_directory = {};
    CompilerOptions compiler = {}; ///< compilation of shaders and pipelines
    /// Receives messages. Empty: messages go to stderr.
    LogFunction log = {};
    /// Minimum severity of messages. LogLevel::debug includes the driver's statistics of each pipeline (registers,
    /// workgroup memory) if Capabilities::pipeline_statistics is set.
    LogLevel log_level = LogLevel::warning;
    /// Descriptor mode of programs compiled with DescriptorMode::automatic.
    DescriptorMode descriptors = DescriptorMode::automatic;
    /// Size of Context::descriptor_buffer in bytes, clamped to the device's limits. 0: 1 MiB.
    VkDeviceSize descriptor_buffer_bytes = 0;
    /// Maximum of Context::memory_in_use in bytes. Calls that would exceed it fail with `out_of_memory`. 0: no maximum.
    std::uint64_t memory_limit = 0;
    /// Host memory callbacks for Vulkan. Weir passes them to every Vulkan function that creates or destroys an object,
    /// including the instance and the device, and to its allocator of device memory. The struct is copied. Its
    /// functions may be called from any thread until the context and everything made from it are destroyed. Weir's own
    /// host data comes from `operator new`. Null: the driver's allocator.
    const VkAllocationCallbacks* allocation_callbacks = nullptr;
    /// Emulates missing compute and transfer queues with the main queue, to test programs for several queues on a
    /// device with one. Requires timeline semaphores; ignored without them.
    bool emulate_queues = false;
    /// Names of features to leave disabled although the device has them, as in the Vulkan structures, such as
    /// "synchronization2". For tests and measurements of devices without them. `create` returns `invalid_argument` for
    /// a name that Weir does not know.
    std::vector<std::string> without_features = {};
};

/// Allocator of the application. Its functions may be called from any thread and must not throw. `memory_from_vma` in
/// <weir/engine/vma.hpp> creates hooks from a VmaAllocator.
struct MemoryHooks {
    /// A buffer with its memory.
    struct Allocation {
        VkBuffer buffer = VK_NULL_HANDLE; ///< the buffer
        void* allocation = nullptr;       ///< the application's own handle
        void* mapped = nullptr;           ///< must be set for upload and download memory, which must be coherent
    };
    /// Creates a buffer and binds memory of kind `kind` to it. Must be set if `destroy_buffer` is. Empty: Weir's own
    /// allocator.
    std::function<VkResult(const VkBufferCreateInfo& info, MemoryKind kind, Allocation& out)> create_buffer = {};
    /// Destroys a buffer of `create_buffer` and frees its memory.
    std::function<void(const Allocation& allocation)> destroy_buffer = {};

    /// A range of device memory.
    struct Memory {
        VkDeviceMemory memory = VK_NULL_HANDLE; ///< memory object
        VkDeviceSize offset = 0;                ///< bytes, aligned as required
        void* allocation = nullptr;             ///< the application's own handle
    };
    /// Allocates device memory for the images of programs and for buffers that share memory with them. Such a buffer
    /// needs VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT if bufferDeviceAddress is enabled. Must be set if `free` is. Empty:
    /// Weir allocates from the device.
    std::function<VkResult(const VkMemoryRequirements& needs, Memory& out)> allocate = {};
    /// Frees memory of `allocate`.
    std::function<void(const Memory& memory)> free = {};
};

/// A further queue of the application, next to its main queue.
struct HostQueue {
    VkQueue queue = VK_NULL_HANDLE; ///< null: none
    std::uint32_t family = 0;       ///< index of its queue family
    /// Called before each submission to `queue`. `lock` and `unlock` may both be empty if no other thread uses the
    /// queue. Must not throw.
    std::function<void()> lock = {};
    std::function<void()> unlock = {}; ///< called after each submission; must not throw
};

/// A Vulkan device of the application, for Context::adopt. The application keeps ownership of everything in it, which
/// must outlive the context and all objects made from it. Weir calls only Vulkan functions that it obtains through
/// `get_instance_proc_addr`.
struct AdoptedDevice {
    PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr; ///< from the application's loader
    VkInstance instance = VK_NULL_HANDLE;                       ///< created for Vulkan 1.2 or newer
    std::uint32_t api_version = VK_API_VERSION_1_3;             ///< VkApplicationInfo::apiVersion of `instance`
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;          ///< the physical device of `device`
    VkDevice device = VK_NULL_HANDLE;                           ///< the device

    /// A queue with compute capability, for submissions, uploads and downloads. Null: these calls return errors.
    /// Recording into the application's command buffers needs only the family. Without a queue, the first recording of
    /// a program contains the clears that `compile` otherwise submits.
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t queue_family = 0; ///< index of its queue family
    /// Called before each submission to `queue`. `lock_queue` and `unlock_queue` may both be empty if no other thread
    /// uses the queue. Must not throw.
    std::function<void()> lock_queue = {};
    std::function<void()> unlock_queue = {}; ///< called after each submission; must not throw
    /// Allows `adopt` to test Capabilities::workgroups_start_in_order and atomics_in_lane_order. If neither this
    /// process nor a file has the results for this kind of device, `adopt` locks `queue`, submits to it once and waits.
    /// If false, nothing is submitted and both capabilities are false. Must be false if the application holds the lock
    /// while it calls `adopt`.
    bool probe_behavior = true;

    /// Optional queue for passes on QueueKind::compute; must support compute. Further queues require the feature
    /// timelineSemaphore. The same VkQueue may be used for several kinds, with the same family and locks.
    HostQueue compute_queue = {};
    HostQueue transfer_queue = {}; ///< optional queue for passes on QueueKind::transfer

    /// Feature chain with which the device was created. Weir uses only features and extensions that are enabled.
    const VkPhysicalDeviceFeatures2* enabled_features = nullptr;
    std::span<const char* const> enabled_extensions = {}; ///< names of the extensions with which the device was created

    /// Optional. Null: a cache in memory. Weir uses it from several threads at once.
    VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
    /// Folder in which SPIR-V of compiled GLSL and results of device tests are kept between runs. Empty: nothing is
    /// kept.
    std::string shader_cache_directory = {};
    CompilerOptions compiler = {};                          ///< see ContextOptions
    MemoryHooks memory = {};                                ///< optional; empty: Weir's own allocator
    LogFunction log = {};                                   ///< see ContextOptions
    LogLevel log_level = LogLevel::warning;                 ///< see ContextOptions
    DescriptorMode descriptors = DescriptorMode::automatic; ///< see ContextOptions
    VkDeviceSize descriptor_buffer_bytes = 0;               ///< see ContextOptions
    /// Optional descriptor buffer of the application, large enough for the programs of the context. It becomes
    /// Context::descriptor_buffer. All queues that run programs must be allowed to use it. No address: the context
    /// creates its own buffers.
    DescriptorBuffer descriptor_buffer = {};
    std::uint64_t memory_limit = 0; ///< see ContextOptions
    /// Host memory callbacks for the objects that Weir creates, see ContextOptions. Not used for the application's
    /// objects.
    const VkAllocationCallbacks* allocation_callbacks = nullptr;
};

/// Device features and extensions that Weir can use, for an application that creates its own device. All are optional:
/// docs/your_device.md lists what each missing one costs.
struct DeviceRequirements {
    std::uint32_t api_version = VK_API_VERSION_1_2; ///< minimum version of the device and of the instance
    /// Features that Weir can use and the physical device supports, named as in the Vulkan structures, such as
    /// "synchronization2".
    std::vector<std::string> recommended_features;
    std::vector<const char*> recommended_extensions; ///< extensions that Weir can use and the device supports
    std::string unusable;                            ///< reason why Weir cannot run on the device; empty if it can
};

/// Returns the features and extensions to enable on `physical_device`. `api_version` is the version for which the
/// instance was created. Only queries Vulkan.
WEIR_API DeviceRequirements device_requirements(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                                VkPhysicalDevice physical_device,
                                                std::uint32_t api_version = VK_API_VERSION_1_3);

/// Enables every recommended feature that is a member of a structure in the application's chain:
/// VkPhysicalDeviceFeatures2, VkPhysicalDeviceVulkan11Features, 12 and 13, and structures of extensions. All other
/// members stay unchanged. Errors: `unsupported` if the device cannot be used; the message gives the reason.
[[nodiscard]] WEIR_API Result<> enable_features(const DeviceRequirements& requirements,
                                                VkPhysicalDeviceFeatures2& chain);

/// A value of a timeline semaphore.
struct TimelinePoint {
    VkSemaphore semaphore = VK_NULL_HANDLE; ///< semaphore of the application
    std::uint64_t value = 0;                ///< the point is reached once the semaphore has at least this value
};

/// A device to compute on: created by Weir, or adopted from an application. Copies share the device. Every object made
/// from a context keeps alive what it needs. All functions are thread-safe.
///
/// When the last copy, program and memory pool are destroyed, the destructor waits for the points of all objects that
/// were retired but not collected, and destroys the objects. Therefore these points must be signaled, and their
/// semaphores must exist until then. A destructor waits for at most one minute. If that is too short, the device and
/// its objects are leaked. Contexts must be destroyed before `main` returns: see docs/lifetimes.md.
class WEIR_API Context {
public:
    /// Returns the devices of this machine in the loader's order, including unusable ones. Errors: `no_device` without
    /// a Vulkan loader or driver.
    [[nodiscard]] static Result<std::vector<DeviceInfo>> list_devices();

    /// Creates an instance and a device of Weir's own. Errors: `no_device` if no device exists or none matches (the
    /// message lists the available ones), `unsupported` if a feature or the validation layer is missing (the message
    /// names it), `invalid_argument` for an unknown name in `without_features`, `io` if the shader file cannot be read,
    /// is damaged, or comes from another version of Weir, `out_of_memory`.
    [[nodiscard]] static Result<Context> create(const ContextOptions& options = {});

    /// Creates a context on the application's device. Errors: `invalid_argument`, `unsupported` (the message names what
    /// the device lacks), `out_of_memory`, and `io` as for `create`.
    [[nodiscard]] static Result<Context> adopt(const AdoptedDevice& host);

    /// Returns the limits and enabled features of the device.
    [[nodiscard]] const Capabilities& capabilities() const;

    /// Creates a buffer of `size` bytes with undefined contents. Errors: `invalid_argument` for a size of 0;
    /// `limit_exceeded` above Capabilities::max_buffer_size, or above Capabilities::max_allocation if the driver does
    /// not accept more; `out_of_memory`.
    [[nodiscard]] Result<Buffer> create_buffer(VkDeviceSize size, MemoryKind kind = MemoryKind::device) const;
    /// Creates a buffer with further usages and queue families. Errors: also `invalid_argument` for a family that the
    /// device does not have.
    [[nodiscard]] Result<Buffer> create_buffer(VkDeviceSize size, const BufferOptions& options) const;

    /// Returns the bytes of device memory that buffers and images of this context hold, including those of its
    /// programs. Upload and download buffers do not count.
    [[nodiscard]] std::uint64_t memory_in_use() const;

    /// Returns the current sizes, budgets and usages of the device's memory heaps, in bytes. Never fails: without
    /// Capabilities::memory_budget the result contains estimates (MemoryBudget::is_measured). Takes some microseconds.
    [[nodiscard]] MemoryBudget memory_budget() const;

    /// Writes the contents of this context's VkPipelineCache to a file for CompilerOptions::pipeline_file. Compile all
    /// graphs before the call. The driver's data is valid for the same device and driver only. Data for other devices
    /// and drivers in an existing file is kept: to collect several, write the same file on each kind of device in turn.
    /// Errors: `io` if the file cannot be written, or if `file` exists and is damaged or not such a file;
    /// `out_of_memory`.
    [[nodiscard]] Result<> write_pipelines(const std::string& file) const;

    /// Copies host bytes to the start of `destination` and waits for the copy. Errors: `invalid_argument` if
    /// `destination` is null or smaller than `bytes`, `out_of_memory`, `device_lost`.
    [[nodiscard]] Result<> upload(BufferView destination, std::span<const std::byte> bytes) const;
    /// Copies contiguous items, such as a span, a vector or an array, to the start of `destination`.
    template <SpanOfBytes Items>
    [[nodiscard]] Result<> upload(BufferView destination, const Items& items) const {
        return upload(destination, bytes_of(items));
    }

    /// Copies the first `bytes.size()` bytes of `source` to the host and waits for the copy. Errors: `invalid_argument`
    /// if `source` is null or smaller than `bytes`, `out_of_memory`, `device_lost`.
    [[nodiscard]] Result<> download(std::span<std::byte> bytes, BufferView source) const;
    /// Fills contiguous items, such as a span, a vector or an array, from the start of `source`.
    template <SpanOfBytes Items>
    [[nodiscard]] Result<> download(Items&& items, BufferView source) const {
        const std::span<std::byte> bytes = std::as_writable_bytes(std::span(items));
        return download(bytes, source);
    }
    /// Returns the first `count` items of `source`.
    template <class T>
    [[nodiscard]] Result<std::vector<T>> download(BufferView source, std::size_t count) const {
        std::vector<T> items(count);
        if (auto done = download(items, source); !done) {
            return tl::unexpected(done.error());
        }
        return items;
    }

    /// Records commands with `record`, submits them to the main queue and waits. Errors: those of `record`,
    /// `invalid_argument` if `record` throws, `device_lost`, `out_of_memory`.
    [[nodiscard]] Result<> submit(const std::function<Result<>(VkCommandBuffer)>& record) const;

    /// Hands over a buffer for destruction by `collect` once all points in `until` are reached. The application must
    /// choose points after all its submissions that use the buffer. Does not wait. Errors: `invalid_argument` for a
    /// point without a semaphore, `unsupported` without timeline semaphores; the buffer is then unchanged.
    [[nodiscard]] Result<> retire(Buffer&& buffer, std::vector<TimelinePoint> until) const;
    /// Destroys the objects retired by `retire` or `Program::retire` whose points are reached. Does not wait. Returns
    /// the number of retired objects that remain. Errors: `device_lost`, `out_of_memory`. Objects whose semaphore could
    /// not be queried are kept for the next call.
    [[nodiscard]] Result<std::size_t> collect() const;

    /// Returns the descriptor buffer from which programs with DescriptorMode::buffer take their ranges:
    /// AdoptedDevice::descriptor_buffer if set, otherwise the context's first buffer, which is created on first use and
    /// lives as long as the device. If it is full, the context creates another buffer for further programs. It does not
    /// if the buffer is the application's, or for a program with CompileOptions::bound_descriptor_buffer; `compile`
    /// then fails. Errors: `unsupported` without Capabilities::descriptor_buffer, `out_of_memory`.
    [[nodiscard]] Result<DescriptorBuffer> descriptor_buffer() const;

    /// Returns the Vulkan device.
    [[nodiscard]] VkDevice device() const;
    /// Returns the physical device.
    [[nodiscard]] VkPhysicalDevice physical_device() const;
    /// Returns the Vulkan instance.
    [[nodiscard]] VkInstance instance() const;
    /// Returns the queue of the given kind; null if the device has none or was adopted without it. Two kinds may share
    /// one queue.
    [[nodiscard]] VkQueue queue(QueueKind kind = QueueKind::main) const;
    /// Returns the family of the queue of the given kind; Capabilities::no_queue if the device has none. For a device
    /// adopted without a main queue, the main family is AdoptedDevice::queue_family.
    [[nodiscard]] std::uint32_t queue_family(QueueKind kind = QueueKind::main) const;
    /// Returns the function through which Weir obtains all Vulkan functions.
    [[nodiscard]] PFN_vkGetInstanceProcAddr get_instance_proc_addr() const;

private:
    friend struct ContextAccess;
    explicit Context(std::shared_ptr<Device> device);
    std::shared_ptr<Device> device_;
    std::shared_ptr<DeferredDestroy> retired_;
};

} // namespace weir

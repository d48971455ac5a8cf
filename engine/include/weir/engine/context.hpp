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

class Device;

/// One entry of `Context::list_devices`.
struct DeviceInfo {
    std::uint32_t index = 0;             ///< for `ContextOptions::device` and WEIR_DEVICE
    std::string name;                    ///< as the driver reports it
    std::string driver;                  ///< name, information and version of the driver
    DeviceKind kind = DeviceKind::other; ///< kind of device
    std::string unusable;                ///< why Weir cannot run on the device; empty if it can
};

/// A function that calls `task(i)` once for each i below `count`, from any threads, concurrently where it can, and
/// returns when all calls have returned.
using ParallelFor = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

/// How a context compiles shaders and pipelines.
struct CompilerOptions {
    /// Number of threads that compile the pipelines of one program, the calling thread included. 0: as many as the
    /// machine has. Threads are started where there is more than one pipeline to compile, and end with the call.
    std::uint32_t threads = 0;
    /// The application's own threads, in place of these. Called by the thread that compiles a program; concurrently, if
    /// several threads compile programs. Empty: Weir's own threads.
    ParallelFor parallel_for = {};
    /// How many pipelines that no program uses any more are kept: the most recently requested.
    std::uint32_t kept_pipelines = 256;
    /// A file that `compile_ahead` wrote. Shaders in it need no shader compiler. Empty: none. The path is as
    /// ShaderSource::glsl_file takes it, here and below.
    std::string shader_file = {};
    /// A file that Context::write_pipelines wrote on devices like this one, with the same driver. It is only read. If
    /// it is missing, damaged, or of other devices or drivers, it is ignored with a warning, and the driver compiles
    /// pipelines. Empty: none. An application that gives a VkPipelineCache to `adopt` gives no file.
    std::string pipeline_file = {};
    /// Whether there may be GLSL to compile. False: no shader compiler is looked for, and `compile` returns
    /// `unsupported`, with the names of the pass and the shader, for GLSL that is not in `shader_file` and is not kept
    /// from another run.
    bool compiles_glsl = true;
    /// Whether pipelines keep what the driver says of them, such as registers and workgroup memory, for
    /// Profile::statistics; where Capabilities::pipeline_statistics. Compiling takes longer.
    bool statistics = false;
};

/// Options of Context::create.
struct ContextOptions {
    /// An index of `list_devices`, a part of a name (case does not matter), or a kind ("discrete", "integrated",
    /// "virtual", "cpu"). Empty: the environment variable WEIR_DEVICE if it is set, otherwise the best available
    /// device: discrete, then integrated, virtual, cpu.
    std::string device = {};
    /// Loads the Khronos validation layer with its synchronization checks; an error if the layer is not installed.
    /// Messages go to `on_validation` if it is set, otherwise to the log. The first line has the id of the message.
    bool validation = false;
    std::function<void(const char* message)> on_validation = {}; ///< receives messages of the validation layer
    /// Folder for data that is kept between runs: pipelines, SPIR-V of compiled GLSL, and results of device tests (see
    /// Capabilities::workgroups_start_in_order). Empty: $XDG_CACHE_HOME/weir or ~/.cache/weir; on
    /// Windows %LOCALAPPDATA%\\weir comes before the latter. "none": nothing is kept.
    std::string pipeline_cache_directory = {};
    CompilerOptions compiler = {}; ///< how shaders and pipelines are compiled
    /// Receives messages. Empty: they go to stderr.
    LogFunction log = {};
    /// The least severe level that is reported. Level debug includes the driver's statistics of each pipeline
    /// (registers, workgroup memory), where Capabilities::pipeline_statistics.
    LogLevel log_level = LogLevel::warning;
    /// The mode of programs that are compiled with DescriptorMode::automatic.
    DescriptorMode descriptors = DescriptorMode::automatic;
    /// Bytes of Context::descriptor_buffer, at most as many as the limits of the device allow. 0: 1 MiB.
    VkDeviceSize descriptor_buffer_bytes = 0;
    /// Upper bound of the bytes of device memory that all buffers of the context hold together, its programs' included;
    /// past it, calls fail with `out_of_memory`. 0: no bound.
    std::uint64_t memory_limit = 0;
    /// Memory on the host for Vulkan's objects: passed to every function of Vulkan that creates or destroys one, those
    /// of the instance and the device included, and to Weir's allocator of device memory. The struct is copied. Its
    /// functions are called from any thread, until the context and everything made from it are gone. What Weir itself
    /// keeps on the host comes from `operator new`. Null: the driver's own.
    const VkAllocationCallbacks* allocation_callbacks = nullptr;
    /// For tests of programs on several queues on a device with one: missing compute and transfer queues are emulated
    /// by the main queue. Needs timeline semaphores.
    bool emulate_queues = false;
    /// Features that are not enabled although the device has them, named as in the Vulkan structures, such as
    /// "synchronization2": for tests and measurements of what a program does on devices without them. `create` returns
    /// `invalid_argument` for a name that Weir does not know.
    std::vector<std::string> without_features = {};
};

/// The allocator of an application. The functions are called from any thread and must not throw. <weir/engine/vma.hpp>
/// makes hooks from a VmaAllocator.
struct MemoryHooks {
    /// A buffer with its memory.
    struct Allocation {
        VkBuffer buffer = VK_NULL_HANDLE; ///< the buffer
        void* allocation = nullptr;       ///< the application's own handle
        void* mapped = nullptr;           ///< set for kinds that the host accesses; the memory must be coherent
    };
    /// Creates a buffer and binds memory of that kind to it.
    std::function<VkResult(const VkBufferCreateInfo& info, MemoryKind kind, Allocation& out)> create_buffer = {};
    /// Destroys such a buffer and frees its memory.
    std::function<void(const Allocation& allocation)> destroy_buffer = {};

    /// A range of device memory.
    struct Memory {
        VkDeviceMemory memory = VK_NULL_HANDLE; ///< the memory object
        VkDeviceSize offset = 0;                ///< bytes, aligned as required
        void* allocation = nullptr;             ///< the application's own handle
    };
    /// Allocates device memory for the images of programs and for buffers that share memory with them, which may need
    /// VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT. Optional; empty: Weir allocates it from the device.
    std::function<VkResult(const VkMemoryRequirements& needs, Memory& out)> allocate = {};
    /// Frees such memory.
    std::function<void(const Memory& memory)> free = {};
};

/// A queue of the application beside its main queue.
struct HostQueue {
    VkQueue queue = VK_NULL_HANDLE; ///< null: none
    std::uint32_t family = 0;       ///< index of its queue family
    /// Called around each submission to `queue`. May be empty if only one thread uses the queue. Must not throw.
    std::function<void()> lock = {};
    std::function<void()> unlock = {}; ///< called after the submission
};

/// A Vulkan device of the application, for Context::adopt. Everything in it stays the property of the application and
/// has to outlive the context and all objects made from it. Weir calls only functions that it gets through
/// `get_instance_proc_addr`.
struct AdoptedDevice {
    PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr; ///< of the application's loader
    VkInstance instance = VK_NULL_HANDLE;                       ///< created for Vulkan 1.2 or newer
    std::uint32_t api_version = VK_API_VERSION_1_3;             ///< VkApplicationInfo::apiVersion of `instance`
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;          ///< the physical device of `device`
    VkDevice device = VK_NULL_HANDLE;                           ///< the device

    /// A queue with compute capability, for `run`, uploads and downloads; null: these return errors. Recording into
    /// command buffers of the application needs only the family. Without a queue, the first recording of a program does
    /// the clears that `compile` otherwise does.
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t queue_family = 0; ///< index of its queue family
    /// Called around each submission to `queue`. May be empty if only one thread uses the queue. Must not throw.
    std::function<void()> lock_queue = {};
    std::function<void()> unlock_queue = {}; ///< called after the submission
    /// Whether `adopt` may test Capabilities::workgroups_start_in_order and atomics_in_lane_order: if neither this
    /// process nor a file has the result for such a device, `adopt` locks `queue`, submits to it once, and waits.
    /// False: nothing is submitted, and both are false. An application that holds the lock while it calls `adopt` has
    /// to set false.
    bool probe_behavior = true;

    /// Optional queues for passes beside `queue`: one with compute, one for copies and fills. They need the feature
    /// timelineSemaphore. The same VkQueue may be named several times, with the same family and locks.
    HostQueue compute_queue = {};
    HostQueue transfer_queue = {}; ///< likewise

    /// The feature chain and the extensions with which the device was created. Weir uses nothing that is not in them.
    const VkPhysicalDeviceFeatures2* enabled_features = nullptr;
    std::span<const char* const> enabled_extensions = {}; ///< names of extensions

    /// Optional; null: a cache in memory. Several threads use it at once.
    VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
    /// Folder for SPIR-V of compiled GLSL and results of device tests, which are kept between runs. Empty: nothing is
    /// kept.
    std::string shader_cache_directory = {};
    CompilerOptions compiler = {};                          ///< as in ContextOptions
    MemoryHooks memory = {};                                ///< optional; empty: Weir's own allocator on this device
    LogFunction log = {};                                   ///< as in ContextOptions
    LogLevel log_level = LogLevel::warning;                 ///< as in ContextOptions
    DescriptorMode descriptors = DescriptorMode::automatic; ///< as in ContextOptions
    VkDeviceSize descriptor_buffer_bytes = 0;               ///< as in ContextOptions
    /// A descriptor buffer of the application, with room for the programs of the context: it becomes
    /// Context::descriptor_buffer. All queues that run programs may use it. None: the context makes its own.
    DescriptorBuffer descriptor_buffer = {};
    std::uint64_t memory_limit = 0; ///< as in ContextOptions
    /// As in ContextOptions: for what Weir creates. The application's own objects stay as they are.
    const VkAllocationCallbacks* allocation_callbacks = nullptr;
};

/// Device features and extensions that Weir can use, for an application that creates its own device. It needs none of
/// them: docs/your_device.md says what each missing one costs.
struct DeviceRequirements {
    std::uint32_t api_version = VK_API_VERSION_1_2; ///< minimum version of the device and of the instance
    /// Those that the physical device supports; names as in the Vulkan structures, such as "synchronization2".
    std::vector<std::string> recommended_features;
    std::vector<const char*> recommended_extensions; ///< those that the physical device supports
    std::string unusable;                            ///< why Weir cannot run on the device; empty if it can
};

/// What to enable on `physical_device` of an instance that was made for `api_version`. Changes nothing.
WEIR_API DeviceRequirements device_requirements(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                                VkPhysicalDevice physical_device,
                                                std::uint32_t api_version = VK_API_VERSION_1_3);

/// Enables every recommended feature that has a place in the structures of the application's chain
/// (VkPhysicalDeviceFeatures2, VkPhysicalDeviceVulkan11Features, 12 and 13, and structures of extensions) and leaves
/// all others unchanged. Errors: `unsupported` says why the device cannot be used.
WEIR_API Result<> enable_features(const DeviceRequirements& requirements, VkPhysicalDeviceFeatures2& chain);

/// A value of a timeline semaphore.
struct TimelinePoint {
    VkSemaphore semaphore = VK_NULL_HANDLE; ///< the application's
    std::uint64_t value = 0;                ///< reached when the semaphore has this value or a greater one
};

/// A device to compute on: created by Weir, or adopted from an application. Copies share the device. Every object made
/// from a context keeps alive what it needs. All functions may be called from any thread.
///
/// When the last copy is gone, and the last program and memory pool, the points of all objects that were retired and
/// not yet collected are waited for, and the objects destroyed. So something has to signal them, and their semaphores
/// must exist until then. A destructor waits for one minute at most, and then leaves the device as it is. Contexts
/// must be destroyed before `main` returns: see docs/lifetimes.md.
class WEIR_API Context {
public:
    /// The devices of this machine in the loader's order, usable or not. Errors: `no_device` without a Vulkan loader or
    /// driver.
    static Result<std::vector<DeviceInfo>> list_devices();

    /// Creates an instance and a device of Weir's own. Errors: `no_device` (no device, or none that matches; the
    /// message lists the available ones), `unsupported` (names the missing feature), `io` (a shader file cannot be
    /// read, is damaged, or is of another version of Weir).
    static Result<Context> create(const ContextOptions& options = {});

    /// Uses the application's device. Errors: `invalid_argument`, `unsupported` (says what the device lacks),
    /// `out_of_memory`, `io` as for `create`.
    static Result<Context> adopt(const AdoptedDevice& host);

    /// What the device can do.
    [[nodiscard]] const Capabilities& capabilities() const;

    /// A buffer of `size` bytes, at least 1, with undefined contents. Errors: `out_of_memory`, `limit_exceeded`.
    [[nodiscard]] Result<Buffer> create_buffer(VkDeviceSize size, MemoryKind kind = MemoryKind::device) const;
    /// The same with further usages and queue families. Errors: also `invalid_argument` for a family that the device
    /// does not have.
    [[nodiscard]] Result<Buffer> create_buffer(VkDeviceSize size, const BufferOptions& options) const;

    /// Bytes of device memory that buffers of this context hold.
    [[nodiscard]] std::uint64_t memory_in_use() const;

    /// Sizes, budgets and usages of the device's heaps of memory, in bytes, at this moment. There are no errors: where
    /// the driver does not measure, the result says so, and has estimates. Takes some microseconds.
    [[nodiscard]] MemoryBudget memory_budget() const;

    /// Writes the pipelines of this context to a file for CompilerOptions::pipeline_file: everything that its
    /// VkPipelineCache has, so compile all graphs before. The driver's data are of use to the same device and driver
    /// alone. What an older file has for others stays in it: write it on each kind of device, one after another.
    /// Errors: `io` if the file cannot be written, or if there is another file in its place, or a damaged one;
    /// `out_of_memory`.
    [[nodiscard]] Result<> write_pipelines(const std::string& file) const;

    /// Copies host bytes to `destination`, which has at least as many bytes, and waits for the copy. Errors:
    /// `invalid_argument`, `out_of_memory`, `device_lost`.
    [[nodiscard]] Result<> upload(BufferView destination, std::span<const std::byte> bytes) const;
    /// The same for contiguous items: a span, a vector, an array.
    template <SpanOfBytes Items>
    [[nodiscard]] Result<> upload(BufferView destination, const Items& items) const {
        return upload(destination, bytes_of(items));
    }

    /// Copies the first `bytes.size()` bytes of `source` to the host and waits for the copy. Errors: as `upload`.
    [[nodiscard]] Result<> download(std::span<std::byte> bytes, BufferView source) const;
    /// The same to contiguous items: a span, a vector, an array.
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
    /// `invalid_argument` if it throws, `device_lost`, `out_of_memory`.
    [[nodiscard]] Result<> submit(const std::function<Result<>(VkCommandBuffer)>& record) const;

    /// Destroys a buffer as soon as nothing that the application has submitted uses it any more, which is when all
    /// these points are reached: see `collect`. Waits for nothing. Errors: `invalid_argument` for a point without a
    /// semaphore, `unsupported` without timeline semaphores; then the buffer stays as it is.
    [[nodiscard]] Result<> retire(Buffer&& buffer, std::vector<TimelinePoint> until) const;
    /// Destroys what was retired, by `retire` or `Program::retire`, and has reached its points. Waits for nothing.
    /// Returns how many objects are left. Errors: `device_lost`, `out_of_memory`; what could not be asked for is left.
    Result<std::size_t> collect() const;

    /// The buffer in which programs with DescriptorMode::buffer have their parts: the application's, if it has given
    /// one, or the first of the context, which is made when it is needed and stays. Where it is full, another one is
    /// made for further programs, unless it is the application's, or CompileOptions::bound_descriptor_buffer asks for
    /// this one. Errors: `unsupported` without Capabilities::descriptor_buffer, `out_of_memory`.
    [[nodiscard]] Result<DescriptorBuffer> descriptor_buffer() const;

    /// The Vulkan device.
    [[nodiscard]] VkDevice device() const;
    /// The physical device.
    [[nodiscard]] VkPhysicalDevice physical_device() const;
    /// The instance.
    [[nodiscard]] VkInstance instance() const;
    /// The queue of that kind; null if there is none, or if the device was adopted without it. Several kinds may be the
    /// same queue.
    [[nodiscard]] VkQueue queue(QueueKind kind = QueueKind::main) const;
    /// The family of that queue; Capabilities::no_queue if there is none.
    [[nodiscard]] std::uint32_t queue_family(QueueKind kind = QueueKind::main) const;
    /// The function through which Weir gets all Vulkan functions.
    [[nodiscard]] PFN_vkGetInstanceProcAddr get_instance_proc_addr() const;

    /// Weir's internal device object, for its graph and primitives.
    [[nodiscard]] const std::shared_ptr<Device>& shared_device() const { return device_; }
    /// Internal.
    [[nodiscard]] class RetiredObjects& retired() const { return *retired_; }

private:
    explicit Context(std::shared_ptr<Device> device);
    std::shared_ptr<Device> device_;
    std::shared_ptr<RetiredObjects> retired_;
};

} // namespace weir

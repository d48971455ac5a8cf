#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <weir/engine/context.hpp>

#include "engine/device/instance.hpp"
#include "engine/base/log.hpp"
#include "engine/memory/memory_use.hpp"
#include "engine/pipeline/pipeline.hpp"
#include "engine/pipeline/pipeline_cache.hpp"
#include "engine/submit/queue.hpp"
#include "engine/submit/submissions.hpp"
#include "engine/memory/transfers.hpp"
#include "engine/base/volk.hpp"
#include "engine/base/vulkan_error.hpp"

namespace weir {

class DescriptorBuffers;
class Pipelines;
class ShaderCache;
class ShaderSource;

/// Parameters of a Device: a VkDevice that the context created, or one that the application owns.
struct DeviceSetup {
    std::unique_ptr<Instance> own_instance; ///< null: the application owns the instance
    bool own_device = false;                ///< false: the application owns the device
    InstanceTable functions;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    std::array<Queue, queue_kinds> queues; ///< by QueueKind; equal queues must have equal locks
    Capabilities capabilities;             ///< the device sets the queue families and flags
    std::uint32_t api_version = 0;         ///< highest usable version: the lower one of instance and device
    MemoryHooks memory;                    ///< empty: Weir's own allocator
    VkPipelineCache host_pipeline_cache = VK_NULL_HANDLE;
    std::string pipeline_cache_file; ///< empty: none
    std::string shader_cache_file;   ///< empty: none
    std::string behavior_file;       ///< empty: none
    bool probes_behavior = true;
    CompilerOptions compiler;
    std::uint64_t memory_limit = 0; ///< bytes of device memory; 0: unlimited
    std::optional<VkAllocationCallbacks> callbacks;
    DescriptorMode descriptors = DescriptorMode::automatic;
    VkDeviceSize descriptor_buffer_bytes = 0; ///< see DescriptorBuffers
    DescriptorBuffer descriptor_buffer;       ///< the application's; address 0: not provided
    std::shared_ptr<const Log> log;
};

/// A logical device and Weir's state per device: function tables, queues, memory, pipelines. Shared by the context and
/// everything created from it; thread-safe. Owns the VkDevice and VkInstance only if the context created them.
class Device : public std::enable_shared_from_this<Device> {
public:
    /// Creates a device. Everything that `setup` owns is destroyed with the device, or when this fails.
    static Result<std::shared_ptr<Device>> create(DeviceSetup setup);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] const Capabilities& capabilities() const { return setup_.capabilities; }
    [[nodiscard]] std::uint32_t api_version() const { return setup_.api_version; }
    [[nodiscard]] VkDevice handle() const { return setup_.device; }
    /// Returns the allocation callbacks of all objects of the device. Null: Vulkan's own allocator.
    [[nodiscard]] const VkAllocationCallbacks* callbacks() const {
        return setup_.callbacks ? &*setup_.callbacks : nullptr;
    }
    [[nodiscard]] VkPhysicalDevice physical_device() const { return setup_.physical_device; }
    [[nodiscard]] VkInstance instance() const { return setup_.instance; }
    [[nodiscard]] const InstanceTable& instance_functions() const { return setup_.functions; }
    /// Returns the device functions. Functions of extensions that are not enabled are null, and so are those that Weir
    /// uses of synchronization2 and maintenance4 if these are not enabled. After `abandon`, functions that destroy or
    /// free do nothing.
    [[nodiscard]] const VolkDeviceTable& vk() const { return *vk_in_use_.load(std::memory_order_acquire); }
    /// Returns the queue of a kind. If the device has no such queue, the handle is null and the family is
    /// Capabilities::no_queue. Two kinds may share one queue.
    [[nodiscard]] const Queue& queue(QueueKind kind = QueueKind::main) const { return locked(kind).get(); }
    [[nodiscard]] VkPipelineCache pipeline_cache() const;
    /// Returns the descriptor mode of programs compiled with DescriptorMode::automatic.
    [[nodiscard]] DescriptorMode descriptors() const { return setup_.descriptors; }
    /// Returns null without Capabilities::descriptor_buffer.
    [[nodiscard]] DescriptorBuffers* descriptor_buffers() const { return descriptor_buffers_.get(); }
    [[nodiscard]] const Log& log() const { return *setup_.log; }

    /// Implements Context::create_buffer. `name` appears in debuggers and error messages. Queues of all `families` may
    /// use the buffer at the same time; with fewer than two families, one family owns it at a time. `families` must be
    /// distinct.
    [[nodiscard]] Result<Buffer> create_buffer(VkDeviceSize size, MemoryKind kind, const std::string& name,
                                               VkBufferUsageFlags further_usage = 0,
                                               std::span<const std::uint32_t> families = {});

    /// Returns the create info of the device's own buffers. It points to `families`.
    [[nodiscard]] VkBufferCreateInfo buffer_info(VkDeviceSize size, VkBufferUsageFlags further_usage = 0,
                                                 std::span<const std::uint32_t> families = {}) const;

    /// Allocates device memory through the application's hooks, or from Vulkan if they are empty. Prefers device-local
    /// types, then lower type indices. `name` appears in debuggers.
    [[nodiscard]] VkResult allocate(const VkMemoryRequirements& needs, const std::string& name,
                                    MemoryHooks::Memory& out);
    void free(const MemoryHooks::Memory& memory);

    /// Implements Context::memory_budget.
    [[nodiscard]] MemoryBudget memory_budget() const { return memory_use_->budget(capabilities().memory_budget); }
    /// Counts a VkDeviceMemory allocated for Weir and names it for debuggers.
    void memory_allocated(VkDeviceMemory memory, std::uint32_t type, VkDeviceSize bytes);
    void memory_freed(std::uint32_t type, VkDeviceSize bytes) { memory_use_->remove(type, bytes); }

    /// Returns the bytes of device memory that buffers and images hold: at most DeviceSetup::memory_limit, if it is
    /// set.
    [[nodiscard]] std::uint64_t memory_in_use() const { return memory_in_use_; }
    [[nodiscard]] Result<> reserve_memory(VkDeviceSize size, const std::string& name);
    void release_memory(VkDeviceSize size) { memory_in_use_ -= size; }

    /// Returns the GPU address of `buffer`, which must have VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
    [[nodiscard]] VkDeviceAddress address(VkBuffer buffer) const;

    /// Allocates a buffer that the device itself keeps: without an owner, and without counting against the memory
    /// limit.
    [[nodiscard]] Result<MemoryHooks::Allocation> allocate_memory(VkDeviceSize size, MemoryKind kind,
                                                                  const std::string& name,
                                                                  VkBufferUsageFlags further_usage = 0,
                                                                  std::span<const std::uint32_t> families = {});
    void free_memory(const MemoryHooks::Allocation& allocation);

    [[nodiscard]] ShaderCache& shaders() { return *shaders_; }
    [[nodiscard]] Pipelines& pipelines() { return *pipelines_; }
    /// Returns the function that runs tasks on the compiler's threads. Tasks must not throw.
    [[nodiscard]] const ParallelFor& parallel_for() const { return setup_.compiler.parallel_for; }

    /// Checks that pipelines keep the driver's statistics: for profiles or for the log.
    [[nodiscard]] bool captures_statistics() const {
        return capabilities().pipeline_statistics && (setup_.compiler.statistics || log().tells(LogLevel::debug));
    }

    /// Forwards to ShaderCache::get; `pipeline` forwards to Pipelines::get.
    [[nodiscard]] Result<std::shared_ptr<const CompiledShader>> shader(const ShaderSource& source);
    [[nodiscard]] Result<std::shared_ptr<const Pipeline>> pipeline(const PipelineInfo& info);

    /// Submits once to a queue, under its lock. The device must have a queue of this kind.
    [[nodiscard]] VkResult submit(QueueKind kind, std::span<const VkSubmitInfo2> submits,
                                  VkFence fence = VK_NULL_HANDLE) const {
        return locked(kind).submit(submits, fence);
    }

    /// Stops all freeing of memory and destruction of objects. Called when the completion of a submission can no longer
    /// be observed, so the GPU may still use anything it was given.
    void abandon();
    [[nodiscard]] bool is_abandoned() const { return &vk() != &vk_; }

    /// Calls `wait(most)` with the maximum time of a wait in a destructor. Skips the call after such a wait has timed
    /// out, and while the process destroys objects with static lifetime. In both cases the device is abandoned, and
    /// destructors end without waiting.
    template <class Wait>
    void wait_in_destructor(const Wait& wait) const {
        if (!has_left_) {
            static_cast<void>(wait(longest_wait_));
        }
    }
    /// Replaces the maximum time of a wait in a destructor, for tests.
    void set_longest_wait(std::chrono::nanoseconds most) { longest_wait_ = most; }

    /// Abandons the device when the process destroys its objects with static lifetime. Afterwards, destructors call no
    /// function of Vulkan. For a device that Weir owns, first waits for the queues, as a destructor does, and writes
    /// the pipeline cache; not on Windows.
    void leave_to_process_end();

    /// Converts the status of `wait_or_ask` to a Result. `describe` describes the wait for error messages. Abandons the
    /// device after any error except device loss, because the GPU may still be running.
    template <class Describe>
    Result<> waited(VkResult status, const Describe& describe) {
        if (status == VK_SUCCESS) {
            return {};
        }
        Error error = vulkan_error(status, describe());
        if (status != VK_ERROR_DEVICE_LOST) {
            abandon();
            error.message += "; the device may still run, so nothing that it may use is given back any more";
        }
        if (status == VK_TIMEOUT) { // in a destructor, which cannot return the error
            has_left_ = true;
            log().tell(LogLevel::warning, error.message);
        }
        return tl::unexpected(std::move(error));
    }

    /// Implements Context::submit; `upload` and `download` implement those of Context. `submitted`: see
    /// Submissions::run.
    [[nodiscard]] Result<> submit(const std::function<Result<>(VkCommandBuffer)>& record, bool* submitted = nullptr);
    [[nodiscard]] Result<> upload(BufferView destination, std::span<const std::byte> bytes);
    [[nodiscard]] Result<> download(std::span<std::byte> bytes, BufferView source);

    /// Sets debug names and labels, if VK_EXT_debug_utils is enabled. Names get the prefix "weir: ". Labels allocate
    /// nothing.
    [[nodiscard]] bool has_names() const { return setup_.functions.vkSetDebugUtilsObjectNameEXT != nullptr; }
    void set_name(VkObjectType type, std::uint64_t object, std::string_view name) const;
    void begin_label(VkCommandBuffer commands, const char* name) const;
    void end_label(VkCommandBuffer commands) const;

private:
    explicit Device(DeviceSetup setup);
    Result<> initialize();
    Result<> load_functions();
    Result<> make_compiler();
    Result<> make_descriptor_buffers();
    void make_queues();
    void set_behavior();
    [[nodiscard]] VkResult wait_for_queues() const; ///< at the end of the device or the process
    [[nodiscard]] VkResult wait_for(LockedQueue& queue) const;
    [[nodiscard]] LockedQueue& locked(QueueKind kind) const { return *queues_[static_cast<std::size_t>(kind)]; }

    DeviceSetup setup_;
    VolkDeviceTable vk_{};
    std::mutex abandon_mutex_;
    std::unique_ptr<const VolkDeviceTable> vk_abandoned_; ///< set once
    std::atomic<const VolkDeviceTable*> vk_in_use_ = &vk_;
    /// Longer than submissions take: drivers end those that take more than seconds, except on servers and CPUs.
    std::chrono::nanoseconds longest_wait_ = std::chrono::minutes(1);
    std::atomic<bool> has_left_ = false;          ///< destructors no longer wait
    std::atomic<bool> ends_with_process_ = false; ///< destructors no longer call Vulkan
    std::atomic<std::uint64_t> memory_in_use_ = 0;
    std::unique_ptr<MemoryUse> memory_use_;
    std::mutex own_memory_mutex_;
    std::map<VkDeviceMemory, std::pair<std::uint32_t, VkDeviceSize>> own_memory_; ///< from `allocate`: type and bytes
    std::array<std::shared_ptr<LockedQueue>, queue_kinds> queues_; ///< kinds that share a VkQueue share the object
    std::unique_ptr<Submissions> submissions_;
    std::unique_ptr<Transfers> transfers_;
    std::unique_ptr<ShaderCache> shaders_;
    std::unique_ptr<PipelineCache> pipeline_cache_;
    std::unique_ptr<Pipelines> pipelines_;
    std::unique_ptr<DescriptorBuffers> descriptor_buffers_;
};

} // namespace weir

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

#include "engine/instance.hpp"
#include "engine/log.hpp"
#include "engine/memory_use.hpp"
#include "engine/pipeline.hpp"
#include "engine/pipeline_cache.hpp"
#include "engine/queue.hpp"
#include "engine/submissions.hpp"
#include "engine/transfers.hpp"
#include "engine/volk.hpp"
#include "engine/vulkan_error.hpp"

namespace weir {

class DescriptorBuffers;
class Pipelines;
class ShaderCache;
class ShaderSource;

/// What a Device is made from: a VkDevice that the context created, or a host's.
struct DeviceSetup {
    std::unique_ptr<Instance> own_instance; ///< null: the instance is a host's
    bool own_device = false;                ///< false: the device is a host's
    InstanceTable functions;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    std::array<Queue, queue_kinds> queues; ///< by QueueKind; those that are the same have the same locks
    Capabilities capabilities;             ///< those of queues are set from them
    std::uint32_t api_version = 0;         ///< of what may be used: the instance's or the device's
    MemoryHooks memory;                    ///< empty: Weir's own allocator
    VkPipelineCache host_pipeline_cache = VK_NULL_HANDLE;
    std::string pipeline_cache_file; ///< empty: none
    std::string shader_cache_file;   ///< empty: none
    std::string behavior_file;       ///< empty: none
    bool probes_behavior = true;
    CompilerOptions compiler;
    std::uint64_t memory_limit = 0; ///< bytes of device memory; 0: none
    std::optional<VkAllocationCallbacks> callbacks;
    DescriptorMode descriptors = DescriptorMode::automatic;
    VkDeviceSize descriptor_buffer_bytes = 0; ///< as of DescriptorBuffers
    DescriptorBuffer descriptor_buffer;       ///< the host's; or none
    std::shared_ptr<const Log> log;
};

/// A logical device with what Weir keeps per device: function tables, queues, memory, pipelines. Shared by the context
/// and everything made from it; thread-safe. Owns the VkDevice and VkInstance only if the context created them.
class Device : public std::enable_shared_from_this<Device> {
public:
    /// What `setup` owns is destroyed with the device, also when this fails.
    static Result<std::shared_ptr<Device>> create(DeviceSetup setup);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] const Capabilities& capabilities() const { return setup_.capabilities; }
    [[nodiscard]] std::uint32_t api_version() const { return setup_.api_version; }
    [[nodiscard]] VkDevice handle() const { return setup_.device; }
    /// What everything of the device is created and destroyed with; null: Vulkan's own allocator.
    [[nodiscard]] const VkAllocationCallbacks* callbacks() const {
        return setup_.callbacks ? &*setup_.callbacks : nullptr;
    }
    [[nodiscard]] VkPhysicalDevice physical_device() const { return setup_.physical_device; }
    [[nodiscard]] VkInstance instance() const { return setup_.instance; }
    [[nodiscard]] const InstanceTable& instance_functions() const { return setup_.functions; }
    /// Of an abandoned device, functions that destroy or free do nothing. Functions of features that are not enabled
    /// are null.
    [[nodiscard]] const VolkDeviceTable& vk() const { return *vk_in_use_.load(std::memory_order_acquire); }
    /// Of a kind that is not there: null, and the family is Capabilities::no_queue. Kinds may be the same queue.
    [[nodiscard]] const Queue& queue(QueueKind kind = QueueKind::main) const { return locked(kind).get(); }
    [[nodiscard]] VkPipelineCache pipeline_cache() const;
    /// What programs use that are not told otherwise.
    [[nodiscard]] DescriptorMode descriptors() const { return setup_.descriptors; }
    /// Null without Capabilities::descriptor_buffer.
    [[nodiscard]] DescriptorBuffers* descriptor_buffers() const { return descriptor_buffers_.get(); }
    [[nodiscard]] const Log& log() const { return *setup_.log; }

    /// As Context::create_buffer; `name` shows in debuggers and in errors. Queues of all of `families`, which are
    /// distinct, may use the buffer at a time; fewer than two: it is owned by one family at a time.
    [[nodiscard]] Result<Buffer> create_buffer(VkDeviceSize size, MemoryKind kind, const std::string& name,
                                               VkBufferUsageFlags further_usage = 0,
                                               std::span<const std::uint32_t> families = {});

    /// How the device's own buffers are made. It points at `families`.
    [[nodiscard]] VkBufferCreateInfo buffer_info(VkDeviceSize size, VkBufferUsageFlags further_usage = 0,
                                                 std::span<const std::uint32_t> families = {}) const;

    /// Memory of the device's, from the host or from Vulkan, of the best of the types that will do.
    /// `name` shows in debuggers.
    [[nodiscard]] VkResult allocate(const VkMemoryRequirements& needs, const std::string& name,
                                    MemoryHooks::Memory& out);
    void free(const MemoryHooks::Memory& memory);

    /// As Context::memory_budget.
    [[nodiscard]] MemoryBudget memory_budget() const { return memory_use_->budget(capabilities().memory_budget); }
    /// Counts and names what Vulkan has allocated for Weir.
    void memory_allocated(VkDeviceMemory memory, std::uint32_t type, VkDeviceSize bytes);
    void memory_freed(std::uint32_t type, VkDeviceSize bytes) { memory_use_->remove(type, bytes); }

    /// Bytes of device memory that buffers and images hold, which are at most the limit that was set for the device.
    [[nodiscard]] std::uint64_t memory_in_use() const { return memory_in_use_; }
    [[nodiscard]] Result<> reserve_memory(VkDeviceSize size, const std::string& name);
    void release_memory(VkDeviceSize size) { memory_in_use_ -= size; }

    /// Where `buffer` is for the GPU. It must have VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
    [[nodiscard]] VkDeviceAddress address(VkBuffer buffer) const;

    /// The same without an owner: for what the device itself keeps.
    [[nodiscard]] Result<MemoryHooks::Allocation> allocate_memory(VkDeviceSize size, MemoryKind kind,
                                                                  const std::string& name,
                                                                  VkBufferUsageFlags further_usage = 0,
                                                                  std::span<const std::uint32_t> families = {});
    void free_memory(const MemoryHooks::Allocation& allocation);

    [[nodiscard]] ShaderCache& shaders() { return *shaders_; }
    [[nodiscard]] Pipelines& pipelines() { return *pipelines_; }
    /// Runs tasks, which must not throw, on as many threads as compile.
    [[nodiscard]] const ParallelFor& parallel_for() const { return setup_.compiler.parallel_for; }

    /// Whether pipelines keep what the driver says of them: for profiles or for the log.
    [[nodiscard]] bool captures_statistics() const {
        return capabilities().pipeline_statistics && (setup_.compiler.statistics || log().tells(LogLevel::debug));
    }

    /// As ShaderCache::get and Pipelines::get.
    [[nodiscard]] Result<std::shared_ptr<const CompiledShader>> shader(const ShaderSource& source);
    [[nodiscard]] Result<std::shared_ptr<const Pipeline>> pipeline(const PipelineInfo& info);

    /// One submission to a queue that is there, under its lock.
    [[nodiscard]] VkResult submit(QueueKind kind, std::span<const VkSubmitInfo2> submits,
                                  VkFence fence = VK_NULL_HANDLE) const {
        return locked(kind).submit(submits, fence);
    }

    /// From now on nothing is given back, neither memory nor objects: the GPU may still use them, since something was
    /// submitted and neither waiting for it nor asking whether it is done has worked.
    void abandon();
    [[nodiscard]] bool is_abandoned() const { return &vk() != &vk_; }

    /// Calls `wait(most)` with the maximum time of a wait in a destructor. Skips the call after such a wait has timed
    /// out, and while the process destroys objects with static lifetime: the device is abandoned then, and destructors
    /// end without it.
    template <class Wait>
    void wait_in_destructor(const Wait& wait) const {
        if (!has_left_) {
            static_cast<void>(wait(longest_wait_));
        }
    }
    /// Replaces the maximum time of a wait in a destructor, for tests.
    void set_longest_wait(std::chrono::nanoseconds most) { longest_wait_ = most; }

    /// Abandons the device because the process destroys its objects with static lifetime: from now on, destructors call
    /// no function of Vulkan. Before, it waits for the queues of a device of Weir's own, as a destructor does, and
    /// writes the pipeline cache, except on Windows.
    void leave_to_process_end();

    /// What became of a wait by `wait_or_ask`, which `describe` describes: abandons the device if nobody can tell.
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

    /// As Context::submit, upload and download; `submitted`: as of Submissions::run.
    [[nodiscard]] Result<> submit(const std::function<Result<>(VkCommandBuffer)>& record, bool* submitted = nullptr);
    [[nodiscard]] Result<> upload(BufferView destination, std::span<const std::byte> bytes);
    [[nodiscard]] Result<> download(std::span<std::byte> bytes, BufferView source);

    /// Debug names and labels; nothing where VK_EXT_debug_utils is not enabled. Names have "weir: " before them. Labels
    /// allocate nothing.
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
    [[nodiscard]] VkResult wait_for_queues() const; ///< in the destructor
    [[nodiscard]] VkResult wait_for(LockedQueue& queue) const;
    [[nodiscard]] LockedQueue& locked(QueueKind kind) const { return *queues_[static_cast<std::size_t>(kind)]; }

    DeviceSetup setup_;
    VolkDeviceTable vk_{};
    std::mutex abandon_mutex_;
    std::unique_ptr<const VolkDeviceTable> vk_abandoned_; ///< set once
    std::atomic<const VolkDeviceTable*> vk_in_use_ = &vk_;
    /// Longer than a submission takes: drivers end those that take more than seconds, except on servers and CPUs.
    std::chrono::nanoseconds longest_wait_ = std::chrono::minutes(1);
    std::atomic<bool> has_left_ = false;          ///< no destructor waits any more
    std::atomic<bool> ends_with_process_ = false; ///< no destructor calls Vulkan any more
    std::atomic<std::uint64_t> memory_in_use_ = 0;
    std::unique_ptr<MemoryUse> memory_use_;
    std::mutex own_memory_mutex_;
    std::map<VkDeviceMemory, std::pair<std::uint32_t, VkDeviceSize>> own_memory_; ///< of `allocate`: type and bytes
    std::array<std::shared_ptr<LockedQueue>, queue_kinds> queues_; ///< the same for kinds that are the same queue
    std::unique_ptr<Submissions> submissions_;
    std::unique_ptr<Transfers> transfers_;
    std::unique_ptr<ShaderCache> shaders_;
    std::unique_ptr<PipelineCache> pipeline_cache_;
    std::unique_ptr<Pipelines> pipelines_;
    std::unique_ptr<DescriptorBuffers> descriptor_buffers_;
};

} // namespace weir

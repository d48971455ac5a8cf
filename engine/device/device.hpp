#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <weir/engine/context.hpp>

#include "engine/base/device_handle.hpp"
#include "engine/device/instance.hpp"
#include "engine/memory/device_memory.hpp"
#include "engine/memory/transfers.hpp"
#include "engine/pipeline/pipeline.hpp"
#include "engine/pipeline/pipeline_cache.hpp"
#include "engine/submit/queue.hpp"
#include "engine/submit/submissions.hpp"

namespace weir {

class DescriptorBuffers;
class Pipelines;
class ShaderCache;
class ShaderSource;

/// Parameters of a Device: a VkDevice that the context created, or one that the application owns.
struct DeviceSetup {
    DeviceHandle::Setup handle;
    std::unique_ptr<Instance> own_instance; ///< null: the application owns the instance
    bool own_device = false;                ///< false: the application owns the device
    std::array<Queue, queue_kinds> queues;  ///< by QueueKind; equal queues must have equal locks
    MemoryHooks memory;                     ///< empty: Weir's own allocator
    VkPipelineCache host_pipeline_cache = VK_NULL_HANDLE;
    std::string pipeline_cache_file; ///< empty: none
    std::string shader_cache_file;   ///< empty: none
    std::string behavior_file;       ///< empty: none
    bool probes_behavior = true;
    CompilerOptions compiler;
    std::uint64_t memory_limit = 0; ///< bytes of device memory; 0: unlimited
    DescriptorMode descriptors = DescriptorMode::automatic;
    VkDeviceSize descriptor_buffer_bytes = 0; ///< see DescriptorBuffers
    DescriptorBuffer descriptor_buffer;       ///< the application's; address 0: not provided
};

/// A logical device and the subsystems that Weir keeps per device: queues, memory, shaders, pipelines. Shared by the
/// context and everything created from it; thread-safe. Owns the VkDevice and VkInstance only if the context created
/// them.
class Device : public DeviceHandle {
public:
    /// Creates a device. Everything that `setup` owns is destroyed with the device, or when this fails.
    static Result<std::shared_ptr<Device>> create(DeviceSetup setup);
    ~Device();

    /// Returns the queue of a kind. If the device has no such queue, the handle is null and the family is
    /// Capabilities::no_queue. Two kinds may share one queue.
    [[nodiscard]] const Queue& queue(QueueKind kind = QueueKind::main) const { return locked(kind).get(); }
    [[nodiscard]] VkPipelineCache pipeline_cache() const;
    /// Returns the descriptor mode of programs compiled with DescriptorMode::automatic.
    [[nodiscard]] DescriptorMode descriptors() const { return setup_.descriptors; }
    /// Returns null without Capabilities::descriptor_buffer.
    [[nodiscard]] DescriptorBuffers* descriptor_buffers() const { return descriptor_buffers_.get(); }
    [[nodiscard]] DeviceMemory& memory() const { return *memory_; }
    [[nodiscard]] ShaderCache& shaders() const { return *shaders_; }
    [[nodiscard]] Pipelines& pipelines() const { return *pipelines_; }
    [[nodiscard]] Submissions& submissions() const { return *submissions_; }
    [[nodiscard]] Transfers& transfers() const { return *transfers_; }
    /// Returns the function that runs tasks on the compiler's threads. Tasks must not throw.
    [[nodiscard]] const ParallelFor& parallel_for() const { return setup_.compiler.parallel_for; }

    /// Forwards to ShaderCache::get; `pipeline` forwards to Pipelines::get.
    [[nodiscard]] Result<std::shared_ptr<const CompiledShader>> shader(const ShaderSource& source);
    [[nodiscard]] Result<std::shared_ptr<const Pipeline>> pipeline(const PipelineInfo& info);

    /// Submits once to a queue, under its lock. The device must have a queue of this kind.
    [[nodiscard]] VkResult submit(QueueKind kind, std::span<const VkSubmitInfo2> submits,
                                  VkFence fence = VK_NULL_HANDLE) const {
        return locked(kind).submit(submits, fence);
    }

    /// Abandons the device when the process destroys its objects with static lifetime. Afterwards, destructors call no
    /// function of Vulkan. For a device that Weir owns, first waits for the queues, as a destructor does, and writes
    /// the pipeline cache; not on Windows.
    void leave_to_process_end();

private:
    explicit Device(DeviceSetup setup);
    Result<> initialize();
    Result<> make_compiler();
    Result<> make_descriptor_buffers();
    void make_queues();
    void set_behavior();
    [[nodiscard]] VkResult wait_for_queues() const; ///< at the end of the device or the process
    [[nodiscard]] VkResult wait_for(LockedQueue& queue) const;
    [[nodiscard]] LockedQueue& locked(QueueKind kind) const { return *queues_[static_cast<std::size_t>(kind)]; }

    DeviceSetup setup_;                           ///< without `handle` and `memory`
    std::atomic<bool> ends_with_process_ = false; ///< destructors no longer call Vulkan
    std::unique_ptr<DeviceMemory> memory_;
    std::array<std::shared_ptr<LockedQueue>, queue_kinds> queues_; ///< kinds that share a VkQueue share the object
    std::unique_ptr<Submissions> submissions_;
    std::unique_ptr<Transfers> transfers_;
    std::unique_ptr<ShaderCache> shaders_;
    std::unique_ptr<PipelineCache> pipeline_cache_;
    std::unique_ptr<Pipelines> pipelines_;
    std::unique_ptr<DescriptorBuffers> descriptor_buffers_;
};

/// Gives the graph, the primitives and tests access to the internals of a Context.
struct ContextAccess {
    [[nodiscard]] static const std::shared_ptr<Device>& device(const Context& context) { return context.device_; }
    /// Returns the retired objects that are not destroyed yet.
    [[nodiscard]] static DeferredDestroy& retired(const Context& context) { return *context.retired_; }
};

} // namespace weir

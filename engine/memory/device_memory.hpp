#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include <weir/engine/context.hpp>

#include "engine/base/device_handle.hpp"
#include "engine/memory/memory_use.hpp"

namespace weir {

/// Allocates the device memory and the buffers of one device, through the application's hooks or Weir's own allocator.
/// Thread-safe.
class DeviceMemory {
public:
    /// Creates the allocator. Without `hooks.create_buffer`, buffers are allocated by Weir. `limit`: maximum bytes of
    /// buffers and images in device memory; 0: unlimited. `device` must own the result. Errors: `vulkan`.
    static Result<std::unique_ptr<DeviceMemory>> create(DeviceHandle& device, MemoryHooks hooks, std::uint64_t limit);
    /// Frees nothing if the device is abandoned.
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    [[nodiscard]] DeviceHandle& device() const { return device_; }
    /// Returns a pointer that keeps the device alive.
    [[nodiscard]] std::shared_ptr<DeviceMemory> shared() { return {device_.shared_from_this(), this}; }

    /// Implements Context::create_buffer. `name` appears in debuggers and error messages. Queues of all `families` may
    /// use the buffer at the same time; with fewer than two families, one family owns it at a time. `families` must be
    /// distinct.
    [[nodiscard]] Result<Buffer> create_buffer(VkDeviceSize size, MemoryKind kind, const std::string& name,
                                               VkBufferUsageFlags further_usage = 0,
                                               std::span<const std::uint32_t> families = {});
    /// Frees what create_buffer has allocated. Called by Buffer.
    void destroy_buffer(const MemoryHooks::Allocation& allocation, VkDeviceSize size);

    /// Returns the create info of the device's own buffers. It points to `families`.
    [[nodiscard]] VkBufferCreateInfo buffer_info(VkDeviceSize size, VkBufferUsageFlags further_usage = 0,
                                                 std::span<const std::uint32_t> families = {}) const;
    /// Returns the bits of the memory types that such a buffer can be in.
    [[nodiscard]] std::uint32_t buffer_types(VkBufferUsageFlags further_usage) const;
    /// Returns the GPU address of `buffer`, which must have VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
    [[nodiscard]] VkDeviceAddress address(VkBuffer buffer) const;

    /// Allocates a buffer that the device itself keeps: without an owner, and without counting against the limit.
    [[nodiscard]] Result<MemoryHooks::Allocation> allocate_buffer(VkDeviceSize size, MemoryKind kind,
                                                                  const std::string& name,
                                                                  VkBufferUsageFlags further_usage = 0,
                                                                  std::span<const std::uint32_t> families = {});
    void free_buffer(const MemoryHooks::Allocation& allocation);

    /// Allocates device memory through the application's hooks, or from Vulkan if they are empty. Prefers device-local
    /// types, then lower type indices. `name` appears in debuggers.
    [[nodiscard]] VkResult allocate(const VkMemoryRequirements& needs, const std::string& name,
                                    MemoryHooks::Memory& out);
    void free(const MemoryHooks::Memory& memory);

    /// Counts bytes against the limit. Errors: `out_of_memory` beyond the limit, with `name`.
    [[nodiscard]] Result<> reserve(VkDeviceSize size, const std::string& name);
    void release(VkDeviceSize size) { in_use_ -= size; }
    /// Returns the bytes of device memory that buffers and images hold: at most the limit, if it is set.
    [[nodiscard]] std::uint64_t in_use() const { return in_use_; }

    /// Implements Context::memory_budget.
    [[nodiscard]] MemoryBudget budget() const { return use_.budget(device_.capabilities().memory_budget); }
    /// Counts a VkDeviceMemory allocated for Weir and names it for debuggers. Called by Weir's own allocator.
    void on_allocated(VkDeviceMemory memory, std::uint32_t type, VkDeviceSize bytes);
    void on_freed(std::uint32_t type, VkDeviceSize bytes) { use_.remove(type, bytes); }

private:
    DeviceMemory(DeviceHandle& device, MemoryHooks hooks, std::uint64_t limit)
        : device_(device), hooks_(std::move(hooks)), limit_(limit),
          use_(device.instance_functions(), device.physical_device()) {}

    DeviceHandle& device_;
    MemoryHooks hooks_;
    std::uint64_t limit_;
    MemoryUse use_;
    std::atomic<std::uint64_t> in_use_ = 0;
    std::mutex own_memory_mutex_;
    std::map<VkDeviceMemory, std::pair<std::uint32_t, VkDeviceSize>> own_memory_; ///< from `allocate`: type and bytes
};

} // namespace weir

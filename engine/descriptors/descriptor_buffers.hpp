#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <weir/engine/context.hpp>
#include <weir/engine/descriptor_buffer.hpp>
#include <weir/engine/error.hpp>

#include "engine/memory/free_ranges.hpp"

namespace weir {

class DeviceHandle;
class DeviceMemory;

/// A part of a descriptor buffer.
struct DescriptorPart {
    DescriptorBuffer in;     ///< the buffer
    VkDeviceSize offset = 0; ///< bytes from the buffer's address
    VkDeviceSize size = 0;   ///< bytes; 0: no part
};

/// Returns the queue families of a device, without duplicates.
std::vector<std::uint32_t> queue_families_of(const Capabilities& capabilities);

/// The descriptor buffers of one device. Programs take parts of them. Thread-safe.
///
/// If the application provides a descriptor buffer, it is the only one and does not grow. Otherwise Weir creates
/// buffers for both resources and samplers. The queues of all families can use them. When all are full, another one is
/// created. A buffer without parts is destroyed, except the first.
class DescriptorBuffers {
public:
    /// `bytes`: size of each of Weir's own buffers, limited to `limit()`; 0: 1 MiB. A buffer is larger if one part
    /// needs more. `hosts`: the application's buffer; address 0: not provided.
    DescriptorBuffers(DeviceMemory& memory, VkDeviceSize bytes, const DescriptorBuffer& hosts);
    ~DescriptorBuffers();
    DescriptorBuffers(const DescriptorBuffers&) = delete;
    DescriptorBuffers& operator=(const DescriptorBuffers&) = delete;

    [[nodiscard]] const VkPhysicalDeviceDescriptorBufferPropertiesEXT& properties() const { return properties_; }
    /// Returns the maximum distance in bytes from a buffer's address to the end of its descriptors.
    [[nodiscard]] VkDeviceSize limit() const;

    /// Checks the application's buffer, if it provides one. Errors: `invalid_argument`.
    [[nodiscard]] Result<> check_hosts() const;

    /// Returns the first buffer, which lives as long as this object, and creates it if necessary. Errors:
    /// `out_of_memory`.
    Result<DescriptorBuffer> first();
    /// Takes a part of `bytes` bytes, from the first buffer if `from_first`, otherwise from any. Errors:
    /// `limit_exceeded`, `out_of_memory`.
    Result<DescriptorPart> take(VkDeviceSize bytes, bool from_first);
    /// Releases a part. The GPU must no longer use it, unless the device is abandoned: then the part stays in use.
    void give_back(const DescriptorPart& part);

private:
    struct Block {
        MemoryHooks::Allocation memory; ///< empty for the application's buffer
        DescriptorBuffer buffer;
        std::unique_ptr<FreeRanges> ranges; ///< relative to the buffer's offset
        std::size_t parts = 0;              ///< number of parts in use
    };
    Result<> add_block(VkDeviceSize bytes);
    Result<> make_first();
    DescriptorPart take(Block& block, VkDeviceSize bytes) const;
    void destroy(Block& block);

    DeviceMemory& memory_;
    DeviceHandle& device_;
    VkPhysicalDeviceDescriptorBufferPropertiesEXT properties_{};
    VkDeviceSize bytes_ = 0;
    DescriptorBuffer hosts_;
    std::mutex mutex_;
    std::vector<Block> blocks_;
};

} // namespace weir

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <weir/engine/context.hpp>
#include <weir/engine/descriptor_buffer.hpp>
#include <weir/engine/error.hpp>

#include "engine/free_ranges.hpp"

namespace weir {

class Device;

/// A part of a descriptor buffer.
struct DescriptorPart {
    DescriptorBuffer in;     ///< the buffer
    VkDeviceSize offset = 0; ///< bytes from its address
    VkDeviceSize size = 0;   ///< bytes; 0: no part
};

/// The queue families of a device, each once.
std::vector<std::uint32_t> queue_families_of(const Capabilities& capabilities);

/// The descriptor buffers of one device, of which programs have parts: the host's, which does not grow; or Weir's own,
/// of resources and samplers, for the queues of all families. Of these another one is made when all are full, and
/// destroyed when nobody has a part of it, but for the first. Thread-safe.
class DescriptorBuffers {
public:
    /// `bytes`: of each buffer of Weir's own, or as many as the device's limits allow; 0: 1 MiB.
    DescriptorBuffers(Device& device, VkDeviceSize bytes, const DescriptorBuffer& hosts);
    ~DescriptorBuffers();
    DescriptorBuffers(const DescriptorBuffers&) = delete;
    DescriptorBuffers& operator=(const DescriptorBuffers&) = delete;

    [[nodiscard]] const VkPhysicalDeviceDescriptorBufferPropertiesEXT& properties() const { return properties_; }
    /// How far from the address of a buffer descriptors may end.
    [[nodiscard]] VkDeviceSize limit() const;

    /// Whether the host's buffer will do. Errors: `invalid_argument`.
    [[nodiscard]] Result<> check_hosts() const;

    /// The first one, which stays. Errors: `out_of_memory`.
    Result<DescriptorBuffer> first();
    /// A part of so many bytes, of any buffer or of the first. Errors: `limit_exceeded`, `out_of_memory`.
    Result<DescriptorPart> take(VkDeviceSize bytes, bool from_first);
    /// Nobody uses it any more.
    void give_back(const DescriptorPart& part);

private:
    struct Block {
        MemoryHooks::Allocation memory; ///< none of the host's
        DescriptorBuffer buffer;
        std::unique_ptr<FreeRanges> ranges; ///< from the offset on
        std::size_t parts = 0;              ///< that are taken
    };
    Result<> add_block(VkDeviceSize bytes);
    Result<> make_first();
    DescriptorPart take(Block& block, VkDeviceSize bytes) const;
    void destroy(Block& block);

    Device& device_;
    VkPhysicalDeviceDescriptorBufferPropertiesEXT properties_{};
    VkDeviceSize bytes_ = 0;
    DescriptorBuffer hosts_;
    std::mutex mutex_;
    std::vector<Block> blocks_;
};

} // namespace weir

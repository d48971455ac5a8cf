#pragma once

#include <memory>
#include <optional>

#include <vulkan/vulkan_core.h>

namespace weir {

/// A suballocator for one block of memory. Not thread-safe.
class FreeRanges {
public:
    virtual ~FreeRanges() = default;

    /// Takes a free range and returns its offset, a multiple of `alignment`. `alignment` must be a power of two.
    /// Returns nullopt if no gap is large enough.
    virtual std::optional<VkDeviceSize> take(VkDeviceSize bytes, VkDeviceSize alignment) = 0;
    virtual void give_back(VkDeviceSize offset) = 0;
};

/// Creates a suballocator for `bytes` bytes; null if out of memory. `callbacks` may be null. Implemented in memory.cpp
/// with the Vulkan Memory Allocator.
std::unique_ptr<FreeRanges> make_free_ranges(VkDeviceSize bytes, const VkAllocationCallbacks* callbacks);

} // namespace weir

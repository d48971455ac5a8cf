#pragma once

#include <memory>
#include <optional>

#include <vulkan/vulkan_core.h>

namespace weir {

/// Which ranges of some bytes are taken. Used by one thread at a time.
class FreeRanges {
public:
    virtual ~FreeRanges() = default;

    /// The offset of a range that is taken from now on, a multiple of `alignment`, a power of two. Nothing where no gap
    /// is so large.
    virtual std::optional<VkDeviceSize> take(VkDeviceSize bytes, VkDeviceSize alignment) = 0;
    virtual void give_back(VkDeviceSize offset) = 0;
};

/// Null without memory. (Made by the memory allocator: see memory.cpp.) The callbacks may be null.
std::unique_ptr<FreeRanges> make_free_ranges(VkDeviceSize bytes, const VkAllocationCallbacks* callbacks);

} // namespace weir

#pragma once

#include <atomic>
#include <cstddef>

#include <vulkan/vulkan_core.h>

namespace weir::tests {

/// Allocation callbacks for Vulkan that count allocations.
class HostMemory {
public:
    HostMemory();
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;

    [[nodiscard]] const VkAllocationCallbacks* callbacks() const { return &callbacks_; }
    [[nodiscard]] std::size_t made() const { return made_; }       ///< allocations so far
    [[nodiscard]] std::size_t left() const { return left_; }       ///< allocations not freed yet
    [[nodiscard]] std::size_t strange() const { return strange_; } ///< freed pointers of another object

private:
    struct Header;
    static void* VKAPI_CALL allocate(void* self, std::size_t bytes, std::size_t alignment,
                                     VkSystemAllocationScope scope);
    static void* VKAPI_CALL reallocate(void* self, void* memory, std::size_t bytes, std::size_t alignment,
                                       VkSystemAllocationScope scope);
    static void VKAPI_CALL free(void* self, void* memory);

    VkAllocationCallbacks callbacks_{};
    std::atomic<std::size_t> made_ = 0, left_ = 0, strange_ = 0;
};

} // namespace weir::tests

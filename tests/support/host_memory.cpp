#include "tests/support/host_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace weir::tests {

/// Precedes the bytes that Vulkan receives.
struct HostMemory::Header {
    const HostMemory* owner = nullptr;
    void* start = nullptr; ///< result of malloc
    std::size_t bytes = 0;
};

HostMemory::HostMemory() {
    callbacks_.pUserData = this;
    callbacks_.pfnAllocation = allocate;
    callbacks_.pfnReallocation = reallocate;
    callbacks_.pfnFree = free;
}

void* HostMemory::allocate(void* self, std::size_t bytes, std::size_t alignment, VkSystemAllocationScope /*scope*/) {
    auto& memory = *static_cast<HostMemory*>(self);
    alignment = std::max(alignment, alignof(Header));
    std::size_t room = bytes + alignment;
    void* const start = std::malloc(sizeof(Header) + room);
    if (start == nullptr) {
        return nullptr;
    }
    void* at = static_cast<std::byte*>(start) + sizeof(Header);
    std::align(alignment, bytes, at, room); // cannot fail: `room` suffices
    const Header header{&memory, start, bytes};
    std::memcpy(static_cast<std::byte*>(at) - sizeof header, &header, sizeof header);
    ++memory.made_;
    ++memory.left_;
    return at;
}

void* HostMemory::reallocate(void* self, void* memory, std::size_t bytes, std::size_t alignment,
                             VkSystemAllocationScope scope) {
    if (memory == nullptr) {
        return allocate(self, bytes, alignment, scope);
    }
    if (bytes == 0) {
        free(self, memory);
        return nullptr;
    }
    Header header;
    std::memcpy(&header, static_cast<std::byte*>(memory) - sizeof header, sizeof header);
    void* const out = allocate(self, bytes, alignment, scope);
    if (out != nullptr) {
        std::memcpy(out, memory, std::min(bytes, header.bytes));
        free(self, memory);
    }
    return out;
}

void HostMemory::free(void* self, void* memory) {
    auto& from = *static_cast<HostMemory*>(self);
    if (memory == nullptr) {
        return;
    }
    Header header;
    std::memcpy(&header, static_cast<std::byte*>(memory) - sizeof header, sizeof header);
    if (header.owner != &from) {
        ++from.strange_;
        return;
    }
    --from.left_;
    std::free(header.start);
}

} // namespace weir::tests

#pragma once

#include <vulkan/vulkan_core.h>

#include <weir/engine/buffer.hpp>
#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// An image of a program, as a host pass finds it.
struct HostImage {
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE; ///< of all mips and layers
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
};

/// Where the buffers and images are that a host pass uses. Empty for those that it does not.
class WEIR_API HostPassContext {
public:
    [[nodiscard]] virtual BufferView buffer(BufferId buffer) const = 0;
    [[nodiscard]] virtual HostImage image(ImageId image) const = 0;

    HostPassContext(const HostPassContext&) = delete;
    HostPassContext& operator=(const HostPassContext&) = delete;

protected:
    HostPassContext() = default;
    ~HostPassContext() = default;
};

} // namespace weir

#pragma once

#include <vulkan/vulkan_core.h>

#include <weir/engine/buffer.hpp>
#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// An image of a program, as a host pass finds it.
struct HostImage {
    VkImage image = VK_NULL_HANDLE;                   ///< the image
    VkImageView view = VK_NULL_HANDLE;                ///< a view of all mips and layers
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< the layout of the declared access
};

/// The buffers and images that a host pass declared. Empty for others.
class WEIR_API HostPassContext {
public:
    /// The range of a buffer.
    [[nodiscard]] virtual BufferView buffer(BufferId buffer) const = 0;
    /// An image and its layout.
    [[nodiscard]] virtual HostImage image(ImageId image) const = 0;

    HostPassContext(const HostPassContext&) = delete;
    HostPassContext& operator=(const HostPassContext&) = delete;

protected:
    HostPassContext() = default;
    ~HostPassContext() = default;
};

} // namespace weir

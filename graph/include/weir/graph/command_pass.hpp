#pragma once

#include <vulkan/vulkan_core.h>

#include <weir/engine/buffer.hpp>
#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// An image of a program, or a part of one, as a command pass finds it.
struct BoundImage {
    VkImage image = VK_NULL_HANDLE;                   ///< the image, also of a part
    VkImageView view = VK_NULL_HANDLE;                ///< a view of all its mips and layers
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< the layout of the declared access
    ImagePart range;                                  ///< its mips and layers in the image, as numbers
};

/// The buffers and images that a command pass declared. Empty for others.
class WEIR_API CommandPassContext {
public:
    /// The range of a buffer.
    [[nodiscard]] virtual BufferView buffer(BufferId buffer) const = 0;
    /// An image and its layout.
    [[nodiscard]] virtual BoundImage image(ImageId image) const = 0;

    CommandPassContext(const CommandPassContext&) = delete;
    CommandPassContext& operator=(const CommandPassContext&) = delete;

protected:
    CommandPassContext() = default;
    ~CommandPassContext() = default;
};

} // namespace weir

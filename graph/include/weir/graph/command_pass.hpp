#pragma once

#include <vulkan/vulkan_core.h>

#include <weir/engine/buffer.hpp>
#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// An image of a program, or a part of one, as a command pass receives it.
struct BoundImage {
    VkImage image = VK_NULL_HANDLE;    ///< the image; for a part, the whole image
    VkImageView view = VK_NULL_HANDLE; ///< view of all its mips and layers; for a part, of those of the part
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< the layout of the declared access
    ImagePart range; ///< its mips and layers in the image, without VK_REMAINING_* values
};

/// Access to the buffers and images that a command pass declared. For others, the results are empty.
class WEIR_API CommandPassContext {
public:
    /// Returns the range of a buffer.
    [[nodiscard]] virtual BufferView buffer(BufferId buffer) const = 0;
    /// Returns an image and its layout.
    [[nodiscard]] virtual BoundImage image(ImageId image) const = 0;

    CommandPassContext(const CommandPassContext&) = delete;
    CommandPassContext& operator=(const CommandPassContext&) = delete;

protected:
    CommandPassContext() = default;
    ~CommandPassContext() = default;
};

} // namespace weir

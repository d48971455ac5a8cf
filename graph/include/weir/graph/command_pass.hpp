#pragma once

#include <vulkan/vulkan_core.h>

#include <weir/engine/buffer.hpp>
#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// The contents of a buffer or an image before and after a command pass. A pass that only reads cannot change them:
/// both values are true.
struct Contents {
    /// True: an earlier pass of this recording has written the resource, or it has contents at the start of the
    /// execution. False: the contents are undefined, because this is the first write. Passes that are switched off in
    /// the recording do not count as writers. Passes under a count on the GPU do.
    bool before = true;
    /// True: a later pass may read the contents, or they last beyond the execution: imports, exports, states and
    /// histories. A later pass that is switched off counts.
    bool needed_after = true;
};

/// An image of a program, or a part of one, as a command pass receives it.
struct BoundImage {
    VkImage image = VK_NULL_HANDLE;    ///< the image; for a part, the whole image
    VkImageView view = VK_NULL_HANDLE; ///< view of all its mips and layers; for a part, of those of the part
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< the layout of the declared access
    VkExtent3D extent{}; ///< size of its first mip; for a part, of the first mip of the part
    ImagePart range;     ///< its mips and layers in the image, without VK_REMAINING_* values
    Contents contents;   ///< its contents before and after the pass; of a part or an image, those of any mip or layer
    bool is_read = true; ///< the declared access reads

    /// Returns the load operation for an attachment with all mips and layers of the image or the part: LOAD if the
    /// declared access reads and there are contents, and `otherwise` if not, such as
    /// VK_ATTACHMENT_LOAD_OP_DONT_CARE for a pass that draws all pixels.
    [[nodiscard]] VkAttachmentLoadOp load_op(VkAttachmentLoadOp otherwise = VK_ATTACHMENT_LOAD_OP_CLEAR) const {
        return is_read && contents.before ? VK_ATTACHMENT_LOAD_OP_LOAD : otherwise;
    }
    /// Returns the store operation for such an attachment: STORE if the contents are needed after the pass, otherwise
    /// DONT_CARE.
    [[nodiscard]] VkAttachmentStoreOp store_op() const {
        return contents.needed_after ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE;
    }
};

/// Access to the buffers and images that a command pass declared. For others, the results are empty.
class WEIR_API CommandPassContext {
public:
    /// Returns the range of a buffer.
    [[nodiscard]] virtual BufferView buffer(BufferId buffer) const = 0;
    /// Returns an image, its layout and its contents.
    [[nodiscard]] virtual BoundImage image(ImageId image) const = 0;
    /// Returns the contents of a buffer or an image before and after the pass.
    [[nodiscard]] virtual Contents contents(ResourceId resource) const = 0;

    CommandPassContext(const CommandPassContext&) = delete;
    CommandPassContext& operator=(const CommandPassContext&) = delete;

protected:
    CommandPassContext() = default;
    ~CommandPassContext() = default;
};

} // namespace weir

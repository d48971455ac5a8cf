#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "engine/device/device.hpp"
#include "tests/support/device.hpp"

namespace weir::tests {

/// An application's render pass on the test device, with one color attachment of R32_UINT. The attachment is in the
/// layout of color attachments before and after it.
class ColorPass {
public:
    explicit ColorPass(VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_DONT_CARE) {
        VkAttachmentDescription color{};
        color.format = VK_FORMAT_R32_UINT;
        color.samples = VK_SAMPLE_COUNT_1_BIT;
        color.loadOp = load;
        color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        color.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
        color.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
        color.initialLayout = color.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
        const VkAttachmentReference reference{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
        VkSubpassDescription subpass{};
        subpass.colorAttachmentCount = 1;
        subpass.pColorAttachments = &reference;
        VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
        info.attachmentCount = 1;
        info.pAttachments = &color;
        info.subpassCount = 1;
        info.pSubpasses = &subpass;
        EXPECT_EQ(vk_.vkCreateRenderPass(device_, &info, nullptr, &render_pass_), VK_SUCCESS);
    }
    ~ColorPass() {
        for (const VkFramebuffer framebuffer : framebuffers_) {
            vk_.vkDestroyFramebuffer(device_, framebuffer, nullptr);
        }
        vk_.vkDestroyRenderPass(device_, render_pass_, nullptr);
    }
    ColorPass(const ColorPass&) = delete;
    ColorPass& operator=(const ColorPass&) = delete;

    [[nodiscard]] VkRenderPass handle() const { return render_pass_; }

    /// Begins the render pass with a new framebuffer of `target`. `clear` matters only if the attachment is cleared.
    void begin(VkCommandBuffer commands, VkImageView target, VkExtent2D size, std::uint32_t clear = 0) {
        VkFramebufferCreateInfo framebuffer{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
        framebuffer.renderPass = render_pass_;
        framebuffer.attachmentCount = 1;
        framebuffer.pAttachments = &target;
        framebuffer.width = size.width;
        framebuffer.height = size.height;
        framebuffer.layers = 1;
        EXPECT_EQ(vk_.vkCreateFramebuffer(device_, &framebuffer, nullptr, &framebuffers_.emplace_back()), VK_SUCCESS);
        const VkClearValue color{.color = {.uint32 = {clear, 0, 0, 0}}};
        VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
        info.renderPass = render_pass_;
        info.framebuffer = framebuffers_.back();
        info.renderArea.extent = size;
        info.clearValueCount = 1;
        info.pClearValues = &color;
        vk_.vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    }

private:
    const VolkDeviceTable& vk_ = ContextAccess::device(test_context())->vk();
    VkDevice device_ = test_context().device();
    VkRenderPass render_pass_ = VK_NULL_HANDLE;
    std::vector<VkFramebuffer> framebuffers_;
};

} // namespace weir::tests

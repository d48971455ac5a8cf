#pragma once

// The parts of a program with a QVulkanWindow that do not depend on Weir. They draw an image in the window, in Qt's
// render pass, because the images of Qt's swapchain cannot be the destination of a copy.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <QVulkanFunctions>
#include <QVulkanWindow>

/// Ends the program unless `worked`.
inline void require(bool worked, const char* what) {
    if (!worked) {
        std::printf("failed: %s\n", what);
        std::exit(1);
    }
}
inline void require(VkResult status) {
    require(status == VK_SUCCESS, "a call of Vulkan");
}

class Show {
public:
    explicit Show(const QVulkanWindow& window)
        : window_(window), vk_(window.vulkanInstance()->deviceFunctions(window.device())) {
        make_sets();
        make_pipeline();
    }
    ~Show() {
        VkDevice device = window_.device();
        vk_->vkDestroyPipeline(device, pipeline_, nullptr);
        vk_->vkDestroyPipelineLayout(device, layout_, nullptr);
        vk_->vkDestroyDescriptorPool(device, pool_, nullptr);
        vk_->vkDestroyDescriptorSetLayout(device, set_layout_, nullptr);
        vk_->vkDestroySampler(device, sampler_, nullptr);
    }
    Show(const Show&) = delete;
    Show& operator=(const Show&) = delete;

    /// Fills the window with an image that fragment shaders can sample.
    void draw(VkImageView view) {
        VkCommandBuffer commands = window_.currentCommandBuffer();
        VkDescriptorSet set = sets_[static_cast<std::size_t>(window_.currentFrame())];
        const VkDescriptorImageInfo image{sampler_, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, 0, 0, 1};
        write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        write.pImageInfo = &image;
        vk_->vkUpdateDescriptorSets(window_.device(), 1, &write, 0, nullptr);

        const QSize size = window_.swapChainImageSize();
        const VkExtent2D extent{static_cast<std::uint32_t>(size.width()), static_cast<std::uint32_t>(size.height())};
        const std::array<VkClearValue, 2> clears{};
        VkRenderPassBeginInfo pass{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, nullptr, window_.defaultRenderPass()};
        pass.framebuffer = window_.currentFramebuffer();
        pass.renderArea.extent = extent;
        pass.clearValueCount = 2;
        pass.pClearValues = clears.data();
        vk_->vkCmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
        const VkViewport viewport{0, 0, static_cast<float>(extent.width), static_cast<float>(extent.height), 0, 1};
        vk_->vkCmdSetViewport(commands, 0, 1, &viewport);
        vk_->vkCmdSetScissor(commands, 0, 1, &pass.renderArea);
        vk_->vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
        vk_->vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set, 0, nullptr);
        vk_->vkCmdDraw(commands, 3, 1, 0, 0);
        vk_->vkCmdEndRenderPass(commands);
    }

private:
    void make_sets() {
        VkDevice device = window_.device();
        const VkSamplerCreateInfo nearest{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
        require(vk_->vkCreateSampler(device, &nearest, nullptr, &sampler_));
        const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                   VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
        const VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 1,
                                                  &binding};
        require(vk_->vkCreateDescriptorSetLayout(device, &set, nullptr, &set_layout_));
        const auto count = static_cast<std::uint32_t>(sets_.size());
        const VkDescriptorPoolSize images{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, count};
        const VkDescriptorPoolCreateInfo pool{
            VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, count, 1, &images};
        require(vk_->vkCreateDescriptorPool(device, &pool, nullptr, &pool_));
        for (VkDescriptorSet& made : sets_) {
            const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool_, 1,
                                                   &set_layout_};
            require(vk_->vkAllocateDescriptorSets(device, &info, &made));
        }
    }

    [[nodiscard]] VkShaderModule make_shader(const std::vector<std::uint32_t>& words) const {
        const VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, words.size() * 4,
                                            words.data()};
        VkShaderModule shader = VK_NULL_HANDLE;
        require(vk_->vkCreateShaderModule(window_.device(), &info, nullptr, &shader));
        return shader;
    }

    /// Draws a triangle in Qt's render pass.
    void make_pipeline() {
        const std::array shaders = {make_shader({
#include "show.vert.inc"
                                    }),
                                    make_shader({
#include "show.frag.inc"
                                    })};
        std::array<VkPipelineShaderStageCreateInfo, 2> stages{};
        for (std::size_t i = 0; i < 2; ++i) {
            stages[i] = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                         nullptr,
                         0,
                         i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT,
                         shaders[i],
                         "main"};
        }
        const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
        const VkPipelineInputAssemblyStateCreateInfo assembly{
            VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, nullptr, 0,
            VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
        VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
        viewport.viewportCount = viewport.scissorCount = 1;
        VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
        raster.lineWidth = 1;
        VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
        samples.rasterizationSamples = window_.sampleCountFlagBits();
        const VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
        VkPipelineColorBlendAttachmentState target{};
        target.colorWriteMask = 0xF;
        VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
        blend.attachmentCount = 1;
        blend.pAttachments = &target;
        const std::array dynamic = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
        const VkPipelineDynamicStateCreateInfo dynamic_info{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                            nullptr, 0, 2, dynamic.data()};
        const VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1,
                                                &set_layout_};
        require(vk_->vkCreatePipelineLayout(window_.device(), &layout, nullptr, &layout_));
        VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
        info.stageCount = 2;
        info.pStages = stages.data();
        info.pVertexInputState = &input;
        info.pInputAssemblyState = &assembly;
        info.pViewportState = &viewport;
        info.pRasterizationState = &raster;
        info.pMultisampleState = &samples;
        info.pDepthStencilState = &depth;
        info.pColorBlendState = &blend;
        info.pDynamicState = &dynamic_info;
        info.layout = layout_;
        info.renderPass = window_.defaultRenderPass();
        require(vk_->vkCreateGraphicsPipelines(window_.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_));
        for (VkShaderModule shader : shaders) {
            vk_->vkDestroyShaderModule(window_.device(), shader, nullptr);
        }
    }

    const QVulkanWindow& window_;
    QVulkanDeviceFunctions* vk_;
    VkSampler sampler_ = VK_NULL_HANDLE;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    std::array<VkDescriptorSet, QVulkanWindow::MAX_CONCURRENT_FRAME_COUNT> sets_{};
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
};

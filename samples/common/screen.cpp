#include "common/screen.hpp"

#include <span>

#include "common/propagate.hpp"
#include "weir_screen_shaders.hpp"

namespace samples {

namespace {

constexpr VkImageSubresourceRange all_of_it = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

/// Push constants; must match the shader.
struct Push {
    std::int32_t corner[2];
    std::uint32_t size[2];
    std::uint32_t is_encoded;
};

} // namespace

weir::Result<std::unique_ptr<Picture>> Picture::create(const WindowDevice& device, VkExtent2D size) {
    std::unique_ptr<Picture> made(new Picture(device, size));
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {size.width, size.height, 1};
    info.mipLevels = 1;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    auto done = checked(vkCreateImage(device.device(), &info, nullptr, &made->image_), "making a picture");
    done = done.and_then([&] { return made->allocate(); });
    done = done.and_then([&] {
        VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
        view.image = made->image_;
        view.viewType = VK_IMAGE_VIEW_TYPE_2D;
        view.format = info.format;
        view.subresourceRange = all_of_it;
        return checked(vkCreateImageView(device.device(), &view, nullptr, &made->view_), "making a view of a picture");
    });
    done = done.and_then([&] { return made->change_layout(); });
    SAMPLES_PROPAGATE(done);
    return made;
}

Picture::~Picture() {
    vkDestroyImageView(device_.device(), view_, nullptr);
    vkDestroyImage(device_.device(), image_, nullptr);
    vkFreeMemory(device_.device(), memory_, nullptr);
}

weir::Result<> Picture::allocate() {
    VkMemoryRequirements needs{};
    vkGetImageMemoryRequirements(device_.device(), image_, &needs);
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(device_.physical_device(), &memory);
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.allocationSize = needs.size;
    for (std::uint32_t type = memory.memoryTypeCount; type-- > 0;) { // selects the first device-local type
        const bool is_local = (memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
        if ((needs.memoryTypeBits >> type & 1) != 0 && is_local) {
            info.memoryTypeIndex = type;
        }
    }
    const VkResult status = vkAllocateMemory(device_.device(), &info, nullptr, &memory_);
    if (status != VK_SUCCESS) {
        return tl::unexpected(weir::Error{weir::ErrorCode::out_of_memory,
                                          "not enough memory for a picture of " + std::to_string(size_.width) + " x " +
                                              std::to_string(size_.height) + " pixels",
                                          status});
    }
    return checked(vkBindImageMemory(device_.device(), image_, memory_, 0), "making a picture");
}

weir::Result<> Picture::change_layout() const {
    return device_.gpu().submit([&](VkCommandBuffer commands) {
        VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
        barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        barrier.newLayout = weir::layout_of(weir::Access::fragment_shader_read);
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image_;
        barrier.subresourceRange = all_of_it;
        VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        dependency.imageMemoryBarrierCount = 1;
        dependency.pImageMemoryBarriers = &barrier;
        vkCmdPipelineBarrier2(commands, &dependency);
        return weir::Result<>();
    });
}

weir::Result<std::unique_ptr<Screen>> Screen::create(const WindowDevice& device, const Swapchain& swapchain) {
    std::unique_ptr<Screen> made(new Screen(device, swapchain));
    auto done = made->create_descriptors().and_then([&] { return made->create_pipeline(); });
    SAMPLES_PROPAGATE(done);
    return made;
}

Screen::~Screen() {
    vkDestroyPipeline(device_.device(), pipeline_, nullptr);
    vkDestroyPipelineLayout(device_.device(), layout_, nullptr);
    vkDestroyDescriptorPool(device_.device(), pool_, nullptr);
    vkDestroyDescriptorSetLayout(device_.device(), set_layout_, nullptr);
}

weir::Result<> Screen::create_descriptors() {
    VkDescriptorSetLayoutBinding bindings[2] = {};
    for (std::uint32_t i = 0; i < 2; ++i) {
        bindings[i] = {i, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    }
    VkDescriptorSetLayoutCreateInfo set_layout{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set_layout.bindingCount = 2;
    set_layout.pBindings = bindings;
    auto done = checked(vkCreateDescriptorSetLayout(device_.device(), &set_layout, nullptr, &set_layout_),
                        "making a descriptor set layout");
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 2};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    done = done.and_then([&] {
        return checked(vkCreateDescriptorPool(device_.device(), &pool, nullptr, &pool_), "making a descriptor pool");
    });
    return done.and_then([&] {
        VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
        allocate.descriptorPool = pool_;
        allocate.descriptorSetCount = 1;
        allocate.pSetLayouts = &set_layout_;
        return checked(vkAllocateDescriptorSets(device_.device(), &allocate, &set_), "making a descriptor set");
    });
}

weir::Result<> Screen::create_pipeline() {
    const VkPushConstantRange push = {VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(Push)};
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &set_layout_;
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &push;
    auto done =
        checked(vkCreatePipelineLayout(device_.device(), &layout, nullptr, &layout_), "making a pipeline layout");
    VkPipelineShaderStageCreateInfo stages[2] = {};
    const auto add_stage = [&](VkPipelineShaderStageCreateInfo& stage, VkShaderStageFlagBits bit,
                               std::span<const std::uint32_t> shader) {
        stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
        stage.stage = bit;
        stage.pName = "main";
        VkShaderModuleCreateInfo module{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
        module.codeSize = shader.size_bytes();
        module.pCode = shader.data();
        done = done.and_then([&] {
            return checked(vkCreateShaderModule(device_.device(), &module, nullptr, &stage.module), "making a shader");
        });
    };
    add_stage(stages[0], VK_SHADER_STAGE_VERTEX_BIT, weir_screen::shaders::screen_vertices);
    add_stage(stages[1], VK_SHADER_STAGE_FRAGMENT_BIT, weir_screen::shaders::screen_fragments);

    const VkPipelineVertexInputStateCreateInfo vertices{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    viewport.viewportCount = viewport.scissorCount = 1;
    VkPipelineRasterizationStateCreateInfo rasterization{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    rasterization.lineWidth = 1;
    VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    VkPipelineColorBlendAttachmentState attachment{};
    attachment.colorWriteMask =
        VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
    VkPipelineColorBlendStateCreateInfo blending{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    blending.attachmentCount = 1;
    blending.pAttachments = &attachment;
    const VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    dynamic.dynamicStateCount = 2;
    dynamic.pDynamicStates = dynamic_states;
    const VkFormat format = swapchain_.format();
    VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachmentFormats = &format;
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.pNext = &rendering;
    info.stageCount = 2;
    info.pStages = stages;
    info.pVertexInputState = &vertices;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &rasterization;
    info.pMultisampleState = &samples;
    info.pColorBlendState = &blending;
    info.pDynamicState = &dynamic;
    info.layout = layout_;
    done = done.and_then([&] {
        return checked(vkCreateGraphicsPipelines(device_.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_),
                       "making a pipeline");
    });
    for (const VkPipelineShaderStageCreateInfo& stage : stages) {
        vkDestroyShaderModule(device_.device(), stage.module, nullptr);
    }
    return done;
}

void Screen::show(const Picture& picture, const Picture* overlay) {
    overlay_ = overlay == nullptr ? VkExtent2D{} : overlay->size();
    VkDescriptorImageInfo images[2] = {};
    VkWriteDescriptorSet writes[2] = {};
    for (std::uint32_t i = 0; i < 2; ++i) {
        images[i].imageView = (i == 0 || overlay == nullptr ? picture : *overlay).view().view;
        images[i].imageLayout = weir::layout_of(weir::Access::fragment_shader_read);
        writes[i] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
        writes[i].dstSet = set_;
        writes[i].dstBinding = i;
        writes[i].descriptorCount = 1;
        writes[i].descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
        writes[i].pImageInfo = &images[i];
    }
    vkUpdateDescriptorSets(device_.device(), 2, writes, 0, nullptr);
}

void Screen::record(const SwapchainFrame& frame, bool has_overlay, std::int32_t margin) const {
    const VkExtent2D extent = swapchain_.extent();
    VkRenderingAttachmentInfo attachment{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    attachment.imageView = frame.view;
    attachment.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea.extent = extent;
    rendering.layerCount = 1;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachments = &attachment;
    const VkViewport viewport = {
        0, 0, static_cast<float>(extent.width), static_cast<float>(extent.height), 0, 1,
    };
    const Push push = {{margin, margin},
                       {has_overlay ? overlay_.width : 0, has_overlay ? overlay_.height : 0},
                       swapchain_.encodes() ? 1U : 0U};
    vkCmdBeginRendering(frame.commands, &rendering);
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_, 0, nullptr);
    vkCmdPushConstants(frame.commands, layout_, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(push), &push);
    vkCmdSetViewport(frame.commands, 0, 1, &viewport);
    vkCmdSetScissor(frame.commands, 0, 1, &rendering.renderArea);
    vkCmdDraw(frame.commands, 3, 1, 0, 0);
    vkCmdEndRendering(frame.commands);
}

} // namespace samples

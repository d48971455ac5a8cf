#include "culling/draws.hpp"

#include "common/propagate.hpp"
#include "weir_culling_shaders.hpp"

#include "culling/meshes.hpp"

namespace samples::culling {

namespace {

namespace shaders = weir_culling::shaders;
using weir::Access;
using weir::Result;

constexpr std::uint32_t set_buffers = 3; // view, instances, ids
constexpr std::uint32_t command_bytes = sizeof(VkDrawIndexedIndirectCommand);

} // namespace

Result<std::shared_ptr<const Pipelines>> Pipelines::create(const weir::Context& gpu, DrawFeatures features) {
    std::shared_ptr<Pipelines> made(new Pipelines(gpu, features));
    auto done = made->create_layout();
    for (const Kind kind : {opaque, blended, sky}) {
        done = done.and_then([&] { return made->create_pipeline(kind); });
    }
    SAMPLES_PROPAGATE(done);
    return made;
}

Pipelines::~Pipelines() {
    for (const VkPipeline pipeline : pipelines_) {
        vk_.vkDestroyPipeline(gpu_.device(), pipeline, nullptr);
    }
    vk_.vkDestroyPipelineLayout(gpu_.device(), layout_, nullptr);
    vk_.vkDestroyDescriptorSetLayout(gpu_.device(), set_layout_, nullptr);
}

Result<> Pipelines::create_layout() {
    VkDescriptorSetLayoutBinding bindings[set_buffers] = {};
    for (std::uint32_t i = 0; i < set_buffers; ++i) {
        bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                       VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    }
    VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set.bindingCount = set_buffers;
    set.pBindings = bindings;
    auto done = checked(vk_.vkCreateDescriptorSetLayout(gpu_.device(), &set, nullptr, &set_layout_),
                        "making a descriptor set layout");
    return done.and_then([&] {
        VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
        layout.setLayoutCount = 1;
        layout.pSetLayouts = &set_layout_;
        return checked(vk_.vkCreatePipelineLayout(gpu_.device(), &layout, nullptr, &layout_),
                       "making a pipeline layout");
    });
}

Result<> Pipelines::create_pipeline(Kind kind) {
    const VkBool32 is_blended = kind == blended ? VK_TRUE : VK_FALSE;
    const VkSpecializationMapEntry entry = {0, 0, sizeof(is_blended)};
    const VkSpecializationInfo constants = {1, &entry, sizeof(is_blended), &is_blended};
    VkPipelineShaderStageCreateInfo stages[2] = {};
    Result<> done;
    const auto add_stage = [&](VkPipelineShaderStageCreateInfo& stage, VkShaderStageFlagBits bit,
                               std::span<const std::uint32_t> shader) {
        stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
        stage.stage = bit;
        stage.pName = "main";
        VkShaderModuleCreateInfo module{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
        module.codeSize = shader.size_bytes();
        module.pCode = shader.data();
        done = done.and_then([&] {
            return checked(vk_.vkCreateShaderModule(gpu_.device(), &module, nullptr, &stage.module), "making a shader");
        });
    };
    add_stage(stages[0], VK_SHADER_STAGE_VERTEX_BIT, kind == sky ? shaders::sky_vertices : shaders::mesh_vertices);
    add_stage(stages[1], VK_SHADER_STAGE_FRAGMENT_BIT, kind == sky ? shaders::sky_fragments : shaders::mesh_fragments);
    stages[1].pSpecializationInfo = kind == sky ? nullptr : &constants;

    const VkVertexInputBindingDescription binding = {0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[] = {
        {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Vertex, position)},
        {1, 0, VK_FORMAT_R32_UINT, offsetof(Vertex, normal)}};
    VkPipelineVertexInputStateCreateInfo vertices{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    if (kind != sky) {
        vertices.vertexBindingDescriptionCount = 1;
        vertices.pVertexBindingDescriptions = &binding;
        vertices.vertexAttributeDescriptionCount = 2;
        vertices.pVertexAttributeDescriptions = attributes;
    }
    VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    viewport.viewportCount = viewport.scissorCount = 1;
    VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    raster.lineWidth = 1;
    raster.cullMode = kind == opaque ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE;
    raster.frontFace = VK_FRONT_FACE_CLOCKWISE;
    VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    depth.depthTestEnable = VK_TRUE;
    depth.depthWriteEnable = kind == opaque ? VK_TRUE : VK_FALSE;
    // Reversed depth: 1 is near, 0 is far.
    depth.depthCompareOp = kind == sky ? VK_COMPARE_OP_GREATER_OR_EQUAL : VK_COMPARE_OP_GREATER;
    VkPipelineColorBlendAttachmentState attachment{};
    attachment.blendEnable = is_blended;
    attachment.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    attachment.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    attachment.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    attachment.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    attachment.colorWriteMask =
        VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
    VkPipelineColorBlendStateCreateInfo blending{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    blending.attachmentCount = 1;
    blending.pAttachments = &attachment;
    const VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    dynamic.dynamicStateCount = 2;
    dynamic.pDynamicStates = dynamic_states;
    VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachmentFormats = &color_format;
    rendering.depthAttachmentFormat = depth_format;
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.pNext = &rendering;
    info.stageCount = 2;
    info.pStages = stages;
    info.pVertexInputState = &vertices;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blending;
    info.pDynamicState = &dynamic;
    info.layout = layout_;
    done = done.and_then([&] {
        return checked(
            vk_.vkCreateGraphicsPipelines(gpu_.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipelines_[kind]),
            "making a pipeline");
    });
    for (const VkPipelineShaderStageCreateInfo& stage : stages) {
        vk_.vkDestroyShaderModule(gpu_.device(), stage.module, nullptr);
    }
    return done;
}

Result<std::shared_ptr<Draws>> Draws::create(std::shared_ptr<const Pipelines> pipelines, Kind kind) {
    std::shared_ptr<Draws> made(new Draws(std::move(pipelines), kind));
    const Pipelines& with = *made->pipelines_;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, set_buffers};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    auto done = checked(with.vk_.vkCreateDescriptorPool(with.gpu_.device(), &pool, nullptr, &made->pool_),
                        "making a descriptor pool");
    done = done.and_then([&] {
        VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
        allocate.descriptorPool = made->pool_;
        allocate.descriptorSetCount = 1;
        allocate.pSetLayouts = &with.set_layout_;
        return checked(with.vk_.vkAllocateDescriptorSets(with.gpu_.device(), &allocate, &made->set_),
                       "making a descriptor set");
    });
    SAMPLES_PROPAGATE(done);
    return made;
}

Draws::~Draws() {
    pipelines_->vk_.vkDestroyDescriptorPool(pipelines_->gpu_.device(), pool_, nullptr);
}

void Draws::add_to(weir::Graph& graph, const std::shared_ptr<Draws>& draws, const char* name, const DrawScene& scene,
                   const DrawBuffers& buffers) {
    const Kind kind = draws->kind_;
    weir::CommandPass pass;
    pass.name = name;
    pass.uses = {{scene.view, Access::vertex_shader_read},
                 {scene.view, Access::fragment_shader_read},
                 {scene.instances, Access::vertex_shader_read},
                 {buffers.ids, Access::vertex_shader_read},
                 {scene.vertices, Access::vertex_read},
                 {scene.indices, Access::index_read},
                 {buffers.commands, Access::indirect_read},
                 {buffers.count, Access::indirect_read},
                 {scene.color, kind == Kind::first ? Access::color_write : Access::color_read_write},
                 {scene.depth, kind == Kind::first  ? Access::depth_write
                               : kind == Kind::late ? Access::depth_read_write
                                                    : Access::depth_read}};
    pass.record = [=](VkCommandBuffer commands, const weir::CommandPassContext& context) {
        draws->record(commands, context, scene, buffers);
    };
    graph.add_command_pass(std::move(pass));
}

void Draws::write_set(const weir::CommandPassContext& pass, const DrawScene& scene, const DrawBuffers& buffers) {
    const weir::BufferId ids[set_buffers] = {scene.view, scene.instances, buffers.ids};
    VkDescriptorBufferInfo infos[set_buffers];
    VkWriteDescriptorSet writes[set_buffers];
    for (std::uint32_t i = 0; i < set_buffers; ++i) {
        const weir::BufferView view = pass.buffer(ids[i]);
        infos[i] = {view.buffer, view.offset, view.size};
        writes[i] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
        writes[i].dstSet = set_;
        writes[i].dstBinding = i;
        writes[i].descriptorCount = 1;
        writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        writes[i].pBufferInfo = &infos[i];
    }
    pipelines_->vk_.vkUpdateDescriptorSets(pipelines_->gpu_.device(), set_buffers, writes, 0, nullptr);
    is_written_ = true;
}

void Draws::record(VkCommandBuffer commands, const weir::CommandPassContext& pass, const DrawScene& scene,
                   const DrawBuffers& buffers) {
    if (!is_written_) {
        write_set(pass, scene, buffers);
    }
    const Functions& vk = pipelines_->vk_;
    const bool is_first = kind_ == Kind::first, is_last = kind_ == Kind::transparent;
    const weir::BoundImage color = pass.image(scene.color), depth = pass.image(scene.depth);
    VkRenderingAttachmentInfo attachments[2] = {};
    for (VkRenderingAttachmentInfo& attachment : attachments) {
        attachment.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
        attachment.loadOp = is_first ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
        attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    }
    attachments[0].imageView = color.view;
    attachments[0].imageLayout = color.layout;
    attachments[1].imageView = depth.view;
    attachments[1].imageLayout = depth.layout;
    attachments[1].storeOp = is_last ? VK_ATTACHMENT_STORE_OP_NONE : VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea.extent = scene.size;
    rendering.layerCount = 1;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachments = &attachments[0];
    rendering.pDepthAttachment = &attachments[1];
    const VkViewport viewport = {0, 0, static_cast<float>(scene.size.width), static_cast<float>(scene.size.height),
                                 0, 1};
    const weir::BufferView vertices = pass.buffer(scene.vertices), indices = pass.buffer(scene.indices);
    vk.vkCmdBeginRendering(commands, &rendering);
    vk.vkCmdSetViewport(commands, 0, 1, &viewport);
    vk.vkCmdSetScissor(commands, 0, 1, &rendering.renderArea);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_->layout_, 0, 1, &set_, 0, nullptr);
    vk.vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &vertices.offset);
    vk.vkCmdBindIndexBuffer(commands, indices.buffer, indices.offset, VK_INDEX_TYPE_UINT32);
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                         pipelines_->pipelines_[is_last ? Pipelines::blended : Pipelines::opaque]);
    draw(commands, pass, buffers);
    if (is_first) {
        vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_->pipelines_[Pipelines::sky]);
        vk.vkCmdDraw(commands, 3, 1, 0, 0);
    }
    vk.vkCmdEndRendering(commands);
}

void Draws::draw(VkCommandBuffer commands, const weir::CommandPassContext& pass, const DrawBuffers& buffers) const {
    const Functions& vk = pipelines_->vk_;
    const DrawFeatures& features = pipelines_->features_;
    const weir::BufferView arguments = pass.buffer(buffers.commands), count = pass.buffer(buffers.count);
    if (features.indirect_count) {
        vk.vkCmdDrawIndexedIndirectCount(commands, arguments.buffer, arguments.offset, count.buffer, count.offset,
                                         buffers.most, command_bytes);
    } else if (features.multi_draw) { // unused commands are zero and draw nothing
        vk.vkCmdDrawIndexedIndirect(commands, arguments.buffer, arguments.offset, buffers.most, command_bytes);
    } else {
        for (std::uint32_t i = 0; i < buffers.most; ++i) {
            vk.vkCmdDrawIndexedIndirect(commands, arguments.buffer, arguments.offset + i * command_bytes, 1,
                                        command_bytes);
        }
    }
}

} // namespace samples::culling

// Draws with buffers of a program, by command passes and by the application.

#include <array>
#include <numeric>

#include <weir/graph/arguments.hpp>
#include <weir/graph/command_pass.hpp>

#include "engine/device/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/drawing.hpp"
#include "tests/support/graph_render_pass.hpp"
#include "tests/support/own_set.hpp"
#include "weir_tests_device_shaders.hpp"

namespace weir::tests::draw_test {
namespace {

constexpr std::uint32_t side = 8, texels = side * side;

/// Writes the corners of two triangles that cover the target, and the color of the first texel. The first triangle is
/// drawn with indirect arguments from the number of triangles, the second one with the indices.
const char* const prepare_source = R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) writeonly buffer Vertices { vec2 vertices[4]; };
layout(set = 0, binding = 1) writeonly buffer Indices { uint indices[3]; };
layout(set = 0, binding = 2) writeonly buffer Number { uint triangles; };
layout(set = 0, binding = 3) writeonly buffer Settings { uint first; };
void main() {
    for (uint i = 0; i < 4; ++i) {
        vertices[i] = vec2(i & 1, i >> 1) * 2 - 1;
    }
    for (uint i = 0; i < 3; ++i) {
        indices[i] = 3 - i;
    }
    triangles = 1;
    first = 1000;
})";

/// A graphics pipeline of an application, with a vertex and a uniform buffer.
class Renderer {
public:
    Renderer() {
        const VkDescriptorSetLayout sets = settings_.layout();
        VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
        layout.setLayoutCount = 1;
        layout.pSetLayouts = &sets;
        expect(vk_.vkCreatePipelineLayout(device_, &layout, nullptr, &layout_));
        make_pipeline();
    }
    ~Renderer() {
        vk_.vkDestroyPipeline(device_, pipeline_, nullptr);
        vk_.vkDestroyPipelineLayout(device_, layout_, nullptr);
    }
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    void draw(VkCommandBuffer commands, VkImageView target, const BufferView& vertices, const BufferView& indices,
              const BufferView& arguments, const BufferView& settings) {
        settings_.write(0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, settings);
        const VkDescriptorSet set = settings_.set();
        pass_.begin(commands, target, {side, side});
        vk_.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
        vk_.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set, 0, nullptr);
        vk_.vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &vertices.offset);
        // Two draws, because an indirect indexed draw draws nothing on Mesa 22.3.
        vk_.vkCmdDrawIndirect(commands, arguments.buffer, arguments.offset, 1, 0);
        vk_.vkCmdBindIndexBuffer(commands, indices.buffer, indices.offset, VK_INDEX_TYPE_UINT32);
        vk_.vkCmdDrawIndexed(commands, 3, 1, 0, 0, 0);
        vk_.vkCmdEndRenderPass(commands);
    }

private:
    static void expect(VkResult status) { EXPECT_EQ(status, VK_SUCCESS); }

    void make_pipeline() {
        std::array<VkPipelineShaderStageCreateInfo, 2> stages{};
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const auto spirv =
                i == 0 ? weir_tests_device::shaders::draw_vertices : weir_tests_device::shaders::draw_fragments;
            VkShaderModuleCreateInfo module{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
            module.codeSize = spirv.size_bytes();
            module.pCode = spirv.data();
            stages[i].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
            stages[i].stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT;
            stages[i].pName = "main";
            expect(vk_.vkCreateShaderModule(device_, &module, nullptr, &stages[i].module));
        }
        const VkVertexInputBindingDescription binding{0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
        const VkVertexInputAttributeDescription position{0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
        VkPipelineVertexInputStateCreateInfo vertices{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
        vertices.vertexBindingDescriptionCount = vertices.vertexAttributeDescriptionCount = 1;
        vertices.pVertexBindingDescriptions = &binding;
        vertices.pVertexAttributeDescriptions = &position;
        VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
        assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        const VkViewport viewport{0, 0, side, side, 0, 1};
        const VkRect2D scissor{{0, 0}, {side, side}};
        VkPipelineViewportStateCreateInfo view{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
        view.viewportCount = view.scissorCount = 1;
        view.pViewports = &viewport;
        view.pScissors = &scissor;
        VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
        raster.lineWidth = 1;
        VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
        samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
        VkPipelineColorBlendAttachmentState attachment{};
        attachment.colorWriteMask = VK_COLOR_COMPONENT_R_BIT;
        VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
        blend.attachmentCount = 1;
        blend.pAttachments = &attachment;
        VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
        info.stageCount = static_cast<std::uint32_t>(stages.size());
        info.pStages = stages.data();
        info.pVertexInputState = &vertices;
        info.pInputAssemblyState = &assembly;
        info.pViewportState = &view;
        info.pRasterizationState = &raster;
        info.pMultisampleState = &samples;
        info.pColorBlendState = &blend;
        info.layout = layout_;
        info.renderPass = pass_.handle();
        expect(vk_.vkCreateGraphicsPipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_));
        for (const auto& stage : stages) {
            vk_.vkDestroyShaderModule(device_, stage.module, nullptr);
        }
    }

    const VolkDeviceTable& vk_ = ContextAccess::device(test_context())->vk();
    VkDevice device_ = test_context().device();
    ColorPass pass_;
    OwnSet settings_{{{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}}};
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
};

/// Passes write vertices, indices, indirect arguments and a uniform buffer, in shared, pooled or separate memory.
TEST(Draw, ReadsBuffersOfProgram) {
    if (const std::string why = why_not_to_draw(); !why.empty()) {
        GTEST_SKIP() << why;
    }
    Renderer renderer;
    WordGraph graph;
    const auto vertices = graph.transient_buffer<float>("vertices", 8);
    const WordRef indices = graph.transient("indices", 3), triangles = graph.transient("triangles", 1),
                  settings = graph.state("settings", 4), out = graph.transient("out", texels);
    const ImageId image = graph.transient_image("target", {.format = VK_FORMAT_R32_UINT, .extent = {side, side, 1}});
    graph.add_pass(
        simple_pass("prepare", prepare_source, {write(vertices), write(indices), write(triangles), write(settings)}));
    const WordRef arguments =
        write_arguments(graph, {DrawArguments{.vertices = Argument(graph.count_in(triangles, 0, 1), 3)}});
    graph.add_command_pass({.name = "draw",
                            .uses = {{vertices, Access::vertex_read},
                                     {indices, Access::index_read},
                                     {arguments, Access::indirect_read},
                                     {settings, Access::uniform_read},
                                     {image, Access::color_write}},
                            .record = [&](VkCommandBuffer commands, const CommandPassContext& context) {
                                renderer.draw(commands, context.image(image).view, context.buffer(vertices),
                                              context.buffer(indices), context.buffer(arguments),
                                              context.buffer(settings));
                            }});
    graph.add_copy("copy", image, out);
    graph.export_buffer(out, Access::transfer_read);
    Values expected(texels);
    std::iota(expected.begin(), expected.end(), 1000U);
    CompileOptions pooled, apart;
    pooled.pool = MemoryPool(test_context());
    apart.share_memory = false;
    for (const CompileOptions& options : {CompileOptions{}, pooled, apart}) {
        Program program = ok(compile(test_context(), graph, options));
        ok(program.run());
        EXPECT_EQ(contents(program.view(out), texels), expected);
    }
}

/// A buffer leaves for a copy, for dispatch arguments and for a shader. The application adds no barrier.
TEST(Draw, BufferLeavesForSeveralAccesses) {
    WordGraph made, used;
    const WordRef arguments = made.transient("arguments", 4);
    made.add_pass(simple_pass("make", R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) writeonly buffer Arguments { uint arguments[4]; };
void main() {
    arguments[0] = 5;
    arguments[1] = arguments[2] = 1;
    arguments[3] = 7;
})",
                              {write(arguments)}));
    made.export_buffer(arguments, {Access::transfer_read, Access::indirect_read, Access::shader_read});
    const WordRef in = used.import("in", 4, Access::none), out = used.import("out", 8, Access::none);
    Pass count = simple_pass("count", R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer In { uint source[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
void main() { result[gl_WorkGroupID.x] = source[3] + gl_WorkGroupID.x; })",
                             {read(in), write(out)});
    count.dispatch = Dispatch::indirect(in);
    used.add_pass(count);
    used.export_buffer(out, Access::transfer_read);
    Program maker = ok(compile(test_context(), made)), user = ok(compile(test_context(), used));
    const BufferView shared = maker.view(arguments);
    const Buffer result = poisoned_buffer(8), copy = poisoned_buffer(4);
    bind_all(user, {{in, shared}, {out, result}});
    ok(test_context().submit([&](VkCommandBuffer commands) {
        return maker.record(commands).and_then([&] {
            const VkBufferCopy all{shared.offset, 0, 16};
            vk().vkCmdCopyBuffer(commands, shared.buffer, copy.handle(), 1, &all);
            return user.record(commands);
        });
    }));
    EXPECT_EQ(contents(copy, 4), (Values{5, 1, 1, 7}));
    Values expected = poisoned(8);
    std::iota(expected.begin(), expected.begin() + 5, 7U);
    EXPECT_EQ(contents(result, 8), expected);
}

/// An export for vertices and indices has both usages. Otherwise the validation layer reports an error.
TEST(Draw, BufferLeavesAsVerticesAndIndices) {
    if (const std::string why = why_not_to_draw(); !why.empty()) {
        GTEST_SKIP() << why;
    }
    WordGraph graph;
    const WordRef both = graph.transient("both");
    graph.add_fill("fill", both, 1);
    graph.export_buffer(both, {Access::vertex_read, Access::index_read});
    Program program = ok(compile(test_context(), graph));
    const BufferView view = program.view(both);
    ok(test_context().submit([&](VkCommandBuffer commands) {
        return program.record(commands).map([&] {
            vk().vkCmdBindVertexBuffers(commands, 0, 1, &view.buffer, &view.offset);
            vk().vkCmdBindIndexBuffer(commands, view.buffer, view.offset, VK_INDEX_TYPE_UINT32);
        });
    }));
    EXPECT_THAT(contents(view, 64), testing::Each(1U));
}

} // namespace
} // namespace weir::tests::draw_test

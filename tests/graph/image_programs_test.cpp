// Images and command passes on a device.

#include <weir/graph/command_pass.hpp>

#include "tests/graph/programs.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/own_image.hpp"
#include "tests/support/replaced_functions.hpp"
#include "tests/support/turns.hpp"

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/device/device.hpp"
#include "engine/memory/image.hpp"

namespace weir::tests::image_programs_test {
namespace {

const OnOneDriver on_one_driver{"ImagePrograms.ImagesShareMemoryWithBuffers"};

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint32_t width = 37, height = 19, texels = width * height;
constexpr ImageInfo word_image{.format = VK_FORMAT_R32_UINT, .extent = {width, height, 1}};

const Capabilities& device() {
    return test_context().capabilities();
}
const VolkDeviceTable& vk() {
    return ContextAccess::device(test_context())->vk();
}

/// image[x, y] = words[y * 37 + x] + 1
const char* const store_source = R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) readonly buffer In { uint words[]; };
layout(set = 0, binding = 1, r32ui) writeonly uniform uimage2D image;
void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x < 37 && at.y < 19) {
        imageStore(image, ivec2(at), uvec4(words[at.y * 37 + at.x] + 1));
    }
})";

/// words[y * 37 + x] = image[x, y] * 2, fetched
const char* const fetch_source = R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform usampler2D image;
layout(set = 0, binding = 1) writeonly buffer Out { uint words[]; };
void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x < 37 && at.y < 19) {
        words[at.y * 37 + at.x] = texelFetch(image, ivec2(at), 0).x * 2;
    }
})";

/// words[y * 37 + x] = image[x, y] * 2, fetched without a sampler
const char* const plain_fetch_source = R"(#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform utexture2D image;
layout(set = 0, binding = 1) writeonly buffer Out { uint words[]; };
void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x < 37 && at.y < 19) {
        words[at.y * 37 + at.x] = texelFetch(image, ivec2(at), 0).x * 2;
    }
})";

/// image[x, y] += 10
const char* const add_ten_source = R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D image;
void main() {
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (at.x < 37 && at.y < 19) {
        imageStore(image, at, imageLoad(image, at) + 10);
    }
})";

Pass over_texels(const std::string& name, const char* source, std::vector<Binding> bindings) {
    Pass pass = simple_pass(name, source, std::move(bindings));
    pass.dispatch = Dispatch::groups(5, 3);
    return pass;
}

Values doubled(Values values) {
    for (std::uint32_t& value : values) {
        value *= 2;
    }
    return values;
}

TEST(ImagePrograms, StoreAddAndSample) {
    const OwnSampler sampler;
    for (const DescriptorMode mode : descriptor_modes(device())) {
        for (const bool has_sampler : {true, false}) {
            SCOPED_TRACE(to_string(mode));
            Graph graph(test_context());
            const WordRef in = graph.import_buffer<std::uint32_t>("in", texels);
            const WordRef out = graph.import_buffer<std::uint32_t>("out", texels);
            const ImageId image = graph.transient_image("image", word_image);
            graph.add_pass(over_texels("store", store_source, {read(in), write(image)}));
            graph.add_pass(over_texels("add", add_ten_source, {read_write(image)}));
            graph.add_pass(has_sampler ? over_texels("fetch", fetch_source, {sampled(image, sampler), write(out)})
                                       : over_texels("fetch", plain_fetch_source, {sampled(image), write(out)}));
            Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
            EXPECT_GE(program.memory(), texels * 4);
            const Values input = Random().vector(texels);
            const Buffer from = buffer_of(input), to = poisoned_buffer(texels);
            ok(program.bind(in, from));
            ok(program.bind(out, to));
            for (int run = 0; run < 3; ++run) {
                ok(test_context().upload(to, poisoned(texels)));
                ok(program.run());
                EXPECT_EQ(contents(to, texels), doubled(plus(input, 11)));
            }
        }
    }
}

/// Each step has an image and a buffer of its words. All share memory.
TEST(ImagePrograms, ImagesShareMemoryWithBuffers) {
    Graph graph(test_context());
    const WordRef in = graph.import_buffer<std::uint32_t>("in", texels);
    const WordRef out = graph.import_buffer<std::uint32_t>("out", texels);
    constexpr std::uint32_t steps = 8;
    const OwnSampler sampler;
    WordRef from = in;
    for (std::uint32_t i = 0; i < steps; ++i) {
        const ImageId image = graph.transient_image(concat("image ", i), word_image);
        const WordRef to = i + 1 == steps ? out : graph.transient_buffer<std::uint32_t>(concat("buffer ", i), texels);
        graph.add_pass(over_texels(concat("store ", i), store_source, {read(from), write(image)}));
        graph.add_pass(over_texels(concat("fetch ", i), fetch_source, {sampled(image, sampler), write(to)}));
        from = to;
    }
    for (const bool shares : {true, false}) {
        Program program = ok(compile(test_context(), graph, {.share_memory = shares}));
        const PlanMemory& memory = program.plan().memory;
        if (shares) {
            EXPECT_LT(program.memory(), memory.apart / 3);
        }
        const Values input = Random().vector(texels);
        const Buffer source = buffer_of(input), target = poisoned_buffer(texels);
        ok(program.bind(in, source));
        ok(program.bind(out, target));
        Values expected = input;
        for (std::uint32_t i = 0; i < steps; ++i) {
            expected = doubled(plus(expected, 1));
        }
        for (int run = 0; run < 5; ++run) {
            ok(program.run());
            EXPECT_EQ(contents(target, texels), expected) << run;
        }
    }
}

PFN_vkGetImageMemoryRequirements real_image_requirements = nullptr;
std::uint32_t next_memory_type = 1;

/// Reports memory types 1 and 2 in turn for images. The device need not have these types.
void VKAPI_CALL other_image_requirements(VkDevice on, VkImage image, VkMemoryRequirements* out) {
    real_image_requirements(on, image, out);
    out->memoryTypeBits = 1U << next_memory_type;
    next_memory_type = 3 - next_memory_type;
}

/// The second and the fourth image cannot be in the memory of the first and the third.
TEST(ImagePrograms, ImagesOfOtherMemoryTypesHaveSeparateMemory) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    std::vector<std::uint32_t> types;
    adopted.memory.allocate = [&](const VkMemoryRequirements& needs, MemoryHooks::Memory& out) {
        types.push_back(needs.memoryTypeBits);
        VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
        info.allocationSize = needs.size;
        return host.vk().vkAllocateMemory(host.device(), &info, nullptr, &out.memory);
    };
    adopted.memory.free = [&](const MemoryHooks::Memory& memory) {
        host.vk().vkFreeMemory(host.device(), memory.memory, nullptr);
    };
    next_memory_type = 1;
    const ReplacedFunctions replaced(adopted, [](std::string_view name, PFN_vkVoidFunction real) {
        return name == "vkGetImageMemoryRequirements"
                   ? ReplacedFunctions::take(real, real_image_requirements, other_image_requirements)
                   : real;
    });
    const Context context = ok(Context::adopt(adopted));
    Graph graph(context);
    const WordRef in = graph.import_buffer<std::uint32_t>("in", texels);
    const WordRef out = graph.import_buffer<std::uint32_t>("out", texels);
    constexpr std::uint32_t steps = 4;
    std::vector<ImageId> images;
    WordRef from = in;
    for (std::uint32_t i = 0; i < steps; ++i) {
        images.push_back(graph.transient_image(concat("image ", i), word_image));
        const WordRef to = i + 1 == steps ? out : graph.transient_buffer<std::uint32_t>(concat("buffer ", i), texels);
        graph.add_pass(over_texels(concat("store ", i), store_source, {read(from), write(images[i])}));
        graph.add_pass(over_texels(concat("fetch ", i), plain_fetch_source, {sampled(images[i]), write(to)}));
        from = to;
    }
    Program program = ok(compile(context, graph));
    const auto block_of = [&](ImageId image) { return program.plan().memory.places[image.index].block; };
    EXPECT_NE(block_of(images[0]), PlanMemory::none);
    EXPECT_EQ(block_of(images[2]), block_of(images[0]));
    EXPECT_EQ(block_of(images[1]), PlanMemory::none);
    EXPECT_EQ(block_of(images[3]), PlanMemory::none);
    EXPECT_THAT(types, testing::UnorderedElementsAre(1U << 1U, 1U << 2U, 1U << 2U));

    const Values input = Random().vector(texels);
    const Buffer source = ok(context.create_buffer(texels * 4)), target = ok(context.create_buffer(texels * 4));
    ok(context.upload(source, input));
    ok(program.bind(in, source));
    ok(program.bind(out, target));
    ok(program.run());
    Values expected = input;
    for (std::uint32_t i = 0; i < steps; ++i) {
        expected = doubled(plus(expected, 1));
    }
    EXPECT_EQ(ok(context.download<std::uint32_t>(target, texels)), expected);
}

VkBufferImageCopy whole_image() {
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = word_image.extent;
    return region;
}

CommandPass to_image(const WordRef& from, ImageId to) {
    return {.name = "to image",
            .uses = {{from, Access::transfer_read}, {to, Access::transfer_write}},
            .record = [from, to](VkCommandBuffer commands, const CommandPassContext& context) {
                VkBufferImageCopy region = whole_image();
                region.bufferOffset = context.buffer(from).offset;
                const BoundImage image = context.image(to);
                EXPECT_EQ(image.layout, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
                vk().vkCmdCopyBufferToImage(commands, context.buffer(from).buffer, image.image, image.layout, 1,
                                            &region);
            }};
}

/// An imported image arrives with contents, is changed by a compute pass, and leaves for a copy by the application.
TEST(ImagePrograms, ImportsArriveAndLeaveInTheirLayouts) {
    Graph graph(test_context());
    const ImageId image = graph.import_image("image", word_image, Access::transfer_write);
    graph.add_pass(over_texels("add", add_ten_source, {read_write(image)}));
    graph.export_image(image, Access::transfer_read);
    Program program = ok(compile(test_context(), graph));
    EXPECT_EQ(program.plan().final_layouts[image.index], VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);

    const OwnImage own(VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                       word_image);
    const Values input = Random().vector(texels);
    const Buffer from = buffer_of(input), to = poisoned_buffer(texels);
    ok(program.bind(image, own.view()));
    EXPECT_EQ(program.view(image).image, own.view().image);
    ok(test_context().submit([&](VkCommandBuffer commands) -> Result<> {
        VkImageMemoryBarrier2 arrive{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
        arrive.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
        arrive.dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        arrive.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
        arrive.srcQueueFamilyIndex = arrive.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        arrive.image = own.view().image;
        arrive.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        dependency.imageMemoryBarrierCount = 1;
        dependency.pImageMemoryBarriers = &arrive;
        vk().vkCmdPipelineBarrier2(commands, &dependency);
        const VkBufferImageCopy region = whole_image();
        vk().vkCmdCopyBufferToImage(commands, from.handle(), own.view().image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                                    &region);
        WEIR_PROPAGATE(program.record(commands));
        vk().vkCmdCopyImageToBuffer(commands, own.view().image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to.handle(), 1,
                                    &region);
        return {};
    }));
    EXPECT_EQ(contents(to, texels), plus(input, 10));
}

TEST(ImagePrograms, UnsupportedFormatIsNamed) {
    Graph graph(test_context());
    ImageInfo info = word_image;
    info.format = VK_FORMAT_S8_UINT; // no device has storage images of this format
    const ImageId mask = graph.transient_image("mask", info);
    const WordRef in = graph.import_buffer<std::uint32_t>("in", texels);
    graph.add_pass(over_texels("store", store_source, {read(in), write(mask)}));
    graph.export_image(mask, Access::shader_read);
    const auto program = compile(test_context(), graph);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().code, ErrorCode::unsupported);
    EXPECT_EQ(program.error().result, VK_ERROR_FORMAT_NOT_SUPPORTED);
    EXPECT_THAT(program.error().message,
                HasSubstr("image 'mask': VkFormat 127 with 1 samples and usage 0x8 is not supported by the device"));
}

/// A command pass clears an attachment with a render pass, and a compute pass reads it. The attachment has the memory
/// of an earlier image.
TEST(ImagePrograms, CommandPassRendersForComputePass) {
    constexpr VkFormat format = VK_FORMAT_R32_UINT;
    VkAttachmentDescription attachment{};
    attachment.format = format;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = 1;
    info.pAttachments = &attachment;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    const VkDevice on = test_context().device();
    VkRenderPass render_pass = VK_NULL_HANDLE;
    ASSERT_EQ(vk().vkCreateRenderPass(on, &info, nullptr, &render_pass), VK_SUCCESS);
    VkFramebuffer framebuffer = VK_NULL_HANDLE;

    Graph graph(test_context());
    const OwnSampler sampler;
    const WordRef in = graph.import_buffer<std::uint32_t>("in", texels);
    const WordRef first = graph.import_buffer<std::uint32_t>("first", texels);
    const WordRef second = graph.import_buffer<std::uint32_t>("second", texels);
    const ImageId copied = graph.transient_image("copied", word_image);
    const ImageId drawn = graph.transient_image("drawn", word_image);
    graph.add_command_pass(to_image(in, copied));
    graph.add_pass(over_texels("fetch copied", fetch_source, {sampled(copied, sampler), write(first)}));
    graph.add_command_pass({.name = "draw",
                            .uses = {{first, Access::vertex_read}, {drawn, Access::color_write}},
                            .record = [&](VkCommandBuffer commands, const CommandPassContext& context) {
                                const BoundImage image = context.image(drawn);
                                EXPECT_EQ(image.layout, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
                                EXPECT_EQ(context.image(copied).image, VK_NULL_HANDLE); // not declared
                                EXPECT_EQ(context.buffer(in).buffer, VK_NULL_HANDLE);
                                EXPECT_NE(context.buffer(first).buffer, VK_NULL_HANDLE);
                                if (framebuffer == VK_NULL_HANDLE) {
                                    VkFramebufferCreateInfo made{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
                                    made.renderPass = render_pass;
                                    made.attachmentCount = 1;
                                    made.pAttachments = &image.view;
                                    made.width = width;
                                    made.height = height;
                                    made.layers = 1;
                                    ASSERT_EQ(vk().vkCreateFramebuffer(on, &made, nullptr, &framebuffer), VK_SUCCESS);
                                }
                                VkClearValue clear{};
                                clear.color.uint32[0] = 21;
                                VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
                                begin.renderPass = render_pass;
                                begin.framebuffer = framebuffer;
                                begin.renderArea.extent = {width, height};
                                begin.clearValueCount = 1;
                                begin.pClearValues = &clear;
                                vk().vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
                                vk().vkCmdEndRenderPass(commands);
                            }});
    graph.add_pass(over_texels("fetch drawn", fetch_source, {sampled(drawn, sampler), write(second)}));
    {
        Program program = ok(compile(test_context(), graph));
        EXPECT_EQ(program.plan().memory.blocks.size(), 1U);
        EXPECT_EQ(program.plan().memory.places[copied.index], program.plan().memory.places[drawn.index]);
        const Values input = Random().vector(texels);
        const Buffer from = buffer_of(input), one = poisoned_buffer(texels), two = poisoned_buffer(texels);
        ok(program.bind(in, from));
        ok(program.bind(first, one));
        ok(program.bind(second, two));
        for (int run = 0; run < 3; ++run) {
            ok(program.run());
            EXPECT_EQ(contents(one, texels), doubled(input));
            EXPECT_EQ(contents(two, texels), Values(texels, 42));
        }
        vk().vkDestroyFramebuffer(on, framebuffer, nullptr);
    }
    vk().vkDestroyRenderPass(on, render_pass, nullptr);
}

/// A command pass of an inner graph uses the ids of that graph. Passes after it have their descriptors bound.
TEST(ImagePrograms, CommandPassInNestedGraph) {
    for (const DescriptorMode mode : descriptor_modes(device())) {
        SCOPED_TRACE(to_string(mode));
        Graph inner(test_context());
        const WordRef data = inner.import_buffer<std::uint32_t>("data", 64);
        int calls = 0;
        inner.add_command_pass({.name = "host",
                                .uses = {{data, Access::transfer_write}},
                                .record = [&](VkCommandBuffer commands, const CommandPassContext& context) {
                                    ++calls;
                                    const BufferView view = context.buffer(data);
                                    vk().vkCmdFillBuffer(commands, view.buffer, view.offset, 256, 5);
                                }});
        inner.add_pass(simple_pass("increment", increment_source, {read_write(data)}));
        Graph graph(test_context());
        const WordRef outer = graph.import_buffer<std::uint32_t>("outer", 64);
        const Switch on = graph.add_switch("on");
        {
            const auto scope = graph.only_if(on);
            graph.add_graph(inner, {{data, outer}}, "inner");
        }
        graph.add_pass(simple_pass("increment", increment_source, {read_write(outer)}));
        Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
        const Buffer buffer = buffer_of(Values(64, 1));
        ok(program.bind(outer, buffer));
        ok(program.run());
        EXPECT_EQ(contents(buffer, 64), Values(64, 7));
        ok(program.set(on, false));
        ok(program.run());
        EXPECT_EQ(contents(buffer, 64), Values(64, 8));
        EXPECT_EQ(calls, 1);
    }
}

TEST(ImagePrograms, MistakesAtBindingAndRecording) {
    Graph graph(test_context());
    const WordRef out = graph.import_buffer<std::uint32_t>("out", texels);
    const ImageId image = graph.import_image("image", word_image, Access::none);
    const ImageId other = graph.import_image("other", word_image, Access::none);
    graph.add_pass(over_texels("store", store_source, {read(out), write(image)}));
    graph.add_pass(over_texels("store other", store_source, {read(out), write(other)}));
    Program program = ok(compile(test_context(), graph));
    const OwnImage own(VK_IMAGE_USAGE_STORAGE_BIT, word_image);
    const Buffer to = poisoned_buffer(texels);
    ok(program.bind(out, to));
    expect_error(program.run(), ErrorCode::invalid_argument, HasSubstr("import 'image' is not bound"));
    expect_error(program.bind(image, ImageView{}), ErrorCode::invalid_argument,
                 HasSubstr("bind 'image': the image is null"));
    expect_error(program.bind(image, ImageView{own.view().image, VK_NULL_HANDLE}), ErrorCode::invalid_argument,
                 AllOf(HasSubstr("'image'"), HasSubstr("the view is null")));
    expect_error(program.bind(ImageId{out.id}, own.view()), ErrorCode::invalid_argument, HasSubstr("not an import"));
    expect_error(program.bind(BufferId{image}, to), ErrorCode::invalid_argument, HasSubstr("not an import"));
    ok(program.bind(image, own.view()));
    ok(program.bind(other, own.view()));
    expect_error(program.run(), ErrorCode::invalid_argument,
                 AllOf(HasSubstr("'image' and 'other'"), HasSubstr("overlapping")));
}

TEST(ImagePrograms, ImageTooLargeForDevice) {
    Graph graph(test_context());
    ImageInfo huge = word_image;
    huge.extent.width = 1U << 30U;
    const ImageId image = graph.transient_image("huge", huge);
    graph.add_pass(
        over_texels("store", store_source, {read(graph.import_buffer<std::uint32_t>("in", texels)), write(image)}));
    graph.add_pass(over_texels("fetch", plain_fetch_source,
                               {sampled(image), write(graph.import_buffer<std::uint32_t>("out", texels))}));
    expect_error(compile(test_context(), graph), ErrorCode::limit_exceeded,
                 AllOf(HasSubstr("image 'huge' is 1073741824 x 19"), HasSubstr("image_programs_test.cpp:")));
}

TEST(ImagePrograms, DeclarationsMustFitTheShader) {
    Graph graph(test_context());
    const ImageId image = graph.transient_image("image", word_image);
    const WordRef in = graph.import_buffer<std::uint32_t>("in", texels);
    graph.add_pass(over_texels("store", store_source, {read(in), write(image)}));
    graph.add_pass(
        over_texels("fetch", fetch_source, {sampled(image), write(graph.import_buffer<std::uint32_t>("out", texels))}));
    expect_error(compile(test_context(), graph), ErrorCode::invalid_graph,
                 AllOf(HasSubstr("'fetch'"), HasSubstr("image 'image'"),
                       HasSubstr("combined image sampler in the shader; the pass declares a sampled image")));
}

} // namespace
} // namespace weir::tests::image_programs_test

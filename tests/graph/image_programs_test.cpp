// Images and command passes on a device.

#include <weir/graph/command_pass.hpp>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/graph_render_pass.hpp"
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

/// Returns a kernel that runs `statement` for each texel `at` of an image, which is word `i` of a buffer.
std::string over_texels_source(const std::string& declarations, const std::string& statement) {
    return "#extension GL_EXT_samplerless_texture_functions : require\n"
           "layout(local_size_x = 8, local_size_y = 8) in;\n" +
           declarations +
           "void main() {\n"
           "    const ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
           "    const uint i = at.y * 37 + at.x;\n"
           "    if (at.x < 37 && at.y < 19) { " +
           statement + " }\n}";
}

const std::string store_source = over_texels_source("layout(binding = 0) buffer In { uint words[]; };\n"
                                                    "layout(binding = 1, r32ui) uniform uimage2D image;\n",
                                                    "imageStore(image, at, uvec4(words[i] + 1));");
const std::string fetch_source = over_texels_source("layout(binding = 0) uniform usampler2D image;\n"
                                                    "layout(binding = 1) buffer Out { uint words[]; };\n",
                                                    "words[i] = texelFetch(image, at, 0).x * 2;");
const std::string plain_fetch_source = over_texels_source("layout(binding = 0) uniform utexture2D image;\n"
                                                          "layout(binding = 1) buffer Out { uint words[]; };\n",
                                                          "words[i] = texelFetch(image, at, 0).x * 2;");
const std::string add_ten_source = over_texels_source("layout(binding = 0, r32ui) uniform uimage2D image;\n",
                                                      "imageStore(image, at, imageLoad(image, at) + 10);");

Pass over_texels(const std::string& name, const std::string& source, std::vector<Binding> bindings) {
    Pass pass = simple_pass(name, source.c_str(), std::move(bindings));
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
            WordGraph graph;
            const WordRef in = graph.import("in", texels), out = graph.import("out", texels);
            const ImageId image = graph.transient_image("image", word_image);
            graph.add_pass(over_texels("store", store_source, {read(in), write(image)}));
            graph.add_pass(over_texels("add", add_ten_source, {read_write(image)}));
            graph.add_pass(has_sampler ? over_texels("fetch", fetch_source, {sampled(image, sampler), write(out)})
                                       : over_texels("fetch", plain_fetch_source, {sampled(image), write(out)}));
            Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
            EXPECT_GE(program.memory(), texels * 4);
            const Values input = Random().vector(texels);
            const Buffer from = buffer_of(input), to = poisoned_buffer(texels);
            bind_all(program, {{in, from}, {out, to}});
            for (int run = 0; run < 3; ++run) {
                ok(test_context().upload(to, poisoned(texels)));
                ok(program.run());
                EXPECT_EQ(contents(to, texels), doubled(plus(input, 11)));
            }
        }
    }
}

/// A graph of steps from `in` to `out`. Each step has an image and a buffer of its words.
struct Steps : WordGraph {
    Steps(const Context& context, std::uint32_t count, const std::string& fetch, VkSampler sampler = VK_NULL_HANDLE)
        : WordGraph(context) {
        WordRef from = in;
        for (std::uint32_t i = 0; i < count; ++i) {
            images.push_back(transient_image(concat("image ", i), word_image));
            const WordRef to = i + 1 == count ? out : transient(concat("buffer ", i), texels);
            add_pass(over_texels(concat("store ", i), store_source, {read(from), write(images[i])}));
            add_pass(over_texels(concat("fetch ", i), fetch, {sampled(images[i], sampler), write(to)}));
            from = to;
        }
    }
    [[nodiscard]] Values expected(Values values) const {
        for (std::size_t i = 0; i < images.size(); ++i) {
            values = doubled(plus(values, 1));
        }
        return values;
    }
    WordRef in = import("in", texels), out = import("out", texels);
    std::vector<ImageId> images;
};

/// All images and buffers share memory.
TEST(ImagePrograms, ImagesShareMemoryWithBuffers) {
    const OwnSampler sampler;
    const Steps graph(test_context(), 8, fetch_source, sampler);
    for (const bool shares : {true, false}) {
        Program program = ok(compile(test_context(), graph, {.share_memory = shares}));
        const PlanMemory& memory = program.plan().memory;
        if (shares) {
            EXPECT_LT(program.memory(), memory.apart / 3);
        }
        const Values input = Random().vector(texels);
        const Buffer source = buffer_of(input), target = poisoned_buffer(texels);
        bind_all(program, {{graph.in, source}, {graph.out, target}});
        for (int run = 0; run < 5; ++run) {
            ok(program.run());
            EXPECT_EQ(contents(target, texels), graph.expected(input)) << run;
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
    const bool has_addresses = ok(Context::adopt(adopted)).capabilities().buffer_address;
    std::vector<std::uint32_t> types;
    adopted.memory.allocate = [&](const VkMemoryRequirements& needs, MemoryHooks::Memory& out) {
        types.push_back(needs.memoryTypeBits);
        VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
        flags.flags = has_addresses ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0;
        VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
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
    const Steps graph(context, 4, plain_fetch_source);
    const auto& images = graph.images;
    Program program = ok(compile(context, graph));
    const auto block_of = [&](ImageId image) { return program.plan().memory.places[image.index].block; };
    EXPECT_NE(block_of(images[0]), PlanMemory::none);
    EXPECT_EQ(block_of(images[2]), block_of(images[0]));
    EXPECT_EQ(block_of(images[1]), PlanMemory::none);
    EXPECT_EQ(block_of(images[3]), PlanMemory::none);
    EXPECT_THAT(types, testing::UnorderedElementsAre(1U << 1U, 1U << 2U, 1U << 2U));

    const Values input = Random().vector(texels);
    const Buffer source = buffer_on(context, input), target = buffer_on(context, poisoned(texels));
    run_with(program, {{graph.in, source}, {graph.out, target}});
    EXPECT_EQ(ok(context.download<std::uint32_t>(target, texels)), graph.expected(input));
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
    WordGraph graph;
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
    WordGraph graph;
    ImageInfo info = word_image;
    info.format = VK_FORMAT_S8_UINT; // no device has storage images of this format
    const ImageId mask = graph.transient_image("mask", info);
    const WordRef in = graph.import("in", texels);
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
    std::optional<ColorPass> pass(std::in_place, VK_ATTACHMENT_LOAD_OP_CLEAR);
    WordGraph graph;
    const OwnSampler sampler;
    const WordRef in = graph.import("in", texels), first = graph.import("first", texels);
    const WordRef second = graph.import("second", texels);
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
                                pass->begin(commands, image.view, {width, height}, 21);
                                vk().vkCmdEndRenderPass(commands);
                            }});
    graph.add_pass(over_texels("fetch drawn", fetch_source, {sampled(drawn, sampler), write(second)}));
    {
        Program program = ok(compile(test_context(), graph));
        EXPECT_EQ(program.plan().memory.blocks.size(), 1U);
        EXPECT_EQ(program.plan().memory.places[copied.index], program.plan().memory.places[drawn.index]);
        const Values input = Random().vector(texels);
        const Buffer from = buffer_of(input), one = poisoned_buffer(texels), two = poisoned_buffer(texels);
        bind_all(program, {{in, from}, {first, one}, {second, two}});
        for (int run = 0; run < 3; ++run) {
            ok(program.run());
            EXPECT_EQ(contents(one, texels), doubled(input));
            EXPECT_EQ(contents(two, texels), Values(texels, 42));
        }
    }
}

/// A command pass of an inner graph uses the ids of that graph. Passes after it have their descriptors bound.
TEST(ImagePrograms, CommandPassInNestedGraph) {
    for (const DescriptorMode mode : descriptor_modes(device())) {
        SCOPED_TRACE(to_string(mode));
        WordGraph inner;
        const WordRef data = inner.import("data");
        int calls = 0;
        inner.add_command_pass({.name = "host",
                                .uses = {{data, Access::transfer_write}},
                                .record = [&](VkCommandBuffer commands, const CommandPassContext& context) {
                                    ++calls;
                                    const BufferView view = context.buffer(data);
                                    vk().vkCmdFillBuffer(commands, view.buffer, view.offset, 256, 5);
                                }});
        inner.add_pass(increment(data));
        WordGraph graph;
        const WordRef outer = graph.import("outer");
        const Switch on = graph.add_switch("on");
        {
            const auto scope = graph.only_if(on);
            graph.add_graph(inner, {{data, outer}}, "inner");
        }
        graph.add_pass(increment(outer));
        Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
        const Buffer buffer = buffer_of(Values(64, 1));
        run_with(program, {{outer, buffer}});
        EXPECT_EQ(contents(buffer, 64), Values(64, 7));
        ok(program.set(on, false));
        ok(program.run());
        EXPECT_EQ(contents(buffer, 64), Values(64, 8));
        EXPECT_EQ(calls, 1);
    }
}

TEST(ImagePrograms, MistakesAtBindingAndRecording) {
    WordGraph graph;
    const WordRef out = graph.import("out", texels);
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
    WordGraph graph;
    ImageInfo huge = word_image;
    huge.extent.width = 1U << 30U;
    const ImageId image = graph.transient_image("huge", huge);
    graph.add_pass(over_texels("store", store_source, {read(graph.import("in", texels)), write(image)}));
    graph.add_pass(over_texels("fetch", plain_fetch_source, {sampled(image), write(graph.import("out", texels))}));
    expect_error(compile(test_context(), graph), ErrorCode::limit_exceeded,
                 AllOf(HasSubstr("image 'huge' is 1073741824 x 19"), HasSubstr("image_programs_test.cpp:")));
}

TEST(ImagePrograms, DeclarationsMustFitTheShader) {
    WordGraph graph;
    const ImageId image = graph.transient_image("image", word_image);
    const WordRef in = graph.import("in", texels);
    graph.add_pass(over_texels("store", store_source, {read(in), write(image)}));
    graph.add_pass(over_texels("fetch", fetch_source, {sampled(image), write(graph.import("out", texels))}));
    expect_error(compile(test_context(), graph), ErrorCode::invalid_graph,
                 AllOf(HasSubstr("'fetch'"), HasSubstr("image 'image'"),
                       HasSubstr("combined image sampler in the shader; the pass declares a sampled image")));
}

} // namespace
} // namespace weir::tests::image_programs_test

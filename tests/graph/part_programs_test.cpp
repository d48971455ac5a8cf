// Parts of images on a device: pyramids, arrays and cubes, imports, exports.

#include <weir/graph/command_pass.hpp>

#include "tests/graph/graphs.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/drawing.hpp"
#include "tests/support/own_image.hpp"

#include "engine/base/strings.hpp"
#include "engine/device/device.hpp"
#include "engine/memory/image.hpp"

namespace weir::tests::part_programs_test {
namespace {

constexpr VkFormat words = VK_FORMAT_R32_UINT;

Pass over_texels(const std::string& name, const std::string& source, std::vector<Binding> bindings) {
    Pass pass = simple_pass(name, source.c_str(), std::move(bindings));
    pass.dispatch = Dispatch::groups(5, 3);
    return pass;
}

/// Returns a kernel: small[x, y] = maximum of the texels of `large` that it covers. It loads them from a storage image,
/// or fetches them from a sampled image; both are views of one mip.
std::string reduce_source(bool loads) {
    const std::string source = R"(#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0 LARGE large;
layout(set = 0, binding = 1, r32ui) writeonly uniform uimage2D small;
void main() {
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(small), last = SIZE - 1;
    if (at.x < size.x && at.y < size.y) {
        uint most = 0;
        for (int i = 0; i < 4; ++i) {
            const ivec2 from = min(2 * at + ivec2(i & 1, i >> 1), last);
            most = max(most, TEXEL.x);
        }
        imageStore(small, at, uvec4(most));
    }
})";
    return loads ? "#define LARGE , r32ui) readonly uniform uimage2D\n#define SIZE imageSize(large)\n"
                   "#define TEXEL imageLoad(large, from)\n" +
                       source
                 : "#define LARGE ) uniform utexture2D\n#define SIZE textureSize(large, 0)\n"
                   "#define TEXEL texelFetch(large, from, 0)\n" +
                       source;
}

/// out[mip] = corner texel of that mip, fetched through a view of all mips
const char* const corners_source = R"(#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform utexture2D image;
layout(set = 0, binding = 1) writeonly buffer Out { uint words[]; };
void main() {
    const int mip = int(gl_GlobalInvocationID.x);
    if (gl_GlobalInvocationID.y == 0 && mip < textureQueryLevels(image)) {
        words[mip] = texelFetch(image, ivec2(0), mip).x;
    }
})";

struct Level {
    std::uint32_t width, height;
    Values texels;
};

Level reduced(const Level& large) {
    Level small{std::max(large.width / 2, 1U), std::max(large.height / 2, 1U), {}};
    for (std::uint32_t y = 0; y < small.height; ++y) {
        for (std::uint32_t x = 0; x < small.width; ++x) {
            std::uint32_t most = 0;
            for (std::uint32_t i = 0; i < 4; ++i) {
                const std::uint32_t from_x = std::min(2 * x + (i & 1), large.width - 1);
                const std::uint32_t from_y = std::min(2 * y + (i >> 1), large.height - 1);
                most = std::max(most, large.texels[from_y * large.width + from_x]);
            }
            small.texels.push_back(most);
        }
    }
    return small;
}

TEST(PartPrograms, PyramidInOneImage) {
    constexpr std::uint32_t mips = 6;
    const ImageInfo info{.format = words, .extent = {37, 19, 1}, .mips = mips};
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        for (const bool loads : {false, true}) {
            SCOPED_TRACE(to_string(mode));
            WordGraph graph;
            const WordRef in = graph.import("in", 37 * 19), corners = graph.transient("corners", mips);
            const ImageId pyramid = graph.transient_image("pyramid", info);
            graph.add_copy("fill", in, pyramid);
            ImageId from = graph.part(pyramid, {.mip = 0, .mips = 1});
            std::vector<WordRef> outs;
            std::vector<Level> levels{{37, 19, Random().vector(37 * 19)}};
            for (std::uint32_t mip = 1; mip < mips; ++mip) {
                const ImageId to = graph.part(pyramid, {.mip = mip, .mips = 1});
                graph.add_pass(over_texels(concat("level ", mip), reduce_source(loads),
                                           {loads ? read(from) : sampled(from), write(to)}));
                levels.push_back(reduced(levels.back()));
                outs.push_back(
                    graph.transient(concat("out ", mip), static_cast<std::uint32_t>(levels.back().texels.size())));
                graph.add_copy(concat("read ", mip), to, outs.back());
                graph.export_buffer(outs.back());
                from = to;
            }
            graph.add_pass(over_texels("corners", corners_source, {sampled(pyramid), write(corners)}));
            graph.export_buffer(corners);
            Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
            const Buffer buffer = buffer_of(levels[0].texels);
            ok(program.bind(in, buffer));
            for (int run = 0; run < 2; ++run) {
                ok(program.run());
                Values expected;
                for (std::uint32_t mip = 0; mip < mips; ++mip) {
                    expected.push_back(levels[mip].texels[0]);
                    if (mip > 0) {
                        const Values& texels = levels[mip].texels;
                        EXPECT_EQ(contents(program.view(outs[mip - 1]), texels.size()), texels) << mip;
                    }
                }
                EXPECT_EQ(contents(program.view(corners), mips), expected);
            }
        }
    }
}

/// image[x, y, z] = 100 * z + y * size + x
const char* const fill_layers_source = R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32ui) writeonly uniform uimage2DArray image;
void main() {
    const ivec3 at = ivec3(gl_GlobalInvocationID), size = imageSize(image);
    if (all(lessThan(at, size))) {
        imageStore(image, at, uvec4(100 * at.z + at.y * size.x + at.x));
    }
})";

/// out[face] = texel in the middle of the face
const char* const faces_source = R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform usamplerCube cube;
layout(set = 0, binding = 1) writeonly buffer Out { uint words[]; };
void main() {
    const uint face = gl_GlobalInvocationID.x;
    if (face < 6) {
        vec3 direction = vec3(0.1);
        direction[face / 2] = face % 2 == 0 ? 1.0 : -1.0;
        words[face] = textureLod(cube, direction, 0).x;
    }
})";

/// The image is written as an array and sampled as a cube. One face is written again, as an array of one layer.
TEST(PartPrograms, ArraysAndCubes) {
    const OwnSampler sampler;
    WordGraph graph;
    const ImageInfo info{.format = words, .extent = {5, 5, 1}, .layers = 6};
    const ImageId image = graph.transient_image("image", info);
    const ImageId cube = graph.part(image, {.view = VK_IMAGE_VIEW_TYPE_CUBE});
    const ImageId face = graph.part(image, {.layer = 4, .layers = 1, .view = VK_IMAGE_VIEW_TYPE_2D_ARRAY});
    const WordRef out = graph.transient("out", 6), texels = graph.transient("texels", 25);
    Pass fill = simple_pass("fill", fill_layers_source, {write(image)});
    fill.dispatch = Dispatch::groups(1, 1, 6);
    graph.add_pass(fill);
    fill.name = "fill a face again";
    fill.bindings = {write(face)};
    graph.add_pass(fill); // with 0 to 24, because it is the first layer of its view
    graph.add_pass(over_texels("faces", faces_source, {sampled(cube, sampler), write(out)}));
    graph.add_copy("read", face, texels);
    graph.export_buffer(out);
    graph.export_buffer(texels);
    Program program = ok(compile(test_context(), graph));
    ok(program.run());
    const Values expected = contents(program.view(texels), 25);
    for (std::uint32_t i = 0; i < 25; ++i) {
        EXPECT_EQ(expected[i], i);
    }
    const Values middles = contents(program.view(out), 6);
    for (std::uint32_t i = 0; i < 6; ++i) {
        EXPECT_EQ(middles[i], (i == 4 ? 0 : 100 * i) + 12) << i;
    }
}

/// Each mip is a blit of the one before it, without command passes.
TEST(PartPrograms, MipChainByBlits) {
    if (const std::string why = why_not_to_draw(); !why.empty()) {
        GTEST_SKIP() << why;
    }
    WordGraph graph;
    const ImageInfo info{.format = VK_FORMAT_R32_SFLOAT, .extent = {8, 8, 1}, .mips = 4};
    const ImageId image = graph.transient_image("image", info);
    const auto last = graph.transient_buffer<float>("last", 1);
    graph.add_clear("clear", image, {.color = {{0.25F, 0, 0, 0}}});
    ImageId from = graph.part(image, {.mip = 0, .mips = 1});
    for (std::uint32_t mip = 1; mip < 4; ++mip) {
        const ImageId to = graph.part(image, {.mip = mip, .mips = 1});
        graph.add_blit(concat("mip ", mip), from, to, VK_FILTER_NEAREST);
        from = to;
    }
    graph.add_copy("read", from, last);
    graph.export_buffer(last);
    Program program = ok(compile(test_context(), graph));
    ok(program.run());
    EXPECT_EQ(ok(test_context().download<float>(program.view(last), 1)), std::vector<float>{0.25F});
}

/// The application binds its image and views of its mips. A command pass finds one of the views.
TEST(PartPrograms, ImportsHaveViewsOfTheirParts) {
    const ImageInfo info{.format = words, .extent = {37, 19, 1}, .mips = 2};
    auto own = ok(Image::create(ContextAccess::device(test_context()), info,
                                VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                "the host's"));
    const auto memory =
        ok(ImageMemory::create(ContextAccess::device(test_context())->memory(), own->needs().size,
                               own->needs().alignment, own->needs().memoryTypeBits, false, "the host's"));
    ok(own->bind(memory->memory(), memory->offset()));
    const ImageView large_view = ok(own->view({.mip = 0, .mips = 1, .layers = 1}, "large"));
    const ImageView small_view = ok(own->view({.mip = 1, .mips = 1, .layers = 1}, "small"));

    WordGraph graph;
    const ImageId image = graph.import_image("image", info, Access::none);
    const ImageId large = graph.part(image, {.mip = 0, .mips = 1}), small = graph.part(image, {.mip = 1});
    const WordRef in = graph.import("in", 37 * 19), out = graph.transient("out", 18 * 9);
    graph.add_copy("fill", in, large);
    graph.add_pass(over_texels("reduce", reduce_source(false), {sampled(large), write(small)}));
    BoundImage found;
    graph.add_command_pass(
        {.name = "look",
         .uses = {{small, Access::sampled_read}},
         .record = [&](VkCommandBuffer, const CommandPassContext& pass) { found = pass.image(small); },
         .keep = true});
    graph.add_copy("read", small, out);
    graph.export_buffer(out);
    graph.export_image(image, Access::sampled_read);
    Program program = ok(compile(test_context(), graph));
    const Level level{37, 19, Random().vector(37 * 19)};
    const Buffer buffer = buffer_of(level.texels);
    ok(program.bind(in, buffer));
    EXPECT_THAT(program.bind(small, small_view).error().message,
                testing::HasSubstr("bind 'image mip 1': the view is not of the image that is bound to 'image'"));
    ok(program.bind(image, own->view()));
    EXPECT_THAT(program.run().error().message, testing::HasSubstr("import 'image mip 0' is not bound"));
    ok(program.bind(large, large_view));
    ok(program.bind(small, small_view));
    ok(program.run());
    EXPECT_EQ(contents(program.view(out), 18 * 9), reduced(level).texels);
    EXPECT_EQ(found.view, small_view.view);
    EXPECT_EQ(found.range, (ImagePart{.mip = 1, .mips = 1, .layer = 0, .layers = 1}));
    EXPECT_EQ(found.layout, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    EXPECT_EQ(program.view(small).view, small_view.view);
    ok(program.bind(image, own->view())); // unbinds the views of the parts
    EXPECT_EQ(program.view(small).view, VkImageView{VK_NULL_HANDLE});
}

/// Graphs with random writes to random parts of an image, and uses of the whole image, compared with a reference.
TEST(PartPrograms, RandomPartsMatchReference) {
    constexpr std::uint32_t mips = 3, layers = 3, size = 8;
    const ImageInfo info{.format = words, .extent = {size, size, 1}, .mips = mips, .layers = layers};
    Random random;
    for (int repetition = 0; repetition < 12; ++repetition) {
        WordGraph graph;
        const ImageId image = graph.transient_image("image", info);
        const WordRef shared = graph.transient("shares memory", 1024), out = graph.transient("out", mips * layers);
        graph.add_fill("before", shared, 7);
        graph.add_copy("keeps it", shared, out, 4);
        std::array<std::array<std::uint32_t, layers>, mips> corner{};
        for (std::uint32_t mip = 0; mip < mips; ++mip) {
            graph.add_clear("clear", image, {.color = {.uint32 = {1000 + mip, 0, 0, 0}}},
                            {.mip = mip, .layers = layers});
            corner[mip].fill(1000 + mip);
        }
        for (int step = 0; step < 10; ++step) {
            ImagePart part{.mip = random.uniform(0U, mips - 1), .mips = 1, .layer = random.uniform(0U, layers - 1)};
            part.layers = random.uniform(1U, layers - part.layer);
            part.view = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
            const ImageId some = graph.part(image, part);
            if (random.uniform(0, 2) == 0) {
                const auto value = static_cast<std::uint32_t>(step);
                graph.add_clear(concat("clear ", step), some, {.color = {.uint32 = {value, 0, 0, 0}}},
                                {.layers = part.layers});
                for (std::uint32_t layer = 0; layer < part.layers; ++layer) {
                    corner[part.mip][part.layer + layer] = value;
                }
            } else {
                Pass fill = simple_pass(concat("fill ", step), fill_layers_source, {write(some)});
                fill.dispatch = Dispatch::groups(1, 1, part.layers);
                graph.add_pass(fill);
                for (std::uint32_t layer = 0; layer < part.layers; ++layer) {
                    corner[part.mip][part.layer + layer] = 100 * layer;
                }
            }
        }
        Pass corners = simple_pass("corners", R"(#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 9) in;
layout(set = 0, binding = 0) uniform utexture2DArray image;
layout(set = 0, binding = 1) writeonly buffer Out { uint words[]; };
void main() {
    const int i = int(gl_LocalInvocationID.x);
    words[i] = texelFetch(image, ivec3(0, 0, i % 3), i / 3).x;
})",
                                   {sampled(image), write(out)});
        graph.add_pass(corners);
        graph.export_buffer(out);
        Program program = ok(compile(test_context(), graph));
        ok(program.run());
        Values expected;
        for (const auto& of_mip : corner) {
            expected.insert(expected.end(), of_mip.begin(), of_mip.end());
        }
        EXPECT_EQ(contents(program.view(out), mips * layers), expected) << repetition;
    }
}

} // namespace
} // namespace weir::tests::part_programs_test

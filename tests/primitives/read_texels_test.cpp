// Copies of images to buffers by a kernel, compared with those of Graph::add_copy.

#include "tests/primitives/harness.hpp"

namespace weir::tests::read_texels_test {
namespace {

struct Format {
    TexelFormat format;
    VkFormat vulkan;
    std::uint32_t words;
};

constexpr Format formats[] = {{TexelFormat::rgba8, VK_FORMAT_R8G8B8A8_UNORM, 1},
                              {TexelFormat::rgba16f, VK_FORMAT_R16G16B16A16_SFLOAT, 2},
                              {TexelFormat::r32f, VK_FORMAT_R32_SFLOAT, 1}};

/// Returns random words without numbers that a device may change: NaN, and denormal floats.
Words random_texels(std::size_t count, TexelFormat format) {
    Words words = random_words(count, count);
    for (std::uint32_t& word : words) {
        if (format == TexelFormat::rgba16f) {
            word = (word & 0xBFFFBFFFU) | 0x04000400U;
        } else if (format == TexelFormat::r32f) {
            word = (word & 0xBFFFFFFFU) | 0x00800000U;
        }
    }
    return words;
}

TEST(ReadTexels, MatchUpload) {
    for (const Format& format : formats) {
        for (const auto& [width, height] : {std::pair{1U, 1U}, {16U, 16U}, {17U, 15U}, {1U, 300U}, {333U, 3U}}) {
            SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height) + ", format " +
                         std::to_string(format.vulkan));
            const Words words = random_texels(std::size_t{width} * height * format.words, format.format);
            Graph graph(test_context());
            const auto in = graph.import_buffer<std::uint32_t>("in", count_of(words));
            const ImageId image =
                graph.transient_image("image", {.format = format.vulkan, .extent = {width, height, 1}});
            graph.add_copy("fill", in, image);
            const auto texels = read_texels(graph, image, format.format, width, height);
            EXPECT_EQ(texels.capacity, words.size());
            graph.export_buffer(texels);
            Program program = ok(compile(test_context(), graph));
            const Buffer buffer = buffer_of(words);
            ok(program.bind(in, buffer));
            ok(program.run());
            expect_equal(contents(program.view(texels), words.size()), words, "texels");
        }
    }
}

TEST(ReadTexels, RejectsSizes) {
    const auto error = [](TexelFormat format, std::uint32_t width, std::uint32_t height) {
        Graph graph(test_context());
        const ImageId image = graph.transient_image("image", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {4, 4, 1}});
        read_texels(graph, image, format, width, height);
        return plan_error(graph);
    };
    EXPECT_THAT(error(TexelFormat::rgba8, 0, 4), HasSubstr("read texels: an image of 0 x 4 texels"));
    EXPECT_THAT(error(TexelFormat::rgba8, (1U << 20) + 1, 1),
                HasSubstr("1048577 x 1 texels; at most 1048576 in a direction"));
    EXPECT_THAT(error(TexelFormat::rgba16f, 1U << 16, 1U << 15), HasSubstr("4294967295 words"));
}

} // namespace
} // namespace weir::tests::read_texels_test

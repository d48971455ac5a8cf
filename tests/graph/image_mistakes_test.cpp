// Mistakes in uses of images. Each error names the pass and the image.

#include "tests/graph/graphs.hpp"

namespace weir::tests::image_mistakes_test {
namespace {

ImageId import_empty(SomeGraph& graph) {
    return graph.import_image("x", some_image(), Access::none);
}

TEST(ImageMistakes, SeveralAccessesWithoutACommonLayout) {
    expect_mistake("image 'x' leaves for sampled read and for present, which require different layouts",
                   [](SomeGraph& graph) {
                       const ImageId image = import_empty(graph);
                       graph.add_pass(pass("writer", {write(image)}));
                       graph.export_image(image, {Access::present, Access::sampled_read});
                   });
    expect_mistake("image 'source' arrives for transfer read and for color write, which require different layouts",
                   [](SomeGraph& graph) {
                       graph.import_image("source", some_image(), {Access::color_write, Access::transfer_read});
                   });
}

TEST(ImageMistakes, InvalidImageInfo) {
    constexpr VkFormat format = VK_FORMAT_R8_UNORM;
    const std::pair<ImageInfo, const char*> cases[] = {
        {{}, "image 'x' has no format"},
        {{.format = format, .extent = {0, 1, 1}}, "image 'x' has an extent of 0"},
        {{.format = format, .extent = {4, 4, 0}}, "image 'x' has an extent of 0"},
        {{.format = format, .layers = 0}, "image 'x' has no layers"},
        {{.format = format, .samples = {}}, "image 'x' has no samples"},
        {{.format = format, .extent = {4, 4, 4}, .layers = 2},
         "image 'x' has several layers and depth, which is not supported"},
        {{.format = format, .extent = {4, 4, 1}, .mips = 0}, "image 'x' has 0 mips; its extent allows 1 to 3"},
        {{.format = format, .extent = {7, 4, 1}, .mips = 4}, "image 'x' has 4 mips; its extent allows 1 to 3"},
        {{.format = format, .extent = {7, 4, 1}, .mips = 2, .samples = VK_SAMPLE_COUNT_2_BIT},
         "image 'x' has several samples and mips, which is not supported"},
    };
    for (const auto& [info, message] : cases) {
        expect_mistake(message, [info = info](SomeGraph& graph) { graph.image("x", info); });
    }
}

TEST(ImageMistakes, Blits) {
    const ImageInfo one{.format = VK_FORMAT_R8_UNORM, .extent = {8, 8, 1}};
    ImageInfo two = one, samples = one;
    two.layers = 2;
    samples.samples = VK_SAMPLE_COUNT_4_BIT;
    const auto expect = [](const char* message, const ImageInfo& from, const ImageInfo& to, const ImageRegion& region) {
        expect_mistake(message, [&](SomeGraph& graph) {
            const ImageId source = graph.import_image("a", from, Access::any);
            graph.add_blit("scale", source, graph.image("b", to), VK_FILTER_LINEAR, region, {});
        });
    };
    expect("pass 'scale' scales 2 layers of image 'a' to 1 of image 'b'; the numbers of layers must be equal", two, one,
           {.layers = 2});
    const char* const one_sample = "pass 'scale' scales image 'a' to image 'b'; both must have one sample per texel";
    expect(one_sample, samples, one, {});
    expect(one_sample, one, samples, {});
    expect("no mistake", two, one, {.layer = 1});
}

TEST(ImageMistakes, ImageInsteadOfBuffer) {
    const auto expect = [](const std::string& pass, auto add) {
        expect_mistake("pass '" + pass + "' uses image 'x' where a buffer is needed",
                       [&](SomeGraph& graph) { add(graph, BufferId{graph.image("x")}); });
    };
    expect("fill", [](Graph& graph, BufferId x) { graph.add_fill("fill", x, 0); });
    expect("p", [](Graph& graph, BufferId x) { graph.add_pass(pass("p", {}, Dispatch::indirect(x))); });
    expect("count_in", [](Graph& graph, BufferId x) {
        WordRef words;
        words.id = x;
        graph.count_in(words, 0, 1);
    });
    expect("copy", [](Graph& graph, BufferId x) { graph.add_copy("copy", x, x, 4); });
    expect("export_buffer", [](Graph& graph, BufferId x) { graph.export_buffer(x); });
    expect_mistake("command pass 'h' uses image 'x' for vertex read, which requires a buffer", [](SomeGraph& graph) {
        graph.add_command_pass(command_pass("h", {{graph.image("x"), Access::vertex_read}}));
    });
}

TEST(ImageMistakes, BufferInsteadOfImage) {
    expect_mistake("pass 'p' binds buffer 'b' for sampled read; a binding must be a shader read or write, a sampled "
                   "read of an image or a uniform read of a buffer",
                   [](SomeGraph& graph) {
                       graph.add_pass(pass("p", {{graph.import("b"), Access::sampled_read}}));
                   });
    expect_mistake("command pass 'h' uses buffer 'b' for color write, which requires an image", [](SomeGraph& graph) {
        graph.add_command_pass(command_pass("h", {{graph.import("b"), Access::color_write}}));
    });
    expect_mistake("buffer 'b' arrives for present, which requires an image",
                   [](SomeGraph& graph) { graph.import("b", Access::present); });
    expect_mistake("buffer 'b' leaves for depth read, which requires an image",
                   [](SomeGraph& graph) { graph.export_buffer(graph.import("b"), Access::depth_read); });
    expect_mistake("pass 'export_image' uses buffer 'b' where an image is needed",
                   [](SomeGraph& graph) { graph.export_image(ImageId{graph.import("b").id}, Access::any); });
}

TEST(ImageMistakes, AccessesNotForImages) {
    expect_mistake("image 'x' arrives for host write, which requires a buffer",
                   [](SomeGraph& graph) { graph.import_image("x", some_image(), Access::host_write); });
    expect_mistake("image 'x' leaves for index read, which requires a buffer", [](SomeGraph& graph) {
        graph.export_image(graph.import_image("x", some_image()), Access::index_read);
    });
    expect_mistake("image 'x' leaves for present, which is supported for imports only",
                   [](SomeGraph& graph) { graph.export_image(graph.image("x"), Access::present); });
}

TEST(ImageMistakes, CommandPasses) {
    expect_mistake("command pass 'h' has no record function", [](SomeGraph& graph) {
        CommandPass mute = command_pass("h", {{graph.import("b"), Access::any}});
        mute.record = nullptr;
        graph.add_command_pass(mute);
    });
    for (const Access access : {Access::none, Access::host_read, Access::host_write}) {
        expect_mistake(std::string("command pass 'h' uses buffer 'b' for ") + to_string(access) +
                           ", which is not an access of commands; imports arrive and exports leave with it",
                       [&](SomeGraph& graph) {
                           graph.add_command_pass(command_pass("h", {{graph.import("b"), access}}));
                       });
    }
}

TEST(ImageMistakes, Contents) {
    expect_mistake("pass 'p' reads image 'x', which no pass writes", [](SomeGraph& graph) {
        graph.add_pass(pass("p", {sampled(graph.image("x")), write(graph.import("out"))}));
    });
    expect_mistake("pass 'p' reads image 'x', which arrives without contents", [](SomeGraph& graph) {
        const ImageId empty = import_empty(graph);
        graph.add_pass(pass("p", {sampled(empty), write(graph.import("out"))}));
        graph.add_pass(pass("q", {write(empty)}));
    });
    expect_mistake("image 'x' is exported, but no pass writes it",
                   [](SomeGraph& graph) { graph.export_image(import_empty(graph), Access::present); });
    expect_mistake("pass 'p' declares image 'x' twice: as use 0 for sampled read and as use 1 for shader write",
                   [](SomeGraph& graph) {
                       const ImageId both = graph.import_image("x", some_image());
                       graph.add_pass(pass("p", {sampled(both), write(both)}));
                   });
}

TEST(ImageMistakes, ImagesOfOtherGraphs) {
    SomeGraph other;
    const ImageId foreign = other.image("x");
    expect_mistake("pass 'export_image' uses a null image; results that are not requested are null",
                   [](SomeGraph& graph) { graph.export_image({}, Access::any); });
    expect_mistake("pass 'export_image' uses an image of another graph",
                   [&](SomeGraph& graph) { graph.export_image(foreign, Access::any); });
}

} // namespace
} // namespace weir::tests::image_mistakes_test

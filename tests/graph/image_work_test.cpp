// Copies, blits and clears of images, without command passes.

#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/graph/graphs.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/drawing.hpp"

namespace weir::tests::image_work_test {
namespace {

constexpr VkFormat words = VK_FORMAT_R32_UINT;

/// Returns `count` consecutive words from `first` on.
Values counted(std::size_t count, std::uint32_t first) {
    Values values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

TEST(ImageWork, MovesTexelsOfMipsAndLayers) {
    WordGraph graph;
    const ImageInfo info{.format = words, .extent = {13, 6, 1}, .mips = 3, .layers = 3};
    const ImageRegion all{.layers = 3}, small{.mip = 1, .layer = 1, .layers = 2};
    const ImageId image = graph.transient_image("image", info);
    ASSERT_EQ(image_bytes(info, all), 4U * 13 * 6 * 3);
    ASSERT_EQ(image_bytes(info, small), 4U * 6 * 3 * 2);
    const auto large_in = graph.import("large in", 234);
    const auto small_in = graph.import("small in", 36);
    const auto one_out = graph.transient("one layer", 78);
    const auto small_out = graph.transient("small out", 40);
    const auto copied_out = graph.transient("copied out", 18);
    graph.add_copy("fill all layers", large_in, image, all);
    graph.add_copy("fill a part of a mip", small_in, image, small);
    graph.add_copy("read a layer", image, one_out, {.layer = 2});
    graph.add_fill("before", small_out, 99);
    graph.add_copy("read the part", image, small_out, small);
    const ImageId other = graph.transient_image("other", {.format = words, .extent = {6, 3, 1}});
    graph.add_copy("copy a layer of the mip", image, other, {.mip = 1, .layer = 2});
    graph.add_copy("read the copy", other, copied_out);
    for (const BufferId out : {one_out.id, small_out.id, copied_out.id}) {
        graph.export_buffer(out);
    }
    Program program = ok(compile(test_context(), graph));
    const Values large = counted(234, 1000), part = counted(36, 5000);
    const Buffer large_buffer = buffer_of(large), small_buffer = buffer_of(part);
    bind_all(program, {{large_in, large_buffer}, {small_in, small_buffer}});
    for (int run = 0; run < 2; ++run) {
        ok(program.run());
        EXPECT_EQ(contents(program.view(one_out), 78), counted(78, 1156));
        Values expected = part;
        expected.resize(40, 99);
        EXPECT_EQ(contents(program.view(small_out), 40), expected);
        EXPECT_EQ(contents(program.view(copied_out), 18), counted(18, 5018));
    }
}

TEST(ImageWork, Clears) {
    WordGraph graph;
    const ImageId color = graph.transient_image("color", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {4, 4, 1}});
    const ImageId depth = graph.transient_image("depth", {.format = VK_FORMAT_D32_SFLOAT, .extent = {4, 2, 1}});
    const auto pixels = graph.transient("pixels", 16);
    const auto depths = graph.transient_buffer<float>("depths", 8);
    const Switch again = graph.add_switch("again");
    graph.add_clear("clear", color, {.color = {{1, 0, 0.2F, 1}}});
    {
        auto scope = graph.only_if(again);
        graph.add_clear("clear again", color, {.color = {{0, 0, 0, 0}}});
    }
    graph.add_copy("read pixels", color, pixels);
    graph.add_clear("clear depth", depth, {.depthStencil = {0.25F, 0}});
    graph.add_copy("read depth", depth, depths);
    graph.export_buffer(pixels);
    graph.export_buffer(depths);
    Program program = ok(compile(test_context(), graph));
    for (const bool on : {true, false}) {
        ok(program.set(again, on));
        ok(program.run());
        EXPECT_THAT(contents(program.view(pixels), 16), testing::Each(on ? 0U : 0xFF3300FFU));
        EXPECT_THAT(ok(test_context().download<float>(program.view(depths), 8)), testing::Each(0.25F));
    }
}

TEST(ImageWork, ClearsPartsOfAnImage) {
    WordGraph graph;
    const ImageInfo info{.format = words, .extent = {4, 4, 1}, .mips = 3, .layers = 3};
    const ImageId image = graph.transient_image("image", info);
    const auto value = [](std::uint32_t word) { return VkClearValue{.color = {.uint32 = {word, 0, 0, 0}}}; };
    std::vector<WordRef> outs;
    for (std::uint32_t mip = 0; mip < 3; ++mip) {
        graph.add_clear("clear a mip", image, value(mip + 1), {.mip = mip, .layers = 3});
    }
    graph.add_clear("clear two layers of a mip", image, value(7), {.mip = 1, .layer = 1, .layers = 2});
    graph.add_clear("clear a layer", image, value(9), {.layer = 2});
    for (std::uint32_t mip = 0; mip < 3; ++mip) {
        const ImageRegion all{.mip = mip, .layers = 3};
        outs.push_back(graph.transient("out", static_cast<std::uint32_t>(image_bytes(info, all) / 4)));
        graph.add_copy("read", image, outs.back(), all);
        graph.export_buffer(outs.back());
    }
    Program program = ok(compile(test_context(), graph));
    ok(program.run());
    const std::uint32_t expected[3][3] = {{1, 1, 9}, {2, 7, 7}, {3, 3, 3}}; // by mip and layer
    for (std::size_t mip = 0; mip < 3; ++mip) {
        const std::size_t texels = outs[mip].capacity / 3;
        const auto found = contents(program.view(outs[mip]), 3 * texels);
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_EQ(found[i], expected[mip][i / texels]) << "texel " << i << " of mip " << mip;
        }
    }
}

TEST(ImageWork, UsesPartsOfBuffers) {
    WordGraph graph;
    const ImageId image = graph.transient_image("image", {.format = words, .extent = {8, 8, 1}});
    const auto in = graph.import("in"), out = graph.import("out");
    graph.add_copy("write", in, image);
    graph.add_copy("read", image, out);
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const std::uint64_t at = std::max(256U, test_context().capabilities().storage_offset_alignment);
    const Values all = counted(at / 4 + 64, 0);
    const Buffer from = buffer_of(all), to = buffer_of(Values(2 * at / 4 + 64, 5));
    run_with(program, {{in, {from.handle(), at, 256}}, {out, {to.handle(), 2 * at, 256}}});
    Values expected(2 * at / 4, 5);
    expected.insert(expected.end(), all.end() - 64, all.end());
    EXPECT_EQ(contents(to, expected.size()), expected);
}

TEST(ImageWork, Scales) {
    if (const std::string why = why_not_to_draw(); !why.empty()) {
        GTEST_SKIP() << why;
    }
    WordGraph graph;
    const ImageInfo info{.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {8, 8, 1}};
    const ImageId large = graph.transient_image("large", info);
    const ImageId half = graph.transient_image("half", {.format = info.format, .extent = {4, 4, 1}});
    const auto in = graph.import("in");
    const auto out = graph.transient("out", 16);
    graph.add_copy("write pixels", in, large);
    graph.add_blit("scale", large, half, VK_FILTER_LINEAR);
    graph.add_copy("read pixels", half, out);
    graph.export_buffer(out);
    Values pixels;
    for (std::uint32_t i = 0; i < 64; ++i) {
        pixels.push_back(i % 2 == 0 ? 0xFF000040 : 0xFF0000C0);
    }
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(pixels);
    run_with(program, {{in, buffer}});
    EXPECT_THAT(contents(program.view(out), 16), testing::Each(0xFF000080U));
}

// A nested graph clears and copies an image of the outer graph.
TEST(ImageWork, WorksInNestedGraphs) {
    WordGraph inner;
    const ImageInfo info{.format = words, .extent = {4, 4, 1}};
    const ImageId target = inner.import_image("target", info);
    const auto result = inner.transient("result", 16);
    inner.add_clear("clear", target, {.color = {.uint32 = {7, 0, 0, 0}}});
    inner.add_copy("read", target, result);
    inner.export_buffer(result);
    WordGraph outer;
    const ImageId image = outer.transient_image("image", info);
    const Subgraph added = outer.add_graph(inner, {{target, image}}, "inner");
    outer.export_buffer(added.buffer(result));
    Program program = ok(compile(test_context(), outer));
    ok(program.run());
    EXPECT_THAT(contents(program.view(added.buffer(result)), 16), testing::Each(7U));
}

TEST(ImageWork, AppearsInPlanDumps) {
    SomeGraph graph;
    const ImageId image = graph.image("image");
    const WordRef out = graph.transient("out", 64 * 64);
    graph.add_clear("clear it", image, {});
    graph.add_copy("read it", image, out);
    graph.export_buffer(out);
    const Plan plan = graph.plan();
    for (const std::string& shown : {plan.text(), plan.dot(), plan.json()}) {
        EXPECT_THAT(shown, testing::AllOf(HasSubstr("clear it"), HasSubstr("read it")));
    }
    EXPECT_THAT(plan.json(), HasSubstr(R"("kind": "image")"));
}

TEST(ImageWork, ImageBytes) {
    const auto bytes = [](VkFormat format, VkExtent3D extent, const ImageRegion& region = {}) {
        return image_bytes({.format = format, .extent = extent, .mips = 4, .layers = 2}, region);
    };
    EXPECT_EQ(bytes(VK_FORMAT_R8_UNORM, {5, 3, 1}), 15U);
    EXPECT_EQ(bytes(VK_FORMAT_R16G16B16A16_SFLOAT, {4, 4, 2}, {.mip = 1}), 32U);
    EXPECT_EQ(bytes(VK_FORMAT_R32G32B32A32_SFLOAT, {4, 4, 1}, {.mip = 3, .layers = 2}), 32U);
    EXPECT_EQ(bytes(VK_FORMAT_BC1_RGBA_UNORM_BLOCK, {9, 4, 1}), 3U * 8);
    EXPECT_EQ(bytes(VK_FORMAT_D16_UNORM, {4, 4, 1}), 32U);
    EXPECT_EQ(bytes(VK_FORMAT_D24_UNORM_S8_UINT, {4, 4, 1}), 0U);
    EXPECT_EQ(bytes(VK_FORMAT_UNDEFINED, {4, 4, 1}), 0U);
    EXPECT_EQ(bytes(words, {4, 4, 1}, {.mip = 4}), 0U);
    EXPECT_EQ(bytes(words, {4, 4, 1}, {.layer = 1, .layers = 2}), 0U);
    EXPECT_EQ(bytes(words, {4, 4, 1}, {.layer = 0xFFFFFFFF, .layers = 2}), 0U);
    EXPECT_EQ(bytes(words, {4, 4, 1}, {.layers = 0}), 0U);
    EXPECT_EQ(image_bytes({.format = words, .extent = {4, 4, 1}, .samples = VK_SAMPLE_COUNT_4_BIT}), 0U);
}

TEST(ImageWork, Mistakes) {
    struct Scene : SomeGraph {
        ImageId image = import_image("the image", {.format = words, .extent = {8, 8, 1}, .mips = 2});
        ImageId other = import_image("the other", {.format = words, .extent = {4, 4, 1}});
        WordRef buffer = import("the buffer", Access::any);
    };
    const auto expect = [](const testing::Matcher<std::string>& message, void (*add)(Scene & scene)) {
        Scene scene;
        add(scene);
        EXPECT_THAT(scene.whole_mistake(), message);
    };
    expect(testing::AllOf(HasSubstr("'it'"), HasSubstr("mip 2"), HasSubstr("'the image' has 2 mips and 1 layers")),
           [](Scene& scene) { scene.add_copy("it", scene.image, scene.buffer, {.mip = 2}); });
    expect(HasSubstr("1 layers from 1 on"),
           [](Scene& scene) { scene.add_copy("it", scene.buffer, scene.image, {.layer = 1}); });
    expect(HasSubstr("copies 256 bytes of image 'the image'; 'small' has 252"),
           [](Scene& scene) { scene.add_copy("it", scene.image, scene.transient("small", 63)); });
    expect(HasSubstr("copies image 'the image' to image 'the other', whose region has another extent"),
           [](Scene& scene) { scene.add_copy("it", scene.image, scene.other); });
    expect(HasSubstr("declares image 'the image' twice"),
           [](Scene& scene) { scene.add_copy("it", scene.image, scene.image); });
    expect(HasSubstr("2 layers from 0 on"),
           [](Scene& scene) { scene.add_blit("it", scene.image, scene.other, VK_FILTER_NEAREST, {.layers = 2}); });
    expect(HasSubstr("is not supported inside only_if of a GPU count"), [](Scene& scene) {
        const auto scope = scene.only_if(scene.count_in(scene.buffer, 0, 5));
        scene.add_clear("it", scene.image, {});
    });
    expect(HasSubstr("'it' clears an image, which the transfer queue does not support"), [](Scene& scene) {
        const auto scope = scene.on_queue(on_transfer);
        scene.add_clear("it", scene.image, {});
    });
    expect(HasSubstr("'it' scales an image, which the compute queue does not support"), [](Scene& scene) {
        const auto scope = scene.on_queue(on_compute);
        scene.add_blit("it", scene.image, scene.other, VK_FILTER_NEAREST);
    });
    expect(HasSubstr("image 'stencil', which has VkFormat 129; copies between it and a buffer are not supported"),
           [](Scene& scene) {
               const ImageInfo stencil{.format = VK_FORMAT_D24_UNORM_S8_UINT, .extent = {2, 2, 1}};
               scene.add_copy("it", scene.import_image("stencil", stencil), scene.buffer);
           });
}

} // namespace
} // namespace weir::tests::image_work_test

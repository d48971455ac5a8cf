// Contents of buffers and images, as command passes see them. Plans are in contents_plan_test.cpp.

#include <map>
#include <string>

#include <weir/graph/command_pass.hpp>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/own_image.hpp"

namespace weir::tests::contents_test {
namespace {

constexpr ImageInfo info{.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {4, 4, 1}};
constexpr auto load = VK_ATTACHMENT_LOAD_OP_LOAD, clear = VK_ATTACHMENT_LOAD_OP_CLEAR;

/// Clears an image and keeps what the passes learn, by the name of the pass.
struct Passes {
    WordGraph graph;
    std::map<std::string, BoundImage> images;
    std::map<std::string, Contents> contents;

    void clear_image(const std::string& name, ImageId image, Access access) {
        graph.add_command_pass({.name = name,
                                .uses = {{image, access}},
                                .record = [=, this](VkCommandBuffer commands, const CommandPassContext& pass) {
                                    const BoundImage target = images[name] = pass.image(image);
                                    const VkClearColorValue color{};
                                    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
                                    vk().vkCmdClearColorImage(commands, target.image, target.layout, &color, 1, &all);
                                }});
    }
    void fill(const std::string& name, BufferId buffer, Access access) {
        graph.add_command_pass({.name = name,
                                .uses = {{buffer, access}},
                                .record = [=, this](VkCommandBuffer commands, const CommandPassContext& pass) {
                                    const BufferView view = pass.buffer(buffer);
                                    contents[name] = pass.contents(buffer);
                                    vk().vkCmdFillBuffer(commands, view.buffer, view.offset, view.size, 7);
                                }});
    }
};

TEST(Contents, FirstWriterDependsOnSwitches) {
    Passes passes;
    const Switch sky = passes.graph.add_switch("sky");
    const ImageId color = passes.graph.transient_image("color", info);
    {
        const auto scope = passes.graph.only_if(sky);
        passes.clear_image("sky", color, Access::transfer_write);
    }
    passes.clear_image("scene", color, Access::any); // reads and writes
    const WordRef out = passes.graph.transient("out");
    passes.graph.add_copy("read", color, out);
    passes.graph.export_buffer(out);
    Program program = ok(compile(test_context(), passes.graph));
    ok(program.run());
    EXPECT_FALSE(passes.images["sky"].contents.before);
    EXPECT_EQ(passes.images["sky"].load_op(), clear);
    EXPECT_TRUE(passes.images["scene"].contents.before);
    EXPECT_EQ(passes.images["scene"].load_op(), load);
    EXPECT_EQ(passes.images["scene"].store_op(), VK_ATTACHMENT_STORE_OP_STORE);
    ok(program.set(sky, false));
    ok(program.run());
    EXPECT_FALSE(passes.images["scene"].contents.before);
    EXPECT_EQ(passes.images["scene"].load_op(), clear);
    EXPECT_EQ(passes.images["scene"].load_op(VK_ATTACHMENT_LOAD_OP_DONT_CARE), VK_ATTACHMENT_LOAD_OP_DONT_CARE);
}

TEST(Contents, LastUseOfTransientIsNotNeeded) {
    Passes passes;
    const WordRef scratch = passes.graph.transient("scratch"), out = passes.graph.transient("out");
    passes.fill("first", scratch, Access::transfer_write);
    passes.graph.add_copy("copy", scratch, out, 256);
    passes.graph.export_buffer(out);
    passes.fill("last", out, Access::any);
    CommandPass lost{.name = "lost", .uses = {{scratch, Access::transfer_write}}, .keep = true};
    lost.record = [&](VkCommandBuffer /*commands*/, const CommandPassContext& pass) {
        passes.contents["lost"] = pass.contents(scratch);
        passes.contents["other"] = pass.contents(out);
    };
    passes.graph.add_command_pass(lost);
    Program program = ok(compile(test_context(), passes.graph));
    ok(program.run());
    const auto has = [&](const char* name, bool before, bool needed) {
        EXPECT_EQ(passes.contents[name].before, before) << name;
        EXPECT_EQ(passes.contents[name].needed_after, needed) << name;
    };
    has("first", false, true);
    has("last", true, true);
    has("lost", true, false);
    has("other", true, true); // not declared
}

/// An image that arrives without contents in one recording.
TEST(Contents, ImportBoundWithoutContentsIsEmpty) {
    Passes passes;
    const ImageId target = passes.graph.import_image("target", info, Access::transfer_write);
    passes.clear_image("draw", target, Access::any);
    passes.graph.export_image(target, Access::transfer_write);
    Program program = ok(compile(test_context(), passes.graph));
    const OwnImage image(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                         info);
    ok(program.bind(target, image.view(), Access::none));
    ok(program.run());
    EXPECT_FALSE(passes.images["draw"].contents.before);
    ok(program.run());
    EXPECT_TRUE(passes.images["draw"].contents.before);
}

/// A command pass of an inner graph.
TEST(Contents, InnerGraphs) {
    Passes passes;
    const WordRef given = passes.graph.import("given");
    passes.fill("fill", given, Access::any);
    WordGraph outer;
    const WordRef scratch = outer.transient("scratch"), out = outer.transient("out");
    outer.add_fill("before", scratch, 1);
    outer.add_graph(passes.graph, {{given, scratch}}, "inner");
    outer.add_copy("copy", scratch, out, 256);
    outer.export_buffer(out);
    Program program = ok(compile(test_context(), outer));
    ok(program.run());
    EXPECT_TRUE(passes.contents["fill"].before);
    EXPECT_TRUE(passes.contents["fill"].needed_after);
}

} // namespace
} // namespace weir::tests::contents_test

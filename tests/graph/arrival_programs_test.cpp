// Images whose arriving access is set for one recording: Program::bind with an access.

#include "engine/device/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/own_image.hpp"

namespace weir::tests::arrival_programs_test {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr ImageInfo words{.format = VK_FORMAT_R32_UINT, .extent = {8, 8, 1}};
constexpr VkImageUsageFlags usage =
    VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;

/// Adds 10 to the image, or clears it and adds 10. Copies the image to `out`.
struct Adder10 {
    ImageId image;
    WordRef out;
    std::optional<Program> program;

    explicit Adder10(bool reads_first = false) {
        WordGraph graph;
        image = graph.import_image("image", words, Access::transfer_read);
        out = graph.import("out");
        if (!reads_first) {
            graph.add_clear("clear", image, {});
        }
        graph.add_pass(simple_pass("add", R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D image;
void main() {
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(image, at, imageLoad(image, at) + 10);
})",
                                   {read_write(image)}));
        graph.add_copy("read", image, out);
        graph.export_image(image, Access::transfer_read); // the access with which it arrives
        program.emplace(ok(compile(test_context(), graph)));
    }
};

TEST(ArrivalPrograms, NewImageArrivesWithoutContents) {
    Adder10 adder;
    const OwnImage one(usage, words), other(usage, words);
    const Buffer out = poisoned_buffer(64);
    ok(adder.program->bind(adder.out, out));
    const auto run = [&] {
        ok(adder.program->run());
        EXPECT_THAT(contents(out, 64), Each(10U));
        ok(test_context().upload(out, poisoned<std::uint32_t>(64)));
    };
    for (const OwnImage* image : {&one, &other}) { // both are new
        ok(adder.program->bind(adder.image, image->view(), Access::none));
        run();
        run();
    }
    for (const OwnImage* image : {&one, &other}) {
        ok(adder.program->bind(adder.image, image->view()));
        run();
        ok(adder.program->bind(adder.image, image->view(), Access::transfer_read)); // the declared access
        run();
    }
}

TEST(ArrivalPrograms, ContentsInAnotherLayout) {
    Adder10 adder(true);
    const OwnImage image(usage, words);
    const Buffer out = poisoned_buffer(64);
    ok(adder.program->bind(adder.out, out));
    ok(test_context().submit([&](VkCommandBuffer commands) {
        VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
        barrier.dstStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        barrier.newLayout = layout_of(Access::transfer_write);
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image.view().image;
        barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        dependency.imageMemoryBarrierCount = 1;
        dependency.pImageMemoryBarriers = &barrier;
        vk().vkCmdPipelineBarrier2(commands, &dependency);
        VkClearColorValue five{};
        five.uint32[0] = 5;
        vk().vkCmdClearColorImage(commands, barrier.image, barrier.newLayout, &five, 1, &barrier.subresourceRange);
        ok(adder.program->bind(adder.image, image.view(), Access::transfer_write));
        return adder.program->record(commands);
    }));
    EXPECT_THAT(contents(out, 64), Each(15U));
    ok(adder.program->run()); // in the layout that the graph left it in
    EXPECT_THAT(contents(out, 64), Each(25U));
}

TEST(ArrivalPrograms, DiscardedRecordingKeepsArrival) {
    Adder10 adder;
    const OwnImage image(usage, words);
    const Buffer out = poisoned_buffer(64);
    ok(adder.program->bind(adder.out, out));
    ok(adder.program->bind(adder.image, image.view(), Access::none));
    const Context& context = test_context();
    Recorder host(context);
    for (int i = 0; i < 2; ++i) {
        host.record([&](VkCommandBuffer never) {
            ok(adder.program->record(never));
            ok(adder.program->record(never)); // the image is as the first recording leaves it
        });
        ok(adder.program->discard());
        ok(adder.program->discard());
    }
    host.run([&](VkCommandBuffer commands) {
        ok(adder.program->record(commands));
        ok(adder.program->record(commands));
    });
    EXPECT_THAT(contents(out, 64), Each(10U));
    const OwnImage next(usage, words);
    ok(adder.program->bind(adder.image, image.view(), Access::none));
    ok(adder.program->bind(adder.image, next.view(), Access::none)); // the latest bind applies
    ok(adder.program->run());
    EXPECT_THAT(contents(out, 64), Each(10U));
}

TEST(ArrivalPrograms, Mistakes) {
    Adder10 adder;
    const OwnImage image(usage, words);
    Program& program = *adder.program;
    expect_error(program.bind(adder.image, image.view(), Access::index_read), ErrorCode::invalid_argument,
                 HasSubstr("bind 'image': it arrives for index read, which is not an access of images"));
    expect_error(program.bind(adder.image, image.view(), static_cast<Access>(200)), ErrorCode::invalid_argument,
                 HasSubstr("which is not an access of images"));
    expect_error(program.bind(adder.image, {}, Access::none), ErrorCode::invalid_argument,
                 HasSubstr("the image is null"));
    expect_error(program.bind(ImageId{{adder.out.id.index, adder.out.id.graph}}, image.view(), Access::none),
                 ErrorCode::invalid_argument, HasSubstr("not an import"));
    expect_error(program.bind(ImageId{}, image.view(), Access::none), ErrorCode::invalid_argument,
                 HasSubstr("not an import"));

    WordGraph graph;
    const ImageId fresh = graph.import_image("fresh", words, Access::none);
    graph.add_clear("clear", fresh, {});
    Program other = ok(compile(test_context(), graph));
    const OwnImage target(usage, words);
    expect_error(other.bind(fresh, target.view(), Access::any), ErrorCode::invalid_argument,
                 HasSubstr("the graph declares that it arrives without contents"));
    ok(other.bind(fresh, target.view(), Access::none));
    ok(other.run());
}

} // namespace
} // namespace weir::tests::arrival_programs_test

// Frames of splats with several in flight, in windows that change their size.

#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <weir/splats/frames.hpp>
#include <weir/splats/oracle.hpp>

#include "tests/splats/clouds.hpp"
#include "tests/support/device.hpp"
#include "tests/support/frame_application.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/own_image.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::splat_frames_test {
namespace {

const OnOneDriver on_one_driver{"SplatFrames.*"};

using namespace weir::splats;
using weir::splats::FrameOptions;
using weir::splats::FrameRenderer;
using weir::splats::View;

View view_of(VkExtent2D size, double turn) {
    return view_from(turn, size.width, size.height);
}

/// Options for pictures that are copied.
FrameOptions copied(std::uint32_t frames_in_flight) {
    return {.frames_in_flight = frames_in_flight, .arrives = Access::transfer_read, .leaves = Access::transfer_read};
}

TEST(SplatFrames, PicturesMatchCpu) {
    const Cloud cloud = make_cloud(1500, 5, 1);
    const std::size_t frames = long_tests() ? 600 : 12;
    FrameApplication wide(3, {90, 60}), narrow(3, {40, 70});
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), cloud, copied(3)));
    std::vector<std::pair<bool, double>> drawn; // true for the wide window, and the turn of the camera
    for (std::size_t i = 0; i < frames; ++i) {
        const bool is_wide = i / 5 % 2 == 0;
        FrameApplication& window = is_wide ? wide : narrow;
        if (i % 5 == 0) { // like a window that changes its size
            wide.wait();
            narrow.wait();
        }
        const double turn = static_cast<double>(i) / static_cast<double>(frames);
        window.draw([&](VkCommandBuffer commands) {
            return renderer.record(commands, view_of(window.size(), turn), {.picture = window.picture()});
        });
        drawn.emplace_back(is_wide, turn);
    }
    EXPECT_EQ(renderer.report()->frame, frames - 4);
    EXPECT_GT(renderer.report()->counts.visible, 500U);
    const auto of_wide = wide.pictures(), of_narrow = narrow.pictures();
    std::size_t next_wide = 0, next_narrow = 0;
    for (const auto& [is_wide, turn] : drawn) {
        const auto& pixels = is_wide ? of_wide[next_wide++] : of_narrow[next_narrow++];
        const View view = view_of(is_wide ? wide.size() : narrow.size(), turn);
        EXPECT_LE(distance(pixels, cpu_picture(cloud, view)), 2) << turn;
    }
}

TEST(SplatFrames, PairCapacityGrowsToNeed) {
    const Cloud cloud = make_cloud(1500, 5, 0);
    FrameApplication application(3, {90, 60});
    FrameOptions options = copied(3);
    options.pair_capacity = 100;
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), cloud, options));
    const View view = view_of(application.size(), 0);
    for (int i = 0; i < 8; ++i) {
        application.draw([&](VkCommandBuffer commands) {
            return renderer.record(commands, view, {.picture = application.picture()});
        });
        if (i < 3) {
            EXPECT_FALSE(renderer.report());
        } else {
            EXPECT_EQ(renderer.report()->counts.pairs > renderer.report()->pair_capacity, i < 6) << i;
        }
    }
    EXPECT_EQ(renderer.short_frames(), 3U);
    EXPECT_LE(distance(application.pictures().back(), cpu_picture(cloud, view)), 2);
}

TEST(SplatFrames, CloudsMoveAndJoin) {
    const Cloud knot = make_cloud(600, 5, 1), wild = wild_cloud(200, 0, 6);
    FrameApplication application(3, {60, 50});
    const OwnImage depth(VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, {depth_format, {60, 50, 1}});
    ok(test_context().submit([&](VkCommandBuffer commands) {
        VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
        barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
        barrier.newLayout = layout_of(Access::transfer_read);
        barrier.image = depth.view().image;
        barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        ContextAccess::device(test_context())
            ->vk()
            .vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                                  nullptr, 0, nullptr, 1, &barrier);
        return Result<>();
    }));
    FrameOptions options = copied(3);
    options.depth = true;
    std::vector<PlacedCloud> clouds = {{ok(DeviceCloud::upload(test_context(), knot))}};
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), clouds, options));
    std::vector<std::vector<CpuCloud>> drawn;
    const View view = view_of(application.size(), 0.1);
    for (int frame = 0; frame < 8; ++frame) {
        if (frame == 4) { // with three pending frames
            clouds.push_back({ok(DeviceCloud::upload(test_context(), wild)), {.tint = {0.5F, 1, 1, 0.7F}}});
        }
        clouds[0].placement.transform[3] = 0.1F * static_cast<float>(frame);
        ok(renderer.set_clouds(clouds));
        drawn.push_back({{&knot, clouds[0].placement}});
        if (clouds.size() > 1) {
            drawn.back().push_back({&wild, clouds[1].placement});
        }
        application.draw([&](VkCommandBuffer commands) {
            return renderer.record(commands, view, {.picture = application.picture(), .depth = depth.view()});
        });
    }
    const auto pictures = application.pictures();
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        EXPECT_LE(distance(pictures[i], cpu_picture(drawn[i], view)), 2) << i;
    }
}

TEST(SplatFrames, AntialiasingAndDegreeChangeBetweenFrames) {
    const Cloud cloud = make_cloud(600, 5, 1);
    FrameApplication application(3, {60, 50});
    std::vector<PlacedCloud> clouds = {{ok(DeviceCloud::upload(test_context(), cloud))}};
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), clouds, copied(3)));
    const View view = view_of(application.size(), 0.1);
    std::vector<CpuPicture> expected;
    for (int frame = 0; frame < 6; ++frame) { // each change while two frames are pending
        const bool antialias = frame >= 2 && frame < 5;
        clouds[0].placement.max_degree = frame >= 4 ? 0 : 3;
        renderer.set_antialias(antialias);
        ok(renderer.set_clouds(clouds));
        application.draw([&](VkCommandBuffer commands) {
            return renderer.record(commands, view, {.picture = application.picture()});
        });
        const std::vector<CpuCloud> drawn = {{&cloud, clouds[0].placement}};
        expected.push_back(cpu_picture(drawn, view, {.antialias = antialias}));
    }
    const auto pictures = application.pictures();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_LE(distance(pictures[i], expected[i]), 2) << i;
    }
    EXPECT_GT(distance(pictures[2], expected[1]), 2);
    EXPECT_GT(distance(pictures[4], expected[3]), 2);
}

TEST(SplatFrames, InvalidArgumentsAreErrors) {
    const Cloud cloud = make_cloud(10, 5, 0);
    EXPECT_FALSE(FrameRenderer::create(test_context(), cloud, {.frames_in_flight = 0}));
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), cloud));
    const auto recorded = renderer.record(VK_NULL_HANDLE, {.width = 16385, .height = 1}, {});
    ASSERT_FALSE(recorded);
    EXPECT_NE(recorded.error().message.find("16385"), std::string::npos);
    const OwnImage image(VK_IMAGE_USAGE_STORAGE_BIT, {.format = depth_format, .extent = {8, 8, 1}});
    const auto refused = [&](const FrameImages& images, const char* why) {
        const auto result = renderer.record(VK_NULL_HANDLE, {.width = 8, .height = 8}, images);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(result.error().message, why);
    };
    refused({.depth = image.view()}, "FrameImages::depth is set, but FrameOptions::depth is false");
    refused({.mesh = image.view()}, "FrameImages::mesh is set, but FrameOptions::mesh_format is VK_FORMAT_UNDEFINED");
    refused({.mesh_depth = MeshDepth::perspective(1, 2)},
            "FrameImages::mesh_depth is set, but FrameOptions::mesh_format is VK_FORMAT_UNDEFINED");
}

} // namespace
} // namespace weir::tests::splat_frames_test

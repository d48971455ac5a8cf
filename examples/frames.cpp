// Vector graphics in the frame loop of a renderer with its own device and two frames in flight. Each frame draws a
// moving scene, filled with an image of the application, into another one.

#include <array>
#include <deque>

#include "own_frames.hpp"

#include <weir/paths/frames.hpp>

namespace paths = weir::paths;

namespace {

constexpr std::uint32_t width = 320, height = 200, frames = 12, in_flight = 2;
constexpr std::uint32_t video_width = 64, video_height = 36;

/// Returns a wheel with `spokes` spokes, filled with an image.
paths::Scene wheel(int spokes) {
    paths::Scene scene;
    paths::Path path = paths::Path().add_ellipse({0, 0}, 40, 40);
    // [image]
    const auto video = scene.add_external_image({.width = video_width, .height = video_height, .is_opaque = true});
    scene.fill(scene.add_outline(path), scene.add_paint({.bitmap = video, .filter = paths::Filter::cubic}));
    // [/image]
    for (int i = 0; i < spokes; ++i) {
        const paths::Transform turn = paths::Transform::rotation(6.2831853F * static_cast<float>(i) / 40);
        path.move_to({0, 0}).line_to(turn({40, 0}));
    }
    scene.stroke(scene.add_outline(path), scene.add_paint({0.1F, 0.2F, 0.5F, 1}), {.width = 2});
    return scene;
}

/// Stands for a decoder: fills an image with a color.
void decode(VkCommandBuffer commands, std::uint32_t number, VkImage image) {
    const VkClearColorValue color = {{0.5F, static_cast<float>(number) / frames, 0.2F, 1}};
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(commands, image, weir::layout_of(weir::Access::transfer_write), &color, 1, &all);
}

} // namespace

int main() {
    {
        const Application application;
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));
        const OwnImage picture(application, gpu, VK_FORMAT_R8G8B8A8_UNORM, {width, height},
                               VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                               weir::Access::transfer_read);
        const OwnImage video(application, gpu, VK_FORMAT_R8G8B8A8_UNORM, {video_width, video_height},
                             VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                             weir::Access::transfer_write);
        std::deque<Frame> slots;
        for (std::uint32_t i = 0; i < in_flight; ++i) {
            slots.emplace_back(application);
        }
        const auto view_of = [](std::uint32_t number) {
            const float zoom = 0.2F + 0.2F * static_cast<float>(number);
            return paths::View{.transform = paths::Transform{zoom, 0, 0, zoom, width / 2.0F, height / 2.0F},
                               .width = width,
                               .height = height,
                               .background = {1, 1, 1, 1}};
        };
        // [create]
        auto renderer = require(paths::FrameRenderer::create(gpu, wheel(40),
                                                             {.frames_in_flight = in_flight,
                                                              .arrives = weir::Access::transfer_read,
                                                              .leaves = weir::Access::transfer_read}));
        const std::array images = {paths::BoundExternal{video.view(), weir::Access::transfer_write}};
        require(renderer.settle(view_of(0), picture.view(), images)); // the first picture, complete
        // [/create]
        for (std::uint32_t number = 0; number < frames; ++number) {
            Frame& frame = slots[number % in_flight];
            // [frame]
            const VkCommandBuffer commands = frame.begin(); // waits for the frame `in_flight` frames ago
            decode(commands, number, video.view().image);   // writes the next frame of a video into an image
            require(renderer.record(commands, view_of(number), picture.view(), images));
            // ... copy the picture to the screen
            frame.submit();
            const paths::FrameReport& report = *renderer.report(); // about the frame `in_flight` frames ago
            if (!report.is_complete) {
                std::printf("frame %u kept the previous picture\n", static_cast<unsigned>(report.frame));
            }
            // [/frame]
        }
        require(vkDeviceWaitIdle(application.device), "waiting for all frames"); // before anything is destroyed
        require(renderer.report()->needed.strips > 0, "something was drawn");
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}

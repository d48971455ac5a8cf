// Gaussian splats and meshes that hide each other, in the frame loop of a renderer with its own device and three frames
// in flight.

#include <algorithm>
#include <deque>

#include "own_frames.hpp"

#include <weir/splats/frames.hpp>

namespace splats = weir::splats;

namespace {

constexpr VkExtent2D size = {128, 96};
constexpr float near_plane = 0.1F, far_plane = 100; // planes of the depth buffer

/// Draws the meshes of this scene: a wall in the left half of the picture, at a distance of 0.5.
void draw_meshes(VkCommandBuffer commands, VkImageView depth) {
    VkRenderingAttachmentInfo attachment{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    attachment.imageView = depth;
    attachment.imageLayout = weir::layout_of(weir::Access::depth_read_write);
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.clearValue.depthStencil.depth = 1;
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea.extent = size;
    rendering.layerCount = 1;
    rendering.pDepthAttachment = &attachment;
    vkCmdBeginRendering(commands, &rendering);
    VkClearAttachment wall{VK_IMAGE_ASPECT_DEPTH_BIT, 0, {}};
    wall.clearValue.depthStencil.depth = far_plane / (far_plane - near_plane) * (1 - near_plane / 0.5F);
    const VkClearRect left_half{{{0, 0}, {size.width / 2, size.height}}, 0, 1};
    vkCmdClearAttachments(commands, 1, &wall, 1, &left_half);
    vkCmdEndRendering(commands);
}

} // namespace

int main() {
    {
        const Application application(VK_QUEUE_GRAPHICS_BIT);
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));
        const OwnImage picture(application, gpu, VK_FORMAT_R8G8B8A8_UNORM, size,
                               VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                               weir::Access::transfer_read);
        const OwnImage depth(application, gpu, VK_FORMAT_D32_SFLOAT, size,
                             VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                             weir::Access::depth_read_write, VK_IMAGE_ASPECT_DEPTH_BIT);
        const weir::Buffer pixels = require(gpu.create_buffer(VkDeviceSize{4} * size.width * size.height));
        // [create]
        const auto cloud = require(splats::DeviceCloud::upload(gpu, splats::make_cloud(2000, 1, 1)));
        std::vector<splats::PlacedCloud> clouds = {{cloud}, {cloud, {.tint = {1, 0.5F, 0.5F, 1}}}};
        auto renderer = require(splats::FrameRenderer::create(gpu, clouds,
                                                              {.frames_in_flight = 3,
                                                               .arrives = weir::Access::transfer_read,
                                                               .leaves = weir::Access::transfer_read,
                                                               .mesh_format = VK_FORMAT_D32_SFLOAT}));
        // [/create]
        std::deque<Frame> frames;
        for (std::uint32_t number = 0; number < 12; ++number) {
            Frame& frame = number < 3 ? frames.emplace_back(application) : frames[number % 3];
            const VkCommandBuffer commands = frame.begin();
            draw_meshes(commands, depth.view().view);
            // [frame]
            clouds[1].placement.transform[3] = 0.1F * static_cast<float>(number); // moves to the right
            require(renderer.set_clouds(clouds));
            const splats::View view{.width = size.width,
                                    .height = size.height,
                                    .camera = splats::look_at({0, 1.5F, -3.4F}, {0, 0, 0}),
                                    .background = {}}; // transparent: to be blended over the meshes
            require(renderer.record(commands, view,
                                    {.picture = picture.view(),
                                     .mesh = depth.view(),
                                     .mesh_depth = splats::MeshDepth::perspective(near_plane, far_plane)}));
            // [/frame]
            if (number == 11) {
                VkBufferImageCopy region{};
                region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
                region.imageExtent = {size.width, size.height, 1};
                vkCmdCopyImageToBuffer(commands, picture.view().image, weir::layout_of(weir::Access::transfer_read),
                                       pixels.handle(), 1, &region);
            }
            frame.submit();
        }
        require(vkDeviceWaitIdle(application.device), "waiting for all frames"); // before anything is destroyed
        const auto words = require(gpu.download<std::uint32_t>(pixels, std::size_t{size.width} * size.height));
        std::uint32_t alpha[2] = {};
        for (std::uint32_t i = 0; i < words.size(); ++i) {
            std::uint32_t& half = alpha[i % size.width / (size.width / 2)];
            half = std::max(half, words[i] >> 24);
        }
        std::printf("opacity behind the wall %u, next to it %u\n", alpha[0], alpha[1]);
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}

// Gaussian splats and meshes that hide each other, in the frame loop of a renderer with its own device and three frames
// in flight. With the name of a file, it draws more splats, and writes them and the meshes as a PAM file:
//
//     splats [PICTURE.pam]

#include <algorithm>
#include <deque>
#include <fstream>

#include "own_frames.hpp"

#include <weir/splats/frames.hpp>

namespace splats = weir::splats;

namespace {

constexpr float near_plane = 0.1F, far_plane = 100; // planes of the depth buffer

/// Returns the distance of the meshes of this scene in a column of the picture: a wall that begins before the clouds at
/// the left edge, goes through them and ends behind them. The inverse distance is linear, as for all planes.
float wall_distance(std::uint32_t column, VkExtent2D size) {
    const float part = static_cast<float>(column) / static_cast<float>(size.width);
    return 1 / std::max(1 / far_plane, 1 - 1.45F * part);
}

/// Draws the meshes.
void draw_meshes(VkCommandBuffer commands, VkImageView depth, VkExtent2D size) {
    VkRenderingAttachmentInfo attachment{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    attachment.imageView = depth;
    attachment.imageLayout = weir::layout_of(weir::Access::depth_read_write);
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea.extent = size;
    rendering.layerCount = 1;
    rendering.pDepthAttachment = &attachment;
    vkCmdBeginRendering(commands, &rendering);
    for (std::uint32_t column = 0; column < size.width; ++column) {
        VkClearAttachment wall{VK_IMAGE_ASPECT_DEPTH_BIT, 0, {}};
        wall.clearValue.depthStencil.depth =
            far_plane / (far_plane - near_plane) * (1 - near_plane / wall_distance(column, size));
        const VkClearRect pixels{{{static_cast<std::int32_t>(column), 0}, {1, size.height}}, 0, 1};
        vkCmdClearAttachments(commands, 1, &wall, 1, &pixels);
    }
    vkCmdEndRendering(commands);
}

/// Writes the splats over the color of the meshes, which have a checkered pattern.
void write_picture(const char* file, const std::vector<std::uint32_t>& splats, VkExtent2D size) {
    std::ofstream picture(file, std::ios::binary);
    picture << "P7\nWIDTH " << size.width << "\nHEIGHT " << size.height
            << "\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n";
    for (std::uint32_t i = 0; i < splats.size(); ++i) {
        const std::uint32_t column = i % size.width, row = i / size.width;
        const bool is_wall = wall_distance(column, size) < far_plane;
        const std::uint32_t mesh = !is_wall ? 0 : (column / 20 + row / 20) % 2 == 0 ? 110 : 160;
        for (std::uint32_t shift = 0; shift < 24; shift += 8) {
            const std::uint32_t behind = (255 - (splats[i] >> 24)) * mesh / 255;
            picture.put(static_cast<char>(std::min(255U, (splats[i] >> shift & 255) + behind)));
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    const VkExtent2D size = argc > 1 ? VkExtent2D{640, 360} : VkExtent2D{128, 96};
    const std::uint32_t count = argc > 1 ? 200'000 : 2000;
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
        const auto cloud = require(splats::DeviceCloud::upload(gpu, splats::make_cloud(count, 1, 1)));
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
            draw_meshes(commands, depth.view().view, size);
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
        if (argc > 1) {
            write_picture(argv[1], words, size);
        }
        std::uint32_t alpha[2] = {}; // maximum in the left tenth and in the right half of the picture
        for (std::uint32_t i = 0; i < words.size(); ++i) {
            const std::uint32_t column = i % size.width;
            if (column < size.width / 10 || column >= size.width / 2) {
                std::uint32_t& part = alpha[column >= size.width / 2 ? 1 : 0];
                part = std::max(part, words[i] >> 24);
            }
        }
        std::printf("opacity behind the wall %u, before it %u\n", alpha[0], alpha[1]);
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}

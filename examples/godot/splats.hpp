#pragma once

// A cloud of Gaussian splats, drawn into two textures of Godot: colors and depths.

#include <cstdint>
#include <memory>
#include <utility>

#include <weir/splats/frames.hpp>
#include <weir/weir.hpp>

#include "godot_class.hpp"
#include "submissions.hpp"

class Splats {
public:
    /// Uploads a cloud that is made up. `picture` and `depth`: storage images, in the layout for sampling.
    static weir::Result<Splats> create(const weir::Context& gpu, std::uint32_t count, weir::ImageView picture,
                                       weir::ImageView depth) {
        return weir::splats::FrameRenderer::create(gpu, weir::splats::make_cloud(count, 1, 1),
                                                   {.frames_in_flight = Submissions::in_flight, .depth = true})
            .map([&](weir::splats::FrameRenderer renderer) { return Splats(std::move(renderer), picture, depth); });
    }

    /// Records the cloud as Godot's camera sees it.
    weir::Result<> record(VkCommandBuffer commands, const godot::Transform& view, float field_of_view,
                          std::uint32_t width, std::uint32_t height) {
        const auto axis = [&](std::size_t column, float sign) {
            return weir::splats::Vec3{sign * view.basis[0][column], sign * view.basis[1][column],
                                      sign * view.basis[2][column]};
        };
        const weir::splats::Camera camera{.eye = {view.origin[0], view.origin[1], view.origin[2]},
                                          .axes = {axis(0, 1), axis(1, -1), axis(2, -1)},
                                          .field_of_view = field_of_view};
        return renderer_.record(commands, {.width = width, .height = height, .camera = camera, .background = {}},
                                {.picture = picture_, .depth = depth_});
    }

    /// Returns the number of visible splats of a picture that is complete; 0 before the first one.
    [[nodiscard]] std::int64_t visible() const { return renderer_.report() ? renderer_.report()->counts.visible : 0; }

private:
    Splats(weir::splats::FrameRenderer renderer, weir::ImageView picture, weir::ImageView depth)
        : renderer_(std::move(renderer)), picture_(picture), depth_(depth) {}

    weir::splats::FrameRenderer renderer_;
    weir::ImageView picture_, depth_;
};

#include "splats/path.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/propagate.hpp"

namespace samples::splats {

namespace {

/// The 10th and the 90th percentile of one coordinate of the splats' means.
struct Range {
    float low = 0, high = 0;
};

Range range_of(const Cloud& cloud, std::size_t axis) {
    std::vector<float> values;
    values.reserve(cloud.places.size());
    for (const SplatPlace& place : cloud.places) {
        values.push_back(place.mean[axis]);
    }
    const auto decile = [&](std::size_t n) {
        const auto nth = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * n / 10);
        std::nth_element(values.begin(), nth, values.end());
        return *nth;
    };
    return {decile(1), decile(9)};
}

/// Returns a rotation of `v` that turns the y axis to `up`, an axis with a sign.
Vec3 turned_up(const Vec3& v, const Vec3& up) {
    if (up[0] != 0) {
        return {up[0] * v[1], -up[0] * v[0], v[2]};
    }
    return up[1] != 0 ? Vec3{v[0], up[1] * v[1], up[1] * v[2]} : Vec3{v[0], -up[2] * v[2], up[2] * v[1]};
}

} // namespace

Path::Path(const Options& options, const Cloud& cloud)
    : eye_(options.eye), depths_{options.near_plane, options.far_plane} {
    if (!options.input.empty()) {
        up_ = {0, -1, 0}; // COLMAP and the original training have y down
        scale_ = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Range range = range_of(cloud, axis);
            target_[axis] = (range.low + range.high) / 2;
            scale_ = std::max(scale_, (range.high - range.low) / 3);
        }
        scale_ = scale_ > 0 ? scale_ : bounds_of(cloud).extent;
    }
    target_ = options.target.value_or(target_);
    up_ = options.up.value_or(up_);
}

weir::Result<Path> Path::create(const Options& options, const Cloud& cloud) {
    Path path(options, cloud);
    if (path.eye_ == path.target_) {
        return tl::unexpected(weir::Error{weir::ErrorCode::invalid_argument,
                                          "--eye is the center of the cloud, where --target is by default"});
    }
    if (!options.cameras.empty()) {
        auto cameras = read_cameras(options.cameras);
        SAMPLES_PROPAGATE(cameras);
        if (options.camera >= cameras->size()) {
            return tl::unexpected(weir::Error{weir::ErrorCode::invalid_argument,
                                              "--camera is " + std::to_string(options.camera) + "; " + options.cameras +
                                                  " has " + std::to_string(cameras->size()) + " cameras"});
        }
        std::rotate(cameras->begin(), cameras->begin() + options.camera, cameras->end());
        path.cameras_ = std::move(*cameras);
    }
    return path;
}

VkExtent2D Path::size() const {
    return cameras_.empty() ? VkExtent2D{} : VkExtent2D{cameras_[0].width, cameras_[0].height};
}

Camera Path::at(double turn, double nearness) const {
    const Vec3 from_target = eye_ ? *eye_ - target_ : scale_ * turned_up(circling(turn).eye, up_);
    return look_at(target_ + static_cast<float>(1 / nearness) * from_target, target_, 60, up_);
}

View Path::view(std::uint32_t frame, std::uint32_t frames, std::uint32_t width, std::uint32_t height) const {
    View view{.width = width, .height = height, .depths = depths_};
    if (cameras_.empty()) {
        view.camera = at(static_cast<double>(frame) / frames);
        return view;
    }
    const TrainingCamera& from = cameras_[frame % cameras_.size()];
    view.camera = from.camera;
    const float x = static_cast<float>(width) / static_cast<float>(from.width);
    const float y = static_cast<float>(height) / static_cast<float>(from.height);
    Intrinsics& pixels = *view.camera.intrinsics;
    pixels = {x * pixels.focal_x, y * pixels.focal_y, x * pixels.center_x, y * pixels.center_y};
    return view;
}

} // namespace samples::splats

#include "splats/path.hpp"

#include <algorithm>
#include <cstddef>

#include "common/propagate.hpp"
#include "splats/camera_file.hpp"
#include "splats/viewpoint.hpp"

namespace samples::splats {

namespace {

constexpr double seconds_per_turn = 20;

/// The 10th and the 90th percentile of one coordinate of the splats' means.
struct Range {
    float low = 0, high = 0;
};

Range range_of(std::span<const NamedCloud> clouds, std::size_t axis) {
    std::vector<float> values;
    for (const NamedCloud& named : clouds) {
        for (const SplatPlace& place : named.cloud.places) {
            values.push_back(place.mean[axis]);
        }
    }
    const auto decile = [&](std::size_t n) {
        const auto nth = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * n / 10);
        std::nth_element(values.begin(), nth, values.end());
        return *nth;
    };
    return {decile(1), decile(9)};
}

} // namespace

Path::Path(const Options& options, std::span<const NamedCloud> clouds) : eye_(options.eye) {
    if (!options.inputs.empty()) {
        up_ = {0, -1, 0}; // COLMAP and the original training have y down
        scale_ = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Range range = range_of(clouds, axis);
            target_[axis] = (range.low + range.high) / 2;
            scale_ = std::max(scale_, (range.high - range.low) / 3);
        }
        for (std::size_t i = 0; scale_ <= 0 && i < clouds.size(); ++i) {
            scale_ = bounds_of(clouds[i].cloud).extent;
        }
    }
    target_ = options.target.value_or(target_);
    up_ = options.up.value_or(up_);
}

weir::Result<Path> Path::create(const Options& options, std::span<const NamedCloud> clouds) {
    Path path(options, clouds);
    if (path.eye_ == path.target_) {
        return tl::unexpected(weir::Error{weir::ErrorCode::invalid_argument,
                                          "--eye is the center of the cloud, where --target is by default"});
    }
    if (!options.camera.empty()) {
        auto keys = read_camera_path(options.camera, path.up_);
        SAMPLES_PROPAGATE(keys);
        path.keys_ = std::move(*keys);
    }
    return path;
}

double Path::last_time() const {
    if (!keys_.empty()) {
        return keys_.back().time;
    }
    return eye_ ? 0 : seconds_per_turn;
}

double Path::time_of(std::uint32_t frame, std::uint32_t frames) const {
    const std::uint32_t steps = keys_.empty() ? frames : std::max(2U, frames) - 1;
    return first_time() + (last_time() - first_time()) * frame / steps;
}

VkExtent2D Path::size(double time) const {
    const auto after = std::upper_bound(keys_.begin(), keys_.end(), time,
                                        [](double at, const KeyFrame& key) { return at < key.time; });
    const KeyFrame key = keys_.empty() ? KeyFrame{} : after == keys_.begin() ? keys_.front() : *(after - 1);
    return {key.width, key.height};
}

Camera Path::camera(double time, std::uint32_t width, std::uint32_t height) const {
    if (!keys_.empty()) {
        return camera_at(keys_, time, width, height);
    }
    const Vec3 eye = eye_ ? *eye_ : target_ + scale_ * turned_up(circling(time / seconds_per_turn).eye, up_);
    return look_at(eye, target_, 60, up_);
}

} // namespace samples::splats

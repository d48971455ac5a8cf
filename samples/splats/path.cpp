#include "splats/path.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

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

} // namespace

Path::Path(const Options& options, const Cloud& cloud) : eye_(options.eye) {
    if (!options.input.empty()) {
        scale_ = 1e-3F;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Range range = range_of(cloud, axis);
            target_[axis] = (range.low + range.high) / 2;
            scale_ = std::max(scale_, (range.high - range.low) / 3);
        }
    }
    target_ = options.target.value_or(target_);
}

Camera Path::at(double turn, double nearness) const {
    const Vec3 from_target = eye_ ? *eye_ - target_ : scale_ * circling(turn).eye;
    return look_at(target_ + static_cast<float>(1 / nearness) * from_target, target_);
}

} // namespace samples::splats

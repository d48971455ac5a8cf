#pragma once

#include <weir/splats/camera.hpp>

#include "splats/options.hpp"

namespace samples::splats {

/// Camera positions of the pictures: a circle around the cloud, or the position set by the options.
class Path {
public:
    Path(const Options& options, const Cloud& cloud);

    /// `turn`: fraction of the circle. `nearness`: divides the distance to the target.
    [[nodiscard]] Camera at(double turn, double nearness = 1) const;

private:
    std::optional<Vec3> eye_;
    Vec3 target_{};
    float scale_ = 1; ///< scale of the circle
};

} // namespace samples::splats

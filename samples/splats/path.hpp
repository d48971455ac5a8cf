#pragma once

#include "splats/camera.hpp"
#include "splats/options.hpp"

namespace samples::splats {

/// Where the pictures are seen from: from a circle around the cloud, or from where the options say.
class Path {
public:
    Path(const Options& options, const Cloud& cloud);

    /// `turn`: 0 to 1 is once around the cloud. `nearness`: 2 is from half the distance.
    [[nodiscard]] Camera at(double turn, double nearness = 1) const;

private:
    std::optional<Vec3> eye_;
    Vec3 target_{};
    float scale_ = 1; ///< of the circle
};

} // namespace samples::splats

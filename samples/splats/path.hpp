#pragma once

#include <optional>
#include <vector>

#include <weir/splats/camera.hpp>
#include <weir/splats/picture.hpp>

#include "splats/options.hpp"

namespace samples::splats {

/// A camera of a cameras.json, for a picture of the size of its photograph.
struct TrainingCamera {
    Camera camera;
    std::uint32_t width = 0, height = 0; ///< pixels
};

/// Reads a cameras.json of the original training. Errors: `io`.
weir::Result<std::vector<TrainingCamera>> read_cameras(const std::string& file);

/// Camera positions of the pictures: a circle around the cloud, the position set by the options, or the cameras of the
/// training.
class Path {
public:
    /// Errors: `io` for a file of cameras that cannot be read; `invalid_argument` for an eye at the target.
    static weir::Result<Path> create(const Options& options, const Cloud& cloud);

    /// Returns the view of picture `frame` of `frames`.
    [[nodiscard]] View view(std::uint32_t frame, std::uint32_t frames, std::uint32_t width, std::uint32_t height) const;
    /// Returns the size of the pictures if the cameras have one, otherwise 0.
    [[nodiscard]] VkExtent2D size() const;
    /// `turn`: fraction of the circle. `nearness`: divides the distance to the target.
    [[nodiscard]] Camera at(double turn, double nearness = 1) const;

private:
    Path(const Options& options, const Cloud& cloud);

    std::optional<Vec3> eye_;
    Vec3 target_{}, up_{0, 1, 0};
    float scale_ = 1; ///< scale of the circle
    DepthRange depths_;
    std::vector<TrainingCamera> cameras_; ///< beginning with the first one that is drawn
};

} // namespace samples::splats

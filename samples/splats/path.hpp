#pragma once

#include <optional>
#include <span>
#include <vector>

#include <weir/splats/picture.hpp>

#include "splats/camera_path.hpp"
#include "splats/clouds.hpp"
#include "splats/options.hpp"

namespace samples::splats {

/// Camera positions of the pictures: the path of --camera, the position of --eye, or a circle around the clouds. Times
/// are in seconds.
class Path {
public:
    /// Errors: those of `read_camera_path`; `invalid_argument` for an eye at the target.
    static weir::Result<Path> create(const Options& options, std::span<const NamedCloud> clouds);

    [[nodiscard]] double first_time() const { return keys_.empty() ? 0 : keys_.front().time; }
    /// Returns the time of the end: `first_time()` if the camera does not move.
    [[nodiscard]] double last_time() const;
    /// Returns the time of picture `frame` of `frames`. The first one is at the beginning of the path. The last one is
    /// at its end; on the circle, whose end is its beginning, it is one picture before.
    [[nodiscard]] double time_of(std::uint32_t frame, std::uint32_t frames) const;
    [[nodiscard]] Camera camera(double time, std::uint32_t width, std::uint32_t height) const;
    /// Returns the size of the picture at a time if its camera has one, otherwise 0.
    [[nodiscard]] VkExtent2D size(double time) const;

    /// Returns the key frames; empty without a camera path.
    [[nodiscard]] std::span<const KeyFrame> keys() const { return keys_; }
    /// Replaces the path by one with these key frames, at least one.
    void set_keys(std::vector<KeyFrame> keys) { keys_ = std::move(keys); }

    [[nodiscard]] const Vec3& target() const { return target_; } ///< center of the circle
    [[nodiscard]] const Vec3& up() const { return up_; }         ///< an axis, with a sign
    [[nodiscard]] float scale() const { return scale_; } ///< a third of the extent of most splats; 1 if generated

private:
    Path(const Options& options, std::span<const NamedCloud> clouds);

    std::optional<Vec3> eye_;
    Vec3 target_{}, up_{0, 1, 0};
    float scale_ = 1;
    std::vector<KeyFrame> keys_;
};

} // namespace samples::splats

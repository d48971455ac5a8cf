#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/window.hpp"
#include "splats/path.hpp"
#include "splats/viewpoint.hpp"

namespace samples::splats {

/// Camera controlled by the user: on the path, or moved freely by orbiting and flying.
class CameraControl {
public:
    CameraControl(Path path, const Options& options);

    /// `size`: size of the window.
    void handle(const WindowEvent& event, VkExtent2D size);
    /// Advances the time, and flies while keys are held.
    void pass(double ms, const Window& window);
    /// Returns the camera for a picture of this size.
    [[nodiscard]] Camera camera(VkExtent2D size) const;

    [[nodiscard]] const Path& path() const { return path_; }
    [[nodiscard]] double time() const { return time_; } ///< time on the path, in seconds
    [[nodiscard]] bool is_playing() const { return is_playing_ && !is_free_; }
    [[nodiscard]] bool is_free() const { return is_free_; } ///< has left the path
    [[nodiscard]] const std::vector<KeyFrame>& recorded() const { return recorded_; }
    /// Returns the number of changes of the recorded path.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    /// Continues or stops the movement along the path.
    void play(bool is_playing);
    /// Moves to a time of the path and stops.
    void go_to(double time);
    /// Returns the vertical field of view, in degrees.
    [[nodiscard]] float field_of_view() const;
    /// Leaves the path with another field of view.
    void set_field_of_view(float degrees);
    /// Adds the view as a key frame to the recorded path, which becomes the path. Key frames are `key_seconds` apart.
    void add_key_frame();
    /// Removes the last key frame of the recorded path, unless it is the only one.
    void remove_key_frame();

    bool flies = false; ///< drags turn the direction of view instead of the eye around the target
    float speed = 1;    ///< speed of flights, in Path::scale() per second
    float key_seconds = 2;

private:
    void leave_path();
    void drag(float right, float down, VkExtent2D size);
    void pan(float right, float down, VkExtent2D size);
    void zoom(float notches);
    void step(int keys);
    void set_recorded(std::vector<KeyFrame> keys);

    Path path_;
    std::vector<KeyFrame> recorded_;
    std::uint64_t revision_ = 0;
    double time_;
    bool is_playing_;
    bool is_free_ = false;
    Viewpoint free_; ///< viewpoint if `is_free_`
};

/// Appearance of a cloud.
struct CloudControl {
    std::string name;
    std::uint32_t splats = 0;
    bool is_visible = true;
    float opacity = 1;
    Vec3 tint = {1, 1, 1}; ///< factors of red, green and blue
    friend bool operator==(const CloudControl&, const CloudControl&) = default;
};

/// Settings of the picture.
struct PictureControl {
    bool antialias = false;
    int degree = 0, max_degree = 0; ///< degree of the harmonics, and its maximum in the clouds
    Vec3 background{};
    std::vector<CloudControl> clouds;
    friend bool operator==(const PictureControl&, const PictureControl&) = default;

    /// Handles the keys of the picture. Returns false for other events.
    bool handle(const WindowEvent& event);
};

} // namespace samples::splats

#pragma once

#include "common/window.hpp"
#include "culling/camera.hpp"

namespace samples::culling {

/// Camera controlled by the user, along the path or freely.
class Flight {
public:
    explicit Flight(double first_frame, bool is_paused) : frame_(first_frame), is_paused_(is_paused) {}

    /// `size`: size of the window.
    void handle(const WindowEvent& event, VkExtent2D size);
    /// Advances the time and moves the camera while its keys are held.
    void pass(double ms, const Window& window);

    [[nodiscard]] Camera camera() const { return is_free_ ? free_ : camera_on_path(frame_); }
    [[nodiscard]] bool is_on_path() const { return !is_free_; }
    [[nodiscard]] bool is_paused() const { return is_paused_; }
    [[nodiscard]] double frame() const { return frame_; } ///< frame of the path, in [0, path_frames)

    /// Stops or continues the flight along the path.
    void pause(bool is_paused);
    /// Moves to a frame of the path.
    void go_to(double frame);

private:
    void leave_path();

    double frame_;
    bool is_paused_;
    bool is_free_ = false;
    Camera free_; ///< camera if `is_free_`
};

} // namespace samples::culling

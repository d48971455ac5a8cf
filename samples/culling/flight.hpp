#pragma once

#include "common/window.hpp"
#include "culling/camera.hpp"

namespace samples::culling {

/// How a person moves the camera: along the path, or anywhere.
class Flight {
public:
    explicit Flight(double first_frame, bool is_paused) : frame_(first_frame), is_paused_(is_paused) {}

    /// `size`: of the window.
    void handle(const WindowEvent& event, VkExtent2D size);
    /// Time goes by, in which the keys of the window that move the camera are held or not.
    void pass(double ms, const Window& window);

    [[nodiscard]] Camera camera() const { return is_free_ ? free_ : camera_on_path(frame_); }
    [[nodiscard]] bool is_on_path() const { return !is_free_; }
    [[nodiscard]] bool is_paused() const { return is_paused_; }
    [[nodiscard]] double frame() const { return frame_; } ///< of the path, from 0 to below `path_frames`

    /// Flies along the path, or stops there.
    void pause(bool is_paused);
    /// Goes to a frame of the path.
    void go_to(double frame);

private:
    void leave_path();

    double frame_;
    bool is_paused_;
    bool is_free_ = false;
    Camera free_; ///< where `is_free_`
};

} // namespace samples::culling

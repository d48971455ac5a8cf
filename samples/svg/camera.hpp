#pragma once

#include <weir/paths/geometry.hpp>

#include "common/window.hpp"

namespace samples {

/// Part of a drawing that a window shows, and its scale.
class Camera {
public:
    /// `part` of the drawing is initially fitted into the center of a window of size `size`.
    Camera(const weir::paths::Rect& part, VkExtent2D size);

    /// Changes the size of the window and keeps its center.
    void resize(VkExtent2D size);
    /// Handles an event. Drag: move. Wheel, + and -: zoom at the pointer. Drag with the right button, q and e: rotate
    /// about the center. 0 and Home: reset.
    void handle(const WindowEvent& event);

    /// Returns the transform from the drawing to pixels.
    [[nodiscard]] weir::paths::Transform transform() const;
    /// Returns the number of pixels per unit of the drawing.
    [[nodiscard]] double zoom() const { return zoom_; }

private:
    void reset();
    void type(char letter, WindowPoint at);
    void zoom(double factor, WindowPoint at);
    void turn(double angle);

    weir::paths::Rect part_;
    VkExtent2D size_;
    double zoom_ = 1, home_zoom_ = 1;
    double angle_ = 0;    ///< radians
    WindowPoint origin_;  ///< pixel at the drawing's origin
    bool is_home_ = true; ///< not changed by the user
};

} // namespace samples

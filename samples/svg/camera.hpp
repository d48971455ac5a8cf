#pragma once

#include <weir/paths/geometry.hpp>

#include "common/window.hpp"

namespace samples {

/// Which part of a drawing a window shows, and how large.
class Camera {
public:
    /// `part`: what is seen at first, as a whole and in the middle of a window of that size.
    Camera(const weir::paths::Rect& part, VkExtent2D size);

    /// Takes another size of the window. What is in the middle stays there.
    void resize(VkExtent2D size);
    /// A drag moves, the wheel and + and - zoom at the pointer, a drag with the right button and q and e turn about the
    /// middle, 0 and Home go back to the beginning.
    void handle(const WindowEvent& event);

    /// From the drawing to pixels.
    [[nodiscard]] weir::paths::Transform transform() const;
    /// Pixels for one of the drawing.
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
    WindowPoint origin_;  ///< the pixel of the drawing's origin
    bool is_home_ = true; ///< nobody moved it
};

} // namespace samples

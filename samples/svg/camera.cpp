#include "svg/camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace samples {

namespace {

const double zoom_step = std::exp2(0.25);           // four steps double the zoom
constexpr double turn_step = std::numbers::pi / 36; // 5 degrees

} // namespace

Camera::Camera(const weir::paths::Rect& part, VkExtent2D size) : part_(part), size_(size) {
    reset();
}

void Camera::reset() {
    const double width = part_.right - part_.left, height = part_.bottom - part_.top;
    zoom_ = home_zoom_ = std::min(size_.width / width, size_.height / height);
    angle_ = 0;
    origin_ = {(size_.width - zoom_ * width) / 2 - zoom_ * part_.left,
               (size_.height - zoom_ * height) / 2 - zoom_ * part_.top};
    is_home_ = true;
}

void Camera::resize(VkExtent2D size) {
    origin_.x += (static_cast<double>(size.width) - size_.width) / 2;
    origin_.y += (static_cast<double>(size.height) - size_.height) / 2;
    size_ = size;
    if (is_home_) {
        reset();
    }
}

void Camera::zoom(double factor, WindowPoint at) {
    constexpr double most = 4096; // rounding of float coordinates is visible beyond this
    const double zoom = std::clamp(zoom_ * factor, home_zoom_ / 64, home_zoom_ * most);
    origin_.x = at.x + zoom / zoom_ * (origin_.x - at.x);
    origin_.y = at.y + zoom / zoom_ * (origin_.y - at.y);
    zoom_ = zoom;
    is_home_ = false;
}

void Camera::turn(double angle) {
    const WindowPoint middle = {size_.width / 2.0, size_.height / 2.0};
    const double x = origin_.x - middle.x, y = origin_.y - middle.y;
    origin_.x = middle.x + std::cos(angle) * x - std::sin(angle) * y;
    origin_.y = middle.y + std::sin(angle) * x + std::cos(angle) * y;
    angle_ += angle;
    is_home_ = false;
}

void Camera::handle(const WindowEvent& event) {
    const auto angle_of = [&](WindowPoint p) { return std::atan2(p.y - size_.height / 2.0, p.x - size_.width / 2.0); };
    switch (event.kind) {
    case WindowEvent::Kind::drag:
        origin_.x += event.at.x - event.from.x;
        origin_.y += event.at.y - event.from.y;
        is_home_ = false;
        break;
    case WindowEvent::Kind::turn: turn(angle_of(event.at) - angle_of(event.from)); break;
    case WindowEvent::Kind::wheel: zoom(std::pow(zoom_step, event.notches), event.at); break;
    case WindowEvent::Kind::letter: type(event.letter, event.at); break;
    case WindowEvent::Kind::home: reset(); break;
    }
}

void Camera::type(char letter, WindowPoint at) {
    switch (letter) {
    case '+':
    case '=': zoom(zoom_step, at); break;
    case '-': zoom(1 / zoom_step, at); break;
    case 'q': turn(-turn_step); break;
    case 'e': turn(turn_step); break;
    case '0': reset(); break;
    default: break;
    }
}

weir::paths::Transform Camera::transform() const {
    const auto cosine = static_cast<float>(zoom_ * std::cos(angle_));
    const auto sine = static_cast<float>(zoom_ * std::sin(angle_));
    return {cosine, sine, -sine, cosine, static_cast<float>(origin_.x), static_cast<float>(origin_.y)};
}

} // namespace samples

#include "culling/flight.hpp"

#include <algorithm>
#include <cmath>

#include "culling/scene.hpp"

namespace samples::culling {

namespace {

constexpr double frames_per_s = 60;        // speed along the path
constexpr double longest_ms = 100;         // maximum time step; prevents jumps after a slow frame
constexpr float units_per_s = block_size;  // speed of free movement
constexpr double frames_per_notch = 4;     // per notch of the wheel
constexpr float radians_per_window = 1.2F; // for a drag across the window's height
constexpr float steepest = 1.5F;           // maximum pitch, in radians

} // namespace

void Flight::leave_path() {
    if (!is_free_) {
        free_ = camera_on_path(frame_);
        is_free_ = true;
    }
}

void Flight::pause(bool is_paused) {
    is_paused_ = is_paused;
    is_free_ = is_free_ && is_paused;
}

void Flight::go_to(double frame) {
    frame_ = frame - std::floor(frame / path_frames) * path_frames;
    is_free_ = false;
}

void Flight::handle(const WindowEvent& event, VkExtent2D size) {
    using Kind = WindowEvent::Kind;
    if (event.kind == Kind::drag || event.kind == Kind::turn) {
        leave_path();
        const float part = radians_per_window / static_cast<float>(std::max(1U, size.height));
        free_.yaw -= static_cast<float>(event.at.x - event.from.x) * part;
        free_.pitch += static_cast<float>(event.at.y - event.from.y) * part;
        free_.pitch = std::clamp(free_.pitch, -steepest, steepest);
    } else if (event.kind == Kind::wheel) {
        go_to(frame_ + frames_per_notch * event.notches);
    } else if (event.kind == Kind::home || event.letter == '0') {
        go_to(0);
    } else if (event.letter == ',' || event.letter == '.') {
        go_to(frame_ + (event.letter == '.' ? 1 : -1));
    } else if (event.letter == 'p') {
        pause(is_on_path() && !is_paused_);
    }
}

void Flight::pass(double ms, const Window& window) {
    const double s = std::min(ms, longest_ms) / 1000;
    const auto held = [&](char ahead, char back) {
        return static_cast<float>(window.is_held(ahead)) - static_cast<float>(window.is_held(back));
    };
    const float forward = held('W', 'S'), right = held('D', 'A'), up = held('E', 'Q');
    if (forward != 0 || right != 0 || up != 0) {
        leave_path();
        const float cy = std::cos(free_.yaw), sy = std::sin(free_.yaw);
        const float cp = std::cos(free_.pitch), sp = std::sin(free_.pitch);
        const float step = units_per_s * static_cast<float>(s);
        free_.eye[0] += step * (forward * cp * sy + right * cy);
        free_.eye[1] += step * (forward * sp + up);
        free_.eye[2] += step * (forward * cp * cy - right * sy);
    } else if (!is_free_ && !is_paused_) {
        go_to(frame_ + frames_per_s * s);
    }
}

} // namespace samples::culling

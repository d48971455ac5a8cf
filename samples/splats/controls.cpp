#include "splats/controls.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace samples::splats {

namespace {

constexpr double longest_ms = 100;       // maximum time step; prevents jumps after a slow frame
constexpr float zoom_per_notch = 1.1F;   // factor of the distance while orbiting
constexpr float flight_per_notch = 0.1F; // distance of a flight, in Path::scale()
constexpr float notches_per_key = 2;     // for the keys + and -
constexpr float pi = std::numbers::pi_v<float>;

float radians(float degrees) {
    return degrees * pi / 180;
}

constexpr std::uint32_t any_height = 1024; // pixels

/// Returns a camera for a picture of `any_height` with its field of view instead of intrinsics.
Camera plain(Camera camera) {
    if (camera.intrinsics) {
        camera.field_of_view = 360 / pi * std::atan(0.5F * any_height / camera.intrinsics->focal_y);
        camera.intrinsics.reset();
    }
    return camera;
}

} // namespace

CameraControl::CameraControl(Path path, const Options& options)
    : path_(std::move(path)), time_(options.at.value_or(path_.first_time())),
      is_playing_(!options.at && path_.last_time() > path_.first_time()) {}

Camera CameraControl::camera(VkExtent2D size) const {
    return is_free_ ? to_camera(free_) : path_.camera(time_, size.width, size.height);
}

void CameraControl::leave_path() {
    if (is_free_) {
        return;
    }
    const Camera camera = plain(path_.camera(time_, any_height, any_height));
    // The target is the point of the optical axis that is nearest to the center of the clouds.
    const float distance = dot(path_.target() - camera.eye, camera.axes[2]);
    free_ = viewpoint_of(camera, distance > 0 ? distance : path_.scale(), path_.up());
    is_free_ = true;
}

void CameraControl::play(bool is_playing) {
    is_playing_ = is_playing;
    is_free_ = is_free_ && !is_playing;
}

void CameraControl::go_to(double time) {
    time_ = std::clamp(time, path_.first_time(), path_.last_time());
    is_playing_ = is_free_ = false;
}

float CameraControl::field_of_view() const {
    return plain(camera({any_height, any_height})).field_of_view;
}

void CameraControl::set_field_of_view(float degrees) {
    leave_path();
    free_.field_of_view = degrees;
}

void CameraControl::set_recorded(std::vector<KeyFrame> keys) {
    recorded_ = std::move(keys);
    ++revision_;
    path_.set_keys(recorded_);
    time_ = path_.last_time();
    is_playing_ = false;
}

void CameraControl::add_key_frame() {
    leave_path(); // a camera without intrinsics and roll
    std::vector<KeyFrame> keys = recorded_;
    keys.push_back({.time = keys.empty() ? 0 : keys.back().time + key_seconds, .camera = to_camera(free_)});
    set_recorded(std::move(keys));
}

void CameraControl::remove_key_frame() {
    if (recorded_.size() > 1) {
        set_recorded({recorded_.begin(), recorded_.end() - 1});
    }
}

/// Turns the camera so that the clouds follow the pointer.
void CameraControl::drag(float right, float down, VkExtent2D size) {
    leave_path();
    const auto height = static_cast<float>(size.height);
    if (flies) {
        const float part = radians(free_.field_of_view) / height;
        free_ = turned(free_, -right * part, down * part);
    } else {
        free_ = orbited(free_, right * 2 * pi / static_cast<float>(size.width), -down * pi / height);
    }
}

/// Moves the camera so that the target follows the pointer.
void CameraControl::pan(float right, float down, VkExtent2D size) {
    leave_path();
    const float part =
        2 * free_.distance * std::tan(radians(free_.field_of_view) / 2) / static_cast<float>(size.height);
    free_ = panned(free_, -right * part, -down * part);
}

void CameraControl::zoom(float notches) {
    leave_path();
    if (flies) {
        free_ = flown(free_, 0, 0, notches * flight_per_notch * path_.scale());
    } else {
        free_ = zoomed(free_, std::pow(zoom_per_notch, notches), 1e-3F * path_.scale(), 1e3F * path_.scale());
    }
}

/// Moves to the key frame before or after.
void CameraControl::step(int keys) {
    const auto before = [](const KeyFrame& key, double time) { return key.time < time; };
    const auto all = path_.keys();
    const auto at = std::lower_bound(all.begin(), all.end(), time_, before); // the first one that is not before
    if (keys < 0 && at != all.begin()) {
        go_to((at - 1)->time);
    } else if (keys > 0 && at != all.end()) {
        const auto next = at->time > time_ || at + 1 == all.end() ? at : at + 1;
        go_to(next->time);
    }
}

void CameraControl::handle(const WindowEvent& event, VkExtent2D size) {
    using Kind = WindowEvent::Kind;
    const auto right = static_cast<float>(event.at.x - event.from.x),
               down = static_cast<float>(event.at.y - event.from.y);
    if (size.width == 0 || size.height == 0) {
        return;
    }
    switch (event.kind) {
    case Kind::drag: return drag(right, down, size);
    case Kind::turn: return pan(right, down, size);
    case Kind::wheel: return zoom(static_cast<float>(event.notches));
    case Kind::home: return go_to(path_.first_time());
    case Kind::letter: break;
    }
    switch (event.letter) {
    case '0': return go_to(path_.first_time());
    case '+': return zoom(notches_per_key);
    case '-': return zoom(-notches_per_key);
    case ',': return step(-1);
    case '.': return step(1);
    case 'f': flies = !flies; return;
    case 'k': return add_key_frame();
    case 'p': return play(!is_playing());
    default: return;
    }
}

void CameraControl::pass(double ms, const Window& window) {
    const double s = std::min(ms, longest_ms) / 1000;
    const auto held = [&](char ahead, char back) {
        return static_cast<float>(window.is_held(ahead)) - static_cast<float>(window.is_held(back));
    };
    const float right = held('D', 'A'), up = held('E', 'Q'), forward = held('W', 'S');
    if (right != 0 || up != 0 || forward != 0) {
        leave_path();
        const float step = speed * path_.scale() * static_cast<float>(s);
        free_ = flown(free_, step * right, step * up, step * forward);
    } else if (is_playing()) {
        time_ += s;
        if (time_ > path_.last_time()) {
            time_ = path_.first_time();
        }
    }
}

bool PictureControl::handle(const WindowEvent& event) {
    if (event.kind != WindowEvent::Kind::letter) {
        return false;
    }
    if (event.letter >= '1' && event.letter <= '9') {
        const auto index = static_cast<std::size_t>(event.letter - '1');
        if (index < clouds.size()) {
            clouds[index].is_visible = !clouds[index].is_visible;
        }
        return true;
    }
    switch (event.letter) {
    case 't': antialias = !antialias; return true;
    case 'h': degree = degree == 0 ? max_degree : degree - 1; return true;
    case 'b': background = background == Vec3{} ? Vec3{1, 1, 1} : Vec3{}; return true;
    default: return false;
    }
}

} // namespace samples::splats

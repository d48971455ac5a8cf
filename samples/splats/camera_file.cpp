#include "splats/camera_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>

#include "common/files.hpp"
#include "common/propagate.hpp"
#include "common/text.hpp"

namespace samples::splats {

namespace {

using nlohmann::json;

/// An element of a file that has an invalid value.
struct Mistake : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// An element of a file and its path: "keys[2].eye".
struct Element {
    const json& value;
    std::string path;

    [[noreturn]] void refuse(const std::string& valid) const {
        const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
        throw Mistake(path + " is " + escaped(text) + "; it must be " + valid);
    }
    [[nodiscard]] Element operator[](std::size_t index) const {
        return {value[index], path + "[" + std::to_string(index) + "]"};
    }
    [[nodiscard]] Element at(const char* key) const {
        const auto found = value.find(key);
        if (found == value.end()) {
            throw Mistake(path + " has no '" + key + "'");
        }
        return {*found, path + "." + key};
    }
};

double number_of(const Element& element) {
    constexpr double most = 1e18; // squares are finite floats
    if (!element.value.is_number() || !(std::abs(element.value.get<double>()) <= most)) {
        element.refuse("a number from -1e18 to 1e18");
    }
    return element.value.get<double>();
}

Vec3 vector_of(const Element& element) {
    if (!element.value.is_array() || element.value.size() != 3) {
        element.refuse("an array of three numbers");
    }
    Vec3 vector;
    for (std::size_t i = 0; i < 3; ++i) {
        vector[i] = static_cast<float>(number_of(element[i]));
    }
    return vector;
}

float positive_of(const Element& element) {
    const double number = number_of(element);
    if (!(number > 0)) {
        element.refuse("greater than 0");
    }
    return static_cast<float>(number);
}

std::uint32_t size_of(const Element& element) {
    constexpr std::uint64_t most = 1U << 24; // floats hold it exactly
    if (!element.value.is_number_unsigned() || element.value.get<std::uint64_t>() - 1 >= most) {
        element.refuse("an integer from 1 to 2^24");
    }
    return element.value.get<std::uint32_t>();
}

/// Reads the rows of a rotation from the camera to the world. Its columns are the axes.
std::array<Vec3, 3> training_axes_of(const Element& rows) {
    if (!rows.value.is_array() || rows.value.size() != 3) {
        rows.refuse("an array of three rows");
    }
    std::array<Vec3, 3> axes;
    for (std::size_t row = 0; row < 3; ++row) {
        const Vec3 numbers = vector_of(rows[row]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            axes[axis][row] = numbers[axis];
        }
    }
    constexpr float tolerance = 1e-2F;
    const auto is_near = [](float value, float wanted) { return std::abs(value - wanted) <= tolerance; };
    if (!is_near(dot(cross(axes[0], axes[1]), axes[2]), 1) || !is_near(dot(axes[0], axes[0]), 1) ||
        !is_near(dot(axes[1], axes[1]), 1) || !is_near(dot(axes[2], axes[2]), 1)) {
        rows.refuse("a rotation");
    }
    return axes;
}

KeyFrame training_camera_of(const Element& entry, double time) {
    KeyFrame key{.time = time, .width = size_of(entry.at("width")), .height = size_of(entry.at("height"))};
    key.camera.eye = vector_of(entry.at("position"));
    key.camera.axes = training_axes_of(entry.at("rotation"));
    key.camera.intrinsics = {positive_of(entry.at("fx")), positive_of(entry.at("fy")),
                             static_cast<float>(key.width) / 2, static_cast<float>(key.height) / 2};
    return key;
}

/// Checks that an object has no other properties than these.
void check_properties(const Element& object, std::initializer_list<const char*> known) {
    if (!object.value.is_object()) {
        object.refuse("an object");
    }
    for (const auto& [name, value] : object.value.items()) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            std::string names;
            for (const char* each : known) {
                names += std::string(names.empty() ? "" : ", ") + each;
            }
            throw Mistake(object.path + " has an unknown property " + in_quotes(name) + "; the known ones are " +
                          names);
        }
    }
}

/// `time`: default of the time.
KeyFrame key_frame_of(const Element& entry, double time, const Vec3& up) {
    check_properties(entry, {"time", "eye", "target", "up", "field_of_view"});
    const auto has = [&](const char* name) { return entry.value.contains(name); };
    KeyFrame key{.time = has("time") ? number_of(entry.at("time")) : time};
    const Vec3 eye = vector_of(entry.at("eye")), target = vector_of(entry.at("target"));
    const Vec3 upwards = has("up") ? vector_of(entry.at("up")) : up;
    float field_of_view = 60;
    if (has("field_of_view")) {
        field_of_view = positive_of(entry.at("field_of_view"));
        if (field_of_view >= 180) {
            entry.at("field_of_view").refuse("less than 180 degrees");
        }
    }
    const Vec3 direction = target - eye;
    if (!(dot(direction, direction) > 0)) {
        entry.at("target").refuse("another point than the eye");
    }
    if (!(dot(upwards, upwards) > 0)) {
        entry.at("up").refuse("a direction other than 0, 0, 0");
    }
    key.camera = look_at(eye, target, field_of_view, upwards);
    return key;
}

std::vector<KeyFrame> key_frames_of(const json& file, const Vec3& up) {
    const bool is_of_training = file.is_array();
    const Element whole{file, is_of_training ? "cameras" : "the file"};
    if (!is_of_training) {
        check_properties(whole, {"keys"});
    }
    const Element entries = is_of_training ? whole : Element{whole.at("keys").value, "keys"};
    if (!entries.value.is_array() || entries.value.empty()) {
        entries.refuse("an array with at least one element");
    }
    std::vector<KeyFrame> keys;
    for (std::size_t i = 0; i < entries.value.size(); ++i) {
        const double next = keys.empty() ? 0 : keys.back().time + 1;
        const Element entry = entries[i];
        if (is_of_training && !entry.value.is_object()) {
            entry.refuse("an object");
        }
        const KeyFrame key = is_of_training ? training_camera_of(entry, next) : key_frame_of(entry, next, up);
        if (!keys.empty() && !(key.time > keys.back().time)) {
            entry.at("time").refuse("greater than that of the key frame before it");
        }
        keys.push_back(key);
    }
    return keys;
}

/// Returns the shortest decimal number that rounds to this float.
std::string text_of(float number) {
    std::array<char, 32> text; // NOLINT(cppcoreguidelines-pro-type-member-init): written by to_chars
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    return {text.data(), end.ptr};
}

std::string text_of(const Vec3& vector) {
    return "[" + text_of(vector[0]) + ", " + text_of(vector[1]) + ", " + text_of(vector[2]) + "]";
}

} // namespace

weir::Result<std::vector<KeyFrame>> parse_camera_path(const std::string& text, const std::string& name,
                                                      const Vec3& up) {
    try {
        return key_frames_of(json::parse(text), up);
    } catch (const Mistake& mistake) {
        return io_error(name, mistake.what());
    } catch (const json::exception& error) {
        return io_error(name, "is not a JSON file: " + escaped(error.what(), 200));
    }
}

weir::Result<std::vector<KeyFrame>> read_camera_path(const std::string& file, const Vec3& up) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;
    std::string text;
    const auto whole = append_file(file, most_bytes, text);
    SAMPLES_PROPAGATE(whole);
    if (!*whole) {
        return io_error(file, "has more than 2^28 bytes");
    }
    return parse_camera_path(text, file, up);
}

std::string camera_path_text(std::span<const KeyFrame> keys) {
    std::string text = "{\"keys\": [";
    for (const KeyFrame& key : keys) {
        const Camera& camera = key.camera;
        const auto& [x, y, z] = camera.eye;
        const float distance = std::max({1.0F, std::abs(x), std::abs(y), std::abs(z)}); // keeps digits of the direction
        text += std::string(&key == keys.data() ? "" : ",") + "\n  {\"time\": " + general(key.time, 9) +
                ", \"eye\": " + text_of(camera.eye) +
                ", \"target\": " + text_of(camera.eye + distance * camera.axes[2]) +
                ", \"up\": " + text_of(-1.0F * camera.axes[1]) +
                ", \"field_of_view\": " + text_of(camera.field_of_view) + "}";
    }
    return text + "\n]}\n";
}

} // namespace samples::splats

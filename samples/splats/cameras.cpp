#include <nlohmann/json.hpp>

#include "common/files.hpp"
#include "common/propagate.hpp"
#include "splats/path.hpp"

namespace samples::splats {

namespace {

using nlohmann::json;

/// Reads an array of three numbers. Throws if `value` is anything else.
Vec3 vector_of(const json& value) {
    const auto numbers = value.get<std::array<float, 3>>();
    return {numbers[0], numbers[1], numbers[2]};
}

/// Converts an entry of the file. Throws if it lacks a property.
TrainingCamera camera_of(const json& entry) {
    TrainingCamera made;
    made.width = entry.at("width").get<std::uint32_t>();
    made.height = entry.at("height").get<std::uint32_t>();
    made.camera.eye = vector_of(entry.at("position"));
    // Rows of the matrix from the camera to the world. Its columns are the axes.
    const json& rows = entry.at("rotation");
    for (std::size_t row = 0; row < 3; ++row) {
        const Vec3 numbers = vector_of(rows.at(row));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            made.camera.axes[axis][row] = numbers[axis];
        }
    }
    made.camera.intrinsics = {entry.at("fx").get<float>(), entry.at("fy").get<float>(),
                              static_cast<float>(made.width) / 2, static_cast<float>(made.height) / 2};
    return made;
}

} // namespace

weir::Result<std::vector<TrainingCamera>> read_cameras(const std::string& file) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;
    std::string text;
    const auto whole = append_file(file, most_bytes, text);
    SAMPLES_PROPAGATE(whole);
    if (!*whole) {
        return io_error(file, "has more than 2^28 bytes");
    }
    std::vector<TrainingCamera> cameras;
    try {
        for (const json& entry : json::parse(text)) {
            cameras.push_back(camera_of(entry));
            if (cameras.back().width == 0 || cameras.back().height == 0) {
                return io_error(file, "has a camera with a width or a height of 0");
            }
        }
    } catch (const json::exception& error) {
        return io_error(file, "is not a cameras.json of the original training: " + std::string(error.what()));
    }
    if (cameras.empty()) {
        return io_error(file, "has no cameras");
    }
    return cameras;
}

} // namespace samples::splats

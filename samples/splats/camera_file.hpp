#pragma once

#include <span>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

#include "splats/camera_path.hpp"

namespace samples::splats {

/// Parses a camera path: a JSON object with key frames in an array `keys`, or the cameras.json of the original
/// training, an array of cameras, which are a second apart. docs/splats.md describes the format. `name`: the file, for
/// messages. `up`: default of `up`.
///
/// Errors: `io`. The message names the file, the element, its value and the valid values.
weir::Result<std::vector<KeyFrame>> parse_camera_path(const std::string& text, const std::string& name, const Vec3& up);

/// Reads a file and calls `parse_camera_path`. Errors: `io`.
weir::Result<std::vector<KeyFrame>> read_camera_path(const std::string& file, const Vec3& up);

/// Returns a camera path as JSON. Omits intrinsics.
std::string camera_path_text(std::span<const KeyFrame> keys);

} // namespace samples::splats

#pragma once

#include <filesystem>
#include <string>

namespace samples {

/// Converts a file name from the command line to a path. The name is UTF-8 on Windows (see cmake/programs.manifest) and
/// in the system's encoding elsewhere.
inline std::filesystem::path path_of(const std::string& name) {
    return std::u8string(name.begin(), name.end());
}

/// Converts a path to a file name; the inverse of path_of.
inline std::string name_of(const std::filesystem::path& path) {
    const std::u8string name = path.u8string();
    return {name.begin(), name.end()};
}

} // namespace samples

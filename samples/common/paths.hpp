#pragma once

#include <filesystem>
#include <string>

namespace samples {

/// The path of a file's name, as a command line says it: UTF-8 on Windows (see cmake/programs.manifest), and elsewhere
/// as the system takes it.
inline std::filesystem::path path_of(const std::string& name) {
    return std::u8string(name.begin(), name.end());
}

/// The reverse of it.
inline std::string name_of(const std::filesystem::path& path) {
    const std::u8string name = path.u8string();
    return {name.begin(), name.end()};
}

} // namespace samples

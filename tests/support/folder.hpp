#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "engine/base/files.hpp"

namespace weir::tests {

/// Returns the bytes of a file, or an empty string if it cannot be read.
inline std::string bytes_of_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A new folder under the system's temporary one, removed with the object.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::random_device random;
        // The name has a letter that not every code page of Windows has.
        path_ = std::filesystem::temp_directory_path() /
                path_of("weir-tests-\xc5\x82-" + std::to_string(random()) + "-" + std::to_string(random()));
        std::filesystem::create_directories(path_);
    }
    ~TemporaryFolder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Returns the name of the folder, or of a file in it, as Weir's functions take it.
    [[nodiscard]] std::string name() const { return name_of(path_); }
    [[nodiscard]] std::string name(const std::string& file) const { return name_of(path_ / file); }

    /// Returns the number of files and folders in the folder.
    [[nodiscard]] std::ptrdiff_t size() const { return std::distance(std::filesystem::directory_iterator(path_), {}); }

    /// Writes a file in the folder, and creates missing folders.
    void write(const std::string& name, const std::string& contents) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << contents;
    }

private:
    std::filesystem::path path_;
};

} // namespace weir::tests

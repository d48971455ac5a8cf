#include "common/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <utility>

#include "common/progress.hpp"

namespace samples {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk = std::size_t{1} << 24; // bytes between two looks at the progress bar

} // namespace

tl::unexpected<weir::Error> io_error(const std::string& path, const std::string& why) {
    return tl::unexpected(weir::Error{weir::ErrorCode::io, path + ": " + why});
}

weir::Result<InputFile> InputFile::open(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        return io_error(path, "is a directory");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return io_error(path, std::strerror(errno));
    }
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) {
        return io_error(path, error.message());
    }
    return InputFile(path, std::move(file), size);
}

InputFile::InputFile(std::string path, std::ifstream file, std::uint64_t size)
    : path_(std::move(path)), file_(std::move(file)), size_(size) {}

weir::Result<> InputFile::read(std::span<char> bytes) {
    Progress progress("read");
    for (std::size_t at = 0; at < bytes.size(); at += chunk) {
        const std::size_t part = std::min(chunk, bytes.size() - at);
        if (!file_.read(bytes.data() + at, static_cast<std::streamsize>(part))) {
            return io_error(path_, "cannot be read to its end");
        }
        progress.show(static_cast<double>(at + part) / static_cast<double>(bytes.size()));
    }
    return {};
}

weir::Result<NewFile> NewFile::create(const std::string& path) {
    std::error_code error;
    const fs::file_status there = fs::status(path, error);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        return io_error(path, "is no regular file");
    }
    const std::string target =
        fs::is_symlink(path, error) && fs::exists(there) ? fs::canonical(path, error).string() : path;
    const std::string temporary = target + ".tmp" + std::to_string(std::random_device{}());
    if (!std::ofstream(temporary, std::ios::binary)) {
        return io_error(path, std::string("cannot be written: ") + std::strerror(errno));
    }
    return NewFile(target, temporary);
}

NewFile::NewFile(std::string path, std::string temporary) : path_(std::move(path)), temporary_(std::move(temporary)) {}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

NewFile::~NewFile() {
    if (!temporary_.empty()) {
        std::error_code ignored;
        fs::remove(temporary_, ignored);
    }
}

weir::Result<> NewFile::write(std::string_view bytes) {
    const std::size_t size = bytes.size();
    Progress progress("write");
    std::ofstream file(temporary_, std::ios::binary | std::ios::trunc);
    for (std::size_t at = 0; at < size && file; at += chunk) {
        const std::size_t part = std::min(chunk, size - at);
        file.write(bytes.data() + at, static_cast<std::streamsize>(part));
        progress.show(static_cast<double>(at + part) / static_cast<double>(size));
    }
    file.close();
    if (!file) {
        return io_error(path_, std::string("cannot be written: ") + std::strerror(errno));
    }
    return {};
}

weir::Result<> NewFile::keep() {
    std::error_code error;
    if (const fs::file_status there = fs::status(path_, error); fs::exists(there)) {
        fs::permissions(temporary_, there.permissions(), error);
    }
    fs::rename(temporary_, path_, error);
    if (error) {
        return io_error(path_, "cannot be replaced: " + error.message());
    }
    temporary_.clear();
    return {};
}

weir::Result<NewFiles> create_files(const std::vector<std::string>& paths) {
    NewFiles files(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (!paths[i].empty()) {
            auto file = NewFile::create(paths[i]);
            if (!file) {
                return tl::unexpected(file.error());
            }
            files[i].emplace(std::move(*file));
        }
    }
    return files;
}

weir::Result<> keep_files(NewFiles& files) {
    for (auto& file : files) {
        if (file) {
            if (auto kept = file->keep(); !kept) {
                return kept;
            }
        }
    }
    return {};
}

} // namespace samples

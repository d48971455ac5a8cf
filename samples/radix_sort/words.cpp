#include "radix_sort/words.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <utility>

#include "common/progress.hpp"

namespace samples {

static_assert(std::endian::native == std::endian::little, "files hold little-endian words");

namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk = std::size_t{1} << 24; // bytes between two looks at the progress bar

tl::unexpected<weir::Error> io_error(const std::string& path, const std::string& why) {
    return tl::unexpected(weir::Error{weir::ErrorCode::io, path + ": " + why});
}

std::string last_error() {
    return std::strerror(errno);
}

} // namespace

Words random_words(std::size_t count, std::uint64_t seed) {
    Progress progress("generate");
    std::mt19937_64 engine(seed);
    Words words(count);
    for (std::size_t i = 0; i < count; ++i) {
        words[i] = static_cast<std::uint32_t>(engine());
        if (i % chunk == 0) {
            progress.show(static_cast<double>(i) / static_cast<double>(count));
        }
    }
    return words;
}

weir::Result<Words> read_words(const std::string& path, std::uint64_t most) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        return io_error(path, "is a directory");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return io_error(path, last_error());
    }
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) {
        return io_error(path, error.message());
    }
    if (size % 4 != 0) {
        return io_error(path, "has " + std::to_string(size) + " bytes, which is not a multiple of 4");
    }
    if (size / 4 > most) {
        return tl::unexpected(weir::Error{weir::ErrorCode::limit_exceeded, path + ": has " + std::to_string(size / 4) +
                                                                               " words; the device binds at most " +
                                                                               std::to_string(most) +
                                                                               " (maxStorageBufferRange)"});
    }
    Progress progress("read");
    Words words(size / 4);
    for (std::size_t at = 0; at < size; at += chunk) {
        const std::size_t part = std::min(chunk, static_cast<std::size_t>(size) - at);
        if (!file.read(reinterpret_cast<char*>(words.data()) + at, static_cast<std::streamsize>(part))) {
            return io_error(path, "cannot be read to its end");
        }
        progress.show(static_cast<double>(at + part) / static_cast<double>(size));
    }
    return words;
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
        return io_error(path, "cannot be written: " + last_error());
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

weir::Result<> NewFile::write_bytes(const char* step, const char* bytes, std::size_t size) {
    Progress progress(step);
    std::ofstream file(temporary_, std::ios::binary | std::ios::trunc);
    for (std::size_t at = 0; at < size && file; at += chunk) {
        const std::size_t part = std::min(chunk, size - at);
        file.write(bytes + at, static_cast<std::streamsize>(part));
        progress.show(static_cast<double>(at + part) / static_cast<double>(size));
    }
    file.close();
    if (!file) {
        return io_error(path_, "cannot be written: " + last_error());
    }
    return {};
}

weir::Result<> NewFile::write(const Words& words) {
    return write_bytes("write", reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t));
}

weir::Result<> NewFile::write(const std::string& text) {
    return write_bytes("write", text.data(), text.size());
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

} // namespace samples

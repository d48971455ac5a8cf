#include "common/words.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "common/files.hpp"
#include "common/progress.hpp"

namespace samples {

static_assert(std::endian::native == std::endian::little, "files hold little-endian words");

namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk = std::size_t{1} << 24; // bytes between two looks at the progress bar

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
        return io_error(path, std::strerror(errno));
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

} // namespace samples

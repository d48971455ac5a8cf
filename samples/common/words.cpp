#include "common/words.hpp"

#include <bit>
#include <random>
#include <utility>

#include "common/files.hpp"
#include "common/progress.hpp"

namespace samples {

static_assert(std::endian::native == std::endian::little, "files hold little-endian words");

namespace {

constexpr std::size_t chunk = std::size_t{1} << 22; // words between two looks at the progress bar

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
    auto file = InputFile::open(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    const std::uint64_t size = file->size();
    if (size % 4 != 0) {
        return io_error(path, "has " + std::to_string(size) + " bytes, which is not a multiple of 4");
    }
    if (size / 4 > most) {
        return tl::unexpected(weir::Error{weir::ErrorCode::limit_exceeded, path + ": has " + std::to_string(size / 4) +
                                                                               " words; the device binds at most " +
                                                                               std::to_string(most) +
                                                                               " (maxStorageBufferRange)"});
    }
    Words words(size / 4);
    return file->read({reinterpret_cast<char*>(words.data()), words.size() * 4}).map([&] { return std::move(words); });
}

} // namespace samples

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

namespace samples {

using Words = std::vector<std::uint32_t>;

Words random_words(std::size_t count, std::uint64_t seed);

/// A file's bytes as little-endian words, `most` at the most. Errors: `io`, also for a size that is no multiple of 4;
/// `limit_exceeded` for more words.
weir::Result<Words> read_words(const std::string& path, std::uint64_t most);

/// A file that takes its place only when all has gone well: until `keep` it has another name, and without `keep` it is
/// removed.
class NewFile {
public:
    /// Errors: `io` if there can be no such file, or if something else than a file is there. A link is followed.
    static weir::Result<NewFile> create(const std::string& path);
    NewFile(NewFile&& other) noexcept;
    NewFile& operator=(NewFile&&) = delete;
    ~NewFile();

    weir::Result<> write(const Words& words);
    weir::Result<> write(const std::string& text);
    /// Replaces what was at the path, whose permissions it takes over.
    weir::Result<> keep();

private:
    NewFile(std::string path, std::string temporary);
    weir::Result<> write_bytes(const char* step, const char* bytes, std::size_t size);

    std::string path_;
    std::string temporary_; ///< empty once it is kept
};

} // namespace samples

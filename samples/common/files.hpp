#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/error.hpp>

namespace samples {

/// The error `io` of a file.
tl::unexpected<weir::Error> io_error(const std::string& path, const std::string& why);

/// A regular file to be read as a whole.
class InputFile {
public:
    /// Errors: `io`.
    static weir::Result<InputFile> open(const std::string& path);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Reads as many bytes, with a progress bar. Error: `io` if there are not as many.
    weir::Result<> read(std::span<char> bytes);

private:
    InputFile(std::string path, std::ifstream file, std::uint64_t size);

    std::string path_;
    std::ifstream file_;
    std::uint64_t size_;
};

/// A file that takes its place only when all has gone well: until `keep` it has another name, and without `keep` it is
/// removed.
class NewFile {
public:
    /// Errors: `io` if there can be no such file, or if something else than a file is there. A link is followed.
    static weir::Result<NewFile> create(const std::string& path);
    NewFile(NewFile&& other) noexcept;
    NewFile& operator=(NewFile&&) = delete;
    ~NewFile();

    weir::Result<> write(std::string_view bytes);
    /// Replaces what was at the path, whose permissions it takes over.
    weir::Result<> keep();

private:
    NewFile(std::string path, std::string temporary);

    std::string path_;
    std::string temporary_; ///< empty once it is kept
};

/// The files of a program's results, one for each path; none for an empty one. So those that cannot be written are
/// found out before the work.
using NewFiles = std::vector<std::optional<NewFile>>;
weir::Result<NewFiles> create_files(const std::vector<std::string>& paths);

/// `keep` for all of them.
weir::Result<> keep_files(NewFiles& files);

} // namespace samples

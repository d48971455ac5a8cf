#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/error.hpp>

#include "common/propagate.hpp"
#include "common/temporary_file.hpp"

namespace samples {

/// Returns the error `io` for a file.
tl::unexpected<weir::Error> io_error(const std::string& path, const std::string& why);

/// Format of an output file. `extensions` lists the permitted file extensions, separated by " or ". If it is empty, any
/// name is permitted.
struct FileFormat {
    std::string_view name, extensions;
};
inline constexpr FileFormat any_format{};
inline constexpr FileFormat png_format{"PNG", ".png"};
inline constexpr FileFormat svg_format{"SVG", ".svg"};
inline constexpr FileFormat csv_format{"CSV", ".csv"};
inline constexpr FileFormat json_format{"JSON", ".json"};
inline constexpr FileFormat graphviz_format{"Graphviz", ".dot or .gv"};

/// A file named by an option of the command line. An empty path means: not given.
struct NamedFile {
    std::string option, path;
    FileFormat format = any_format; ///< of output files
};

/// Returns an error message about the names of files, or an empty string. An output file must not be an input file or
/// another output file, even under another name or through a link. Its name must not have the extension of another
/// format.
std::string files_mistake(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

/// An input file that is read sequentially to its end.
class InputFile {
public:
    /// Errors: `io`.
    static weir::Result<InputFile> open(const std::string& name);

    /// Returns the size in bytes at the time of opening; 0 if it is unknown, as for pipes and files in /proc. The file
    /// may change while it is read.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Reads up to bytes.size() bytes, fewer only at the end of the file, and shows a progress bar. Returns the number
    /// of bytes read. Errors: `io`.
    weir::Result<std::size_t> read(std::span<char> bytes);

private:
    InputFile(std::string path, std::ifstream file, std::uint64_t size);

    std::string path_;
    std::ifstream file_;
    std::uint64_t size_;
};

/// Appends the contents of a file to `bytes`, a string or a vector. Returns false if the file has more than `most`
/// bytes; `bytes` is then incomplete. Errors: `io`.
template <class Bytes>
weir::Result<bool> append_file(const std::string& path, std::uint64_t most, Bytes& bytes) {
    auto file = InputFile::open(path);
    SAMPLES_PROPAGATE(file);
    if (file->size() > most) {
        return false;
    }
    const std::size_t before = bytes.size();
    for (std::size_t wanted = file->size();; wanted = std::size_t{1} << 16) {
        const std::size_t end = bytes.size();
        bytes.resize(end + wanted);
        const auto count = file->read(std::span(bytes).subspan(end));
        SAMPLES_PROPAGATE(count);
        bytes.resize(end + *count);
        if (bytes.size() - before > most) {
            return false;
        }
        if (*count < wanted) {
            return true;
        }
    }
}

/// An output file that appears under its path only after `keep` succeeds; see TemporaryFile.
class NewFile {
public:
    /// Creates the file and follows symbolic links, even if the target does not exist. Errors: `io` if the file cannot
    /// be created or the path names something other than a regular file.
    static weir::Result<NewFile> create(const std::string& path);

    weir::Result<> write(std::string_view bytes);
    /// Replaces the file at the path and takes over its permissions.
    weir::Result<> keep();

private:
    NewFile(std::string path, std::unique_ptr<TemporaryFile> file);

    std::string path_;
    std::unique_ptr<TemporaryFile> file_;
};

/// A program's output files, one per path; an empty path gives an empty entry. They are created before the work, so
/// that a path that cannot be written is reported early.
using NewFiles = std::vector<std::optional<NewFile>>;
weir::Result<NewFiles> create_files(const std::vector<std::string>& paths);

/// Calls `keep` for each file.
weir::Result<> keep_files(NewFiles& files);

} // namespace samples

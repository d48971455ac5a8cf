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

#include "common/temporary_file.hpp"

namespace samples {

/// The error `io` of a file.
tl::unexpected<weir::Error> io_error(const std::string& path, const std::string& why);

/// The format of a file that is written, and the extensions that its name may have, separated by " or ". Without
/// extensions, any name is right.
struct FileFormat {
    std::string_view name, extensions;
};
inline constexpr FileFormat any_format{};
inline constexpr FileFormat png_format{"PNG", ".png"};
inline constexpr FileFormat svg_format{"SVG", ".svg"};
inline constexpr FileFormat csv_format{"CSV", ".csv"};
inline constexpr FileFormat json_format{"JSON", ".json"};
inline constexpr FileFormat graphviz_format{"Graphviz", ".dot or .gv"};

/// A file that a command line names: by which option, and its path. Empty: none.
struct NamedFile {
    std::string option, path;
    FileFormat format = any_format; ///< of a file that is written
};

/// Returns what is wrong with the names of files, for a message; empty if nothing is. A file that is written must not
/// be one that is read or another one that is written, by whatever name or link, and its name must not have the
/// extension of another format.
std::string files_mistake(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

/// A file to be read to its end.
class InputFile {
public:
    /// Errors: `io`.
    static weir::Result<InputFile> open(const std::string& name);

    /// What there is at least, unless the file becomes shorter meanwhile; nothing is known of pipes and of what /proc
    /// has.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Reads as many bytes, or as there are up to its end, with a progress bar; returns how many. Errors: `io`.
    weir::Result<std::size_t> read(std::span<char> bytes);

private:
    InputFile(std::string path, std::ifstream file, std::uint64_t size);

    std::string path_;
    std::ifstream file_;
    std::uint64_t size_;
};

/// Appends what a file holds to `bytes`, a string or a vector. Returns whether that was all: it stops past `most`
/// bytes. Errors: `io`.
template <class Bytes>
weir::Result<bool> append_file(const std::string& path, std::uint64_t most, Bytes& bytes) {
    auto file = InputFile::open(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    if (file->size() > most) {
        return false;
    }
    const std::size_t before = bytes.size();
    for (std::size_t wanted = file->size();; wanted = std::size_t{1} << 16) {
        const std::size_t end = bytes.size();
        bytes.resize(end + wanted);
        const auto count = file->read(std::span(bytes).subspan(end));
        if (!count) {
            return tl::unexpected(count.error());
        }
        bytes.resize(end + *count);
        if (bytes.size() - before > most) {
            return false;
        }
        if (*count < wanted) {
            return true;
        }
    }
}

/// A file that takes its place only when all has gone well, by `keep`; see TemporaryFile.
class NewFile {
public:
    /// Errors: `io` if there can be no such file, or if something else than a file is there. A link is followed, also
    /// to where no file is yet.
    static weir::Result<NewFile> create(const std::string& path);

    weir::Result<> write(std::string_view bytes);
    /// Replaces what was at the path, whose permissions it takes over.
    weir::Result<> keep();

private:
    NewFile(std::string path, std::unique_ptr<TemporaryFile> file);

    std::string path_;
    std::unique_ptr<TemporaryFile> file_;
};

/// The files of a program's results, one for each path; none for an empty one. So those that cannot be written are
/// found out before the work.
using NewFiles = std::vector<std::optional<NewFile>>;
weir::Result<NewFiles> create_files(const std::vector<std::string>& paths);

/// `keep` for all of them.
weir::Result<> keep_files(NewFiles& files);

} // namespace samples

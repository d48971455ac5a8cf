#include "common/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "common/paths.hpp"
#include "common/progress.hpp"
#include "common/propagate.hpp"
#include "common/text.hpp"

namespace samples {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk = std::size_t{1} << 24; // bytes per update of the progress bar

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Returns the path that symbolic links lead to, whether it exists or not. For a cycle of links, returns one of them.
fs::path behind_links(fs::path path) {
    constexpr int most = 40; // limit of Linux
    std::error_code error;
    for (int i = 0; i < most && fs::is_symlink(path, error); ++i) {
        const fs::path target = fs::read_symlink(path, error);
        path = target.is_absolute() ? target : folder_of(path) / target;
    }
    return path;
}

/// Compares by device and inode. Files that do not exist are compared by folder and name.
bool are_same(const std::string& one, const std::string& other) {
    std::error_code error;
    const fs::path a_name = path_of(one), b_name = path_of(other);
    if (fs::exists(a_name, error) || fs::exists(b_name, error)) {
        return fs::equivalent(a_name, b_name, error);
    }
    const fs::path a = behind_links(a_name), b = behind_links(b_name);
    return a.filename() == b.filename() &&
           (fs::equivalent(folder_of(a), folder_of(b), error) ||
            fs::weakly_canonical(folder_of(a), error) == fs::weakly_canonical(folder_of(b), error));
}

/// Returns true if the name has no extension or one of the format's. Ignores case.
bool has_extension_of(const FileFormat& format, const fs::path& name) {
    std::string extension = name_of(name.extension());
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    constexpr std::string_view separator = " or ";
    for (std::string_view rest = format.extensions; !extension.empty() && !rest.empty();) {
        const std::size_t end = std::min(rest.find(separator), rest.size());
        if (rest.substr(0, end) == extension) {
            return true;
        }
        rest.remove_prefix(std::min(end + separator.size(), rest.size()));
    }
    return extension.empty() || format.extensions.empty();
}

} // namespace

std::string files_mistake(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written) {
    const auto clash = [](const NamedFile& one, const NamedFile& other) {
        return !one.path.empty() && !other.path.empty() && are_same(one.path, other.path);
    };
    for (auto file = written.begin(); file != written.end(); ++file) {
        for (const NamedFile& input : read) {
            if (clash(*file, input)) {
                return file->option + " names a file that is read, " + in_quotes(input.path);
            }
        }
        for (auto other = written.begin(); other != file; ++other) {
            if (clash(*file, *other)) {
                return other->option + " and " + file->option + " name the same file";
            }
        }
    }
    for (const NamedFile& file : written) {
        if (!has_extension_of(file.format, path_of(file.path))) {
            return file.option + " writes " + std::string(file.format.name) + ", but " + in_quotes(file.path) +
                   " does not end with " + std::string(file.format.extensions);
        }
    }
    return {};
}

tl::unexpected<weir::Error> io_error(const std::string& path, const std::string& why) {
    return tl::unexpected(weir::Error{weir::ErrorCode::io, path + ": " + why});
}

weir::Result<InputFile> InputFile::open(const std::string& name) {
    std::error_code error;
    const fs::path path = path_of(name);
    if (fs::is_directory(path, error)) {
        return io_error(name, "is a directory");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return io_error(name, std::strerror(errno));
    }
    const bool has_size = fs::is_regular_file(path, error);
    const std::uintmax_t size = has_size ? fs::file_size(path, error) : 0;
    if (error) {
        return io_error(name, error.message());
    }
    return InputFile(name, std::move(file), size);
}

InputFile::InputFile(std::string path, std::ifstream file, std::uint64_t size)
    : path_(std::move(path)), file_(std::move(file)), size_(size) {}

weir::Result<std::size_t> InputFile::read(std::span<char> bytes) {
    Progress progress("read");
    std::size_t at = 0;
    while (at < bytes.size() && file_) {
        const std::size_t part = std::min(chunk, bytes.size() - at);
        file_.read(bytes.data() + at, static_cast<std::streamsize>(part));
        at += static_cast<std::size_t>(file_.gcount());
        progress.show(static_cast<double>(at) / static_cast<double>(bytes.size()));
    }
    if (file_.bad()) {
        return io_error(path_, "cannot be read to its end");
    }
    return at;
}

weir::Result<NewFile> NewFile::create(const std::string& path) {
    std::error_code error;
    const fs::file_status there = fs::status(path_of(path), error);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        return io_error(path, "is not a regular file");
    }
    const fs::path target = behind_links(path_of(path));
    if (fs::is_symlink(target, error)) {
        return io_error(path, "has too many levels of symbolic links");
    }
    auto file = TemporaryFile::create(name_of(folder_of(target)));
    if (!file) {
        return io_error(path, std::string("cannot be written: ") + std::strerror(errno));
    }
    return NewFile(name_of(target), std::move(file));
}

NewFile::NewFile(std::string path, std::unique_ptr<TemporaryFile> file)
    : path_(std::move(path)), file_(std::move(file)) {}

weir::Result<> NewFile::write(std::string_view bytes) {
    Progress progress("write");
    for (std::size_t at = 0; at < bytes.size(); at += chunk) {
        const std::size_t part = std::min(chunk, bytes.size() - at);
        if (!file_->write(bytes.substr(at, part))) {
            return io_error(path_, std::string("cannot be written: ") + std::strerror(errno));
        }
        progress.show(static_cast<double>(at + part) / static_cast<double>(bytes.size()));
    }
    return {};
}

weir::Result<> NewFile::keep() {
    if (!file_->put_at(path_)) {
        return io_error(path_, std::string("cannot be replaced: ") + std::strerror(errno));
    }
    return {};
}

weir::Result<NewFiles> create_files(const std::vector<std::string>& paths) {
    NewFiles files(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (!paths[i].empty()) {
            auto file = NewFile::create(paths[i]);
            SAMPLES_PROPAGATE(file);
            files[i].emplace(std::move(*file));
        }
    }
    return files;
}

weir::Result<> keep_files(NewFiles& files) {
    for (auto& file : files) {
        if (file) {
            SAMPLES_PROPAGATE(file->keep());
        }
    }
    return {};
}

} // namespace samples

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/error.hpp>

namespace samples {

/// The error `io` of a file.
tl::unexpected<weir::Error> io_error(const std::string& path, const std::string& why);

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

#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace samples {

/// A file that is to be put in its place when it is complete. Until then it has no name where the system has such
/// files, so that it is gone however the program ends; elsewhere it has one that begins with ".weir" and is removed
/// with the object, or when SIGINT, SIGTERM or SIGHUP ends the program.
class TemporaryFile {
public:
    /// Null if there can be none in `folder`, which errno tells more of.
    static std::unique_ptr<TemporaryFile> create(const std::string& folder);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Whether that worked; if not, errno tells more.
    bool write(std::string_view bytes);

    /// Gives it the name `path`, in its folder, in place of a file that is there, whose permissions it takes over.
    /// Whether that worked; if not, errno tells more. Nothing is written afterwards.
    bool put_at(const std::string& path);

private:
    TemporaryFile(std::string folder, std::FILE* file) : folder_(std::move(folder)), file_(file) {}
    void take_name();
    void drop_name();
    bool link_to(const std::string& path);
    bool close();

    std::string folder_;
    std::string name_; ///< empty while it has none
    std::FILE* file_ = nullptr;
};

} // namespace samples

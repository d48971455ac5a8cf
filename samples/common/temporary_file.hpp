#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace samples {

/// A file that is moved to its path once it is complete. Where the system supports unnamed files, it has no name until
/// then and vanishes however the program ends. Elsewhere its name begins with ".weir". A named file is removed by the
/// destructor, or when SIGINT, SIGTERM or SIGHUP ends the program.
class TemporaryFile {
public:
    /// Returns null and sets errno if the file cannot be created in `folder`.
    static std::unique_ptr<TemporaryFile> create(const std::string& folder);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Returns false and sets errno on failure.
    bool write(std::string_view bytes);

    /// Moves the file to `path`, which must be in its folder. Replaces an existing file and takes over its permissions.
    /// Returns false and sets errno on failure. Must be the last call.
    bool put_at(const std::string& path);

private:
    TemporaryFile(std::string folder, std::FILE* file) : folder_(std::move(folder)), file_(file) {}
    void take_name();
    void drop_name();
    bool link_to(const std::string& path);
    bool close();

    std::string folder_;
    std::string name_; ///< empty if unnamed
    std::FILE* file_ = nullptr;
};

} // namespace samples

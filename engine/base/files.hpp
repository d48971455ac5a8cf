#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Returns the path of a name. On Windows, names are UTF-8 in all of Weir's interfaces, and invalid UTF-8 becomes
/// U+FFFD. Elsewhere the bytes are kept.
std::filesystem::path path_of(std::string_view name);

/// Returns the name of a path, with / between folders.
std::string name_of(const std::filesystem::path& path);

/// Checks that a file or a folder exists.
bool is_there(const std::filesystem::path& path);

/// Returns the contents of a regular file; nullopt if it is another kind of file, larger than `max_bytes` bytes, or
/// unreadable. On Windows, paths may exceed 260 characters, here and in the other functions.
std::optional<std::vector<std::byte>> read_file(const std::filesystem::path& path, std::uintmax_t max_bytes);

/// Writes `parts`, one after the other, to a file, and creates missing folders. A reader sees the old file or the new
/// one, never a part: the parts are written to a temporary file next to it, which is then renamed. Returns why it
/// failed; empty on success. After an error, such as a full disk or a limit on the size of files, no temporary file is
/// left. The signal of that limit, SIGXFSZ, does not reach the process.
std::string write_file(const std::filesystem::path& path, std::span<const std::span<const std::byte>> parts);

/// Returns the folder for files of this user that Weir can create again; empty if the environment does not name one.
std::filesystem::path user_cache_directory();

/// Checks that `path` is `folder` or below it. Both must be free of links and dots.
bool is_within(const std::filesystem::path& folder, const std::filesystem::path& path);

} // namespace weir

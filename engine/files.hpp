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

/// The path of a name. On Windows names are UTF-8, wherever Weir takes or tells one; elsewhere the bytes stay as they
/// are. What is no UTF-8 becomes U+FFFD.
std::filesystem::path path_of(std::string_view name);

/// The name of a path, with / between folders.
std::string name_of(const std::filesystem::path& path);

/// Whether there is a file or a folder.
bool is_there(const std::filesystem::path& path);

/// The contents of a regular file. None where it is another kind of file, larger than `most` bytes, or unreadable. On
/// Windows, the path may be longer than 260 letters, here and in the other functions.
std::optional<std::vector<std::byte>> read_file(const std::filesystem::path& path, std::uintmax_t most);

/// Writes `parts`, one after the other, to a file, with the folders that it needs. A reader sees the old file or the
/// new one, never a part: they are written beside it, and renamed. Returns why that cannot be; empty: it is done.
/// After an error, such as a full disk or a limit on the size of files, no temporary file is left. The signal of that
/// limit, SIGXFSZ, does not reach the process.
std::string write_file(const std::filesystem::path& path, std::span<const std::span<const std::byte>> parts);

/// Where programs of this user keep what they can make again; empty if the environment does not say.
std::filesystem::path user_cache_directory();

/// Whether `path`, both without links and dots, is in `folder` or below.
bool is_within(const std::filesystem::path& folder, const std::filesystem::path& path);

} // namespace weir

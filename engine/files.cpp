#include "engine/files.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>

#include "engine/text.hpp"

namespace weir {

namespace fs = std::filesystem;

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// Other processes and threads may write into the same folder at this moment.
std::string temporary_suffix() {
    std::random_device random;
    return concat(".", hex(random(), 8), hex(random(), 8), ".tmp");
}

} // namespace

std::optional<std::vector<std::byte>> read_file(const fs::path& path, std::uintmax_t most) {
    std::error_code error;
    const std::uintmax_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : most + 1;
    if (error || size > most) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    std::ifstream in(path, std::ios::binary);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!in) {
        return std::nullopt;
    }
    return bytes;
}

std::string write_file(const fs::path& path, std::span<const std::span<const std::byte>> parts) {
    const fs::path temporary(path.string() + temporary_suffix());
    std::error_code error;
    if (path.has_parent_path()) {
        fs::create_directories(path.parent_path(), error);
    }
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    for (const std::span<const std::byte> part : parts) {
        out.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
    }
    out.close();
    if (!out) {
        fs::remove(temporary, error);
        return "it cannot be written";
    }
    fs::rename(temporary, path, error);
    if (error) {
        const std::string why = error.message();
        fs::remove(temporary, error);
        return "it cannot be written: " + why;
    }
    return {};
}

fs::path user_cache_directory() {
    // A relative path in XDG_CACHE_HOME is to be ignored, says its specification.
    if (const fs::path xdg = environment("XDG_CACHE_HOME"); xdg.is_absolute()) {
        return xdg / "weir";
    }
#if defined(_WIN32)
    if (const fs::path local = environment("LOCALAPPDATA"); !local.empty()) {
        return local / "weir";
    }
#endif
    if (const fs::path home = environment("HOME"); !home.empty()) {
        return home / ".cache" / "weir";
    }
    return {};
}

bool is_within(const fs::path& folder, const fs::path& path) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

} // namespace weir

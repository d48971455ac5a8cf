#include "engine/base/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <random>
#include <system_error>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <csignal>
#include <ctime>
#endif

#include "engine/base/strings.hpp"

namespace weir {

namespace fs = std::filesystem;

namespace {

/// Returns a random suffix, because other processes and threads may write into the same folder at the same time.
std::string temporary_suffix() {
    std::random_device random;
    return concat(".", hex(random(), 8), hex(random(), 8), ".tmp");
}

#if defined(_WIN32)
// The standard library calls the C library, which accepts paths of more than 260 characters only if the program and the
// machine are configured for them. Therefore this calls the Windows API, with names that have no limit.

std::wstring widened(std::string_view name) {
    const auto size = static_cast<int>(name.size());
    std::wstring wide(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, name.data(), size, nullptr, 0)), L'\0');
    MultiByteToWideChar(CP_UTF8, 0, name.data(), size, wide.data(), static_cast<int>(wide.size()));
    return wide;
}

fs::path environment(std::string_view name) {
    const std::wstring wide = widened(name);
    std::wstring value(GetEnvironmentVariableW(wide.c_str(), nullptr, 0), L'\0'); // includes the terminating 0
    value.resize(GetEnvironmentVariableW(wide.c_str(), value.data(), static_cast<DWORD>(value.size())));
    return value;
}

/// Returns the path in a form that the Windows API accepts at any length.
fs::path system_name(const fs::path& path) {
    constexpr std::size_t longest = 240; // a folder's path must leave room for an 8.3 file name
    const std::wstring& given = path.native();
    std::wstring full(GetFullPathNameW(given.c_str(), 0, nullptr, nullptr), L'\0');
    full.resize(GetFullPathNameW(given.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr));
    if (full.size() < longest || full.starts_with(L"\\\\?\\") || full.starts_with(L"\\\\.\\")) {
        return given;
    }
    return full.starts_with(L"\\\\") ? L"\\\\?\\UNC" + full.substr(1) : L"\\\\?\\" + full;
}

/// Returns the size in bytes; nullopt if the file does not exist or is not a regular file.
std::optional<std::uintmax_t> regular_size(const fs::path& path) {
    WIN32_FILE_ATTRIBUTE_DATA file{};
    if (GetFileAttributesExW(system_name(path).c_str(), GetFileExInfoStandard, &file) == 0 ||
        (file.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE)) != 0) {
        return std::nullopt;
    }
    return std::uintmax_t{file.nFileSizeHigh} << 32U | file.nFileSizeLow;
}

void make_folders(const fs::path& folder) {
    if (folder.empty() || is_there(folder)) {
        return;
    }
    if (folder.has_relative_path()) {
        make_folders(folder.parent_path());
    }
    CreateDirectoryW(system_name(folder).c_str(), nullptr);
}

void remove_file(const fs::path& path) {
    DeleteFileW(system_name(path).c_str());
}

/// Does nothing: Windows has no such signal.
struct NoFileSizeSignal {};

std::error_code replace_file(const fs::path& from, const fs::path& to) {
    const bool done = MoveFileExW(system_name(from).c_str(), system_name(to).c_str(), MOVEFILE_REPLACE_EXISTING) != 0;
    return done ? std::error_code() : std::error_code(static_cast<int>(GetLastError()), std::system_category());
}
#else
fs::path environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

const fs::path& system_name(const fs::path& path) {
    return path;
}

std::optional<std::uintmax_t> regular_size(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) {
        return std::nullopt;
    }
    const std::uintmax_t size = fs::file_size(path, error);
    return error ? std::nullopt : std::optional(size);
}

void make_folders(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
}

void remove_file(const fs::path& path) {
    std::error_code error;
    fs::remove(path, error);
}

/// Blocks SIGXFSZ in this thread while the object lives. By default the signal ends a process that writes more than its
/// limit (RLIMIT_FSIZE, `ulimit -f`) allows; without it the write fails with EFBIG.
class NoFileSizeSignal {
public:
    NoFileSizeSignal() {
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGXFSZ);
        was_pending_ = is_pending();
        pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    }
    ~NoFileSizeSignal() {
        const int error = errno;
        if (!was_pending_ && is_pending()) { // caused by this write, so the host must not receive it
            take();
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = error;
    }
    NoFileSizeSignal(const NoFileSizeSignal&) = delete;
    NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

private:
    static bool is_pending() {
        sigset_t pending;
        sigemptyset(&pending);
        return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
    }
    void take() const {
#if defined(__APPLE__) // macOS has no sigtimedwait
        int taken = 0;
        sigwait(&signal_, &taken);
#else
        const timespec at_once{};
        while (sigtimedwait(&signal_, nullptr, &at_once) < 0 && errno == EINTR) {
        }
#endif
    }

    sigset_t signal_{};
    sigset_t before_{};
    bool was_pending_ = false;
};

std::error_code replace_file(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    return error;
}
#endif

} // namespace

#if defined(_WIN32)
fs::path path_of(std::string_view name) {
    return widened(name);
}

std::string name_of(const fs::path& path) {
    const std::wstring& wide = path.native();
    const auto size = static_cast<int>(wide.size());
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, nullptr, 0, nullptr, nullptr);
    std::string name(static_cast<std::size_t>(bytes), '\0');
    WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, name.data(), bytes, nullptr, nullptr);
    std::replace(name.begin(), name.end(), '\\', '/');
    return name;
}

bool is_there(const fs::path& path) {
    return GetFileAttributesW(system_name(path).c_str()) != INVALID_FILE_ATTRIBUTES;
}
#else
fs::path path_of(std::string_view name) {
    return name;
}

std::string name_of(const fs::path& path) {
    return path.generic_string();
}

bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}
#endif

std::optional<std::vector<std::byte>> read_file(const fs::path& path, std::uintmax_t max_bytes) {
    const auto size = regular_size(path);
    if (!size || *size > max_bytes) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(*size));
    std::ifstream in(system_name(path), std::ios::binary);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!in) {
        return std::nullopt;
    }
    return bytes;
}

std::string write_file(const fs::path& path, std::span<const std::span<const std::byte>> parts) {
    fs::path temporary(path);
    temporary += temporary_suffix();
    if (path.has_parent_path()) {
        make_folders(path.parent_path());
    }
    [[maybe_unused]] const NoFileSizeSignal no_signal{};
    errno = 0;
    std::ofstream out(system_name(temporary), std::ios::binary | std::ios::trunc);
    for (const std::span<const std::byte> part : parts) {
        out.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
    }
    out.close();
    if (!out) {
        const std::error_code error(errno, std::generic_category()); // from the failed system call
        remove_file(temporary);
        return error ? "it cannot be written: " + error.message() : "it cannot be written";
    }
    if (const std::error_code error = replace_file(temporary, path)) {
        remove_file(temporary);
        return "it cannot be written: " + error.message();
    }
    return {};
}

fs::path user_cache_directory() {
    // The XDG specification requires that a relative path is ignored.
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

#include "common/temporary_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <random>
#include <utility>

#if defined(__linux__)
#include <fcntl.h>
#include <unistd.h>
#endif

#include "common/paths.hpp"

namespace samples {

namespace {

namespace fs = std::filesystem;

/// Names of existing temporary files, to remove when a signal ends the program. Files beyond this capacity are not
/// removed.
std::array<std::atomic<const char*>, 32> names{};

void remove_and_end(int signal) {
    for (const auto& name : names) {
        if (const char* there = name; there != nullptr) {
            std::remove(there); // calls only unlink, which signal handlers may call
        }
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void remove_when_ended_by(int signal) {
    const auto before = std::signal(signal, remove_and_end);
    if (before != SIG_DFL && before != remove_and_end) { // the signal is ignored, as under nohup
        std::signal(signal, before);
    }
}

} // namespace

std::unique_ptr<TemporaryFile> TemporaryFile::create(const std::string& folder) {
#if defined(O_TMPFILE)
    if (::access("/proc/self/fd", X_OK) == 0) { // needed to name the file later
        if (const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666); file >= 0) {
            return std::unique_ptr<TemporaryFile>(new TemporaryFile(folder, ::fdopen(file, "wb")));
        }
    }
#endif
    std::unique_ptr<TemporaryFile> made(new TemporaryFile(folder, nullptr));
    made->take_name();
    made->file_ = std::fopen(made->name_.c_str(), "wb");
    return made->file_ != nullptr ? std::move(made) : nullptr;
}

TemporaryFile::~TemporaryFile() {
    const int error = errno;
    close();
    if (!name_.empty()) {
        std::remove(name_.c_str());
        drop_name();
    }
    errno = error;
}

void TemporaryFile::take_name() {
    // Short, because the final name may have the maximum length.
    name_ = name_of(path_of(folder_) / (".weir" + std::to_string(std::random_device{}())));
    remove_when_ended_by(SIGINT);
    remove_when_ended_by(SIGTERM);
#ifdef SIGHUP
    remove_when_ended_by(SIGHUP);
#endif
    for (auto& name : names) {
        const char* none = nullptr;
        if (name.compare_exchange_strong(none, name_.c_str())) {
            return;
        }
    }
}

void TemporaryFile::drop_name() {
    for (auto& name : names) {
        const char* own = name_.c_str();
        name.compare_exchange_strong(own, nullptr);
    }
    name_.clear();
}

bool TemporaryFile::write(std::string_view bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size() && std::fflush(file_) == 0;
}

bool TemporaryFile::link_to(const std::string& path) {
#if defined(O_TMPFILE)
    const std::string own = "/proc/self/fd/" + std::to_string(::fileno(file_));
    return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
#else
    return path.empty(); // never called
#endif
}

bool TemporaryFile::close() {
    return file_ == nullptr || std::fclose(std::exchange(file_, nullptr)) == 0;
}

bool TemporaryFile::put_at(const std::string& path) {
    if (name_.empty()) {
        if (link_to(path)) {
            return close();
        }
        if (errno != EEXIST) {
            return false;
        }
        take_name();
        if (!link_to(name_)) {
            drop_name();
            return false;
        }
    }
    std::error_code error;
    if (const fs::file_status there = fs::status(path_of(path), error); fs::exists(there)) {
        fs::permissions(path_of(name_), there.permissions(), error);
    }
    if (!close()) {
        return false;
    }
    fs::rename(path_of(name_), path_of(path), error);
    if (error) {
        errno = error.value();
        return false;
    }
    drop_name();
    return true;
}

} // namespace samples

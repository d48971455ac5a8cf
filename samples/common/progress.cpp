#include "common/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <system_error>
#include <utility>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace samples {

namespace {

constexpr int bar_width = 40; // characters

bool stderr_is_terminal() {
#ifdef _WIN32
    return _isatty(_fileno(stderr)) != 0;
#else
    return isatty(STDERR_FILENO) != 0;
#endif
}

} // namespace

Progress::Progress(std::string step) : step_(std::move(step)), is_terminal_(stderr_is_terminal()) {
    if (!is_terminal_) {
        return;
    }
    print();
    try {
        printer_ = std::thread([this] { print_until_over(); });
    } catch (const std::system_error&) { // no thread available: only `show` redraws the line
    }
}

Progress::~Progress() {
    if (!is_terminal_) {
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    changed_.notify_one();
    if (printer_.joinable()) {
        printer_.join();
    }
    std::fprintf(stderr, "\r\x1b[K"); // erase the line
    std::fflush(stderr);
}

void Progress::show(double done) {
    const int percent = static_cast<int>(std::clamp(done, 0.0, 1.0) * 100);
    const std::lock_guard lock(mutex_);
    if (is_terminal_ && percent != percent_) {
        percent_ = percent;
        print();
    }
}

void Progress::print_until_over() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(200), [this] { return is_over_; })) {
        print();
    }
}

void Progress::print() const {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (percent_ < 0) {
        std::fprintf(stderr, "\r%-10s ... %.1f s\x1b[K", step_.c_str(), seconds);
    } else {
        const int filled = percent_ * bar_width / 100;
        std::fprintf(stderr, "\r%-10s [%s%s] %3d %% %.1f s\x1b[K", step_.c_str(),
                     std::string(static_cast<std::size_t>(filled), '#').c_str(),
                     std::string(static_cast<std::size_t>(bar_width - filled), '.').c_str(), percent_, seconds);
    }
    std::fflush(stderr);
}

} // namespace samples

#include "common/progress.hpp"

#include <algorithm>
#include <cstdio>
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

Progress::Progress(std::string step) : step_(std::move(step)), terminal_(stderr_is_terminal()) {
    show(0);
}

Progress::~Progress() {
    if (terminal_) {
        std::fprintf(stderr, "\r\x1b[K"); // back to the start of the line, which is erased
        std::fflush(stderr);
    }
}

void Progress::show(double done) {
    const int percent = static_cast<int>(std::clamp(done, 0.0, 1.0) * 100);
    if (!terminal_ || percent == shown_) {
        return;
    }
    shown_ = percent;
    const int filled = percent * bar_width / 100;
    std::fprintf(stderr, "\r%-10s [%s%s] %3d %%", step_.c_str(),
                 std::string(static_cast<std::size_t>(filled), '#').c_str(),
                 std::string(static_cast<std::size_t>(bar_width - filled), '.').c_str(), percent);
    std::fflush(stderr);
}

} // namespace samples

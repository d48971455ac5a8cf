#include "common/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#if defined(__linux__)
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <regex>
#include <set>
#include <string>
#include <unistd.h>

namespace weir::tests::progress {

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

/// A pseudo terminal that replaces stderr.
class Terminal {
public:
    Terminal() : own_(posix_openpt(O_RDWR | O_NOCTTY)), stderr_(::dup(STDERR_FILENO)) {
        if (own_ < 0 || grantpt(own_) != 0 || unlockpt(own_) != 0) {
            return;
        }
        const char* const name = ptsname(own_);
        const int other = name != nullptr ? open(name, O_RDWR | O_NOCTTY) : -1;
        if (other >= 0) {
            std::fflush(stderr);
            is_open_ = ::dup2(other, STDERR_FILENO) == STDERR_FILENO;
            ::close(other);
        }
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal() {
        ::dup2(stderr_, STDERR_FILENO);
        ::close(stderr_);
        ::close(own_);
    }

    [[nodiscard]] bool is_open() const { return is_open_; }
    /// Returns the printed text. Blocks until there is some.
    [[nodiscard]] std::string text() const {
        char letters[4096];
        const auto count = ::read(own_, letters, sizeof(letters));
        return {letters, count > 0 ? static_cast<std::size_t>(count) : 0};
    }

private:
    int own_, stderr_;
    bool is_open_ = false;
};

TEST(Progress, LongCallShowsSecondsAndNoBar) {
    std::string before, text, after;
    {
        const Terminal terminal;
        if (!terminal.is_open()) {
            GTEST_SKIP() << "the system has no pseudo terminals";
        }
        {
            samples::Progress progress("compiling");
            before = terminal.text();
            usleep(700'000); // a long call
            text = terminal.text();
            progress.show(0.5);
            after = terminal.text();
        }
        after += terminal.text();
    }
    EXPECT_THAT(before, HasSubstr("compiling  ... 0.0 s"));
    EXPECT_THAT(before + text, Not(HasSubstr("%")));
    std::set<std::string> times;
    const std::regex pattern("compiling  \\.\\.\\. ([0-9]\\.[0-9]) s");
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
        times.insert((*match)[1]);
    }
    EXPECT_GE(times.size(), 2U) << text;
    EXPECT_THAT(after, HasSubstr("compiling  [####################....................]  50 %"));
    EXPECT_THAT(after, EndsWith("\r\x1b[K"));
}

} // namespace

} // namespace weir::tests::progress
#endif

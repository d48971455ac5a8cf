#include "engine/base/files.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#if !defined(_WIN32)
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "tests/support/folder.hpp"

namespace weir::tests::files_test {
namespace {

namespace fs = std::filesystem;

std::string why_not_written(const fs::path& path, const std::string& contents) {
    const std::span<const std::byte> parts[] = {std::as_bytes(std::span(contents))};
    return write_file(path, parts);
}

std::string contents_of(const fs::path& path) {
    const auto bytes = read_file(path, 1000);
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : "none";
}

/// Checks that the file does not exist, can be written twice, and then be read.
void expect_new_file(const fs::path& path) {
    EXPECT_FALSE(is_there(path));
    EXPECT_EQ(why_not_written(path, "first"), "");
    EXPECT_EQ(why_not_written(path, "second"), "");
    EXPECT_TRUE(is_there(path) && is_there(path.parent_path()));
    EXPECT_EQ(contents_of(path), "second");
}

TEST(Files, UnicodeNames) {
    // Letters of 2, 3 and 4 bytes.
    const std::string name = "a/\xc5\x82\xc3\xb3\xd0\xb7\xe5\xad\x97\xf0\x9f\x8c\x8a.bin";
    EXPECT_EQ(name_of(path_of(name)), name);
    const TemporaryFolder folder;
    const fs::path path = path_of(folder.name() + "/" + name);
    expect_new_file(path);
    // The system has the file by this name, and no temporary file is left.
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "a"), {}), 1);
    EXPECT_EQ(fs::directory_iterator(folder.path() / "a")->path().filename(), path.filename());
}

TEST(Files, LongNames) {
    const TemporaryFolder folder;
    const std::string part(100, 'x');
    const fs::path path = path_of(folder.name() + "/" + part + "/" + part + "/" + part + "/file");
    ASSERT_GT(path.native().size(), 260U);
    expect_new_file(path);
}

TEST(Files, FoldersAndLargeFilesAreRefused) {
    const TemporaryFolder folder;
    folder.write("file", std::string(1000, 'x'));
    EXPECT_EQ(contents_of(folder.path() / "file"), std::string(1000, 'x'));
    EXPECT_FALSE(read_file(folder.path() / "file", 999));
    EXPECT_FALSE(read_file(folder.path(), 1000));
    EXPECT_FALSE(read_file(folder.path() / "gone", 1000));
    EXPECT_NE(why_not_written(folder.path() / "file" / "in a file", ""), "");
    EXPECT_NE(why_not_written(folder.path(), ""), "");
    EXPECT_EQ(folder.size(), 1);
    EXPECT_TRUE(is_there(folder.path()));
}

#if !defined(_WIN32)

/// An environment variable. The destructor restores its value.
class Variable {
public:
    explicit Variable(const char* name) : name_(name) {
        if (const char* value = std::getenv(name)) {
            before_ = value;
        }
    }
    ~Variable() { set(before_ ? before_->c_str() : nullptr); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

    void set(const char* value) const { EXPECT_EQ(value != nullptr ? setenv(name_, value, 1) : unsetenv(name_), 0); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

/// Writes more than a limit of 16 bytes, in a process of its own. Returns 0, or the number of the check that failed.
int write_above_limit(const fs::path& path) {
    const rlimit limit{16, 16};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
        return 1;
    }
    std::signal(SIGXFSZ, SIG_DFL);
    const std::string why = why_not_written(path, std::string(100000, 'x'));
    if (why != "it cannot be written: " + std::make_error_code(std::errc::file_too_large).message()) {
        return 2;
    }
    sigset_t set;
    if (sigpending(&set) != 0 || sigismember(&set, SIGXFSZ) != 0) {
        return 3; // the process would get the signal later
    }
    if (pthread_sigmask(SIG_BLOCK, nullptr, &set) != 0 || sigismember(&set, SIGXFSZ) != 0) {
        return 4;
    }
    return why_not_written(path, "short").empty() ? 0 : 5;
}

TEST(Files, WriteAboveFileSizeLimit_KeepsProcessAndLeavesNoFile) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "cache";
    const pid_t child = fork();
    if (child == 0) {
        _exit(write_above_limit(path));
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(contents_of(path), "short");
    EXPECT_EQ(folder.size(), 1);
}

TEST(Files, WriteThatCannotBegin_ReturnsTheReason) {
    const TemporaryFolder folder;
    const std::string too_long(250, 'x'); // exceeds the limit with the suffix of the temporary file
    EXPECT_EQ(why_not_written(folder.path() / too_long, "text"),
              "it cannot be written: " + std::make_error_code(std::errc::filename_too_long).message());
}

TEST(Files, CacheDirectoryFollowsEnvironment) {
    const Variable xdg("XDG_CACHE_HOME"), home("HOME");
    home.set("/home/somebody");
    xdg.set("/caches");
    EXPECT_EQ(user_cache_directory(), "/caches/weir");
    for (const char* ignored : {"", "caches"}) { // empty and relative paths
        xdg.set(ignored);
        EXPECT_EQ(user_cache_directory(), "/home/somebody/.cache/weir");
    }
    xdg.set(nullptr);
    EXPECT_EQ(user_cache_directory(), "/home/somebody/.cache/weir");
    home.set(nullptr);
    EXPECT_EQ(user_cache_directory(), "");
}

#endif

} // namespace
} // namespace weir::tests::files_test

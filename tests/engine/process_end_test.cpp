// Work that is pending when its objects are destroyed: destructors wait for the GPU for a limited time.

#include <gtest/gtest.h>

#if defined(__linux__)

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/device/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/device.hpp"
#include "tests/support/semaphores.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::process_end_test {
namespace {

const OnOneDriver on_one_driver{"ProcessEnd.*"};

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

const char* const in_child = "WEIR_TESTS_PROCESS_END"; ///< set in a child process

/// A device with work that never completes, because it waits for a semaphore that is never signaled.
struct Pending {
    std::optional<Context> context;
    std::optional<Buffer> buffer;
    std::optional<Program> program;

    void begin(const ContextOptions& options) {
        context = ok(Context::create(options));
        Graph graph(*context);
        const WordRef data = graph.import_buffer<std::uint32_t>("data", 64);
        Pass pass = simple_pass("increment", increment_source, {read_write(data)});
        pass.dispatch = Dispatch::elements(64, 64);
        graph.add_pass(pass);
        graph.export_buffer(data);
        program = ok(compile(*context, graph));
        buffer = ok(context->create_buffer(256));
        ok(program->bind(data, *buffer));
        const Device& device = *ContextAccess::device(*context);
        const VkSemaphoreSubmitInfo wait = at_value(timeline_semaphore(device.vk(), device.handle()), 1);
        ok(program->submit({.waits = {&wait, 1}}));
        Buffer retired = ok(context->create_buffer(256));
        ok(context->retire(std::move(retired), {{wait.semaphore, 1}}));
    }
};

/// Constructed before the driver and its layers are loaded, so that they end before its destructor runs.
Pending pending_at_the_end;

/// Runs the current test in a child process, where `in_child` is set. Returns the failure, or "" if it succeeds.
std::string run_in_child() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::string filter = std::string("--gtest_filter=") + test.test_suite_name() + "." + test.name();
    std::string program = "/proc/self/exe", variable = std::string(in_child) + "=1",
                no_leaks = "ASAN_OPTIONS=detect_leaks=0";
    std::array<char*, 3> arguments{program.data(), filter.data(), nullptr};
    std::vector<char*> environment{variable.data(), no_leaks.data()};
    for (char** entry = environ; *entry != nullptr; ++entry) {
        environment.push_back(*entry);
    }
    environment.push_back(nullptr);
    pid_t child = 0;
    if (const int error = posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environment.data());
        error != 0) {
        return std::string("cannot be started: ") + std::strerror(error);
    }
    int status = 0;
    const auto until = Clock::now() + std::chrono::seconds(30);
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (Clock::now() > until) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return "does not end";
        }
        std::this_thread::sleep_for(milliseconds(5));
    }
    return WIFSIGNALED(status)        ? "is ended by signal " + std::to_string(WTERMSIG(status))
           : WEXITSTATUS(status) != 0 ? "ends with status " + std::to_string(WEXITSTATUS(status))
                                      : "";
}

bool is_child() {
    return std::getenv(in_child) != nullptr;
}

TEST(ProcessEnd, StaticObjectsWithPendingWork_ProcessEnds) {
    if (!is_child()) {
        EXPECT_EQ(run_in_child(), "");
        return;
    }
    ContextOptions options;
    options.pipeline_cache_directory = "none";
    // Newer layers abort if they are called after the destructors of their static objects.
    options.validation = loads_layers() && std::getenv("WEIR_TESTS_LAYER_ENDS_EARLY") == nullptr;
    pending_at_the_end.begin(options);
    ContextAccess::device(*pending_at_the_end.context)->set_longest_wait(milliseconds(5));
}

/// Leaves the Vulkan objects of the device. The process must end without destructors.
void destroy_with_pending_work() {
    std::string log;
    ContextOptions options;
    options.pipeline_cache_directory = "none";
    options.log = [&](LogLevel, const char* message) { log += message; };
    std::optional<Pending> pending(std::in_place);
    pending->begin(options);
    const std::weak_ptr<Device> device = ContextAccess::device(*pending->context);
    device.lock()->set_longest_wait(milliseconds(5));
    const auto begin = Clock::now();
    pending->program.reset();
    EXPECT_TRUE(device.lock()->is_abandoned());
    EXPECT_NE(log.find("timed out"), std::string::npos) << log;
    pending.reset();
    EXPECT_TRUE(device.expired());
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
}

TEST(ProcessEnd, DestructorsWithPendingWork_EndAfterTheMaximumWait) {
    if (!is_child()) {
        EXPECT_EQ(run_in_child(), "");
        return;
    }
    destroy_with_pending_work();
    std::_Exit(testing::Test::HasFailure() ? 1 : 0);
}

} // namespace
} // namespace weir::tests::process_end_test

#endif

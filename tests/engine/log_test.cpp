#include "engine/base/log.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::tests::log_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Log, WritesMessagesOfLevelAndAbove) {
    std::vector<std::string> told;
    const Log log([&](LogLevel level, const char* message) { told.push_back(to_string(level) + std::string(message)); },
                  LogLevel::warning);
    for (const LogLevel level : {LogLevel::debug, LogLevel::warning, LogLevel::error}) {
        EXPECT_EQ(log.tells(level), level != LogLevel::debug);
        log.tell(level, ": one");
    }
    EXPECT_THAT(told, testing::ElementsAre("warning: one", "error: one"));
}

TEST(Log, GoesToStderrByDefault) {
    testing::internal::CaptureStderr();
    const Log log({}, LogLevel::debug);
    log.tell(LogLevel::debug, "as it is: {} %s");
    log.tell(LogLevel::warning, "rather slow");
    log.tell(LogLevel::error, "wrong");
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                AllOf(HasSubstr("[weir] [debug] as it is: {} %s"), HasSubstr("[weir] [warning] rather slow"),
                      HasSubstr("[weir] [error] wrong")));
    testing::internal::CaptureStderr();
    Log({}, LogLevel::error).tell(LogLevel::warning, "rather slow");
    EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("slow")));
}

} // namespace
} // namespace weir::tests::log_test

#pragma once

#include <string>

#include <gmock/gmock.h>

#include <weir/engine/error.hpp>

namespace weir::tests {

/// Matches a result that is an error with this code, whose message is or matches `message`.
MATCHER_P2(FailsWith, code, message,
           "is an error of code " + testing::PrintToString(static_cast<int>(code)) + " whose message " +
               testing::DescribeMatcher<const std::string&>(testing::SafeMatcherCast<const std::string&>(message))) {
    if (arg) {
        *result_listener << "which is no error";
        return false;
    }
    *result_listener << "which is: " << arg.error().message;
    return arg.error().code == code &&
           testing::Matches(testing::SafeMatcherCast<const std::string&>(message))(arg.error().message);
}

} // namespace weir::tests

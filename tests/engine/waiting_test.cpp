#include "engine/submit/waiting.hpp"

#include <gtest/gtest.h>

namespace weir::tests::waiting_test {
namespace {

using std::chrono::milliseconds;

TEST(WaitOrAsk, WorkThatNeverEnds_ReturnsTimeoutAfterTheMaximum) {
    std::uint64_t time = 0;
    int asked = 0;
    const auto begin = std::chrono::steady_clock::now();
    const VkResult status = wait_or_ask(
        [&](std::uint64_t most) {
            time = most;
            return VK_TIMEOUT; // at once, like a driver that ignores the timeout
        },
        [&] {
            ++asked;
            return VK_NOT_READY;
        },
        milliseconds(5));
    EXPECT_EQ(status, VK_TIMEOUT);
    EXPECT_EQ(time, 5000000U);
    EXPECT_GE(asked, 1);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(5));
}

TEST(WaitOrAsk, WorkThatEndsWhileItAsks_ReturnsSuccess) {
    int left = 3;
    const auto ask = [&] { return left-- > 0 ? VK_NOT_READY : VK_SUCCESS; };
    EXPECT_EQ(wait_or_ask([](std::uint64_t) { return VK_TIMEOUT; }, ask, std::chrono::minutes(1)), VK_SUCCESS);
}

TEST(WaitOrAsk, NoMaximum_WaitsWithoutTimeout) {
    std::uint64_t time = 0;
    const auto wait = [&](std::uint64_t most) {
        time = most;
        return VK_SUCCESS;
    };
    EXPECT_EQ(wait_or_ask(wait, [] { return VK_NOT_READY; }), VK_SUCCESS);
    EXPECT_EQ(time, UINT64_MAX);
}

} // namespace
} // namespace weir::tests::waiting_test

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <weir/engine/error.hpp>

#include "engine/base/vulkan_error.hpp"

namespace weir::tests::error_test {
namespace {

const Error lost{ErrorCode::device_lost, "waiting for pass 'sort': the device was lost", VK_ERROR_DEVICE_LOST};

/// Checks that `call` throws an exception with the code, the result and the message of `lost`.
template <class Call>
void expect_thrown(const Call& call) {
    try {
        call();
        FAIL() << "no exception is thrown";
    } catch (const tl::bad_expected_access<Error>& thrown) {
        EXPECT_EQ(thrown.error().code, lost.code);
        EXPECT_EQ(thrown.error().result, lost.result);
        const std::exception& any = thrown;
        EXPECT_EQ(any.what(), lost.message);
    }
}

TEST(Error, ValueThrowsWithMessage) {
    expect_thrown([] { return Result<int>(tl::unexpected(lost)).value(); });
    const Result<std::string> result = tl::unexpected(lost);
    expect_thrown([&] { return result.value(); });
}

TEST(Error, CheckThrowsWithMessage) {
    expect_thrown([] { return check(Result<int>(tl::unexpected(lost))); });
    expect_thrown([] { check(Result<>(tl::unexpected(lost))); });
    EXPECT_EQ(check(Result<int>(5)), 5);
    check(Result<>());
    auto moved = check(Result<std::unique_ptr<int>>(std::make_unique<int>(7)));
    EXPECT_EQ(*moved, 7);
}

TEST(Error, UnwrapThrowsWithMessage) {
    expect_thrown([] { return unwrap(Result<int>(tl::unexpected(lost))); });
    expect_thrown([] { unwrap(Result<>(tl::unexpected(lost))); });
    auto moved = unwrap(Result<std::unique_ptr<int>>(std::make_unique<int>(7)));
    EXPECT_EQ(*moved, 7);
}

TEST(Error, KeepsVulkanResult) {
    EXPECT_EQ(vulkan_error(VK_ERROR_OUT_OF_POOL_MEMORY, "").result, VK_ERROR_OUT_OF_POOL_MEMORY);
    EXPECT_EQ(vulkan_error(VK_ERROR_SURFACE_LOST_KHR, "").result, VK_ERROR_SURFACE_LOST_KHR); // has no text of its own
    EXPECT_EQ(Error{}.result, VK_SUCCESS);
}

} // namespace
} // namespace weir::tests::error_test

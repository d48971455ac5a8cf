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

/// What the exception says that `call` throws, and which error it has.
template <class Call>
void expect_thrown(const Call& call) {
    try {
        call();
        FAIL() << "nothing is thrown";
    } catch (const tl::bad_expected_access<Error>& thrown) {
        EXPECT_EQ(thrown.error().code, lost.code);
        EXPECT_EQ(thrown.error().result, lost.result);
        const std::exception& any = thrown;
        EXPECT_EQ(any.what(), lost.message);
    }
}

TEST(Error, IsTheMessageOfWhatValueThrows) {
    expect_thrown([] { return Result<int>(tl::unexpected(lost)).value(); });
    const Result<std::string> result = tl::unexpected(lost);
    expect_thrown([&] { return result.value(); });
}

TEST(Error, IsTheMessageOfWhatCheckThrows) {
    expect_thrown([] { return check(Result<int>(tl::unexpected(lost))); });
    expect_thrown([] { check(Result<>(tl::unexpected(lost))); });
    EXPECT_EQ(check(Result<int>(5)), 5);
    check(Result<>());
    auto moved = check(Result<std::unique_ptr<int>>(std::make_unique<int>(7)));
    EXPECT_EQ(*moved, 7);
}

TEST(Error, UnwrapDoesWhatCheckDoes) {
    expect_thrown([] { return unwrap(Result<int>(tl::unexpected(lost))); });
    expect_thrown([] { unwrap(Result<>(tl::unexpected(lost))); });
    auto moved = unwrap(Result<std::unique_ptr<int>>(std::make_unique<int>(7)));
    EXPECT_EQ(*moved, 7);
}

TEST(Error, HasWhatVulkanReturned) {
    EXPECT_EQ(vulkan_error(VK_ERROR_OUT_OF_POOL_MEMORY, "").result, VK_ERROR_OUT_OF_POOL_MEMORY);
    EXPECT_EQ(vulkan_error(VK_ERROR_SURFACE_LOST_KHR, "").result, VK_ERROR_SURFACE_LOST_KHR); // one without a sentence
    EXPECT_EQ(Error{}.result, VK_SUCCESS);
}

} // namespace
} // namespace weir::tests::error_test

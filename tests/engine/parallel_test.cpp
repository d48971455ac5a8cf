#include "engine/base/parallel.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace weir::tests::parallel_test {
namespace {

TEST(Parallel, RunsEachTaskOnce) {
    for (const std::uint32_t threads : {0U, 1U, 3U, 50U}) {
        for (const std::size_t count : {0U, 1U, 2U, 100U}) {
            std::vector<std::atomic<int>> runs(count);
            parallel_for(threads)(count, [&](std::size_t i) { ++runs[i]; });
            for (const auto& one : runs) {
                EXPECT_EQ(one, 1);
            }
        }
    }
}

TEST(Parallel, UsesGivenNumberOfThreads) {
    std::mutex mutex;
    std::set<std::thread::id> ids;
    std::atomic<int> waiting = 0;
    parallel_for(3)(3, [&](std::size_t) {
        {
            const std::lock_guard lock(mutex);
            ids.insert(std::this_thread::get_id());
        }
        for (++waiting; waiting < 3;) { // ends only if three threads run at the same time
            std::this_thread::yield();
        }
    });
    EXPECT_EQ(ids.size(), 3U);
    EXPECT_TRUE(ids.contains(std::this_thread::get_id()));
}

TEST(Parallel, ReturnsFirstErrorInTaskOrder) {
    const auto fails = [](std::size_t i) -> Result<> {
        if (i == 2) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1)); // fails long after the tasks that follow
        }
        return i < 2 ? Result<>() : tl::unexpected(Error{ErrorCode::vulkan, "of " + std::to_string(i)});
    };
    for (int repeat = 0; repeat < 20; ++repeat) {
        const auto failed = first_error(50, parallel_for(4), fails);
        ASSERT_TRUE(failed);
        EXPECT_EQ(failed->task, 2U);
        EXPECT_EQ(failed->error.message, "of 2");
    }
    EXPECT_FALSE(first_error(2, parallel_for(4), fails));
    EXPECT_FALSE(first_error(0, parallel_for(4), fails));
}

TEST(Parallel, ThrowingOrSkippedTaskIsAnError) {
    const auto throws = [](std::size_t i) -> Result<> { return i == 1 ? throw std::bad_alloc() : Result<>(); };
    const auto thrown = first_error(3, parallel_for(2), throws);
    ASSERT_TRUE(thrown);
    EXPECT_EQ(thrown->task, 1U);
    EXPECT_EQ(thrown->error.code, ErrorCode::out_of_memory);
    const ParallelFor forgets = [](std::size_t, const std::function<void(std::size_t)>& task) {
        task(0);
        task(7); // does not exist
    };
    const auto forgotten = first_error(3, forgets, [](std::size_t) { return Result<>(); });
    ASSERT_TRUE(forgotten);
    EXPECT_EQ(forgotten->task, 1U);
    EXPECT_EQ(forgotten->error.code, ErrorCode::invalid_argument);
}

} // namespace
} // namespace weir::tests::parallel_test

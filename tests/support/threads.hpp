#pragma once

#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace weir::tests {

/// Calls `work(i)` for i < count, each in its own thread, and waits for all. An exception is a failure.
template <class Work>
void in_threads(std::uint32_t count, const Work& work) {
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < count; ++i) {
        threads.emplace_back([&work, i] {
            try {
                work(i);
            } catch (const std::exception& thrown) {
                ADD_FAILURE() << thrown.what();
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

} // namespace weir::tests

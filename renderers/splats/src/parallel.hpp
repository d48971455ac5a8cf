#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace weir::splats {

/// Calls `work(item)` for items 0 to `items` - 1 in up to `threads` threads, including this one. 0 threads: one per
/// core. After each item of this thread, calls `progress(done)` with the number of items that are done.
template <class Work, class Progress>
void run_parallel(std::uint32_t threads, std::uint32_t items, const Work& work, const Progress& progress) {
    threads = std::clamp(threads != 0 ? threads : std::thread::hardware_concurrency(), 1U, std::max(items, 1U));
    std::atomic<std::uint32_t> taken = 0, done = 0;
    std::vector<std::exception_ptr> errors(threads);
    const auto run = [&](std::uint32_t thread) {
        try {
            for (std::uint32_t item = 0; (item = taken.fetch_add(1, std::memory_order_relaxed)) < items;) {
                work(item);
                const std::uint32_t count = done.fetch_add(1, std::memory_order_relaxed) + 1;
                if (thread == 0) {
                    progress(count);
                }
            }
        } catch (...) {
            errors[thread] = std::current_exception();
            taken = items;
        }
    };
    std::vector<std::thread> others;
    try {
        for (std::uint32_t thread = 1; thread < threads; ++thread) {
            others.emplace_back(run, thread);
        }
    } catch (const std::system_error&) { // the threads that run do all the work
    }
    run(0);
    for (std::thread& thread : others) {
        thread.join();
    }
    for (const std::exception_ptr& error : errors) {
        if (error) {
            std::rethrow_exception(error);
        }
    }
}

template <class Work>
void run_parallel(std::uint32_t threads, std::uint32_t items, const Work& work) {
    run_parallel(threads, items, work, [](std::uint32_t) {});
}

} // namespace weir::splats

#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include <weir/paths/cpu.hpp>

namespace weir::paths {

/// Returns the number of threads for an amount of work, in units of about a microsecond.
inline std::uint32_t threads_of(const CpuOptions& options, std::uint64_t work) {
    const std::uint32_t threads = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
    constexpr std::uint64_t least_work = 500; // starting a thread takes about 50 us
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(work / least_work, 1, std::max(1U, threads)));
}

/// Calls `work(next)` in each thread, including this one. `next(item)` sets `item` to one of 0 to `items` - 1 that no
/// thread has taken, or returns false.
template <class Work>
void run_parallel(std::uint32_t threads, std::uint32_t items, const Work& work) {
    std::atomic<std::uint32_t> taken = 0;
    const auto next = [&](std::uint32_t& item) {
        item = taken.fetch_add(1, std::memory_order_relaxed);
        return item < items;
    };
    std::vector<std::exception_ptr> errors(threads);
    const auto run = [&](std::uint32_t thread) {
        try {
            work(next);
        } catch (...) {
            errors[thread] = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    try {
        for (std::uint32_t thread = 1; thread < std::min(threads, items); ++thread) {
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

} // namespace weir::paths

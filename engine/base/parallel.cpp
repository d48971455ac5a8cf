#include "engine/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace weir {

ParallelFor parallel_for(std::uint32_t threads) {
    return [threads](std::size_t count, const std::function<void(std::size_t)>& task) {
        std::atomic<std::size_t> next = 0;
        const auto work = [&] {
            for (std::size_t i = next++; i < count; i = next++) {
                task(i);
            }
        };
        const std::size_t wanted = threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
        std::vector<std::thread> others;
        try {
            others.reserve(std::min(wanted, count));
            for (std::size_t i = 1; i < std::min(wanted, count); ++i) {
                others.emplace_back(work);
            }
        } catch (const std::exception&) { // no more threads; those that exist do the work
        }
        work();
        for (std::thread& other : others) {
            other.join();
        }
    };
}

std::optional<TaskError> first_error(std::size_t count, const ParallelFor& run,
                                     const std::function<Result<>(std::size_t)>& task) {
    if (count == 0) {
        return std::nullopt;
    }
    std::atomic<std::size_t> first_failed = count;
    const Error not_run{ErrorCode::invalid_argument, "CompilerOptions::parallel_for did not run this task"};
    std::vector<Result<>> results(count, Result<>(tl::unexpected(not_run)));
    const auto run_one = [&](std::size_t i) {
        if (i >= count || i > first_failed) {
            return;
        }
        try {
            results[i] = task(i);
        } catch (const std::exception&) {
            results[i] = tl::unexpected(Error{ErrorCode::out_of_memory, "out of host memory"});
        }
        for (std::size_t known = first_failed; !results[i] && i < known;) {
            if (first_failed.compare_exchange_weak(known, i)) {
                break;
            }
        }
    };
    if (count == 1) {
        run_one(0);
    } else {
        run(count, run_one);
    }
    const auto failed = std::find_if(results.begin(), results.end(), [](const Result<>& one) { return !one; });
    if (failed == results.end()) {
        return std::nullopt;
    }
    return TaskError{static_cast<std::size_t>(failed - results.begin()), failed->error()};
}

} // namespace weir

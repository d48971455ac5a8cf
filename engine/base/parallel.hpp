#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include <weir/engine/context.hpp>

namespace weir {

/// Returns a function that calls tasks on up to `threads` threads, one of which is the calling thread. 0: one per
/// thread of the machine. It starts no more threads than there are tasks, and continues with fewer if no more can be
/// started. Tasks must not throw.
ParallelFor parallel_for(std::uint32_t threads);

/// The error of one of several tasks.
struct TaskError {
    std::size_t task = 0;
    Error error;
};

/// Runs tasks 0 to `count` - 1 with `run` and returns the error of the first failed task, in order: the same as if they
/// ran one after the other. Returns nullopt if all succeed. Tasks after a failed one may be skipped. Further errors:
/// `out_of_memory` for a task that throws, `invalid_argument` for one that `run` does not run.
std::optional<TaskError> first_error(std::size_t count, const ParallelFor& run,
                                     const std::function<Result<>(std::size_t)>& task);

} // namespace weir

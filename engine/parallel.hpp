#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include <weir/engine/context.hpp>

namespace weir {

/// Calls tasks on the calling thread and so many others that there are `threads` of them (0: one for each of the
/// machine's), as far as there are tasks; on fewer where no more can be started. Its tasks must not throw.
ParallelFor parallel_for(std::uint32_t threads);

/// An error of one of several tasks.
struct TaskError {
    std::size_t task = 0;
    Error error;
};

/// Runs tasks below `count` with `run`, and says what the first of them, in order, has failed with: no other than if
/// they ran one after the other. Those after one that failed may not run. Errors of its own: `out_of_memory` for a task
/// that throws, `invalid_argument` for one that `run` does not run.
std::optional<TaskError> first_error(std::size_t count, const ParallelFor& run,
                                     const std::function<Result<>(std::size_t)>& task);

} // namespace weir

#pragma once

#include <utility>

#include <weir/engine/error.hpp>

/// Returns the error of a Result from the calling function if the Result is an error. The argument is evaluated once;
/// the error of a temporary is moved. The calling function must return a weir::Result.
///
///     auto program = weir::compile(gpu, graph);
///     SAMPLES_PROPAGATE(program);
///     SAMPLES_PROPAGATE(program->run());
#define SAMPLES_PROPAGATE(...)                                                                                         \
    do {                                                                                                               \
        if (auto&& samples_result = __VA_ARGS__; !samples_result) {                                                    \
            return tl::unexpected(std::forward<decltype(samples_result)>(samples_result).error());                     \
        }                                                                                                              \
    } while (false)

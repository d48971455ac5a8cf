#pragma once

#include <utility>

#include <weir/engine/error.hpp>

/// Returns the error of a Result from the calling function if the Result is an error. The argument is evaluated once;
/// the error of a temporary is moved. The calling function must return a Result.
///
///     auto plan = make_plan(graph, options);
///     WEIR_PROPAGATE(plan);
///     WEIR_PROPAGATE(allocate(*plan));
#define WEIR_PROPAGATE(...)                                                                                            \
    do {                                                                                                               \
        if (auto&& weir_result = __VA_ARGS__; !weir_result) {                                                          \
            return tl::unexpected(std::forward<decltype(weir_result)>(weir_result).error());                           \
        }                                                                                                              \
    } while (false)

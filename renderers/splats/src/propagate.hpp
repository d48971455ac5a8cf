#pragma once

#include <utility>

#include <weir/engine/error.hpp>

/// Returns the error of a Result from the calling function if the Result is an error. The argument is evaluated once;
/// the error of a temporary is moved. The calling function must return a Result.
#define SPLATS_PROPAGATE(...)                                                                                          \
    do {                                                                                                               \
        if (auto&& splats_result = __VA_ARGS__; !splats_result) {                                                      \
            return tl::unexpected(std::forward<decltype(splats_result)>(splats_result).error());                       \
        }                                                                                                              \
    } while (false)

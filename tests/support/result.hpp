#pragma once

#include <stdexcept>
#include <utility>

#include <weir/engine/error.hpp>

namespace weir::tests {

/// Returns the value of a result, for steps of a test that must work. Throws the message of an error, which ends the
/// test.
template <class T>
T ok(Result<T> result) {
    if (!result) {
        throw std::runtime_error(result.error().message);
    }
    if constexpr (!std::is_void_v<T>) {
        return std::move(*result);
    }
}

} // namespace weir::tests

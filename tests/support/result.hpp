#pragma once

#include <stdexcept>
#include <utility>

#include <weir/engine/error.hpp>

namespace weir::tests {

/// The value of a result, for steps of a test that have to work: an error ends the test with its message.
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

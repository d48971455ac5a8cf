#pragma once

#include <algorithm>
#include <vector>

#include "tests/support/data.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"

namespace weir::tests {

/// Returns a new buffer of the test device that holds `items`. Its size is rounded up to whole words and is never 0, so
/// that it can be bound.
template <class T>
Buffer buffer_of(const std::vector<T>& items) {
    const std::size_t bytes = std::max<std::size_t>(items.size(), 1) * sizeof(T);
    Buffer buffer = ok(test_context().create_buffer((bytes + 3) / 4 * 4));
    ok(test_context().upload(buffer, items));
    return buffer;
}

/// Returns a new, poisoned buffer for `count` items.
template <class T = std::uint32_t>
Buffer poisoned_buffer(std::size_t count) {
    return buffer_of(poisoned<T>(count == 0 ? 1 : count));
}

/// Downloads the first `count` items of a buffer of the test device.
template <class T = std::uint32_t>
std::vector<T> contents(BufferView buffer, std::size_t count) {
    return ok(test_context().download<T>(buffer, count));
}

} // namespace weir::tests

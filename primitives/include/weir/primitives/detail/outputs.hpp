#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <weir/graph/graph.hpp>

namespace weir::detail {

/// Returns `given` if it is valid, otherwise a new transient with capacity for `capacity` elements, at least one.
template <class T>
BufferRef<T> given_or_transient(Graph& graph, BufferRef<T> given, std::string name, std::uint64_t capacity) {
    const auto room = static_cast<std::uint32_t>(capacity > 0 ? capacity : 1);
    return given.valid() ? given : graph.transient_buffer<T>(std::move(name), room);
}

/// Returns the number of elements of a large buffer as a count, for requests that do not need windows.
inline Count small_count(std::uint64_t elements) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(elements, ~0U));
}

/// Returns the words of an initial value, if there is one.
template <class T>
std::optional<std::array<std::uint32_t, 16>> words_of(const std::optional<T>& value) {
    std::optional<std::array<std::uint32_t, 16>> words;
    if (value) {
        std::memcpy(words.emplace().data(), &*value, sizeof(T));
    }
    return words;
}

} // namespace weir::detail

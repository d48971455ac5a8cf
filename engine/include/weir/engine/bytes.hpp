#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace weir {

/// A type from which a `std::span` of trivially copyable items can be made.
template <class Items>
concept SpanOfBytes = requires(Items& items) {
    std::span(items);
    requires std::is_trivially_copyable_v<typename decltype(std::span(items))::value_type>;
};

/// Returns the bytes of contiguous items or of a single value, without a copy.
template <class T>
std::span<const std::byte> bytes_of(const T& value) {
    if constexpr (SpanOfBytes<const T>) {
        return std::as_bytes(std::span(value));
    } else {
        static_assert(std::is_trivially_copyable_v<T>, "T must be trivially copyable");
        return std::as_bytes(std::span(&value, 1));
    }
}

} // namespace weir

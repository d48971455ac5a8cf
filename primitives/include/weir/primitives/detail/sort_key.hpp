#pragma once

#include <cstdint>

#include <weir/primitives/element.hpp>

namespace weir::detail {

/// Number type of a key. A narrow key sorts like the 32-bit number.
template <class K>
struct SortKey {
    static constexpr ElementType number = element_type<K>;
};
template <>
struct SortKey<std::uint8_t> : SortKey<std::uint32_t> {};
template <>
struct SortKey<std::int8_t> : SortKey<std::int32_t> {};
template <>
struct SortKey<std::uint16_t> : SortKey<std::uint32_t> {};
template <>
struct SortKey<std::int16_t> : SortKey<std::int32_t> {};
template <>
struct SortKey<Half> : SortKey<float> {};
template <>
struct SortKey<BFloat16> : SortKey<float> {};

template <class K>
inline constexpr bool is_sort_key = SortKey<K>::number.scalar != Scalar::custom&& SortKey<K>::number.components == 1;

} // namespace weir::detail

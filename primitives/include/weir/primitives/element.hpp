#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace weir {

/// A 16-bit float: binary16 of IEEE 754. Sorts, scans and compactions support it; see <weir/primitives/narrow.hpp>.
struct Half {
    std::uint16_t bits = 0; ///< bit pattern
};

/// A 16-bit float with the exponent of a `float`: its upper 16 bits (bfloat16). It is supported where `Half` is.
struct BFloat16 {
    std::uint16_t bits = 0; ///< bit pattern
};

/// Scalar type of an element: a number, or the words of a struct.
enum class Scalar : std::uint8_t {
    u32,   ///< std::uint32_t
    i32,   ///< std::int32_t
    f32,   ///< float
    u64,   ///< std::uint64_t
    i64,   ///< std::int64_t
    f64,   ///< double
    custom ///< 32-bit words of a struct
};

/// Type of the elements of a buffer: one to four 32-bit numbers, one 64-bit number, or a struct.
struct ElementType {
    Scalar scalar = Scalar::u32;  ///< type of each number
    std::uint32_t components = 1; ///< number of scalars; for `custom`, number of words
    /// Returns the number of 32-bit words per element. Elements of three words are not padded to four.
    [[nodiscard]] constexpr std::uint32_t words() const {
        const bool wide = scalar == Scalar::u64 || scalar == Scalar::i64 || scalar == Scalar::f64;
        return wide ? 2 * components : components;
    }
};

namespace detail {

/// The type of a number, or `custom`.
template <class T>
inline constexpr Scalar scalar_of = std::is_same_v<T, std::uint32_t>   ? Scalar::u32
                                    : std::is_same_v<T, std::int32_t>  ? Scalar::i32
                                    : std::is_same_v<T, float>         ? Scalar::f32
                                    : std::is_same_v<T, std::uint64_t> ? Scalar::u64
                                    : std::is_same_v<T, std::int64_t>  ? Scalar::i64
                                    : std::is_same_v<T, double>        ? Scalar::f64
                                                                       : Scalar::custom;

template <class T>
struct ElementTypeOf {
    static_assert(
        std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0 && sizeof(T) <= 64,
        "an element must be a number of 32 or 64 bits, an array of two to four 32-bit numbers or a struct of 1 to 16 "
        "words; narrower numbers are supported by sorts, and by <weir/primitives/narrow.hpp> for scans and selections");
    static constexpr ElementType value{scalar_of<T>, scalar_of<T> == Scalar::custom ? sizeof(T) / 4 : 1};
};
template <class T, std::size_t n>
requires(sizeof(T) == 4 && scalar_of<T> != Scalar::custom && n >= 2 && n <= 4) struct ElementTypeOf<std::array<T, n>> {
    static constexpr ElementType value{scalar_of<T>, n};
};

} // namespace detail

/// Element type of a C++ type. T must be std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double, a
/// std::array of two to four of the first three, or a trivially copyable struct of 1 to 16 words (`custom`).
template <class T>
inline constexpr ElementType element_type = detail::ElementTypeOf<T>::value;

/// True for numbers of 8 or 16 bits: std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, Half and
/// BFloat16.
template <class N>
inline constexpr bool is_narrow =
    std::is_same_v<N, std::uint8_t> || std::is_same_v<N, std::int8_t> || std::is_same_v<N, std::uint16_t> ||
    std::is_same_v<N, std::int16_t> || std::is_same_v<N, Half> || std::is_same_v<N, BFloat16>;

/// A narrow number. Functions of <weir/primitives/narrow.hpp> take such elements.
template <class N>
concept NarrowElement = is_narrow<N>;

/// A type of elements that are not narrow, see `element_type`.
template <class T>
concept Element = !is_narrow<T>;

/// 32-bit type to which a narrow number is widened: std::uint32_t, std::int32_t or float.
template <class N>
using Wide = std::conditional_t<std::is_same_v<N, Half> || std::is_same_v<N, BFloat16>, float,
                                std::conditional_t<std::is_signed_v<N>, std::int32_t, std::uint32_t>>;

} // namespace weir

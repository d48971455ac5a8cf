#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <weir/primitives/element.hpp>
#include <weir/primitives/fused.hpp>

namespace weir {

/// Comparisons of numbers. Floats compare as in IEEE 754: both zeros are equal, and a comparison with NaN is false,
/// except `not_equal`.
enum class Comparison : std::uint8_t {
    equal,         ///< ==
    not_equal,     ///< !=
    less,          ///< <
    less_equal,    ///< <=
    greater,       ///< >
    greater_equal, ///< >=
};

/// A condition on an element: a GLSL expression, or a comparison with a number.
///
///     select_if(graph, depths, "x != 0xFFFFFFFFu");
///     select_if(graph, depths, {.expression = "x < reach", .values = {{"reach", reach}}});
///     select_if(graph, depths, Predicate::compare(Comparison::less, 100U)); // needs no compiler
///
/// Without an expression and without a comparison, a predicate is invalid.
struct Predicate {
    /// GLSL expression of type bool. It may use `x`, the element, and `uint i`, its index. The type of `x` is uint, int
    /// or float for a number of 32 bits; uvec, ivec or vec for an array; uvec2 for a 64-bit number, with its bits, the
    /// low word first; uint for a struct of one word; an array of uint for a larger struct.
    ///
    /// The shader is compiled with the graph, which needs shaderc. The expression may be evaluated several times for
    /// one element and must give the same result each time. Its float arithmetic is `precise`.
    std::string expression = {};
    /// GLSL declarations that precede the expression, which may use them. Return values are `precise`; `out` parameters
    /// must be declared precise by the application. Names of shaders/compact and shaders/lib are reserved, and two
    /// predicates must not declare the same name.
    std::string functions = {};
    std::vector<FusedBuffer> buffers = {}; ///< buffers that the expression reads
    std::vector<FusedValue> values = {};   ///< values that it uses; two predicates must use different names
    std::string name = "predicate";        ///< file name in compile errors

    std::optional<Comparison> comparison = {}; ///< comparison of the element with `number`
    ElementType type = {};                     ///< type of `number`
    std::array<std::uint32_t, 2> number = {};  ///< bits of the number, the low word first

    /// Returns a predicate that compares the element with a number of the same type. T is std::uint32_t, std::int32_t,
    /// float, std::uint64_t, std::int64_t or double.
    template <class T>
    static Predicate compare(Comparison comparison, T number) {
        static_assert(element_type<T>.scalar != Scalar::custom && element_type<T>.words() <= 2,
                      "Predicate::compare requires a 32-bit or 64-bit number");
        Predicate predicate;
        predicate.comparison = comparison;
        predicate.type = element_type<T>;
        std::memcpy(predicate.number.data(), &number, sizeof(T));
        return predicate;
    }
};

} // namespace weir

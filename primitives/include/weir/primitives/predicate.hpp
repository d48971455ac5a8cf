#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <weir/primitives/element.hpp>
#include <weir/primitives/scan.hpp>

namespace weir {

/// Comparisons of numbers. Floats compare as in IEEE 754: both zeros are equal, and comparisons with NaN are false,
/// except `not_equal`.
enum class Comparison : std::uint8_t {
    equal,         ///< ==
    not_equal,     ///< !=
    less,          ///< <
    less_equal,    ///< <=
    greater,       ///< >
    greater_equal, ///< >=
};

/// A condition on an element: an expression in GLSL, or a comparison with a number.
///
///     select_if(graph, depths, "x != 0xFFFFFFFFu");
///     select_if(graph, depths, Predicate::compare(Comparison::less, 100U)); // needs no compiler
struct Predicate {
    /// GLSL of type bool, of `x`, the element, and `uint i`, its index. `x` is a uint, int or float; of an array a
    /// uvec, ivec or vec; of a 64-bit number a uvec2 of its bits, the low word first; of a struct of one word a uint,
    /// of more words an array of uint. The shader is compiled with the graph, which needs shaderc. The expression may
    /// be evaluated several times for an element and has to give the same result each time; its arithmetic of floats is
    /// `precise`.
    std::string expression;
    /// GLSL declarations before the expression, which it may use. Return values are `precise`; declare `out` parameters
    /// precise yourself. Names of shaders/compact and shaders/lib are reserved, and two predicates must not declare the
    /// same name.
    std::string functions;
    std::vector<FusedBuffer> buffers; ///< buffers that it reads
    std::vector<FusedValue> values;   ///< values that it uses; names of two predicates have to differ
    std::string name = "predicate";   ///< stands for the file in compile errors

    std::optional<Comparison> comparison;  ///< of the element with `number`
    ElementType type;                      ///< of the number
    std::array<std::uint32_t, 2> number{}; ///< its bits, the low word first

    /// No predicate.
    Predicate() = default;
    // NOLINTBEGIN(google-explicit-constructor): an expression is a predicate
    /// An expression.
    Predicate(std::string glsl) : expression(std::move(glsl)) {}
    /// An expression.
    Predicate(const char* glsl) : expression(glsl) {}
    // NOLINTEND(google-explicit-constructor)

    /// A comparison of the element with a number of its type. T is std::uint32_t, std::int32_t, float, std::uint64_t,
    /// std::int64_t or double.
    template <class T>
    static Predicate compare(Comparison comparison, T number) {
        static_assert(element_type<T>.scalar != Scalar::custom && element_type<T>.words() <= 2,
                      "elements are compared with a number");
        Predicate predicate;
        predicate.comparison = comparison;
        predicate.type = element_type<T>;
        std::memcpy(predicate.number.data(), &number, sizeof(T));
        return predicate;
    }
};

} // namespace weir

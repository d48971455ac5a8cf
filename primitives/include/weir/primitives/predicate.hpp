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

/// How numbers compare. Floats as in IEEE 754: both zeros are equal, and a NaN is not equal to anything, nor less or
/// greater.
enum class Comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

/// What is asked of an element: either an expression in GLSL or how it compares with a number.
///
///     select_if(graph, depths, "x != 0xFFFFFFFFu");
///     select_if(graph, depths, Predicate::compare(Comparison::less, 100U)); // needs no compiler
struct Predicate {
    /// GLSL of type bool, of `x`, the element, and `uint i`, its index. `x` is a uint, int or float; of an array a
    /// uvec, ivec or vec; of a 64-bit number a uvec2 of its bits, the low word first; of a struct of one word a uint,
    /// of more an array of uints. Its shader is compiled with the graph, which needs shaderc. It may be evaluated
    /// several times for an element and must give the same each time: its arithmetic of floats is `precise`.
    std::string expression;
    /// GLSL before it, which it may call. What functions return is `precise`; what they hand back by parameters has to
    /// be declared so. Names of shaders/compact and shaders/lib are taken, and two predicates must not declare the same
    /// one.
    std::string functions;
    std::vector<FusedBuffer> buffers; ///< that it sees, to be read
    std::vector<FusedValue> values;   ///< that it sees; names of two predicates must differ
    std::string name = "predicate";   ///< stands for the file in compile errors

    std::optional<Comparison> comparison; ///< of the element with the number, which is of its type
    ElementType type;
    std::array<std::uint32_t, 2> number{};

    Predicate() = default;
    // NOLINTBEGIN(google-explicit-constructor): an expression is a predicate
    Predicate(std::string glsl) : expression(std::move(glsl)) {}
    Predicate(const char* glsl) : expression(glsl) {}
    // NOLINTEND(google-explicit-constructor)

    /// T is std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t or double, the type of the elements.
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

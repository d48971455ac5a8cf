#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/export.hpp>

namespace weir {

/// Built-in operators. On integers all are exact, modulo 2^32 or 2^64. On floats `add` and `mul` round; `min` and `max`
/// use the total order of IEEE 754 (-0 before +0, NaNs after the infinity of their sign); bit operators are not
/// defined. Arrays are combined component by component.
enum class Operator : std::uint8_t {
    add,     ///< sum
    mul,     ///< product
    min,     ///< smaller one
    max,     ///< greater one
    bit_and, ///< bitwise and
    bit_or,  ///< bitwise or
    bit_xor, ///< bitwise exclusive or
};

/// "add", "mul", "min", "max", "and", "or" or "xor"; "?" for other numbers.
WEIR_API const char* to_string(Operator op);

/// An operator of your own, in GLSL: a struct T of 1 to 16 words, its identity, and an associative combination of two
/// values. It need not commute: operands keep their order. For example, the composition of affine maps x -> a x + b,
/// the left one applied first:
///
///     Monoid{.name = "affine",
///            .fields = {"float a", "float b"},
///            .identity = "T(1.0, 0.0)",
///            .combine = "return T(right.a * left.a, right.a * left.b + right.b);"}
///
/// Combining with the identity has to give the other operand. Where rounding makes the operator only approximately
/// associative, results still have the same bits in every run on one device.
struct Monoid {
    std::string name = "monoid"; ///< stands for the file in compile errors, as NAME.combine and so on
    /// "TYPE NAME", in memory order, without padding. Types: uint, int, float, their vectors of 2 to 4, mat2; and
    /// where the device has such numbers (`Capabilities`), double, uint64_t and int64_t, of two words.
    std::vector<std::string> fields = {};
    /// GLSL declarations before the others, which may use them; they see T. The values that the functions and `combine`
    /// return are `precise`: they have the same bits wherever they are computed. Declare `out` parameters precise
    /// yourself.
    std::string functions = {};
    std::string identity = {}; ///< an expression of type T
    std::string combine = {};  ///< the body of T combine(T left, T right)
    bool commutes = false;     ///< whether operands may be swapped, which is faster
    /// Whether the operator is associative to the last bit, as operators without rounding are: then a scan may group
    /// operands in any way, which is faster. If an operator that rounds is said to be exact, the last bits of results
    /// differ from run to run.
    bool exact = false;
};

} // namespace weir

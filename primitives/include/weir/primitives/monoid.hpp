#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/export.hpp>

namespace weir {

/// Built-in operators. All are exact for integers, modulo 2^32 or 2^64. For floats, `add` and `mul` round; `min` and
/// `max` use IEEE 754 total order (-0 before +0, NaNs beyond the infinity of their sign); bit operators are not
/// defined. Arrays are combined component by component.
enum class Operator : std::uint8_t {
    add,     ///< sum
    mul,     ///< product
    min,     ///< minimum
    max,     ///< maximum
    bit_and, ///< bitwise and
    bit_or,  ///< bitwise or
    bit_xor, ///< bitwise exclusive or
};

/// Returns "add", "mul", "min", "max", "and", "or" or "xor"; "?" for other numbers.
WEIR_API const char* to_string(Operator op);

/// An operator of the application, in GLSL: a struct T of 1 to 16 words, its identity, and an associative combination
/// of two values. The operator need not commute: operands keep their order. Example: the composition of affine maps a x
/// + b, in which the left map is applied first:
///
///     Monoid{.name = "affine",
///            .fields = {"float a", "float b"},
///            .identity = "T(1.0, 0.0)",
///            .combine = "return T(right.a * left.a, right.a * left.b + right.b);"}
///
/// Combining with the identity must give the other operand. If rounding makes the operator only approximately
/// associative, results still have the same bits in every run on one device.
struct Monoid {
    std::string name = "monoid"; ///< file name in compile errors, as NAME.combine and so on
    /// Members of T: "TYPE NAME" in memory order, without padding. Types: uint, int, float, their vectors of 2 to 4,
    /// mat2. Also double, uint64_t and int64_t, of two words each, if the device supports them (`Capabilities`).
    std::vector<std::string> fields = {};
    /// GLSL declarations that precede `identity` and `combine`, which may use them. They may use T. Values that these
    /// functions and `combine` return are `precise`: they have the same bits wherever they are computed. `out`
    /// parameters must be declared precise by the application.
    std::string functions = {};
    std::string identity = {}; ///< expression of type T
    std::string combine = {};  ///< body of T combine(T left, T right)
    bool commutes = false;     ///< operands may be swapped, which is faster
    /// The operator is associative to the last bit, as operators without rounding are. A scan may then group operands
    /// in any way, which is faster. If this is set for an operator that rounds, the last bits of results differ from
    /// run to run.
    bool exact = false;
};

} // namespace weir

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/export.hpp>

namespace weir {

/// Built-in operators. On integers all are exact, modulo 2^32 or 2^64. On floats `add` and `mul` round; `min` and `max`
/// go by the total order of IEEE 754 (-0 before +0, NaNs beyond the infinities of their sign); there are no bit
/// operators. On arrays each component goes with its like.
enum class Operator : std::uint8_t { add, mul, min, max, bit_and, bit_or, bit_xor };

/// "add", "mul", "min", "max", "and", "or" or "xor"; "?" for a number that is no operator.
WEIR_API const char* to_string(Operator op);

/// An operator of your own, in GLSL: a struct T of 1 to 16 words, its identity, and an associative way to combine two
/// of them. It need not commute: operands keep their order. For example, to compose affine maps x -> a x + b, first one
/// first:
///
///     Monoid{.name = "affine",
///            .fields = {"float a", "float b"},
///            .identity = "T(1.0, 0.0)",
///            .combine = "return T(right.a * left.a, right.a * left.b + right.b);"}
///
/// Combining with the identity must give the other operand. If rounding makes the operator only nearly associative,
/// results still have the same bits in every run on one device.
struct Monoid {
    std::string name = "monoid"; ///< stands for the file in compile errors, as NAME.combine and so on
    /// "TYPE NAME", in the order in which the struct lies in memory, without padding. Types: uint, int, float, their
    /// vectors of 2 to 4, and mat2.
    std::vector<std::string> fields = {};
    /// GLSL before the others, which they may call; it sees T. What its functions return, and `combine`, is `precise`:
    /// it has the same bits wherever it is computed. What they hand back by parameters has to be declared so.
    std::string functions = {};
    std::string identity = {}; ///< an expression of type T
    std::string combine = {};  ///< body of T combine(T left, T right)
    bool commutes = false;     ///< whether operands may be swapped, which is faster
    /// Whether it is associative to the last bit, as what does not round is: then a scan may group operands as it goes,
    /// which is faster. If that is said of one that rounds, results differ in their last bits from run to run.
    bool exact = false;
};

} // namespace weir

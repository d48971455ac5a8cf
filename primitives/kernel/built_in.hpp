#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/monoid.hpp>

// The built-in operators, as the kernels know them.

namespace weir {

/// The operators of shaders/lib/monoid.glsl.
enum class KernelOperator : std::uint32_t {
    add,
    mul,
    min,
    max,
    min_signed,
    max_signed,
    min_float,
    max_float,
    bit_and,
    bit_or,
    bit_xor,
};

/// The types that kernels are compiled for: one to four words, one to four floats, pairs of words, doubles.
constexpr std::size_t kernel_types = 10;

struct BuiltInOperator {
    std::size_t type = 0; ///< below kernel_types, in the order above
    KernelOperator op = KernelOperator::add;
    bool exact = false; ///< associative to the last bit
    /// What no elements add to, if that is not the kernel's identity: for floats, numbers that people expect there,
    /// where the identity is minus zero, or beyond infinity.
    std::optional<std::array<std::uint32_t, 16>> of_nothing;
};

/// Errors: `invalid_argument` for what is no operator or a type that has no such one, `unsupported` for doubles on a
/// device without them.
Result<BuiltInOperator> built_in_operator(const Capabilities& device, ElementType element, Operator op);

} // namespace weir

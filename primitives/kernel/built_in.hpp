#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/monoid.hpp>

#include "primitives/kernel/interface.hpp"

// The built-in operators, and the kernels that the library has for them.

namespace weir {

struct Packed;

/// The operators of shaders/lib/monoid.glsl.
struct KernelOperators {
#include "shaders/lib/monoid_interface.h"
};

/// A component of the elements that a kernel combines: ELEMENT of shaders/lib/monoid.glsl.
enum class KernelElement : std::uint8_t { u32, f32, u64, f64 };

/// The kernels of one type of element. Those that it lacks are compiled with the graph.
struct TypeKernels {
    KernelElement element = KernelElement::u32;
    std::uint32_t components = 1;
    const Packed* reduce = nullptr;
    const Packed* reduce_by_key = nullptr;
    const Packed* scan = nullptr;
    const Packed* segmented_scan = nullptr;
    const Packed* column_scan = nullptr;
    const Packed* packed_scan = nullptr; ///< with packed tile states
};

/// A built-in operator on elements of one type: its kernels, and what they have to know.
struct BuiltInOperator {
    const TypeKernels* kernels = nullptr;
    std::uint32_t op = KernelOperators::OPERATOR_ADD;
    bool exact = false; ///< associative to the last bit
    /// The result of no elements, if that is not the kernel's identity: for floats, numbers that people expect there,
    /// where the identity is minus zero, or beyond infinity.
    std::optional<std::array<std::uint32_t, 16>> of_nothing;
};

/// Errors: `invalid_argument` for a number that is no operator or a type without this operator, `unsupported` for
/// doubles on a device without them.
Result<BuiltInOperator> built_in_operator(const Capabilities& device, ElementType element, Operator op);

/// The lines that select the type in a kernel's text.
std::string define_element(const TypeKernels& kernels);

} // namespace weir

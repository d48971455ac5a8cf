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

// The built-in operators, and the kernels that the library contains for them.

namespace weir {

struct Packed;

/// Operators of shaders/lib/monoid.glsl.
struct KernelOperators {
#include "shaders/lib/monoid_interface.h"
};

/// Component type of the elements that a kernel combines: WEIR_ELEMENT of shaders/lib/monoid.glsl.
enum class KernelElement : std::uint8_t { u32, f32, u64, f64 };

/// Kernels of one element type. Kernels that are null or not listed here are compiled with the graph.
struct TypeKernels {
    KernelElement element = KernelElement::u32;
    std::uint32_t components = 1;
    const Packed* reduce = nullptr;
    const Packed* reduce_by_key = nullptr;
    const Packed* scan = nullptr;
    const Packed* segmented_scan = nullptr;
    const Packed* column_scan = nullptr;
    const Packed* packed_scan = nullptr; ///< scan with packed tile states
};

/// A built-in operator on elements of one type: its kernels and their parameters.
struct BuiltInOperator {
    const TypeKernels* kernels = nullptr;
    std::uint32_t op = KernelOperators::WEIR_OPERATOR_ADD;
    bool exact = false; ///< associative to the last bit
    /// The result for no elements, if it is not the identity of the kernel. For floats the kernel's identity of `add`
    /// is minus zero, and those of `min` and `max` are beyond infinity; users expect 0, infinity and -infinity.
    std::optional<std::array<std::uint32_t, 16>> of_nothing;
};

/// Returns the operator `op` on elements of type `element`. Errors: `invalid_argument` for a number that is not an
/// operator, or a type without this operator; `unsupported` for doubles on a device without them.
Result<BuiltInOperator> built_in_operator(const Capabilities& device, ElementType element, Operator op);

/// Returns the GLSL lines that select the element type in the text of a kernel.
std::string define_element(const TypeKernels& kernels);

} // namespace weir

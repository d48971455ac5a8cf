#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include <weir/graph/graph.hpp>
#include <weir/primitives/reduce.hpp>

#include "primitives/kernel/built_in.hpp"
#include "primitives/kernel/interface.hpp"

// Makes the pass of a reduction, for all primitives whose kernel includes shaders/reduce/reduce.glsl.

namespace weir {

struct ReduceInterface {
#include "shaders/reduce/reduce_interface.h"
};

/// Kernel inputs for an operator.
struct ReduceOperator {
    const Monoid* monoid = nullptr;       ///< null: a built-in operator
    const TypeKernels* kernels = nullptr; ///< kernels of a built-in operator
    std::uint32_t op = 0;                 ///< REDUCE_OPERATOR
    std::optional<std::array<std::uint32_t, 16>> initial = {};
    bool initial_of_nothing = false; ///< `initial` is used only as the result for no elements
};

/// Returns the operator for elements of this type. Returns nothing and fails the graph if it is not available.
std::optional<ReduceOperator> reduce_operator(Graph& graph, const char* name, ElementType element,
                                              const std::variant<Operator, Monoid>& op,
                                              const std::optional<std::array<std::uint32_t, 16>>& initial);

/// A reduction whose kernel is chosen.
struct ReducePass {
    const char* name = "";
    ShaderSource shader = {};
    Count count = {};
    std::uint32_t words = 1;   ///< words of a combined value
    BufferId input = {};       ///< not valid: the kernel defines its own load
    WordLayout layout = {};    ///< layout of the input; the stride must be set
    bool whole_vectors = true; ///< elements are contiguous from a multiple of 16 bytes on
    BufferId output = {};
    ReduceOperator op = {};
    ReduceTuning tuning = {};
};

/// Returns the pass. The caller appends the additional inputs of its kernel: bindings from MORE_BINDING on, constants
/// and push constants. Returns nothing and fails the graph if the device cannot run the shape.
std::optional<Pass> reduce_pass(Graph& graph, const ReducePass& reduction);

} // namespace weir

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include <weir/graph/graph.hpp>
#include <weir/primitives/reduce.hpp>

#include "primitives/kernel/built_in.hpp"
#include "primitives/kernel/interface.hpp"

// The pass of a reduction, for all primitives whose kernel is shaders/reduce/reduce.glsl.

namespace weir {

struct ReduceInterface {
#include "shaders/reduce/reduce_interface.h"
};

/// An operator as kernels take it.
struct ReduceOperator {
    const Monoid* monoid = nullptr;       ///< null: a built-in operator
    const TypeKernels* kernels = nullptr; ///< of a built-in one
    std::uint32_t op = 0;                 ///< REDUCE_OPERATOR
    std::optional<std::array<std::uint32_t, 16>> initial = {};
    bool initial_of_nothing = false; ///< it is only the result of no elements
};

/// The operator for elements of this type; fails the graph and returns none if there is none.
std::optional<ReduceOperator> reduce_operator(Graph& graph, const char* name, ElementType element,
                                              const std::variant<Operator, Monoid>& op,
                                              const std::optional<std::array<std::uint32_t, 16>>& initial);

/// A reduction whose kernel is chosen.
struct ReducePass {
    const char* name = "";
    ShaderSource shader = {};
    Count count = {};
    std::uint32_t words = 1;   ///< of what is combined
    BufferId input = {};       ///< not valid: the kernel has loads of its own
    WordLayout layout = {};    ///< of the input, with a stride
    bool whole_vectors = true; ///< whether elements follow each other from a multiple of 16 bytes on
    BufferId output = {};
    ReduceOperator op = {};
    ReduceTuning tuning = {};
};

/// The pass, to which the caller appends what its kernel has besides: bindings from MORE_BINDING on, constants and
/// push constants. Fails the graph and returns none if the device cannot run the shape.
std::optional<Pass> reduce_pass(Graph& graph, const ReducePass& reduction);

} // namespace weir

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <weir/graph/description.hpp>

// The conditions of the `only_if` scopes that are open while a graph is built.

namespace weir {

using Condition = GraphDescription::Condition;

/// Returns the conditions of the outermost `depth` scopes, each once. Conditions that always hold are left out.
std::vector<Condition> open_conditions(const GraphDescription& graph, std::size_t depth);

/// Returns the conditions that the host evaluates when it records.
std::vector<Condition> without_gpu(std::vector<Condition> conditions);

/// Returns the count on the GPU that must not be 0 for passes added now, if any.
std::optional<Count> open_gate(const GraphDescription& graph);

} // namespace weir

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <weir/graph/description.hpp>

// The conditions of the `only_if` scopes that are open while a graph is built.

namespace weir {

using Condition = GraphDescription::Condition;

/// The conditions of the outermost `depth` scopes, each once.
std::vector<Condition> open_conditions(const GraphDescription& graph, std::size_t depth);

/// Those that the host decides when it records.
std::vector<Condition> without_gpu(std::vector<Condition> conditions);

/// The count on the GPU that must not be 0 for what is added now, if there is one.
std::optional<Count> open_gate(const GraphDescription& graph);

} // namespace weir

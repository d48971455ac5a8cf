#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/layout.hpp>
#include <weir/primitives/monoid.hpp>
#include <weir/primitives/reduce_tuning.hpp>

namespace weir::detail {

/// A reduction whose element type is known at run time only.
struct ReduceRequest {
    const char* name = "reduce";
    ElementType element = {};
    const std::variant<Operator, Monoid>* op = nullptr;
    std::optional<std::array<std::uint32_t, 16>> initial = {};
    Count count = {};
    std::uint64_t large_count = 0; ///< if not 0: the number of elements, instead of `count`
    BufferId input = {}, output = {};
    std::uint64_t input_words = 0, output_words = 0; ///< buffer sizes
    /// If valid: finds the smallest or largest element and its position; `op` is not used.
    BufferRef<std::uint32_t> position = {};
    bool greatest = false;
    WordLayout input_layout = {};
    ReduceTuning tuning = {};
};

/// Adds the reduction.
WEIR_API void add_reduce(Graph& graph, const ReduceRequest& request);

} // namespace weir::detail

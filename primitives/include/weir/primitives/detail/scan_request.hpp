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
#include <weir/primitives/scan_tuning.hpp>
#include <weir/primitives/segments.hpp>

namespace weir::detail {

/// A scan whose element type is known at run time only.
struct ScanRequest {
    ElementType element = {};
    ScanKind kind = ScanKind::inclusive;
    const std::variant<Operator, Monoid>* op = nullptr;
    std::optional<std::array<std::uint32_t, 16>> initial = {};
    Count count = {};
    std::uint64_t large_count = 0; ///< if not 0: the number of elements, instead of `count`
    BufferId input = {}, output = {}, other_output = {}, total = {};
    std::uint64_t input_words = 0, output_words = 0, other_output_words = 0, total_words = 0; ///< buffer sizes
    WordLayout input_layout = {}, output_layout = {};
    Segments segments = {};
    bool segment_ends = false; ///< the output receives the totals of segments, in their order
    bool saturates = false;    ///< sums of u32 without segments stay at 2^32 - 1 instead of overflowing
    ScanTuning tuning = {};
};

/// Adds the scan. Returns the output.
WEIR_API BufferId add_scan(Graph& graph, const ScanRequest& request);

} // namespace weir::detail

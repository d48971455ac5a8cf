#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/detail/scan_request.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/layout.hpp>
#include <weir/primitives/monoid.hpp>
#include <weir/primitives/scan_tuning.hpp>
#include <weir/primitives/segments.hpp>

namespace weir {

namespace detail {

/// Returns the number of segments at offsets or in ranges, and `most` for segments of one length.
inline Count count_of_segments(const Segments& segments, std::uint32_t most) {
    return segments.kind == Segments::Kind::length ? Count(most) : segments.count;
}

} // namespace detail

/// Options of reduce_by_segment.
template <class T>
struct SegmentedReduceOptions {
    std::variant<Operator, Monoid> op = Operator::add; ///< operator
    std::optional<T> initial = {};                     ///< value before the first element of each segment
    BufferRef<T> output = {};     ///< capacity for one element per segment; not valid: a new transient
    WordLayout input_layout = {}; ///< layout of the input
    ScanTuning tuning = {};       ///< kernel shape
};

/// Adds the reduction of each segment to one element of the output, in the order of the segments. Segments must have
/// one length, be at offsets or be in ranges. An empty segment gets the result of `reduce` for an empty input.
///
/// Returns the output. For segments at offsets or in ranges its count is their number. For segments of one length its
/// count is the maximum number of segments; if the count of the input or the length is not constant, elements after the
/// last segment are not written.
///
/// One dispatch: a scan that stores only the ends of segments. Its speed does not depend on the lengths of segments.
/// Memory, capacity and errors are those of `scan`.
template <class T>
BufferRef<T> reduce_by_segment(const GraphCall& graph, BufferRef<T> input, const Segments& segments,
                               const std::type_identity_t<SegmentedReduceOptions<T>>& options = {}) {
    constexpr std::uint32_t words = sizeof(T) / 4;
    const auto most = static_cast<std::uint32_t>(segments.max_segments(input.count.max));
    BufferRef<T> output = options.output;
    if (!output.valid() && input.valid()) {
        output = graph->transient_buffer<T>("reduced", most == 0 ? 1 : most);
    }
    detail::ScanRequest request;
    request.element = element_type<T>;
    request.op = &options.op;
    request.initial = detail::words_of(options.initial);
    request.count = input.count;
    request.input = input;
    request.output = output;
    request.input_words = std::uint64_t{input.capacity} * words;
    request.output_words = std::uint64_t{output.capacity} * words;
    request.input_layout = options.input_layout;
    request.segments = segments;
    request.segment_ends = true;
    request.tuning = options.tuning;
    detail::add_scan(graph, request);
    return output.with_count(detail::count_of_segments(segments, most));
}

} // namespace weir

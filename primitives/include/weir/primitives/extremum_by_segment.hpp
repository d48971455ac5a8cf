#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/extremum.hpp>
#include <weir/primitives/layout.hpp>
#include <weir/primitives/reduce_by_segment.hpp>
#include <weir/primitives/scan_tuning.hpp>
#include <weir/primitives/segments.hpp>

namespace weir {

/// Options of min_element_by_segment and max_element_by_segment.
template <class T>
struct SegmentedExtremumOptions {
    /// If true, positions count from the first element of the segment. Otherwise they count from the first element of
    /// the input.
    bool positions_in_segments = false;
    BufferRef<T> output_value = {};                ///< capacity for one element per segment; not valid: a new transient
    BufferRef<std::uint32_t> output_position = {}; ///< capacity for one word per segment; not valid: a new transient
    WordLayout input_layout = {};                  ///< layout of the input
    ScanTuning tuning = {};                        ///< kernel shape
};

/// Options of minmax_element_by_segment.
template <class T>
struct SegmentedMinMaxOptions {
    bool positions_in_segments = false; ///< see SegmentedExtremumOptions
    BufferRef<T> output_min = {};       ///< capacity for one element per segment; not valid: a new transient
    BufferRef<T> output_max = {};       ///< capacity for one element per segment; not valid: a new transient
    BufferRef<std::uint32_t> output_min_position =
        {}; ///< capacity for one word per segment; not valid: a new transient
    BufferRef<std::uint32_t> output_max_position =
        {};                       ///< capacity for one word per segment; not valid: a new transient
    WordLayout input_layout = {}; ///< layout of the input
    ScanTuning tuning = {};       ///< kernel shape
};

/// Result of minmax_element_by_segment.
template <class T>
struct MinMaxResult {
    ExtremumResult<T> min; ///< value and position of the first minimum of each segment
    ExtremumResult<T> max; ///< value and position of the first maximum of each segment
};

namespace detail {

/// A search for the extrema of segments whose element type is known at run time only.
struct SegmentedExtremumRequest {
    struct Output {
        BufferId value = {};
        std::uint64_t value_words = 0; ///< buffer size
        BufferRef<std::uint32_t> position = {};
    };

    const char* name = "";
    ElementType element = {};
    Count count = {};
    BufferId input = {};
    std::uint64_t input_words = 0; ///< buffer size
    WordLayout input_layout = {};
    Segments segments = {};
    bool greatest = false; ///< searches the maximum; not used with two outputs
    bool positions_in_segments = false;
    std::array<Output, 2> outputs = {}; ///< the second is valid for the minimum and the maximum
    bool both = false;
    ScanTuning tuning = {};
};

/// Adds the search.
WEIR_API void add_segmented_extremum(Graph& graph, const SegmentedExtremumRequest& request);

template <class T>
SegmentedExtremumRequest extremum_request(const char* name, BufferRef<T> input, const Segments& segments,
                                          const WordLayout& layout, const ScanTuning& tuning) {
    static_assert(std::is_arithmetic_v<T> && element_type<T>.scalar != Scalar::custom,
                  "extrema require 32-bit or 64-bit numbers");
    SegmentedExtremumRequest request;
    request.name = name;
    request.element = element_type<T>;
    request.count = input.count;
    request.input = input;
    request.input_words = std::uint64_t{input.capacity} * sizeof(T) / 4;
    request.input_layout = layout;
    request.segments = segments;
    request.tuning = tuning;
    return request;
}

/// Returns the outputs of one extremum per segment, and sets those of the request.
template <class T>
ExtremumResult<T> extremum_outputs(Graph& graph, SegmentedExtremumRequest& request, std::size_t place,
                                   BufferRef<T> value, BufferRef<std::uint32_t> position) {
    const std::uint32_t most = request.segments.max_segments(request.count.max);
    ExtremumResult<T> found{value, position};
    if (request.input.valid()) {
        found.value = given_or_transient(graph, value, "extrema", most);
        found.position = given_or_transient(graph, position, "positions of extrema", most);
    }
    request.outputs.at(place) = {found.value, std::uint64_t{found.value.capacity} * sizeof(T) / 4, found.position};
    found.value.count = found.position.count = count_of_segments(request.segments, most);
    return found;
}

template <class T>
ExtremumResult<T> extremum_by_segment(Graph& graph, const char* name, BufferRef<T> input, const Segments& segments,
                                      const SegmentedExtremumOptions<T>& options, bool greatest) {
    auto request = extremum_request(name, input, segments, options.input_layout, options.tuning);
    request.greatest = greatest;
    request.positions_in_segments = options.positions_in_segments;
    const auto found = extremum_outputs(graph, request, 0, options.output_value, options.output_position);
    add_segmented_extremum(graph, request);
    return found;
}

} // namespace detail

/// Adds a search for the minimum of each segment, which other libraries call arg_min. Returns one value and one
/// position per segment, in the order of the segments. The position is the index of the first element that equals the
/// value, in the input or in the segment (`positions_in_segments`). For an empty segment the position is 0xFFFFFFFF and
/// the value is not written.
///
/// Segments must have one length, be at offsets or be in ranges. The counts of the results are those of
/// `reduce_by_segment`. Types and the order of floats are those of `min_element`: a positive NaN is the maximum.
///
/// One dispatch: a scan that stores only the ends of segments. Its speed does not depend on the lengths of segments.
/// Memory: that of a `scan` of elements with one more word. Capacity and errors are those of `scan`, and
/// `invalid_argument` for an output that is also the input, a buffer of the segments, a count or another output.
template <class T>
ExtremumResult<T> min_element_by_segment(const GraphCall& graph, BufferRef<T> input, const Segments& segments,
                                         const std::type_identity_t<SegmentedExtremumOptions<T>>& options = {}) {
    return detail::extremum_by_segment<T>(graph, "min element by segment", input, segments, options, false);
}

/// Adds a search for the maximum of each segment, which other libraries call arg_max. Results, types, memory and errors
/// are those of `min_element_by_segment`.
template <class T>
ExtremumResult<T> max_element_by_segment(const GraphCall& graph, BufferRef<T> input, const Segments& segments,
                                         const std::type_identity_t<SegmentedExtremumOptions<T>>& options = {}) {
    return detail::extremum_by_segment<T>(graph, "max element by segment", input, segments, options, true);
}

/// Adds a search for the minimum and the maximum of each segment in one dispatch, which reads the input once. The
/// position of the maximum is that of the first one, unlike that of std::minmax_element. Types and errors are those of
/// `min_element_by_segment`. Memory: that of a `scan` of elements with twice as many words.
template <class T>
MinMaxResult<T> minmax_element_by_segment(const GraphCall& graph, BufferRef<T> input, const Segments& segments,
                                          const std::type_identity_t<SegmentedMinMaxOptions<T>>& options = {}) {
    auto request =
        detail::extremum_request("minmax element by segment", input, segments, options.input_layout, options.tuning);
    request.both = true;
    request.positions_in_segments = options.positions_in_segments;
    MinMaxResult<T> found;
    found.min = detail::extremum_outputs(graph, request, 0, options.output_min, options.output_min_position);
    found.max = detail::extremum_outputs(graph, request, 1, options.output_max, options.output_max_position);
    detail::add_segmented_extremum(graph, request);
    return found;
}

} // namespace weir

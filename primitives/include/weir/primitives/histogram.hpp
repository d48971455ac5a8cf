#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/expression.hpp>

namespace weir {

/// A rule that assigns elements to bins. An element may be in no bin.
struct Bins {
    /// Kind of bins. Each is made by the function of the same name, except `custom` (by `by`) and `edges` (by
    /// `between`).
    enum class Kind : std::uint8_t {
        even,   ///< bins of equal width
        digit,  ///< by a range of bits of a word
        bytes,  ///< by every byte of a word
        custom, ///< by an expression
        edges,  ///< between the edges in a buffer
    };

    Kind kind = Kind::bytes;    ///< kind of bins
    std::uint32_t count = 256;  ///< number of bins, 1 to 2^28
    ElementType type = {};      ///< type of the elements; even bins and bins between edges only
    std::uint32_t lower = 0;    ///< bits of the lower bound; even bins only
    std::uint32_t upper = 0;    ///< bits of the upper bound; even bins only
    std::uint32_t shift = 0;    ///< lowest bit; digits only
    Expression expression = {}; ///< custom bins only

    /// Ascending numbers in a buffer.
    struct Edges {
        BufferId buffer = {};       ///< the numbers
        std::uint32_t capacity = 0; ///< capacity of the buffer, in numbers
        Count count = {};           ///< number of edges; a constant
    };
    Edges edges = {}; ///< bins between edges only

    /// Returns bins of equal width from `lower` to before `upper`. Elements outside this range, and NaNs, are not
    /// counted. T is the type of the elements: std::uint32_t, std::int32_t or float.
    ///
    /// An integer x is in bin (x - lower) * count / (upper - lower), rounded down and computed exactly.
    ///
    /// A float x is in bin (x - lower) * (count / (upper - lower)), and at most in the last bin. Each operation rounds
    /// to a float. Therefore a float very close to an edge may be in the bin on the other side. If `upper` - `lower`
    /// exceeds the maximum float or `count` * 2^126, x and both bounds are divided by 16 first.
    ///
    /// NumPy's `histogram` and other programs that compute edges in double precision place such floats differently, and
    /// NumPy counts `upper` in the last bin. Use `between` for exact edges. A device may treat subnormal floats as
    /// zeros.
    ///
    /// The bounds must be finite. Bins of floats must be at least 2^-126 wide, the minimum normal float.
    template <class T>
    static Bins even(std::uint32_t count, T lower, T upper) {
        static_assert(element_type<T>.scalar == Scalar::u32 || element_type<T>.scalar == Scalar::i32 ||
                          element_type<T>.scalar == Scalar::f32,
                      "even bins require 32-bit numbers");
        Bins bins{.kind = Kind::even, .count = count, .type = element_type<T>};
        std::memcpy(&bins.lower, &lower, 4);
        std::memcpy(&bins.upper, &upper, 4);
        return bins;
    }

    /// Returns bins between the edges in a buffer. Element x is in bin b if edges[b] <= x < edges[b + 1]. An element is
    /// not counted if it is less than the first edge, not less than the last edge, or NaN. There is one bin fewer than
    /// edges. The number of edges must be a constant, at least 2. Edges must ascend; a bin between equal edges is
    /// empty. T is the type of the elements: std::uint32_t, std::int32_t or float.
    template <class T>
    static Bins between(BufferRef<T> edges) {
        static_assert(element_type<T>.scalar == Scalar::u32 || element_type<T>.scalar == Scalar::i32 ||
                          element_type<T>.scalar == Scalar::f32,
                      "edges must be 32-bit numbers");
        return {.kind = Kind::edges,
                .count = edges.count.max > 0 ? edges.count.max - 1 : 0,
                .type = element_type<T>,
                .edges = {.buffer = edges, .capacity = edges.capacity, .count = edges.count}};
    }

    /// Returns bins for the digit in bits [shift, shift + bits) of one-word elements. `bits` must be 1 to 28.
    static Bins digit(std::uint32_t shift, std::uint32_t bits = 8) {
        return {.kind = Kind::digit, .count = bits < 32 ? 1U << bits : 0, .shift = shift};
    }

    /// Returns 256 bins, in which every byte of every word is counted. Elements must have one word.
    static Bins bytes() { return {.kind = Kind::bytes}; }

    /// Returns bins that an expression of type uint selects. An element is not counted if its value is `count` or more.
    /// Requires shaderc.
    static Bins by(std::uint32_t count, Expression expression) {
        return {.kind = Kind::custom, .count = count, .expression = std::move(expression)};
    }

    /// Returns bins that a GLSL expression of type uint selects. Same as `Expression{.text = expression}`.
    template <std::convertible_to<std::string> Glsl>
    static Bins by(std::uint32_t count, const Glsl& expression) {
        return by(count, Expression{.text = expression});
    }
};

/// Kernel shape for tests and tuning. 0: chosen by device and size. Results do not depend on it.
struct HistogramTuning {
    std::uint32_t workgroup = 0;   ///< invocations per workgroup: a power of two up to the device limit
    std::uint32_t group_items = 0; ///< elements per workgroup: a multiple of 4 up to 2^18
    std::uint32_t copies = 0;      ///< maximum number of copies of the counters in workgroup memory
};

/// Options of histogram.
struct HistogramOptions {
    BufferRef<std::uint32_t> output = {}; ///< capacity for all bins; not valid: a new transient
    HistogramTuning tuning = {};          ///< kernel shape
};

namespace detail {

/// A request whose element type is known at run time only.
struct HistogramRequest {
    const char* name = "histogram";
    ElementType element = {};
    ElementType number = {};                         ///< type that is binned: an element, or one of its channels
    std::uint32_t channels = 1, active_channels = 1; ///< each active channel has its own bins
    Count count = {};
    std::uint64_t large_count = 0; ///< if not 0: the number of elements, instead of `count`
    BufferId input = {};
    std::uint64_t input_capacity = 0;
    const Bins* bins = nullptr;
    BufferId counts = {};
    std::uint64_t counts_capacity = 0; ///< in counts
    bool wide = false;                 ///< counts have 64 bits
    HistogramTuning tuning = {};
};

WEIR_API void add_histogram(Graph& graph, const HistogramRequest& request);

} // namespace detail

/// Adds a histogram of the first `input.count` elements. Returns the counts, one word per bin. Previous contents of the
/// counts are overwritten. Elements must have one word; with custom bins they may have any type of `element_type`.
///
///     auto shades = weir::histogram(graph, pixels, weir::Bins::bytes());
///
/// If the bins fit in the workgroup memory of the device, as 4000 bins always do, this is one dispatch. Workgroups
/// count in workgroup memory and add their counts to totals, which the last workgroup writes to the output. State
/// memory: 128 bytes, and one word per bin. With more bins there are two dispatches, and each element is an atomic
/// addition to the output.
///
/// Capacity: less than 2^32 - 2^20 elements; for bytes, less than 2^30 words. If the input exceeds
/// Capabilities::max_storage_range, there is one dispatch per window of that size and no such limit, and a count of
/// 2^32 or more wraps. Custom bins are then `limit_exceeded`.
///
/// Errors, reported by `compile`: `invalid_argument` for a buffer that is too small or used twice, for invalid bins, or
/// for elements of another type; `limit_exceeded` for too many elements or bins; `shader_compilation`, which names the
/// expression and its line.
template <class T>
BufferRef<std::uint32_t> histogram(const GraphCall& graph, BufferRef<T> input, const Bins& bins,
                                   const HistogramOptions& options = {}) {
    BufferRef<std::uint32_t> counts = detail::given_or_transient(graph, options.output, "histogram", bins.count);
    counts.count = bins.count;
    detail::add_histogram(graph, {.element = element_type<T>,
                                  .number = element_type<T>,
                                  .count = input.count,
                                  .input = input,
                                  .input_capacity = input.capacity,
                                  .bins = &bins,
                                  .counts = counts,
                                  .counts_capacity = counts.capacity,
                                  .tuning = options.tuning});
    return counts;
}

/// Options of histogram for large buffers.
struct LargeHistogramOptions {
    BufferRef<std::uint64_t> output = {}; ///< capacity for all bins; not valid: a new transient
    HistogramTuning tuning = {};          ///< kernel shape
};

/// Adds a histogram of all elements of a large buffer: see `histogram` of other buffers. Returns the counts, of 64 bits
/// each. The device does not need 64-bit integers.
template <class T>
BufferRef<std::uint64_t> histogram(const GraphCall& graph, LargeBuffer<T> input, const Bins& bins,
                                   const LargeHistogramOptions& options = {}) {
    BufferRef<std::uint64_t> counts = detail::given_or_transient(graph, options.output, "histogram", bins.count);
    counts.count = bins.count;
    detail::add_histogram(graph, {.element = element_type<T>,
                                  .number = element_type<T>,
                                  .count = detail::small_count(input.capacity),
                                  .large_count = input.capacity,
                                  .input = input,
                                  .input_capacity = input.capacity,
                                  .bins = &bins,
                                  .counts = counts,
                                  .counts_capacity = counts.capacity,
                                  .wide = true,
                                  .tuning = options.tuning});
    return counts;
}

/// Adds a histogram of each of several channels, in one pass over the elements; for example, of the pixels of an image.
/// Returns the counts of the first channel's bins, then those of the second channel's bins, and so on.
///
/// Elements are either arrays of two to four std::uint32_t, std::int32_t or float, whose numbers are the channels, or
/// words whose four bytes are the channels, with `Bins::bytes()`. `bins` holds the bins of the first channels; other
/// channels are not counted. All bins must be of the same kind (even, between edges, or bytes) and equal in number.
/// Their bounds may differ.
///
/// Limits and memory are those of `histogram` with the total number of bins of all channels. For arrays, the capacity
/// is in words instead of elements. Errors are those of `histogram`.
///
///     auto shades = weir::multi_histogram(graph, rgba, {Bins::bytes(), Bins::bytes(), Bins::bytes()}); // 3 times 256
template <class T>
BufferRef<std::uint32_t> multi_histogram(const GraphCall& graph, BufferRef<T> input, const std::vector<Bins>& bins,
                                         const HistogramOptions& options = {}) {
    constexpr ElementType element = element_type<T>;
    static_assert((element.scalar == Scalar::u32 || element.scalar == Scalar::i32 || element.scalar == Scalar::f32) &&
                      (element.scalar == Scalar::u32 || element.components > 1),
                  "elements must be words of four bytes or arrays of two to four 32-bit numbers");
    constexpr const char* name = "multi histogram";
    if (bins.empty() || (element.components == 1) != (bins.front().kind == Bins::Kind::bytes)) {
        graph->fail({ErrorCode::invalid_argument,
                     std::string(name) + (bins.empty()              ? ": bins is empty"
                                          : element.components == 1 ? ": elements of one word require Bins::bytes"
                                                                    : ": Bins::bytes requires elements of one word")});
        return {};
    }
    const auto active = static_cast<std::uint32_t>(bins.size());
    const std::uint64_t all = std::uint64_t{bins.front().count} * active;
    const auto room = static_cast<std::uint32_t>(all < ~0U ? all : 1);
    BufferRef<std::uint32_t> counts = detail::given_or_transient(graph, options.output, name, room);
    counts.count = room;
    detail::add_histogram(graph, {.name = name,
                                  .element = element,
                                  .number = {element.scalar, 1},
                                  .channels = element.components == 1 ? 4 : element.components,
                                  .active_channels = active,
                                  .count = input.count,
                                  .input = input,
                                  .input_capacity = input.capacity,
                                  .bins = bins.data(),
                                  .counts = counts,
                                  .counts_capacity = counts.capacity,
                                  .tuning = options.tuning});
    return counts;
}

} // namespace weir

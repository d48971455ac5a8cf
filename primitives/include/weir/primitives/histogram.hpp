#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/expression.hpp>

namespace weir {

/// The bin in which an element is counted, if any.
struct Bins {
    /// Kinds of bins; see the functions of the same names, and `by`.
    enum class Kind : std::uint8_t {
        even,   ///< of one width
        digit,  ///< by some bits of a word
        bytes,  ///< by each byte of a word
        custom, ///< by an expression
        edges,  ///< between given edges
    };

    Kind kind = Kind::bytes;    ///< kind of bins
    std::uint32_t count = 256;  ///< number of bins, 1 to 2^28
    ElementType type = {};      ///< of even bins: the type of the elements
    std::uint32_t lower = 0;    ///< of even bins: the bits of the lower bound
    std::uint32_t upper = 0;    ///< of even bins: the bits of the upper bound
    std::uint32_t shift = 0;    ///< of digits: the lowest bit
    Expression expression = {}; ///< of custom bins

    /// Ascending numbers in a buffer.
    struct Edges {
        BufferId buffer = {};       ///< the numbers
        std::uint32_t capacity = 0; ///< how many of them fit in the buffer
        Count count = {};           ///< how many there are, a constant
    };
    Edges edges = {}; ///< of bins between edges

    /// Bins of equal width from `lower` to before `upper`; elements outside, and NaNs, are not counted. T is
    /// std::uint32_t, std::int32_t or float, the type of the elements. Integers are in bin (x - lower) * count / (upper
    /// - lower), rounded down, exactly. Floats are in bin (x - lower) * (count / (upper - lower)), where each operation
    /// rounds to a float, and at most in the last bin; if `upper` - `lower` exceeds the greatest float or `count` *
    /// 2^126, x and both bounds are divided by 16 first. So a float very near to an edge may be in the bin on the other
    /// side. NumPy's `histogram` and others that compute edges in double precision place such floats differently, and
    /// NumPy counts `upper` in the last bin. Use `between` for exact edges. A device may take subnormal floats for
    /// zeros. Bounds must be finite, and bins of floats at least 2^-126 wide, as the least normal float.
    template <class T>
    static Bins even(std::uint32_t count, T lower, T upper) {
        static_assert(element_type<T>.scalar == Scalar::u32 || element_type<T>.scalar == Scalar::i32 ||
                          element_type<T>.scalar == Scalar::f32,
                      "even bins are of 32-bit numbers");
        Bins bins{.kind = Kind::even, .count = count, .type = element_type<T>};
        std::memcpy(&bins.lower, &lower, 4);
        std::memcpy(&bins.upper, &upper, 4);
        return bins;
    }

    /// Bins between given edges: element x is in bin b if edges[b] <= x < edges[b + 1], and is not counted if it is
    /// below the first edge, not below the last one, or NaN. There is one bin less than edges; their number is a
    /// constant, at least 2. Edges ascend; a bin between equal ones is empty. T is std::uint32_t, std::int32_t or
    /// float, the type of the elements.
    template <class T>
    static Bins between(BufferRef<T> edges) {
        static_assert(element_type<T>.scalar == Scalar::u32 || element_type<T>.scalar == Scalar::i32 ||
                          element_type<T>.scalar == Scalar::f32,
                      "edges are 32-bit numbers");
        return {.kind = Kind::edges,
                .count = edges.count.max > 0 ? edges.count.max - 1 : 0,
                .type = element_type<T>,
                .edges = {.buffer = edges, .capacity = edges.capacity, .count = edges.count}};
    }

    /// By bits shift <= b < shift + bits of elements of one word; 1 to 28 bits.
    static Bins digit(std::uint32_t shift, std::uint32_t bits = 8) {
        return {.kind = Kind::digit, .count = bits < 32 ? 1U << bits : 0, .shift = shift};
    }

    /// By every byte of every word: 256 bins. Elements are words.
    static Bins bytes() { return {.kind = Kind::bytes}; }

    /// By an expression of type uint; elements for which it is not below `count` are not counted. Needs shaderc.
    static Bins by(std::uint32_t count, Expression expression) {
        return {.kind = Kind::custom, .count = count, .expression = std::move(expression)};
    }
};

/// The shape of the kernel; 0: chosen by device and size. Results do not depend on it.
struct HistogramTuning {
    std::uint32_t workgroup = 0;   ///< invocations: a power of two up to the limit of the device
    std::uint32_t group_items = 0; ///< elements per workgroup, a multiple of 4 up to 2^18
    std::uint32_t copies = 0;      ///< greatest number of copies of the counters in workgroup memory
};

/// Options of histogram.
struct HistogramOptions {
    BufferRef<std::uint32_t> counts = {}; ///< room for all bins; not valid: a new transient
    HistogramTuning tuning = {};          ///< shape of the kernel
};

namespace detail {

/// A request whose element type is known at run time only.
struct HistogramRequest {
    const char* name = "histogram";
    ElementType element = {};
    ElementType number = {};                         ///< what bins are of: an element, or one of its channels
    std::uint32_t channels = 1, active_channels = 1; ///< there are bins for each active one
    Count count = {};
    BufferId input = {};
    std::uint64_t input_capacity = 0;
    const Bins* bins = nullptr;
    BufferRef<std::uint32_t> counts = {};
    HistogramTuning tuning = {};
};

WEIR_API void add_histogram(Graph& graph, const HistogramRequest& request);

} // namespace detail

/// Adds a count of the first `input.count` elements by bins. Counts are written, not added to what is there. With
/// custom bins elements have any type of `element_type`, otherwise one word. Returns the counts, one word per bin.
///
///     auto shades = weir::histogram(graph, pixels, weir::Bins::bytes());
///
/// Where the bins fit in the workgroup memory of the device, as 4000 bins always do, it is one dispatch: workgroups
/// count there and add to totals, which the last workgroup writes. State memory: 128 bytes and one word per bin. With
/// more bins it is two dispatches, and each element is an atomic addition to the output. Capacity: less than 2^32 -
/// 2^20 elements; of bytes, 2^30 words. Errors, reported by `compile`: `invalid_argument` for buffers that are too
/// small or used twice, impossible bins, or elements of another type; `limit_exceeded` for too many elements or bins;
/// `shader_compilation` names the expression and its line.
template <class T>
BufferRef<std::uint32_t> histogram(const GraphCall& graph, BufferRef<T> input, const Bins& bins,
                                   const HistogramOptions& options = {}) {
    BufferRef<std::uint32_t> counts = detail::given_or_transient(graph, options.counts, "histogram", bins.count);
    counts.count = bins.count;
    detail::add_histogram(graph, {.element = element_type<T>,
                                  .number = element_type<T>,
                                  .count = input.count,
                                  .input = input,
                                  .input_capacity = input.capacity,
                                  .bins = &bins,
                                  .counts = counts,
                                  .tuning = options.tuning});
    return counts;
}

/// Adds a histogram of each of several channels, in one pass over the elements: of the pixels of a picture, for
/// instance. Elements are arrays of two to four std::uint32_t, std::int32_t or float, each of which is a channel; or
/// words whose four bytes are channels, with `Bins::bytes()`. `bins` has the bins of the first channels; others are not
/// counted. They are all even, all between edges, or all bytes, and as many for each channel, but may have other
/// bounds. Returns the counts of the first channel's bins, then those of the second one's, and so on. Otherwise as
/// `histogram`, with the bins of all channels for the bins.
///
///     auto shades = weir::multi_histogram(graph, rgba, {Bins::bytes(), Bins::bytes(), Bins::bytes()}); // 3 times 256
template <class T>
BufferRef<std::uint32_t> multi_histogram(const GraphCall& graph, BufferRef<T> input, const std::vector<Bins>& bins,
                                         const HistogramOptions& options = {}) {
    constexpr ElementType element = element_type<T>;
    static_assert((element.scalar == Scalar::u32 || element.scalar == Scalar::i32 || element.scalar == Scalar::f32) &&
                      (element.scalar == Scalar::u32 || element.components > 1),
                  "elements are words of four bytes, or arrays of two to four 32-bit numbers");
    constexpr const char* name = "multi histogram";
    if (bins.empty() || (element.components == 1) != (bins.front().kind == Bins::Kind::bytes)) {
        graph->fail({ErrorCode::invalid_argument,
                     std::string(name) +
                         ": there are no bins, or they are not of the channels: bytes of a word, or the "
                         "numbers of an array"});
        return {};
    }
    const auto active = static_cast<std::uint32_t>(bins.size());
    const std::uint64_t all = std::uint64_t{bins.front().count} * active;
    const auto room = static_cast<std::uint32_t>(all < ~0U ? all : 1);
    BufferRef<std::uint32_t> counts = detail::given_or_transient(graph, options.counts, name, room);
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
                                  .tuning = options.tuning});
    return counts;
}

} // namespace weir

#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/expression.hpp>

namespace weir {

/// Which bin an element is counted in, if any.
struct Bins {
    enum class Kind : std::uint8_t { even, digit, bytes, custom };

    Kind kind = Kind::bytes;
    std::uint32_t count = 256; ///< bins; 1 to 2^28
    ElementType type = {};     ///< of even bins: what elements are
    std::uint32_t lower = 0;   ///< the bits of the ends of the range
    std::uint32_t upper = 0;
    std::uint32_t shift = 0;
    Expression expression = {};

    /// Bins of one width from `lower` to before `upper`; what is outside, or NaN, is not counted. T is std::uint32_t,
    /// std::int32_t or float, the type of the elements. Integers are in bin (x - lower) * count / (upper - lower),
    /// rounded down, exactly; floats in bin (x - lower) * (count / (upper - lower)), where each operation rounds, and
    /// never past the last one.
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

    /// By bits shift <= b < shift + bits of elements of one word, of 1 to 28 bits.
    static Bins digit(std::uint32_t shift, std::uint32_t bits = 8) {
        return {.kind = Kind::digit, .count = bits < 32 ? 1U << bits : 0, .shift = shift};
    }

    /// Every byte of every word, elements being of one word: 256 bins.
    static Bins bytes() { return {.kind = Kind::bytes}; }

    /// By an expression of type uint; elements for which it is not below `count` are not counted. It needs shaderc.
    static Bins by(std::uint32_t count, Expression expression) {
        return {.kind = Kind::custom, .count = count, .expression = std::move(expression)};
    }
};

/// The shape of the kernel; a 0 is chosen by device and size. Results do not depend on it.
struct HistogramTuning {
    std::uint32_t workgroup = 0;   ///< invocations: a power of two up to the device's limit
    std::uint32_t group_items = 0; ///< elements of a workgroup, a multiple of 4 up to 2^18
    std::uint32_t copies = 0;      ///< of the counters in workgroup memory, at most; there are as many as fit
};

struct HistogramOptions {
    BufferRef<std::uint32_t> counts = {}; ///< room for all bins; not valid: a new transient
    HistogramTuning tuning = {};
};

namespace detail {

/// A histogram whose element type is only known at run time.
struct HistogramRequest {
    ElementType element = {};
    Count count = {};
    BufferId input = {};
    std::uint64_t input_capacity = 0;
    const Bins* bins = nullptr;
    BufferRef<std::uint32_t> counts = {};
    HistogramTuning tuning = {};
};

WEIR_API void add_histogram(Graph& graph, const HistogramRequest& request);

} // namespace detail

/// Adds the count of how many of the first `input.count` elements are in each bin. Counts are written, not added to
/// what is there. Elements are of any type of `element_type` for a custom bin function, else of one word. Returns the
/// counts, a word to each bin.
///
///     auto shades = weir::histogram(graph, pixels, weir::Bins::bytes());
///
/// Where the bins fit the device's workgroup memory, as 4000 always do, it is one dispatch: workgroups
/// count there and add to totals that the last one writes. State memory: 128 bytes and a word to each bin. Of more
/// bins it is two dispatches, and every element is an atomic addition to the output. Capacity: less than
/// 2^32 - 2^20 elements; of bytes, 2^30 words. Errors, which `compile` reports: `invalid_argument` for buffers that are
/// too small or are used twice, bins that cannot be, or elements of another type; `limit_exceeded` for too many
/// elements or bins; compile errors of an expression, which name it and its line.
template <class T>
BufferRef<std::uint32_t> histogram(const GraphCall& graph, BufferRef<T> input, const Bins& bins,
                                   const HistogramOptions& options = {}) {
    BufferRef<std::uint32_t> counts = detail::given_or_transient(graph, options.counts, "histogram", bins.count);
    counts.count = bins.count;
    detail::add_histogram(graph, {.element = element_type<T>,
                                  .count = input.count,
                                  .input = input,
                                  .input_capacity = input.capacity,
                                  .bins = &bins,
                                  .counts = counts,
                                  .tuning = options.tuning});
    return counts;
}

} // namespace weir

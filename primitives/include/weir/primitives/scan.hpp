#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/detail/scan_request.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/fused.hpp>
#include <weir/primitives/layout.hpp>
#include <weir/primitives/monoid.hpp>
#include <weir/primitives/scan_tuning.hpp>
#include <weir/primitives/segments.hpp>

namespace weir {

/// Options of scan.
template <class T>
struct ScanOptions {
    ScanKind kind = ScanKind::inclusive;               ///< inclusive or exclusive
    std::variant<Operator, Monoid> op = Operator::add; ///< operator
    /// Value before the first element. If it is not set, an exclusive scan starts with the identity: 0 for `add`, 1 for
    /// `mul`, the largest number (infinity for floats) for `min`, and so on. If `output_other` is set, scans of floats
    /// without segments start both outputs with that value.
    std::optional<T> initial = {};
    BufferRef<T> output = {}; ///< capacity for all elements; may be the input; not valid: a new transient
    /// If valid: receives the scan of the other kind in the same dispatch, with the layout of the output.
    BufferRef<T> output_other = {};
    /// If valid: its first element receives the total of all elements and the initial value.
    BufferRef<T> output_total = {};
    /// Segments at which the scan restarts, with the initial value if there is one. Not allowed with `output_total`.
    Segments segments = {};
    WordLayout input_layout = {};  ///< layout of the input
    WordLayout output_layout = {}; ///< layout of the outputs
    ScanTuning tuning = {};        ///< kernel shape
};

/// Adds a scan of the first `input.count` elements: out[i] combines the elements up to element i, in order, by a
/// built-in operator or a Monoid. T is one of the types of `element_type`; a struct needs a Monoid with the same number
/// of words. Returns the output, with the count of the input. Words between and after its elements are not written.
/// With a layout, the count is the number of elements, and the buffer must extend to the end of the last one.
///
/// Algorithm: the decoupled-fallback scan of Smith, Levien and Owens, in one dispatch that reads and writes each
/// element once. It needs no forward progress from the scheduler. Results have the same bits in every run on one
/// device, floats included.
///
/// State memory: 32 bytes per tile and 64 bytes per 32 tiles, for elements of up to four words. Capacity: up to 262140
/// tiles of the largest shape, and 2^32 words. If the input or an output exceeds Capabilities::max_storage_range, a
/// scan without segments has one dispatch per window of that size, and no such limit.
///
/// Errors, reported by `compile`: `invalid_argument` for buffers that are too small, overlap or do not fit the
/// operator; `limit_exceeded` for too many elements; `unsupported` for doubles on a device without them.
template <Element T>
BufferRef<T> scan(const GraphCall& graph, BufferRef<T> input,
                  const std::type_identity_t<ScanOptions<T>>& options = {}) {
    constexpr std::uint32_t words = sizeof(T) / 4;
    detail::ScanRequest request;
    request.element = element_type<T>;
    request.kind = options.kind;
    request.op = &options.op;
    request.initial = detail::words_of(options.initial);
    request.count = input.count;
    request.input = input;
    request.input_words = std::uint64_t{input.capacity} * words;
    BufferRef<T> output = options.output;
    if (!output.valid() && input.valid()) {
        const std::uint64_t stride = options.output_layout.stride != 0 ? options.output_layout.stride : words;
        const std::uint64_t needed = options.output_layout.offset + input.count.max * stride;
        const auto capacity = static_cast<std::uint32_t>((needed + words - 1) / words);
        output = graph->transient_buffer<T>("scanned", capacity != 0 ? capacity : 1);
    }
    request.output = output;
    request.output_words = std::uint64_t{output.capacity} * words;
    request.other_output = options.output_other;
    request.other_output_words = std::uint64_t{options.output_other.capacity} * words;
    request.total = options.output_total;
    request.total_words = std::uint64_t{options.output_total.capacity} * words;
    request.input_layout = options.input_layout;
    request.output_layout = options.output_layout;
    request.segments = options.segments;
    request.tuning = options.tuning;
    detail::add_scan(graph, request);
    return output.with_count(input.count);
}

/// Options of scan for large buffers. See ScanOptions.
template <class T>
struct LargeScanOptions {
    ScanKind kind = ScanKind::inclusive;               ///< inclusive or exclusive
    std::variant<Operator, Monoid> op = Operator::add; ///< operator
    std::optional<T> initial = {};                     ///< value before the first element
    LargeBuffer<T> output = {};       ///< capacity for all elements; may be the input; not valid: a new transient
    LargeBuffer<T> output_other = {}; ///< if valid: receives the scan of the other kind
    BufferRef<T> output_total = {};   ///< if valid: its first element receives the total
    ScanTuning tuning = {};           ///< kernel shape
};

/// Adds a scan of all elements of a large buffer: see `scan` of other buffers. Returns the output.
template <Element T>
LargeBuffer<T> scan(const GraphCall& graph, LargeBuffer<T> input,
                    const std::type_identity_t<LargeScanOptions<T>>& options = {}) {
    constexpr std::uint32_t words = sizeof(T) / 4;
    LargeBuffer<T> output = options.output;
    if (!output.valid() && input.valid()) {
        output = graph->transient_large_buffer<T>("scanned", input.capacity);
    }
    detail::add_scan(graph, {.element = element_type<T>,
                             .kind = options.kind,
                             .op = &options.op,
                             .initial = detail::words_of(options.initial),
                             .count = detail::small_count(input.capacity),
                             .large_count = input.capacity,
                             .input = input,
                             .output = output,
                             .other_output = options.output_other,
                             .total = options.output_total,
                             .input_words = input.capacity * words,
                             .output_words = output.capacity * words,
                             .other_output_words = options.output_other.capacity * words,
                             .total_words = std::uint64_t{options.output_total.capacity} * words,
                             .tuning = options.tuning});
    return output;
}

/// A scan whose elements are produced and used in the same dispatch and are never stored in memory.
struct FusedScan {
    Monoid monoid = {};                    ///< operator
    Count count = {};                      ///< number of elements
    std::vector<FusedBuffer> buffers = {}; ///< buffers that `load` and `store` use
    /// Push constants that `load` and `store` use. They must fit in the push constant range next to those of the
    /// kernel.
    std::vector<FusedValue> values = {};
    /// GLSL: body of T load(uint i), which returns element i. It may be called several times for one element and must
    /// return the same value each time; its return value is `precise`. From a buffer that `store` writes, it may read
    /// only what `store` of the same element writes.
    std::string load = {};
    /// GLSL: body of void store(uint i, T element, T exclusive, T inclusive, uint n, bool is_last), called once for
    /// each element i of n; `is_last` is true if i + 1 == n.
    std::string store = {};
    std::vector<std::uint32_t> initial = {};    ///< words of the initial value; empty: the identity
    BufferRef<std::uint32_t> output_total = {}; ///< if valid: receives the words of the total
    Segments segments = {};                     ///< segments at which the scan restarts
    ScanTuning tuning = {};                     ///< kernel shape
};

/// Adds a scan whose elements are loaded and stored by GLSL code of the application. The shader is compiled with the
/// graph, which needs shaderc; compile errors name the part (as NAME.load) and its line. Algorithm, memory, capacity
/// and errors are those of `scan`.
WEIR_API void fused_scan(const GraphCall& graph, const FusedScan& scan);

} // namespace weir

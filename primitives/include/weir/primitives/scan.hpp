#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/instrument.hpp>
#include <weir/primitives/monoid.hpp>
#include <weir/primitives/segments.hpp>

namespace weir {

/// Kind of a scan. + stands for the operator.
enum class ScanKind : std::uint8_t {
    inclusive, ///< out[i] = in[0] + ... + in[i]
    exclusive, ///< out[i] = in[0] + ... + in[i - 1]
};

/// Layout of elements in a buffer: element i begins at word `offset + i * stride`.
struct WordLayout {
    std::uint32_t offset = 0; ///< 32-bit words before the first element
    std::uint32_t stride = 0; ///< 32-bit words from one element to the next; 0: the element size
};

/// Method by which a tile gets the sum of the tiles before it. All strategies give the same results, except that
/// `chained` and `scan_then_propagate` group operands differently, which matters for operators that round. `fallback`
/// is the default; the others are for comparison and must be requested.
///
/// Strategies in three dispatches, flagged tile states and emulated subgroup scans are compiled with the graph, which
/// needs shaderc.
///
/// Errors: `unsupported` if the scan does not support the strategy; `invalid_argument` for faults injected into a
/// strategy without fallback, and for counters with a strategy without look-back.
enum class ScanStrategy : std::uint8_t {
    /// Decoupled look-back with fallback, in one dispatch. Needs no forward progress guarantee.
    fallback,
    /// Decoupled look-back without fallback (Merrill and Garland). May hang if the scheduler lets one workgroup starve
    /// another. On NVIDIA devices it may also hang if workgroups do not start in the order of their numbers, because
    /// these determine their tiles.
    look_back,
    /// Each tile waits for the one before it (StreamScan, by Yan, Long and Zhang). May hang like `look_back`.
    chained,
    /// A waiting workgroup reduces the late tile alone, element by element, for its own use only (the first attempt of
    /// Smith, Levien and Owens). Not for operators that round, a Monoid that is not `exact`, segments, or scans in
    /// place.
    scalar_fallback,
    /// Three dispatches that read the input twice: reduce the tiles, scan the results, scan the tiles. Not for
    /// segments.
    reduce_then_scan,
    /// Three dispatches that write the output twice: scan the tiles, scan their totals, add these to the tiles. Not for
    /// segments, fused scans, or two outputs.
    scan_then_propagate,
};

/// Returns the name of the enumerator, such as "fallback"; "?" for other numbers.
WEIR_API const char* to_string(ScanStrategy strategy);

/// Memory layout of tile states. Results do not depend on it. Errors: `unsupported` if the device or the scan does not
/// support the layout; `invalid_argument` if a layout is requested for a strategy in three dispatches.
enum class TileStates : std::uint8_t {
    automatic, ///< the fastest layout measured on such devices; `split` if none were measured
    split,     ///< 16 bits of value per 32-bit word; on every device
    /// 32 bits of value per 64-bit word; needs 64-bit atomics. Supports any Monoid, and built-in operators on single
    /// numbers except sums and products of doubles. Not for segments with built-in operators.
    packed,
    /// The words of a value, then a flag that is stored with release and loaded with acquire. For comparison; never
    /// chosen automatically. Supports any Monoid, and built-in operators on single numbers except sums and products of
    /// floats. Not for segments with built-in operators, for scans in place, or if
    /// `Capabilities::ordered_atomics_are_barriers` is set.
    flagged,
};

/// Returns the name of the enumerator, such as "automatic"; "?" for other numbers.
WEIR_API const char* to_string(TileStates states);

/// Implementation of scans over the invocations of a subgroup.
enum class SubgroupScans : std::uint8_t {
    native,   ///< the device's own operation if it has one for the operator; otherwise shuffles
    emulated, ///< shuffles, for comparison; single 32-bit integers only, without segments, faults or counters
};

/// Kernel shape for tests and tuning. 0: chosen by device and size. Results of exact operators do not depend on it.
/// Results of operators that round depend on the workgroup, the chunks and the subgroup size.
struct ScanTuning {
    /// Invocations per workgroup: a power of two from the subgroup size to the device limit.
    std::uint32_t workgroup = 0;
    /// Chunks per invocation. A chunk is the smallest number of elements that fill whole 16-byte vectors: 4 elements of
    /// one word, 2 of two, 1 of four. A tile has workgroup * chunks chunks.
    std::uint32_t chunks = 0;
    /// Required subgroup size, if the device supports requiring one.
    std::uint32_t subgroup_size = 0;
    /// Polls of a late predecessor before a workgroup falls back and computes its value itself.
    std::uint32_t max_spins = 0;
    ScanStrategy strategy = ScanStrategy::fallback; ///< method by which a tile gets the sum of the tiles before it
    TileStates states = TileStates::automatic;      ///< memory layout of tile states
    SubgroupScans subgroup_scans = SubgroupScans::native; ///< implementation of scans over a subgroup
};

/// Options of scan.
template <class T>
struct ScanOptions {
    ScanKind kind = ScanKind::inclusive;               ///< inclusive or exclusive
    std::variant<Operator, Monoid> op = Operator::add; ///< operator
    /// Value before the first element. If it is not set, an exclusive scan starts with the identity: 0 for `add`, 1 for
    /// `mul`, the largest number (infinity for floats) for `min`, and so on. If `other_output` is set, scans of floats
    /// without segments start both outputs with that value.
    std::optional<T> initial = {};
    BufferRef<T> output = {}; ///< capacity for all elements; may be the input; not valid: a new transient
    /// If valid: receives the scan of the other kind in the same dispatch, with the layout of the output.
    BufferRef<T> other_output = {};
    BufferRef<T> total = {}; ///< if valid: its first element receives the total of all elements and the initial value
    /// Segments at which the scan restarts, with the initial value if there is one. Not allowed with `total`.
    Segments segments = {};
    WordLayout input_layout = {};           ///< layout of the input
    WordLayout output_layout = {};          ///< layout of the outputs
    FaultInjection faults = {};             ///< for tests
    BufferRef<std::uint32_t> counters = {}; ///< if valid: receives LookBackCounters; 4 or 5 words
    ScanTuning tuning = {};                 ///< kernel shape
};

namespace detail {

/// A scan whose element type is known at run time only.
struct ScanRequest {
    ElementType element = {};
    ScanKind kind = ScanKind::inclusive;
    const std::variant<Operator, Monoid>* op = nullptr;
    std::optional<std::array<std::uint32_t, 16>> initial = {};
    Count count = {};
    BufferId input = {}, output = {}, other_output = {}, total = {};
    std::uint64_t input_words = 0, output_words = 0, other_output_words = 0, total_words = 0; ///< buffer sizes
    WordLayout input_layout = {}, output_layout = {};
    Segments segments = {};
    bool segment_ends = false; ///< the output receives the totals of segments, in their order
    bool saturates = false;    ///< sums of u32 without segments stay at 2^32 - 1 instead of overflowing
    const FaultInjection* faults = nullptr;
    BufferRef<std::uint32_t> counters = {};
    ScanTuning tuning = {};
};

/// Adds the scan. Returns the output.
WEIR_API BufferId add_scan(Graph& graph, const ScanRequest& request);

} // namespace detail

/// Adds a scan of the first `input.count` elements: out[i] combines the elements up to element i, in order, by a
/// built-in operator or a Monoid. T is one of the types of `element_type`; a struct needs a Monoid with the same number
/// of words. Returns the output, with the count of the input. Words between and after its elements are not written.
/// With a layout, the count is the number of elements, and the buffer must extend to the end of the last one.
///
/// Algorithm: the decoupled-fallback scan of Smith, Levien and Owens, in one dispatch that reads and writes each
/// element once. It needs no forward progress from the scheduler. Results have the same bits in every run on one
/// device, floats included.
///
/// State memory: 32 bytes per tile and 64 bytes per 32 tiles, for elements of up to four words (three with flagged tile
/// states). Capacity: up to 262140 tiles of the largest shape, and 2^32 words.
///
/// Errors, reported by `compile`: `invalid_argument` for buffers that are too small, overlap or do not fit the
/// operator; `limit_exceeded` for too many elements; `unsupported` for doubles on a device without them.
template <class T>
requires(!is_narrow<T>) BufferRef<T> scan(const GraphCall& graph, BufferRef<T> input,
                                          const std::type_identity_t<ScanOptions<T>>& options = {}) {
    constexpr std::uint32_t words = sizeof(T) / 4;
    detail::ScanRequest request;
    request.element = element_type<T>;
    request.kind = options.kind;
    request.op = &options.op;
    if (options.initial) {
        request.initial.emplace();
        std::memcpy(request.initial->data(), &*options.initial, sizeof(T));
    }
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
    request.other_output = options.other_output;
    request.other_output_words = std::uint64_t{options.other_output.capacity} * words;
    request.total = options.total;
    request.total_words = std::uint64_t{options.total.capacity} * words;
    request.input_layout = options.input_layout;
    request.output_layout = options.output_layout;
    request.segments = options.segments;
    request.faults = &options.faults;
    request.counters = options.counters;
    request.tuning = options.tuning;
    detail::add_scan(graph, request);
    return output.with_count(input.count);
}

/// A buffer that GLSL code of the application uses. `declaration` declares its contents, such as "float x[]". Names of
/// the kernel, of shaders/lib and of shaders/scan are reserved; using one is a compile error.
struct FusedBuffer {
    std::string declaration = {}; ///< GLSL type and name
    Binding binding = {};         ///< the buffer and its access
};

/// A named value that GLSL code of the application uses as a uint, int or float. It is a push constant, so another
/// value does not need another shader, unlike a number in the text. A count is a parameter of the graph, which each
/// recording may set, or a constant. Names of the kernel, of shaders/lib and of the kernel's folder are reserved.
struct WEIR_API FusedValue {
    /// Creates a uint.
    FusedValue(std::string name, std::uint32_t value);
    /// Creates an int.
    FusedValue(std::string name, std::int32_t value);
    /// Creates a float.
    FusedValue(std::string name, float value);
    /// Creates a uint from a count.
    FusedValue(std::string name, const Count& value);

    std::string name;          ///< name in GLSL
    const char* type = "uint"; ///< type in GLSL
    PushWord value;            ///< bits of the value
};

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
    std::vector<std::uint32_t> initial = {}; ///< words of the initial value; empty: the identity
    BufferRef<std::uint32_t> total = {};     ///< if valid: receives the words of the total
    Segments segments = {};                  ///< segments at which the scan restarts
    FaultInjection faults = {};              ///< for tests
    BufferRef<std::uint32_t> counters = {};  ///< if valid: receives LookBackCounters; 4 or 5 words
    ScanTuning tuning = {};                  ///< kernel shape
};

/// Adds a scan whose elements are loaded and stored by GLSL code of the application. The shader is compiled with the
/// graph, which needs shaderc; compile errors name the part (as NAME.load) and its line. Algorithm, memory, capacity
/// and errors are those of `scan`.
WEIR_API void fused_scan(const GraphCall& graph, const FusedScan& scan);

} // namespace weir

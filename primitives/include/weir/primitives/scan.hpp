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

/// Inclusive or exclusive.
enum class ScanKind : std::uint8_t {
    inclusive, ///< out[i] = in[0] + ... + in[i], for any operator +
    exclusive, ///< out[i] = in[0] + ... + in[i - 1]
};

/// The places of elements in a buffer: element i begins at word `offset + i * stride`.
struct WordLayout {
    std::uint32_t offset = 0; ///< 32-bit words before the first element
    std::uint32_t stride = 0; ///< 32-bit words from one element to the next; 0: the size of an element
};

/// How a tile learns the sum of the tiles before it. All strategies give the same results; with operators that round,
/// `chained` and `scan_then_propagate` group operands differently. Only the first one is ever chosen for you: the
/// others are for comparison. (Strategies in three dispatches, flagged tile states and emulated subgroup scans are
/// compiled with the graph, which needs shaderc.) Requesting a strategy for a scan that it does not support is the
/// error `unsupported`. Injecting faults into a strategy without fallback, and counting in a strategy without
/// look-back, is `invalid_argument`.
enum class ScanStrategy : std::uint8_t {
    /// Decoupled look-back with fallback: one dispatch, no need of forward progress.
    fallback,
    /// The same without fallback (Merrill and Garland). May hang where the scheduler lets one workgroup starve another;
    /// on NVIDIA's devices also if workgroups do not start in the order of their numbers, by which they take tiles.
    look_back,
    /// Each tile waits for the one before it (StreamScan, by Yan, Long and Zhang). May hang likewise.
    chained,
    /// A workgroup that waits computes the late tile alone, element by element, for itself (the first attempt of Smith,
    /// Levien and Owens). Not for operators that round, or of your own unless `exact`; not for segments; not in place.
    scalar_fallback,
    /// Three dispatches that read the input twice: tiles are reduced, the results scanned, then the tiles scanned. Not
    /// for segments.
    reduce_then_scan,
    /// Three dispatches that write the output twice: tiles are scanned, their totals scanned, then added. Not for
    /// segments, fused scans, or two outputs.
    scan_then_propagate,
};

/// "fallback", "look_back" and so on; "?" for other numbers.
WEIR_API const char* to_string(ScanStrategy strategy);

/// The memory layout of tile states. Results are the same. Requesting one that the device or the scan does not support
/// is the error `unsupported`; requesting any for a strategy in three dispatches is `invalid_argument`.
enum class TileStates : std::uint8_t {
    automatic, ///< the fastest one where measured
    split,     ///< 16 bits of value per 32-bit word; on every device
    /// 32 bits of value per 64-bit word, on devices with 64-bit atomics. For operators of your own, and for single
    /// numbers except sums and products of doubles; not for segments with built-in operators.
    packed,
    /// The words of a value, then a flag that is stored with release and loaded with acquire. For comparison; never
    /// chosen for you. For operators of your own, and for single numbers except sums and products of floats; not for
    /// segments with built-in operators, in place, or where `Capabilities::ordered_atomics_are_barriers`.
    flagged,
};

/// "automatic", "split" and so on.
WEIR_API const char* to_string(TileStates states);

/// The implementation of scans over the invocations of a subgroup.
enum class SubgroupScans : std::uint8_t {
    native,   ///< the device's own operation, where it has one for the operator; otherwise shuffles
    emulated, ///< shuffles, for comparison. Single 32-bit integers only, without segments, faults and counters
};

/// The shape of the kernel; 0: chosen by device and size. Integer results are the same in all shapes; rounded ones
/// depend on the workgroup, the chunks and the subgroup size.
struct ScanTuning {
    std::uint32_t workgroup = 0; ///< invocations: a power of two from the subgroup size to the limit of the device
    /// Chunks per invocation. A chunk is the smallest number of elements that fill whole 16-byte vectors: 4 elements of
    /// one word, 2 of two, 1 of four. The tile has workgroup * chunks chunks.
    std::uint32_t chunks = 0;
    std::uint32_t subgroup_size = 0; ///< where the device lets a pipeline require one
    std::uint32_t max_spins = 0;     ///< polls of a late predecessor before a workgroup computes its value itself
    ScanStrategy strategy = ScanStrategy::fallback;       ///< how a tile learns the sum of the tiles before it
    TileStates states = TileStates::automatic;            ///< memory layout of tile states
    SubgroupScans subgroup_scans = SubgroupScans::native; ///< implementation of scans over a subgroup
};

/// Options of scan.
template <class T>
struct ScanOptions {
    ScanKind kind = ScanKind::inclusive;               ///< inclusive or exclusive
    std::variant<Operator, Monoid> op = Operator::add; ///< the operator
    /// Comes before the first element. Without it an exclusive scan starts with the identity: 0 for `add`, 1 for `mul`,
    /// the greatest number (of floats, infinity) for `min`, and so on. Scans of floats in both ways start with that
    /// number both ways, except by segments.
    std::optional<T> initial = {};
    BufferRef<T> output = {}; ///< room for all elements; may be the input; not valid: a new transient
    /// If valid: gets the scan of the other kind at the same time, with the layout of the output.
    BufferRef<T> other_output = {};
    BufferRef<T> total = {}; ///< if valid: its first element becomes the total of all elements and the initial value
    /// Where the scan restarts, with the initial value if there is one. Scans of segments have no total.
    Segments segments = {};
    WordLayout input_layout = {};           ///< of the input
    WordLayout output_layout = {};          ///< of the outputs
    FaultInjection faults = {};             ///< for tests
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four or five words that become LookBackCounters
    ScanTuning tuning = {};                 ///< shape of the kernel
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
    std::uint64_t input_words = 0, output_words = 0, other_output_words = 0, total_words = 0; ///< sizes of the buffers
    WordLayout input_layout = {}, output_layout = {};
    Segments segments = {};
    bool segment_ends = false; ///< the output gets the totals of segments, in their order
    bool saturates = false;    ///< sums of u32, without segments, stay at 2^32 - 1 where they would pass it
    const FaultInjection* faults = nullptr;
    BufferRef<std::uint32_t> counters = {};
    ScanTuning tuning = {};
};

/// Adds the scan. Returns the output.
WEIR_API BufferId add_scan(Graph& graph, const ScanRequest& request);

} // namespace detail

/// Adds a scan of the first `input.count` elements: out[i] combines the elements up to the i-th, in order, by a
/// built-in operator or one of your own. T is one of the types of `element_type`; a struct needs a Monoid of as many
/// words. Returns the output, with the count of the input; words between and after its elements are not written. With a
/// layout, the count is the number of elements, and the buffer has to reach the last of them.
///
/// One dispatch that reads and writes each element once: the decoupled-fallback scan of Smith, Levien and Owens, which
/// needs no forward progress from the scheduler. Results have the same bits in every run on one device, floats
/// included. State memory: 32 bytes per tile and 64 per 32 tiles, for elements of up to four words (flagged: three).
/// Capacity: up to 262140 tiles of the largest shape, and 2^32 words. Errors, reported by `compile`: `invalid_argument`
/// for buffers that are too small, overlap or do not fit the operator; `limit_exceeded` for too many elements;
/// `unsupported` for doubles on a device without them.
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

/// A buffer that GLSL of your own uses. `declaration` says what it holds, as "float x[]". Names of the kernel, of
/// shaders/lib and of shaders/scan are reserved; using one is a compile error.
struct FusedBuffer {
    std::string declaration = {}; ///< GLSL: type and name
    Binding binding = {};         ///< the buffer and the access to it
};

/// A value that GLSL of your own uses by its name, as a uint, int or float. Use it for what should not be part of the
/// text, since another text is another shader to compile. A count is a parameter of the graph, which each recording may
/// set, or a constant. Names of the kernel, of shaders/lib and of the kernel's folder are reserved.
struct WEIR_API FusedValue {
    /// A uint.
    FusedValue(std::string name, std::uint32_t value);
    /// An int.
    FusedValue(std::string name, std::int32_t value);
    /// A float.
    FusedValue(std::string name, float value);
    /// A count, as a uint.
    FusedValue(std::string name, const Count& value);

    std::string name;          ///< its name in GLSL
    const char* type = "uint"; ///< its type in GLSL
    PushWord value;            ///< its bits
};

/// A scan whose elements are produced and used in the same dispatch, so that they never pass through memory.
struct FusedScan {
    Monoid monoid = {};                    ///< the operator
    Count count = {};                      ///< number of elements
    std::vector<FusedBuffer> buffers = {}; ///< buffers that `load` and `store` use
    /// Push constants that `load` and `store` use; as many as fit beside the kernel's own.
    std::vector<FusedValue> values = {};
    /// Body of T load(uint i), which produces element i. It may be called several times for one element and has to
    /// return the same value each time; its return value is `precise`. Of a buffer that `store` writes, it may read
    /// only what `store` of the same element writes.
    std::string load = {};
    /// Body of void store(uint i, T element, T exclusive, T inclusive, uint n, bool is_last), called once per element:
    /// element i of n; `is_last` if i + 1 == n.
    std::string store = {};
    std::vector<std::uint32_t> initial = {}; ///< words of the initial value; empty: the identity
    BufferRef<std::uint32_t> total = {};     ///< if valid: gets the words of the total
    Segments segments = {};                  ///< where the scan restarts
    FaultInjection faults = {};              ///< for tests
    BufferRef<std::uint32_t> counters = {};  ///< if valid: four or five words that become LookBackCounters
    ScanTuning tuning = {};                  ///< shape of the kernel
};

/// Adds a scan with loads and stores of your own. The shader is compiled with the graph, which needs shaderc; errors
/// name the part (as NAME.load) and its line. Otherwise as `scan`.
WEIR_API void fused_scan(const GraphCall& graph, const FusedScan& scan);

} // namespace weir

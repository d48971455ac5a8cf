#pragma once

#include <algorithm>
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

enum class ScanKind : std::uint8_t {
    inclusive, ///< out[i] = in[0] + ... + in[i], for any operator +
    exclusive, ///< out[i] = in[0] + ... + in[i - 1]
};

/// Where elements are in a buffer: element i from word `offset + i * stride` on.
struct WordLayout {
    std::uint32_t offset = 0; ///< 32-bit words before the first element
    std::uint32_t stride = 0; ///< 32-bit words from one element to the next; 0: as many as it has
};

/// How a tile learns what precedes it. All give the same results; where combining rounds, `chained` and
/// `scan_then_propagate` group operands in another way. None but the first is ever chosen for you: the others are there
/// to be compared with it. (Those in three dispatches, flagged tile states and emulated subgroup scans are compiled
/// with the graph, which needs shaderc.) Where one says what it is not for, asking for that is the error `unsupported`;
/// injecting faults where nothing falls back, and counting where nothing looks back, is `invalid_argument`.
enum class ScanStrategy : std::uint8_t {
    /// Decoupled look-back with fallback: one dispatch, and no need of forward progress.
    fallback,
    /// The same without fallback (Merrill and Garland). May hang where the scheduler lets a workgroup starve another;
    /// on NVIDIA's devices also if workgroups do not start in the order of their numbers, by which they take tiles.
    look_back,
    /// Each tile waits for the one before it (StreamScan, by Yan, Long and Zhang). May hang likewise.
    chained,
    /// Whoever waits computes the late tile alone, element by element, for itself (Smith, Levien and Owens's first
    /// attempt). Not for operators that round, or of your own unless they are `exact`; for segments; or in place.
    scalar_fallback,
    /// Three dispatches, which read the input twice: tiles are reduced, their results scanned, then the tiles scanned.
    /// Not for segments.
    reduce_then_scan,
    /// Three dispatches, which write the output twice: tiles are scanned, their totals likewise, then added. Not for
    /// segments, fused scans, or two outputs.
    scan_then_propagate,
};

/// "fallback", "look_back" and so on; "?" for a number that is no strategy.
WEIR_API const char* to_string(ScanStrategy strategy);

/// How what tiles tell each other lies in memory. The results are the same. Asking for what the device or the scan has
/// not is the error `unsupported`; asking for any with a strategy in three dispatches is `invalid_argument`.
enum class TileStates : std::uint8_t {
    automatic, ///< what measured best on such a device
    split,     ///< 16 bits of value to a 32-bit word: runs everywhere
    /// 32 bits of value to a 64-bit word, on devices with 64-bit atomics. For operators of your own, and for single
    /// numbers but doubles that are added or multiplied; not for segments by built-in operators.
    packed,
    /// The words of a value and then a flag, stored with release and loaded with acquire; there to be compared with the
    /// others and never chosen for you. For operators of your own, and for single numbers but floats that are added or
    /// multiplied; not for segments by built-in operators, in place, or `Capabilities::ordered_atomics_are_barriers`.
    flagged,
};

/// "automatic", "split" and so on.
WEIR_API const char* to_string(TileStates states);

/// What scans over the lanes of a subgroup are made of.
enum class SubgroupScans : std::uint8_t {
    native,   ///< the device's own operation, where it has one for the operator; else shuffles
    emulated, ///< shuffles, for comparison. Single 32-bit integers only, without segments, faults and counters
};

/// The shape of the kernel; a 0 is chosen by device and size. Integer results are the same in all shapes; rounded ones
/// depend on the workgroup, the chunks and the subgroup size.
struct ScanTuning {
    std::uint32_t workgroup = 0; ///< invocations: a power of two from the subgroup size to the device's limit
    /// Chunks per invocation. A chunk is the fewest elements that fill whole 16-byte vectors: 4 of one word, 2 of two,
    /// 1 of four. The tile has workgroup * chunks chunks.
    std::uint32_t chunks = 0;
    std::uint32_t subgroup_size = 0; ///< where the device lets a pipeline require one
    std::uint32_t max_spins = 0;     ///< polls of a late predecessor before a workgroup computes its value itself
    ScanStrategy strategy = ScanStrategy::fallback;
    TileStates states = TileStates::automatic;
    SubgroupScans subgroup_scans = SubgroupScans::native;
};

template <class T>
struct ScanOptions {
    ScanKind kind = ScanKind::inclusive;
    std::variant<Operator, Monoid> op = Operator::add;
    /// Comes before the first element. Without it an exclusive scan starts with the identity: 0 for `add`, 1 for `mul`,
    /// the largest number (of floats, infinity) for `min`, and so on. Floats that are scanned both ways start with that
    /// number both ways, unless by segments.
    std::optional<T> initial = {};
    BufferRef<T> output = {}; ///< room for all elements; may be the input; not valid: a new transient
    BufferRef<T> other_output =
        {};                  ///< if valid: gets the scan of the other kind at the same time, laid out like the output
    BufferRef<T> total = {}; ///< if valid: its first element becomes what all elements add to, the initial one included
    /// Where the scan starts anew, with the initial value if there is one. Scans of segments have no total.
    Segments segments = {};
    WordLayout input_layout = {};
    WordLayout output_layout = {};
    FaultInjection faults = {};
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four words that become LookBackCounters
    ScanTuning tuning = {};
};

namespace detail {

/// A scan whose element type is only known at run time.
struct ScanRequest {
    ElementType element = {};
    ScanKind kind = ScanKind::inclusive;
    const std::variant<Operator, Monoid>* op = nullptr;
    std::optional<std::array<std::uint32_t, 16>> initial = {};
    Count count = {};
    BufferId input = {}, output = {}, other_output = {}, total = {};
    std::uint64_t input_words = 0, output_words = 0, other_output_words = 0, total_words = 0; ///< their sizes
    WordLayout input_layout = {}, output_layout = {};
    Segments segments = {};
    bool segment_ends = false; ///< the output gets what whole segments add to, in their order
    const FaultInjection* faults = nullptr;
    BufferRef<std::uint32_t> counters = {};
    ScanTuning tuning = {};
};

/// Adds the scan. Returns the output.
WEIR_API BufferId add_scan(Graph& graph, const ScanRequest& request);

} // namespace detail

/// Adds a scan of the first `input.count` elements: out[i] combines the elements up to the i-th, in order, by a
/// built-in operator or one of your own. T is one of the types of `element_type`; a custom one needs a Monoid of as
/// many words. Returns the output, with the input's count; what lies between and behind its elements is left alone.
/// With a layout, the count is how many elements there are, and the buffer must reach to the last of them.
///
/// One dispatch, each element read and written once: the decoupled-fallback scan of Smith, Levien and Owens, which
/// needs no forward progress from the scheduler. Results have the same bits in every run on one device, floats
/// included. State memory: 32 bytes per tile and 64 per 32 tiles, for elements of up to four words (flagged:
/// three). Capacity: up to 262140 tiles of the largest shape, and 2^32 words. Errors, which `compile` reports:
/// `invalid_argument` for buffers that are too small, overlap or do not fit the operator; `limit_exceeded` for too many
/// elements; `unsupported` for doubles on a device without them.
template <class T>
BufferRef<T> scan(const GraphCall& graph, BufferRef<T> input,
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

/// A buffer that the functions of a fused scan see: `declaration` is what it holds, in GLSL, as "float x[]". The
/// kernel's own names, those of shaders/lib and shaders/scan, are taken: the compiler says so.
struct FusedBuffer {
    std::string declaration = {};
    Binding binding = {};
};

/// A value that functions of one's own see by its name, as a uint, int or float: what is not to be part of their text,
/// since another text is another shader to compile. A count is one of the graph's parameters, which each recording may
/// set to another value, or a constant. The names of the kernel, of shaders/lib and of its folder are taken.
struct WEIR_API FusedValue {
    FusedValue(std::string name, std::uint32_t value);
    FusedValue(std::string name, std::int32_t value);
    FusedValue(std::string name, float value);
    FusedValue(std::string name, const Count& value);

    std::string name;
    const char* type = "uint";
    PushWord value; ///< its bits
};

/// A scan of elements that are made and used in the same dispatch, so that they never pass through memory.
struct FusedScan {
    Monoid monoid = {};
    Count count = {}; ///< elements
    std::vector<FusedBuffer> buffers = {};
    /// Push constants: as many as the device has room for beside the kernel's own.
    std::vector<FusedValue> values = {};
    /// Body of T load(uint i), which makes the i-th element. It may be called several times for one element and must
    /// give the same each time: what it returns is `precise`. Of a buffer that `store` writes, it may read only what
    /// `store` of the same element writes.
    std::string load = {};
    /// Body of void store(uint i, T element, T exclusive, T inclusive, uint n, bool is_last), called once for each
    /// element: the i-th of n, which is the last one if i + 1 == n.
    std::string store = {};
    std::vector<std::uint32_t> initial = {}; ///< the words of what comes before the first element; empty: the identity
    BufferRef<std::uint32_t> total = {};     ///< if valid: gets the words of what all elements add to
    Segments segments = {};                  ///< where the scan starts anew
    FaultInjection faults = {};
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four words that become LookBackCounters
    ScanTuning tuning = {};
};

/// Adds a scan with the loads and stores of `scan`. Its shader is compiled with the graph, which needs shaderc; errors
/// name the part (as NAME.load) and its line. Otherwise as `scan`.
WEIR_API void fused_scan(const GraphCall& graph, const FusedScan& scan);

} // namespace weir

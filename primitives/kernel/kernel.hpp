#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/graph/graph.hpp>
#include <weir/primitives/instrument.hpp>
#include <weir/primitives/scan.hpp>

#include "engine/text.hpp"
#include "primitives/kernel/interface.hpp"

// What the passes of all primitives have in common.

namespace weir {

struct Packed;

/// Numbers of shaders/lib.
struct LibraryInterface {
#include "shaders/lib/chunks_interface.h"
#include "shaders/lib/radix_digit_interface.h"
#include "shaders/lib/subgroup_interface.h"
#include "shaders/lib/tile_state_interface.h"
};

/// Whether the buffer belongs to the graph.
bool is_of(const Graph& graph, BufferId buffer);

/// Whether a buffer is an import, or written by the passes that were added so far.
bool is_written(const Graph& graph, BufferId buffer);

/// Whether `input` is a buffer of the graph; fails the graph if not.
bool check_input(Graph& graph, const char* primitive, BufferId input);

/// Whether `value` is a value of its enum, whose last one is `last`; fails the graph if not, with `what` it should be.
template <class Enum>
bool check_enum(Graph& graph, const char* primitive, const char* what, Enum value, Enum last) {
    if (value > last) {
        graph.fail(
            {ErrorCode::invalid_argument, concat(primitive, ": ", static_cast<unsigned>(value), " is not a ", what)});
    }
    return value <= last;
}

/// A kernel's subgroup size: what its pipeline requires, and what its code may rely on.
struct SubgroupChoice {
    std::uint32_t required = 0; ///< 0: no requirement
    std::uint32_t known = 0;    ///< 0: only the driver knows
    std::uint32_t least = 0;    ///< the smallest possible size
};

/// Chooses `wanted`, or the device's usual size if that is 0. A size that the device cannot require fails the graph.
SubgroupChoice choose_subgroup(Graph& graph, const char* primitive, std::uint32_t wanted);

/// The most invocations of a workgroup, as a power of two, with such subgroups on the device.
std::uint32_t max_workgroup(const Capabilities& device, const SubgroupChoice& subgroup);

/// The quotient, rounded up.
constexpr std::uint32_t divide_up(std::uint32_t count, std::uint32_t by) {
    return count / by + (count % by != 0 ? 1 : 0);
}

/// The number of elements of so many words and such a layout for which a buffer of `words` has room, of which the first
/// 2^32 words can be accessed.
std::uint64_t elements_in(std::uint64_t words, std::uint32_t element_words, WordLayout layout);

/// The most chunks of an invocation.
constexpr std::uint32_t max_chunks = 64;

/// The most tiles of a single-pass kernel. The ticket of shaders/lib/tile_state.glsl counts 2^18 workgroups. There may
/// be more workgroups than tiles, since a dispatch has rows of equal length; but not more than this many, which is four
/// rows of the length that every device can run.
constexpr std::uint32_t max_tiles = 4 * 65535;

/// INITIAL of kernels that include shaders/lib/chunks.glsl.
std::uint32_t initial_mode(bool has_initial, bool only_of_nothing);

/// The size of a buffer of tile states, in words.
std::uint32_t tile_state_words(std::uint32_t entries, std::uint32_t entry_words);

/// Elements for a workgroup, `least` or more, in kernels whose workgroups each add their counts to totals.
std::uint32_t counting_share(const Capabilities& device, std::uint32_t count, std::uint32_t least);

/// Elements in a chunk of shaders/lib/chunks.glsl.
std::uint32_t chunk_elements(std::uint32_t words);

/// Words of workgroup memory for a value of so many words.
constexpr std::uint32_t padded_words(std::uint32_t words) {
    return words <= 2 ? words : divide_up(words, 4) * 4;
}

/// Whether the device has enough workgroup memory for a value of so many words for each subgroup, one more value, and
/// `more_bytes`; fails the graph if not.
bool check_workgroup_memory(Graph& graph, const char* primitive, std::uint32_t workgroup,
                            const SubgroupChoice& subgroup, std::uint32_t words, std::uint32_t more_bytes);

/// A count as kernels take it: two push constants, and a binding if it is on the GPU.
struct CountInputs {
    PushWord max_count;
    PushWord word;
    Binding binding;
    bool on_gpu = false;
};
CountInputs count_inputs(const Count& count, BufferId stand_in);

/// The push constants of shaders/lib/elements_push.glsl, for elements of so many words.
std::vector<PushWord> elements_push(const CountInputs& count, std::uint32_t words, WordLayout in, WordLayout out);

/// A pass that runs `shader`.
Pass kernel_pass(const char* name, const Packed& shader, const SubgroupChoice& subgroup);

/// Whether the kind of the faults and the order are valid; fails the graph if not.
bool check_faults(Graph& graph, const char* primitive, const FaultInjection& faults);

/// Whether there are faults.
bool injects(const FaultInjection& faults);

/// Whether a primitive runs its instrumented kernel.
bool instrumented(const FaultInjection& faults, BufferId counters);

/// Adds a pass that zeroes the counters, if they are valid. Returns them.
BufferRef<std::uint32_t> zeroed_counters(Graph& graph, BufferRef<std::uint32_t> counters);

/// Appends what an instrumented kernel takes: the counters to the bindings, and the push constants of
/// shaders/lib/last_push.glsl. Without counters nothing is counted, so that faults alone can be timed.
void instrument(Pass& pass, const FaultInjection& faults, BufferRef<std::uint32_t> counters);

} // namespace weir

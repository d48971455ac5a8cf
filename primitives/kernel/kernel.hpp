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
#include "shaders/lib/total_order_interface.h"
};

/// Whether the buffer is one of the graph.
bool is_of(const Graph& graph, BufferId buffer);

/// Whether `input` is a buffer at all; fails the graph if not.
bool check_input(Graph& graph, const char* primitive, BufferId input);

/// Whether `value` is one of an enum that ends with `last`; fails the graph if not, saying that it is no `what`.
template <class Enum>
bool check_enum(Graph& graph, const char* primitive, const char* what, Enum value, Enum last) {
    if (value > last) {
        graph.fail(
            {ErrorCode::invalid_argument, concat(primitive, ": ", static_cast<unsigned>(value), " is no ", what)});
    }
    return value <= last;
}

/// A kernel's subgroup size: what its pipeline requires, and what its code may take for granted.
struct SubgroupChoice {
    std::uint32_t required = 0; ///< 0: nothing to require
    std::uint32_t known = 0;    ///< 0: only the driver knows; at least the device's smallest
    std::uint32_t least = 0;    ///< the smallest that it can turn out to be
};

/// Takes `wanted` if the device can require it, else the device's usual size. A size that cannot be had fails the
/// graph.
SubgroupChoice choose_subgroup(Graph& graph, const char* primitive, std::uint32_t wanted);

/// The largest power of two of invocations that a workgroup of such subgroups can have on the device.
std::uint32_t max_workgroup(const Capabilities& device, const SubgroupChoice& subgroup);

/// Rounded up.
constexpr std::uint32_t divide_up(std::uint32_t count, std::uint32_t by) {
    return count / by + (count % by != 0 ? 1 : 0);
}

/// How many elements of so many words, laid out so, have room in a buffer of `words`, of which 2^32 can be reached.
std::uint64_t elements_in(std::uint64_t words, std::uint32_t element_words, WordLayout layout);

/// That an invocation may hold.
constexpr std::uint32_t max_chunks = 64;

/// Tiles of a single pass. The ticket of shaders/lib/tile_state.glsl counts 2^18 workgroups. There are more of them
/// than tiles if they come in rows of unequal length, but no more than this many if they come in four rows of the least
/// that a device can run.
constexpr std::uint32_t max_tiles = 4 * 65535;

/// INITIAL of kernels that include shaders/lib/chunks.glsl.
std::uint32_t initial_mode(bool has_initial, bool only_of_nothing);

/// Size of the tile states there, in words: the ticket, and so many entries, each as long.
std::uint32_t tile_state_words(std::uint32_t entries, std::uint32_t entry_words);

/// Elements of a workgroup, `least` or more, where each workgroup adds what it counts to the totals of all.
std::uint32_t counting_share(const Capabilities& device, std::uint32_t count, std::uint32_t least);

/// Elements in a chunk of shaders/lib/chunks.glsl.
std::uint32_t chunk_elements(std::uint32_t words);

/// Words that a value of so many takes in workgroup memory.
constexpr std::uint32_t padded_words(std::uint32_t words) {
    return words <= 2 ? words : divide_up(words, 4) * 4;
}

/// Whether the device has the workgroup memory for a value of so many words for each subgroup, one more, and
/// `more_bytes`; fails the graph if not.
bool check_workgroup_memory(Graph& graph, const char* primitive, std::uint32_t workgroup,
                            const SubgroupChoice& subgroup, std::uint32_t words, std::uint32_t more_bytes);

/// How a kernel learns a count: two push constants, and a binding where it is on the GPU.
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

/// Whether the faults are of a kind that there is; fails the graph if not.
bool check_faults(Graph& graph, const char* primitive, const FaultInjection& faults);

/// Whether a primitive runs its instrumented kernel.
bool instrumented(const FaultInjection& faults, BufferId counters);

/// Returns `counters`, zeroed by a pass if there are any.
BufferId zeroed_counters(Graph& graph, BufferRef<std::uint32_t> counters);

/// Adds what an instrumented kernel expects: the counters as the last binding, the faults as the last push constants.
/// Without counters nothing is counted, so that faults alone can be timed.
void instrument(Pass& pass, const FaultInjection& faults, BufferId counters);

} // namespace weir

#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <weir/graph/graph.hpp>
#include <weir/primitives/scan.hpp>

#include "engine/base/strings.hpp"
#include "primitives/kernel/interface.hpp"

// Functions and constants that the passes of all primitives share.

namespace weir {

struct Packed;

/// Numbers of shaders/lib.
struct LibraryInterface {
#include "shaders/lib/chunks_interface.h"
#include "shaders/lib/radix_digit_interface.h"
#include "shaders/lib/subgroup_interface.h"
#include "shaders/lib/tile_state_interface.h"
};

/// Returns whether the buffer belongs to the graph.
bool is_of(const Graph& graph, BufferId buffer);

/// Returns whether the buffer belongs to the graph and is an import or is written by a pass added so far.
bool is_written(const Graph& graph, BufferId buffer);

/// Checks that `input` is a buffer of the graph. Fails the graph if not.
bool check_input(Graph& graph, const char* primitive, BufferId input);

/// Checks that `value` is not greater than `last`, the last value of its enum. Fails the graph if not; `what` is the
/// name of the enum, for the error.
template <class Enum>
bool check_enum(Graph& graph, const char* primitive, const char* what, Enum value, Enum last) {
    if (value > last) {
        graph.fail({ErrorCode::invalid_argument,
                    concat(primitive, ": ", static_cast<unsigned>(value), " is not a valid ", what)});
    }
    return value <= last;
}

/// Subgroup size of a kernel: the one that its pipeline requires, and the one that its code may rely on.
struct SubgroupChoice {
    std::uint32_t required = 0; ///< 0: no requirement
    std::uint32_t known = 0;    ///< 0: known only to the driver
    std::uint32_t least = 0;    ///< minimum possible size
};

/// Returns the subgroup size `wanted`, or the device's default if `wanted` is 0. Fails the graph if the device cannot
/// require that size.
SubgroupChoice choose_subgroup(Graph& graph, const char* primitive, std::uint32_t wanted);

/// Returns the maximum workgroup size on the device with such subgroups, as a power of two.
std::uint32_t max_workgroup(const Capabilities& device, const SubgroupChoice& subgroup);

/// Returns `count` / `by`, rounded up.
constexpr std::uint32_t divide_up(std::uint32_t count, std::uint32_t by) {
    return count / by + (count % by != 0 ? 1 : 0);
}

/// Returns the number of elements of `element_words` words in `layout` that fit in a buffer of `words` words. Only the
/// first 2^32 words are addressable.
std::uint64_t elements_in(std::uint64_t words, std::uint32_t element_words, WordLayout layout);

/// Maximum number of chunks per invocation.
constexpr std::uint32_t max_chunks = 64;

/// Maximum number of tiles of a single-pass kernel. The ticket of shaders/lib/tile_state.glsl counts 2^18 workgroups.
/// Dispatches are spread over rows of equal length, so there may be more workgroups than tiles. There are never more
/// than this many, which is four rows of the length that every device supports.
constexpr std::uint32_t max_tiles = 4 * 65535;

/// Returns INITIAL of kernels that include shaders/lib/chunks.glsl.
std::uint32_t initial_mode(bool has_initial, bool only_of_nothing);

/// Returns the size of a buffer of tile states in words.
std::uint32_t tile_state_words(std::uint32_t entries, std::uint32_t entry_words);

/// Returns the number of elements per workgroup, at least `least`, in kernels whose workgroups each add their counts to
/// totals.
std::uint32_t counting_share(const Capabilities& device, std::uint32_t count, std::uint32_t least);

/// Returns the number of elements of `words` words in a chunk of shaders/lib/chunks.glsl.
std::uint32_t chunk_elements(std::uint32_t words);

/// Returns the words of workgroup memory that a value of `words` words takes.
constexpr std::uint32_t padded_words(std::uint32_t words) {
    return words <= 2 ? words : divide_up(words, 4) * 4;
}

/// Checks that the device has enough workgroup memory for one value of `words` words per subgroup, one more value, and
/// `more_bytes`. Fails the graph if not.
bool check_workgroup_memory(Graph& graph, const char* primitive, std::uint32_t workgroup,
                            const SubgroupChoice& subgroup, std::uint32_t words, std::uint32_t more_bytes);

/// Returns a pass that runs `shader`.
Pass kernel_pass(std::string name, ShaderSource shader);
Pass kernel_pass(const std::string& name, const Packed& shader);

/// Returns a pass that runs `shader` with full subgroups.
Pass kernel_pass(std::string name, ShaderSource shader, const SubgroupChoice& subgroup);
Pass kernel_pass(const std::string& name, const Packed& shader, const SubgroupChoice& subgroup);

/// Appends push constants.
void push_words(Pass& pass, std::initializer_list<PushWord> words);

/// Appends the layouts of shaders/lib/elements_push.glsl for elements of `words` words.
void push_layouts(Pass& pass, std::uint32_t words, WordLayout in, WordLayout out);

/// Gives the kernel a count. Appends two push constants: its maximum and its word in the buffer. Sets the
/// specialization constant `on_gpu`. Binds the buffer; if the count is not on the GPU, binds `stand_in` as unused.
void add_count(Pass& pass, const Count& count, BufferId stand_in, std::uint32_t binding, std::uint32_t on_gpu);

/// Gives the kernel a count, with the constant by its name in the interface: &Interface::COUNT_ON_GPU. Must be called
/// after set_constants.
template <class Interface, std::uint32_t id>
void add_count(Pass& pass, const Count& count, BufferId stand_in, std::uint32_t binding,
               KernelConstant<id, bool> Interface::* /* on_gpu */) {
    add_count(pass, count, stand_in, binding, id);
}

} // namespace weir

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <weir/primitives/detail/sort_request.hpp>

#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"

// Shared by the sorts whose workgroups hold tiles in registers: kernels that include shaders/lib/radix_tile.glsl,
// radix_rank.glsl and radix_digit.glsl.

namespace weir {

/// Constants and bindings that shaders/sort/radix_single.comp and segmented_sort.comp share.
struct RadixTileInterface {
#include "shaders/sort/radix_tile_interface.h"
};

constexpr std::uint32_t radix_bits = LibraryInterface::RADIX_BITS;
constexpr std::uint32_t radix = 1U << radix_bits;

/// Representation of keys in the kernels.
struct KeyForm {
    std::uint32_t words = 1;
    bool floating = false;
    bool has_sign = false;
    std::uint32_t bits = 32 * words; ///< 8 or 16 for keys of 8 or 16 bits, although they are sorted as words
    bool packed = false;             ///< several keys per word in memory; see packed_keys.glsl
    std::uint32_t numbers = 0;       ///< packed keys only: NUMBERS
};
KeyForm key_form(Scalar key);

/// A digit of a key: `bits` bits of word `word`, from bit `shift` on. The bits in `flip` are inverted.
struct Digit {
    std::uint32_t word = 0, shift = 0, bits = 0, flip = 0;
};

/// The digits by which a request sorts, least significant first.
struct SortDigits {
    std::vector<Digit> digits;
    std::uint32_t low_passes = 0; ///< number of digits in the low word
    std::uint32_t first_bit = 0, end_bit = 0;
    std::uint32_t flips[2] = {}; ///< inverted bits of the words of a key

    /// Adds a digit of no bits, for a pass that only copies.
    void add_empty();
};
SortDigits digits_of(const detail::SortRequest& request, const KeyForm& form);

/// Bytes of workgroup memory that are reserved for everything except the counters of a pass. `spare_workgroup_memory`
/// returns the rest.
constexpr std::uint32_t other_workgroup_memory = 4096;
inline std::uint32_t spare_workgroup_memory(const Capabilities& device) {
    return device.max_workgroup_memory - other_workgroup_memory;
}

/// Maximum number of subgroups per workgroup. Each has a row of counters, 1 KiB, in workgroup memory.
constexpr std::uint32_t max_counter_rows = 16;
inline std::uint32_t most_counter_rows(const Capabilities& device) {
    return std::bit_floor(std::clamp(spare_workgroup_memory(device) / (radix * 4), 4U, max_counter_rows));
}

/// Returns the words of workgroup memory that the rows of counters and the exchange of a tile share.
inline std::uint32_t pool_words(const Capabilities& device, std::uint32_t rows) {
    return std::max(rows * radix, 4608U * std::min(1U, device.max_workgroup_memory / 32768));
}

/// Returns the number of rounds in which a tile of `keys` keys is exchanged through `words` words.
constexpr std::uint32_t rounds_for(std::uint32_t keys, std::uint32_t words) {
    return divide_up(keys, words);
}

/// Returns RANKS of a tile that is sorted in registers. `has_places`: places move with the keys.
std::uint32_t tile_ranks(const Graph& graph, RadixRanks ranks, const SortDigits& by, const KeyForm& form,
                         bool has_places);

/// Checks the bits and buffers of a sort. Fails the graph if they are not valid. `in_windows`: keys and values may be
/// more than a binding can access.
bool check_sort(Graph& graph, const char* primitive, const detail::SortRequest& request, bool in_windows = false);

/// Checks that the device supports workgroups of `workgroup` invocations, at most `max_counter_rows` subgroups, with
/// `keys_per_invocation` keys per invocation. Fails the graph if not.
bool check_tile(Graph& graph, const char* primitive, const SubgroupChoice& subgroup, std::uint32_t workgroup,
                std::uint32_t keys_per_invocation);

} // namespace weir

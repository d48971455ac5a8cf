#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <weir/primitives/instrument.hpp>
#include <weir/primitives/sort_request.hpp>

#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"

// What sorts have in common whose workgroups hold tiles in registers: those by shaders/lib/radix_tile.glsl,
// radix_rank.glsl and radix_digit.glsl.

namespace weir {

/// The constants and bindings that shaders/sort/radix_single.comp and segmented_sort.comp have in common.
struct RadixTileInterface {
#include "shaders/sort/radix_tile_interface.h"
};

constexpr std::uint32_t radix_bits = LibraryInterface::RADIX_BITS;
constexpr std::uint32_t radix = 1U << radix_bits;

/// A key as kernels see it.
struct KeyForm {
    std::uint32_t words = 1;
    bool floating = false;
    bool has_sign = false;
    std::uint32_t bits = 32 * words; ///< those of keys of 8 and 16 bits, although they are sorted as words
    bool packed = false;             ///< several keys to a word in memory, see packed_keys.glsl
    std::uint32_t numbers = 0;       ///< NUMBERS of packed keys
};
KeyForm key_form(Scalar key);

/// A digit of a key: `bits` bits of a word from `shift` on. Those of `flip` are inverted.
struct Digit {
    std::uint32_t word = 0, shift = 0, bits = 0, flip = 0;
};

/// The digits by which a request sorts, least significant first.
struct SortDigits {
    std::vector<Digit> digits;
    std::uint32_t low_passes = 0; ///< by digits of the low word
    std::uint32_t first_bit = 0, end_bit = 0;
    std::uint32_t flips[2] = {}; ///< of the words of a key

    /// Adds a digit of no bits, for a pass that only copies.
    void add_empty();
};
SortDigits digits_of(const detail::SortRequest& request, const KeyForm& form);

/// Bytes of workgroup memory besides the counters of a pass, and the rest.
constexpr std::uint32_t other_workgroup_memory = 4096;
inline std::uint32_t spare_workgroup_memory(const Capabilities& device) {
    return device.max_workgroup_memory - other_workgroup_memory;
}

/// The most subgroups of a workgroup: each has a row of counters, 1 KiB, in workgroup memory.
constexpr std::uint32_t max_counter_rows = 16;
inline std::uint32_t most_counter_rows(const Capabilities& device) {
    return std::bit_floor(std::clamp(spare_workgroup_memory(device) / (radix * 4), 4U, max_counter_rows));
}

/// Words of workgroup memory that rows of counters and the exchange of a tile share.
inline std::uint32_t pool_words(const Capabilities& device, std::uint32_t rows) {
    return std::max(rows * radix, 4608U * std::min(1U, device.max_workgroup_memory / 32768));
}

/// Rounds in which a tile of `keys` is exchanged through so many words.
constexpr std::uint32_t rounds_for(std::uint32_t keys, std::uint32_t words) {
    return divide_up(keys, words);
}

/// RANKS of a tile that is sorted in registers. `has_places`: places move along with the keys.
std::uint32_t tile_ranks(const Capabilities& device, RadixRanks ranks, const FaultInjection& faults,
                         const SortDigits& by, const KeyForm& form, bool has_places);

/// Whether the bits and buffers of a sort are valid; fails the graph if not.
bool check_sort(Graph& graph, const char* primitive, const detail::SortRequest& request);

/// Whether the device runs such workgroups of at most `rows` subgroups, with so many keys to each invocation; fails the
/// graph if not.
bool check_tile(Graph& graph, const char* primitive, const SubgroupChoice& subgroup, std::uint32_t workgroup,
                std::uint32_t keys_per_invocation);

} // namespace weir

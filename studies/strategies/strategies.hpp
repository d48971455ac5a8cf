#pragma once

#include <cstdint>

#include <weir/testing/instrument.hpp>

// Implementations of the scan for comparison with the library's. They are compiled with the graph, which needs shaderc.

namespace weir::studies {

/// Method by which a tile gets the sum of the tiles before it. All strategies give the same results, except that
/// `chained` and `scan_then_propagate` group operands differently, which matters for operators that round.
enum class ScanStrategy : std::uint8_t {
    /// The library's: decoupled look-back with fallback, in one dispatch. Needs no forward progress guarantee.
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
const char* to_string(ScanStrategy strategy);

/// Changes of the strategy `fallback`. Results are the same.
struct FallbackChanges {
    /// A workgroup that must reduce a late tile gives up the registers of its own tile, reads the late tile with all
    /// loads in flight, and its own tile again after the look-back.
    bool reload = false;
    /// After the first fallback that posts a tile before its owner, workgroups of this run and the next poll once
    /// before their first fallback, instead of ScanTuning::max_spins times.
    bool hint = false;
    /// For operators that round: a look-back goes along the spine only after its own block is complete.
    bool own_block = false;
};

struct ScanVariantOptions {
    ScanStrategy strategy = ScanStrategy::fallback;
    FallbackChanges fallback = {}; ///< for `fallback` without the options below, and not for segments
    /// Tile states are the words of a value, then a flag that is stored with release and loaded with acquire. Not for
    /// doubles, segments with built-in operators, scans in place, or if `Capabilities::ordered_atomics_are_barriers` is
    /// set.
    bool flagged_states = false;
    /// Scans of a subgroup by shuffles instead of the device's own operation. Single 32-bit integers only, without
    /// segments, faults and counters.
    bool emulated_subgroup_scans = false;
};

/// Returns the variant for Instrument::scan_variant, which exists until the program ends; null if all options are
/// defaults.
///
/// Errors of scans with the variant: `unsupported` if the scan does not support the options; `invalid_argument` for
/// faults with a strategy without fallback, and for counters with a strategy without look-back.
const testing::ScanVariant* scan_variant(const ScanVariantOptions& options);

/// Returns the variant with this strategy.
const testing::ScanVariant* scan_variant(ScanStrategy strategy);

} // namespace weir::studies

#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>

namespace weir {

/// Kind of a scan. + stands for the operator.
enum class ScanKind : std::uint8_t {
    inclusive, ///< out[i] = in[0] + ... + in[i]
    exclusive, ///< out[i] = in[0] + ... + in[i - 1]
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

} // namespace weir

#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>

namespace weir {

/// Algorithm with which `weir_workgroup_inclusive_scan` of <weir/workgroup_scans.glsl> scans one value per invocation
/// over a workgroup. That function is for shaders of the application. The shader defines WEIR_SCAN_ALGORITHM as the
/// number of the algorithm, which can be a specialization constant of the pass, for instance
///
///     pass.constants = {256, static_cast<std::uint32_t>(weir::WorkgroupScan::warp_radix_raking)};
///
/// All algorithms have the same results, except for rounding. The GLSL file has an example, and lists the cost and the
/// source of each algorithm.
enum class WorkgroupScan : std::uint32_t {
    kogge_stone,                 ///< log n steps; two copies of the values in workgroup memory
    sklansky,                    ///< log n steps; at most n / 2 combinations each
    brent_kung,                  ///< 2 log n - 1 steps; about 2 n combinations in all
    reduce_scan,                 ///< sweeps over blocks of 8 values, with a Sklansky scan between them
    raking,                      ///< one subgroup scans; each of its invocations scans a run of consecutive values
    warp_radix_serial,           ///< one subgroup scans all values, one per invocation at a time
    warp_radix_raking,           ///< subgroup scans; one subgroup scans their totals
    warp_radix_sklansky,         ///< subgroup scans; their totals as in sklansky
    warp_radix_brent_kung,       ///< subgroup scans; their totals as in brent_kung, with the subgroup size as the radix
    warp_radix_brent_kung_fused, ///< warp_radix_brent_kung with half the barriers
    warp_radix_redundant,        ///< subgroup scans; each subgroup scans their totals; used by Weir's own kernels
};
constexpr std::uint32_t workgroup_scans = 11; ///< number of algorithms

/// Returns the name of the enumerator; "?" for other numbers.
WEIR_API const char* to_string(WorkgroupScan scan);

} // namespace weir

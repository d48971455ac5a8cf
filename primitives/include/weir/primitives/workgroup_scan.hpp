#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>

namespace weir {

/// Algorithm with which `workgroup_inclusive_scan` of <weir/workgroup_scans.glsl> scans one value per invocation over a
/// workgroup. That function is for shaders of the application. Set the algorithm as the specialization constant
/// WORKGROUP_SCAN of the pass, for instance
///
///     pass.constants = {256, 0, static_cast<std::uint32_t>(weir::WorkgroupScan::warp_radix_raking)};
///     pass.full_subgroups = true;
///
/// Results are the same, except for rounding. The GLSL file has an example, and lists the cost and the source of each
/// algorithm.
enum class WorkgroupScan : std::uint32_t {
    kogge_stone,                 ///< Kogge and Stone
    sklansky,                    ///< Sklansky
    brent_kung,                  ///< Brent and Kung
    reduce_scan,                 ///< sweeps over blocks of 8 values, with a Sklansky scan between them
    raking,                      ///< each invocation of one subgroup goes through a run of values
    warp_radix_serial,           ///< subgroup scans; totals one after the other
    warp_radix_raking,           ///< subgroup scans; one subgroup scans the totals
    warp_radix_sklansky,         ///< subgroup scans; totals by sklansky
    warp_radix_brent_kung,       ///< subgroup scans; totals by brent_kung
    warp_radix_brent_kung_fused, ///< warp_radix_brent_kung with half the barriers
    warp_radix_redundant,        ///< subgroup scans; each subgroup scans the totals, as in Weir's own kernels
};
constexpr std::uint32_t workgroup_scans = 11; ///< number of algorithms

/// Returns the name of the enumerator; "?" for other numbers.
WEIR_API const char* to_string(WorkgroupScan scan);

} // namespace weir

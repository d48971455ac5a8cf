#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>

namespace weir {

/// How `workgroup_inclusive_scan` of <weir/workgroup_scans.glsl>, for passes of your own, scans a value of each
/// invocation over a workgroup: the constant WORKGROUP_SCAN of the pass, for instance
///
///     pass.constants = {256, 0, static_cast<std::uint32_t>(weir::WorkgroupScan::warp_radix_raking)};
///     pass.full_subgroups = true;
///
/// All give the same results, but for rounding. That file has an example, and says what each takes and where it comes
/// from.
enum class WorkgroupScan : std::uint32_t {
    kogge_stone,
    sklansky,
    brent_kung,
    reduce_scan,
    raking,
    warp_radix_serial,
    warp_radix_raking,
    warp_radix_sklansky,
    warp_radix_brent_kung,
    warp_radix_brent_kung_fused,
    warp_radix_redundant, ///< as in Weir's own kernels
};
constexpr std::uint32_t workgroup_scans = 11; ///< how many there are

/// Its name above; "?" for a number that has none.
WEIR_API const char* to_string(WorkgroupScan scan);

} // namespace weir

#include <weir/primitives/workgroup_scan.hpp>

#include <array>

#include "engine/base/strings.hpp"

namespace weir {

const char* to_string(WorkgroupScan scan) {
    static constexpr std::array<const char*, workgroup_scans> names{"kogge_stone",
                                                                    "sklansky",
                                                                    "brent_kung",
                                                                    "reduce_scan",
                                                                    "raking",
                                                                    "warp_radix_serial",
                                                                    "warp_radix_raking",
                                                                    "warp_radix_sklansky",
                                                                    "warp_radix_brent_kung",
                                                                    "warp_radix_brent_kung_fused",
                                                                    "warp_radix_redundant"};
    return name_in(names, scan);
}

} // namespace weir

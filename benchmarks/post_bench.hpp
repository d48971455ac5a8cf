#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// Returns the only row, "post/u32/round trip". Two workgroups pass a number back and forth, with the stores and loads
/// of tile states. The row shows the time of a round trip (two posts), how many polls fail per round trip, and the
/// `max_spins` of scan_light in primitives/shapes.csv for this device. `max_spins` should exceed the number of failed
/// polls; otherwise look-backs fall back for tiles that are not late.
std::vector<std::string> post_row_names();

/// Measures the row if its name is `selected`: at least 20 runs of 512 round trips each, or of 32 on a CPU device.
Result<> time_posts(const Context& context, std::uint32_t repeats,
                    const std::function<bool(const std::string& name)>& selected,
                    const std::function<void(const Row& row)>& report);

} // namespace weir::bench

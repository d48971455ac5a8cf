#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// "post/u32/round trip": two workgroups pass a number to and fro, as tiles pass on their values. The row has the time
/// of a round trip, which is two posts, and how many polls found nothing in each: what `max_spins` in
/// primitives/shapes.csv has to exceed for a tile that is not late, beside what it is for this device.
std::vector<std::string> post_row_names();

/// Measures it if it is `selected`: at least 20 runs of many round trips.
Result<> time_posts(const Context& context, std::uint32_t repeats,
                    const std::function<bool(const std::string& name)>& selected,
                    const std::function<void(const Row& row)>& report);

} // namespace weir::bench

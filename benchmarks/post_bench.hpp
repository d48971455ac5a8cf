#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// Returns the name of the row "post/u32/round trip". Two workgroups pass a number back and forth, with the same posts
/// and polls as tiles. The row has the time of a round trip (two posts) and the number of failed polls per round trip,
/// next to the `max_spins` of this device in primitives/shapes.csv. `max_spins` must exceed that number, otherwise
/// tiles that are not late cause fallbacks.
std::vector<std::string> post_row_names();

/// Measures the row if its name is `selected`: at least 20 runs of many round trips each.
Result<> time_posts(const Context& context, std::uint32_t repeats,
                    const std::function<bool(const std::string& name)>& selected,
                    const std::function<void(const Row& row)>& report);

} // namespace weir::bench

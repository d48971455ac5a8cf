#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// Returns the names of the rows "one_call", which compare a `sort_call` of pairs with a program of a graph that sorts
/// the same pairs in place:
/// - record/call: the time on the CPU of Call::record, which takes the buffers
/// - record/graph: that of two calls of Program::bind and of Program::record
/// - execute/call, execute/graph: the time on the GPU of what they record
std::vector<std::string> call_row_names();

/// Measures the rows whose name "op/type/impl" is `selected`. Each is the median of at least 50 runs, after the same
/// number of warm-up runs. Both ways take turns. Rows on the GPU need timestamps: `unsupported` without.
Result<> time_one_call(const Context& context, std::uint32_t repeats,
                       const std::function<bool(const std::string& name)>& selected,
                       const std::function<void(const Row& row)>& report);

} // namespace weir::bench

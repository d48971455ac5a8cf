#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// Returns the names of the rows "latency", the time on the host from a call until its work is complete:
/// - nothing/driver: an empty command buffer, with vkQueueSubmit and vkWaitForFences
/// - sort/driver: the commands of a sort, recorded before, with the same calls
/// - sort/driver polled: as sort/driver, but with vkGetFenceStatus in a loop instead of vkWaitForFences
/// - sort/run: Program::run of the same sort
/// - sort/submit: Program::submit and Program::wait
/// - sort/execute: the GPU time of the sort that Program::run reports
std::vector<std::string> latency_row_names();

/// Measures the rows whose name "op/type/impl" is `selected`. Each is the median of at least 200 runs, after the same
/// number of warm-up runs. The rows take turns.
Result<> time_latencies(const Context& context, std::uint32_t repeats,
                        const std::function<bool(const std::string& name)>& selected,
                        const std::function<void(const Row& row)>& report);

} // namespace weir::bench

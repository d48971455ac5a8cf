#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// How long it takes from a call until its work is done, as the host sees it; "latency" of
/// - nothing/driver: an empty command buffer, by vkQueueSubmit and vkWaitForFences
/// - sort/driver: the commands of a sort, recorded before, in the same way
/// - sort/driver polled: the same, but the fence is asked for its status until it is signaled
/// - sort/run: Program::run of that sort
/// - sort/submit: Program::submit and Program::wait
/// - sort/execute: its GPU time, as Program::run tells it
std::vector<std::string> latency_row_names();

/// Measures those whose name, "op/type/impl", is `selected`, each the median of at least 200 runs in turns, after as
/// many to warm up.
Result<> time_latencies(const Context& context, std::uint32_t repeats,
                        const std::function<bool(const std::string& name)>& selected,
                        const std::function<void(const Row& row)>& report);

} // namespace weir::bench

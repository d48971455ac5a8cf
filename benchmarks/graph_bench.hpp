#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// Returns the names of the rows that measure the overhead of graphs with 10, 100 and 1000 passes. A pass is an item.
/// In a "chain", each pass reads the output of the previous one. In a "local" graph, it reads the outputs of the three
/// previous ones. With "two queues", every other pass is for the compute queue. On the CPU:
/// - make_plan: planning.
/// - record: recording of a chain, with each descriptor mode that the device supports. "alone" excludes the driver: its
///   Vulkan commands do nothing.
/// - bind_and_record: record after binding an import again, which writes all descriptors.
/// - submit: the time from the call of Program::submit for a chain until Program::wait returns.
/// On the GPU:
/// - execute: execution of a chain with one workgroup per pass.
std::vector<std::string> graph_row_names();

/// Measures the rows whose name "op/type/impl" is `selected`. Each is the median of `repeats` runs. Runs of make_plan
/// and of "alone" rows repeat the call for at least a millisecond.
Result<> time_graphs(const Context& context, std::uint32_t repeats,
                     const std::function<bool(const std::string& name)>& selected,
                     const std::function<void(const Row& row)>& report);

} // namespace weir::bench

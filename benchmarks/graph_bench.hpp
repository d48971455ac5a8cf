#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// What the graph costs, for graphs of 10, 100 and 1000 passes, which are the items of its rows; on the CPU:
/// - make_plan: of a chain, in which each pass reads what the one before wrote, and of a graph whose passes read what
///   some three before them wrote ("local"); where every other pass is for the compute queue, as "two queues".
/// - record: of a chain, with each descriptor mode that the device has; with the driver's part in it, and alone: with
///   Vulkan functions that do nothing.
/// - bind_and_record: the same with an import bound anew, so that all descriptors are written.
/// - submit: from Program::submit of the chain until Program::wait returns; on two queues it hops from pass to pass.
/// And on the GPU:
/// - execute: of such a chain of one workgroup each.
std::vector<std::string> graph_row_names();

/// Measures those whose name, "op/type/impl", is `selected`, each the median of `repeats` runs of a millisecond or
/// more.
Result<> time_graphs(const Context& context, std::uint32_t repeats,
                     const std::function<bool(const std::string& name)>& selected,
                     const std::function<void(const Row& row)>& report);

} // namespace weir::bench

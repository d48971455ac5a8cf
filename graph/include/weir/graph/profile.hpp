#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/description.hpp>

namespace weir {

/// The GPU time of a pass, in microseconds since the start of the execution. A pass begins when all passes before it
/// have finished, and its barrier is part of it. Of passes of one group, which may overlap, a later one has only the
/// additional time. So the times of all passes add up to the time of the execution; on several queues, the times of a
/// batch to the time of the batch. Passes on a transfer queue have times where Capabilities::host_query_reset.
struct PassTime {
    std::uint32_t pass = 0;            ///< index into GraphDescription::passes
    std::uint32_t group = 0;           ///< index into Plan::groups
    double begin_us = 0;               ///< microseconds
    double end_us = 0;                 ///< microseconds
    QueueKind queue = QueueKind::main; ///< the queue on which it ran
};

/// The times of all passes of one execution, in order, batch by batch.
struct Profile {
    std::vector<PassTime> passes;                       ///< the times
    std::shared_ptr<const GraphDescription> graph = {}; ///< the graph, as in the plan
    /// By index into GraphDescription::passes, what the driver says of the pass's pipeline, such as registers and
    /// workgroup memory, in its own words. Empty without CompilerOptions::statistics.
    std::vector<std::string> statistics = {};

    /// The sum of all times, in microseconds.
    [[nodiscard]] WEIR_API double total_us() const;
    /// The time of the longest chain of passes of which each needs what the one before it made, or overwrites what that
    /// one used. However many queues there are, an execution takes at least as long.
    [[nodiscard]] WEIR_API double longest_chain_us() const;
    /// A bound for the time on two queues: no execution with these times of passes can be faster. What passes would
    /// lose where they share the device is not in it. Worth trying where it is much less than `total_us`.
    [[nodiscard]] WEIR_API double two_queues_us() const;
    /// A table: a line per pass with its time, its part of the total, its group, and what the driver says of its
    /// pipeline, if that is known; then the total, and the bound for two queues.
    [[nodiscard]] WEIR_API std::string text() const;
    /// A trace for Perfetto or chrome://tracing: JSON with a slice per pass on the track of its queue, "GPU", "GPU
    /// compute queue" or "GPU transfer queue".
    [[nodiscard]] WEIR_API std::string trace() const;
};

} // namespace weir

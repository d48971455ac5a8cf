#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/description.hpp>

namespace weir {

/// GPU time of a pass, in microseconds since the start of the execution. A pass begins when all passes before it have
/// finished, and its barrier is part of it. Passes of one group may overlap; a later one counts only the additional
/// time. Therefore the times of all passes add up to the time of the execution. On several queues, the times of a batch
/// add up to the time of the batch. Passes on a transfer queue have times only with Capabilities::host_query_reset.
struct PassTime {
    std::uint32_t pass = 0;            ///< index into GraphDescription::passes
    std::uint32_t group = 0;           ///< index into Plan::groups
    double begin_us = 0;               ///< start, in microseconds
    double end_us = 0;                 ///< end, in microseconds
    QueueKind queue = QueueKind::main; ///< the queue on which it ran
};

/// Times of all passes of one execution, in order, batch by batch.
struct Profile {
    std::vector<PassTime> passes;                       ///< time of each pass
    std::shared_ptr<const GraphDescription> graph = {}; ///< Plan::graph of the program
    /// Statistics of the pipeline of each pass, such as registers and workgroup memory, in the words of the driver. By
    /// index into GraphDescription::passes. Empty without CompilerOptions::statistics.
    std::vector<std::string> statistics = {};

    /// Returns the time from the start of the earliest pass to the end of the latest one, in microseconds.
    [[nodiscard]] WEIR_API double total_us() const;
    /// Returns the time of the longest chain of passes in which each needs a result of the one before it, or overwrites
    /// what that one used. An execution takes at least this long on any number of queues.
    [[nodiscard]] WEIR_API double longest_chain_us() const;
    /// Returns a lower bound for the time on two queues: no execution with these times of the passes can be faster. It
    /// ignores what passes lose when they share the device. Two queues are worth trying if it is much less than
    /// `total_us`.
    [[nodiscard]] WEIR_API double two_queues_us() const;
    /// Returns a table with a line per pass: its time, its share of the total, its group, and the statistics of its
    /// pipeline if they are known. The total and the bound for two queues follow.
    [[nodiscard]] WEIR_API std::string text() const;
    /// Returns a trace for Perfetto or chrome://tracing: JSON with a slice per pass on the track of its queue, "GPU",
    /// "GPU compute queue" or "GPU transfer queue".
    [[nodiscard]] WEIR_API std::string trace() const;
};

} // namespace weir

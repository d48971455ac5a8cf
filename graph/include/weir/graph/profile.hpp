#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/description.hpp>

namespace weir {

/// What a pass took on the GPU, in microseconds since the execution began. It begins when all passes before it have
/// finished, and its barrier is part of it: of passes of one group, which may overlap, a later one has only what it
/// takes longer. So the times of all passes add up to the execution's; on several queues, those of a batch to its time.
/// What is on a queue for transfers has no times.
struct PassTime {
    std::uint32_t pass = 0;  ///< index into GraphDescription::passes
    std::uint32_t group = 0; ///< index into Plan::groups
    double begin_us = 0;
    double end_us = 0;
    QueueKind queue = QueueKind::main;
};

/// The times of all passes of one execution, in their order, batch by batch.
struct Profile {
    std::vector<PassTime> passes;
    std::shared_ptr<const GraphDescription> graph = {}; ///< as of the plan

    [[nodiscard]] WEIR_API double total_us() const;
    /// A table to read: a line for each pass, with its time, its part of the total and its group; then the total.
    [[nodiscard]] WEIR_API std::string text() const;
    /// The same as a trace for Perfetto, or chrome://tracing: JSON, a slice for each pass on the track of its queue,
    /// "GPU" or "GPU compute queue".
    [[nodiscard]] WEIR_API std::string trace() const;
};

} // namespace weir

#pragma once

#include <cstdint>
#include <vector>

#include <weir/engine/capabilities.hpp>

// The data that stages of the compiler pass to each other and that does not end up in the plan.

namespace weir {

/// Whether a pass comes after `on`: because it needs what `on` wrote (`value`), or only because it overwrites what `on`
/// reads.
struct Edge {
    std::uint32_t on = 0;
    bool value = false;
};

/// Passes on one queue, without dependencies among each other.
struct PassGroup {
    enum class Role : std::uint8_t {
        passes,
        arriving, ///< no passes: other queues wait for it, and so for the imports that arrive on its queue
        taking,   ///< no passes: acquires imports from other queues that the host is to see afterwards
        leaving,  ///< no passes: waits for other queues, and makes exports visible where they leave on its queue
    };
    QueueKind queue = QueueKind::main;
    std::vector<std::uint32_t> passes;
    Role role = Role::passes;
    std::vector<std::uint32_t> arriving; ///< resources for which other queues wait for this group
};

/// Per group, the queue family ownership transfers of imports: `released` to another group, or `acquired` from one.
struct Handovers {
    struct Half {
        std::uint32_t resource = 0;
        std::uint32_t other = 0;
    };
    std::vector<std::vector<Half>> released, acquired;
};

} // namespace weir

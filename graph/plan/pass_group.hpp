#pragma once

#include <cstdint>
#include <vector>

#include <weir/engine/capabilities.hpp>

// Data that stages of the compiler pass to each other and that is not part of the plan.

namespace weir {

/// Dependency of a pass on the earlier pass `on`. `value` is true if the pass needs what `on` wrote, and false if it
/// only overwrites what `on` reads.
struct Edge {
    std::uint32_t on = 0;
    bool value = false;
};

/// Index of a group that does not exist.
constexpr std::uint32_t no_group = ~0U;

/// Passes on one queue that do not depend on each other.
struct PassGroup {
    enum class Role : std::uint8_t {
        passes,
        arriving, ///< no passes; other queues wait for it before they use resources that arrive on its queue
        taking,   ///< no passes; acquires imports from other queues that the host accesses after the execution
        leaving,  ///< no passes; waits for other queues and makes exports visible that leave on its queue
    };
    QueueKind queue = QueueKind::main;
    std::vector<std::uint32_t> passes;
    Role role = Role::passes;
    std::vector<std::uint32_t> arriving; ///< resources for which other queues wait for this group
};

/// Queue family ownership transfers of imports, per group: `released` to a later group, `acquired` from an earlier one.
/// `other` is that group.
struct Handovers {
    struct Half {
        std::uint32_t resource = 0;
        std::uint32_t other = 0;
    };
    std::vector<std::vector<Half>> released, acquired;
};

} // namespace weir

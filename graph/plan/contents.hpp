#pragma once

#include <algorithm>
#include <cstdint>

#include <weir/graph/plan.hpp>

#include "graph/plan/resources.hpp"

namespace weir {

/// Checks if a resource without contents at the start of an execution has contents before the pass of `use`. The
/// execution has the passes for which `runs` returns true. `graph` must be that of a plan.
template <class F>
bool is_written_before(const GraphDescription& graph, const GraphDescription::PassUse& use, const F& runs) {
    for (std::uint32_t writer = use.written_by; writer != ResourceId::none;) {
        if (runs(writer)) {
            return true;
        }
        const auto uses = graph.passes[writer].accesses();
        const auto write = std::find_if(uses.begin(), uses.end(), [&](const GraphDescription::PassUse& other) {
            return other.resource == use.resource && writes(other.access);
        });
        writer = write->written_by;
    }
    return false;
}

} // namespace weir

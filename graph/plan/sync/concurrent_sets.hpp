#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <weir/graph/description.hpp>

namespace weir {

/// The sets of consecutive concurrent writes of each resource, in the order of declaration.
class ConcurrentSets {
public:
    explicit ConcurrentSets(const GraphDescription& graph) {
        std::vector<std::uint32_t> sets(graph.resources.size(), 1);
        for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) { // culled passes separate sets, too
            for (const auto& use : graph.passes[pass].accesses()) {
                if (use.concurrent) {
                    sets_[{pass, use.resource}] = sets[use.resource];
                } else {
                    ++sets[use.resource];
                }
            }
        }
    }
    /// Returns the set of a use, counting from 1 for each resource; 0 if the use is not concurrent.
    [[nodiscard]] std::uint32_t of(std::uint32_t pass, const GraphDescription::PassUse& use) const {
        return use.concurrent ? sets_.at({pass, use.resource}) : 0;
    }

private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sets_; ///< by pass and resource
};

} // namespace weir

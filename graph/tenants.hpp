#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <weir/graph/plan.hpp>

namespace weir {

/// Which transient was the last to use each byte of the blocks.
class Tenants {
public:
    explicit Tenants(std::size_t blocks) : blocks_(blocks) {}

    /// Lets a resource in; `leave` is told who was there before it, once each.
    template <class F>
    void enter(std::uint32_t resource, const PlanMemory::Place& place, std::uint64_t bytes, const F& leave) {
        auto& tenants = blocks_[place.block];
        const std::uint64_t begin = place.offset, end = begin + bytes;
        auto at = tenants.upper_bound(begin);
        if (at != tenants.begin()) {
            --at;
        }
        left_.clear();
        while (at != tenants.end() && at->first < end) {
            const std::uint64_t from = at->first, to = at->second.end;
            const std::uint32_t before = at->second.resource;
            if (to <= begin) {
                ++at;
                continue;
            }
            if (std::find(left_.begin(), left_.end(), before) == left_.end()) {
                left_.push_back(before);
            }
            at = tenants.erase(at);
            if (from < begin) {
                tenants.emplace(from, Tenant{begin, before});
            }
            if (to > end) {
                tenants.emplace(end, Tenant{to, before});
            }
        }
        tenants.emplace(begin, Tenant{end, resource});
        for (const std::uint32_t before : left_) {
            leave(before);
        }
    }

private:
    struct Tenant {
        std::uint64_t end = 0;
        std::uint32_t resource = 0;
    };
    std::vector<std::map<std::uint64_t, Tenant>> blocks_; ///< by where they begin
    std::vector<std::uint32_t> left_;
};

} // namespace weir

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <weir/graph/plan.hpp>

namespace weir {

/// Tracks which resource was the last to use each byte of the memory blocks.
class AliasTracker {
public:
    explicit AliasTracker(std::size_t blocks) : blocks_(blocks) {}

    /// Makes `resource` the user of its bytes. Calls `leave` once for each resource that used some of them before.
    template <class F>
    void enter(std::uint32_t resource, const PlanMemory::Place& place, std::uint64_t bytes, const F& leave) {
        auto& owners = blocks_[place.block];
        const std::uint64_t begin = place.offset, end = begin + bytes;
        auto at = owners.upper_bound(begin);
        if (at != owners.begin()) {
            --at;
        }
        left_.clear();
        ++entered_;
        while (at != owners.end() && at->first < end) {
            const std::uint64_t from = at->first, to = at->second.end;
            const std::uint32_t before = at->second.resource;
            if (to <= begin) {
                ++at;
                continue;
            }
            if (before >= found_by_.size()) {
                found_by_.resize(before + 1, 0);
            }
            if (found_by_[before] != entered_) {
                found_by_[before] = entered_;
                left_.push_back(before);
            }
            at = owners.erase(at);
            if (from < begin) {
                owners.emplace(from, Owner{begin, before});
            }
            if (to > end) {
                owners.emplace(end, Owner{to, before});
            }
        }
        owners.emplace(begin, Owner{end, resource});
        for (const std::uint32_t before : left_) {
            leave(before);
        }
    }

private:
    struct Owner {
        std::uint64_t end = 0;
        std::uint32_t resource = 0;
    };
    std::vector<std::map<std::uint64_t, Owner>> blocks_; ///< per block: users by offset
    std::vector<std::uint32_t> left_;
    std::uint32_t entered_ = 0;           ///< calls of `enter`
    std::vector<std::uint32_t> found_by_; ///< per resource: the last call of `enter` that put it into `left_`
};

} // namespace weir

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include <weir/graph/plan.hpp>

namespace weir {

/// Tracks which resource was the last to take each byte of the memory blocks, and which others may still use it: those
/// that are never used in the same execution.
class AliasTracker {
public:
    explicit AliasTracker(std::size_t blocks) : blocks_(blocks) {}

    /// Makes `resource` the user of its bytes. Calls `leave` once for each resource that used some of them before.
    /// Those for which `stays` returns true remain users: the next resource leaves them, too, even if it uses other
    /// bytes.
    template <class Stays, class F>
    void enter(std::uint32_t resource, const PlanMemory::Place& place, std::uint64_t bytes, const Stays& stays,
               const F& leave) {
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
            if (to <= begin) {
                ++at;
                continue;
            }
            const Owner before = std::move(at->second);
            find(before.resource);
            std::for_each(before.others.begin(), before.others.end(), [&](std::uint32_t other) { find(other); });
            const auto next = std::next(at);
            spare_ = owners.extract(at);
            at = next;
            if (from < begin) {
                owners.emplace(from, Owner{begin, before.resource, before.others});
            }
            if (to > end) {
                owners.emplace(end, Owner{to, before.resource, before.others});
            }
        }
        std::vector<std::uint32_t> others;
        std::copy_if(left_.begin(), left_.end(), std::back_inserter(others),
                     [&](std::uint32_t before) { return before != resource && stays(before); });
        if (spare_.empty()) {
            owners.emplace(begin, Owner{end, resource, std::move(others)});
        } else { // without an allocation
            spare_.key() = begin;
            spare_.mapped() = {end, resource, std::move(others)};
            owners.insert(std::move(spare_));
        }
        for (const std::uint32_t before : left_) {
            leave(before);
        }
    }

private:
    struct Owner {
        std::uint64_t end = 0;
        std::uint32_t resource = 0;
        std::vector<std::uint32_t> others; ///< earlier users that may use it again in the same execution
    };
    void find(std::uint32_t before) {
        if (before >= found_by_.size()) {
            found_by_.resize(before + 1, 0);
        }
        if (found_by_[before] != entered_) {
            found_by_[before] = entered_;
            left_.push_back(before);
        }
    }
    using Owners = std::map<std::uint64_t, Owner>; ///< by offset
    std::vector<Owners> blocks_;                   ///< per block
    Owners::node_type spare_;                      ///< a node to insert again
    std::vector<std::uint32_t> left_;
    std::uint32_t entered_ = 0;           ///< calls of `enter`
    std::vector<std::uint32_t> found_by_; ///< per resource: the last call of `enter` that put it into `left_`
};

} // namespace weir

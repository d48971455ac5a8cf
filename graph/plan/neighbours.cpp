#include "graph/plan/neighbours.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace weir {

RangeSet::RangeSet(const std::vector<MemoryItem::Groups>& ranges)
    : ranges_(ranges), by_first_(ranges.size()), leaf_(ranges.size()), leaves_(std::bit_ceil(ranges.size())),
      nodes_(2 * leaves_) {
    std::iota(by_first_.begin(), by_first_.end(), 0U);
    std::stable_sort(by_first_.begin(), by_first_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return ranges[a].first < ranges[b].first; });
    for (std::uint32_t at = 0; at < by_first_.size(); ++at) {
        leaf_[by_first_[at]] = at;
    }
}

void RangeSet::add(std::uint32_t index) {
    const auto [first, last] = ranges_[index];
    for (std::size_t node = leaves_ + leaf_[index]; node != 0; node /= 2) {
        nodes_[node] = {std::min(nodes_[node].begin, first), std::max(nodes_[node].end, last + 1)};
    }
}

void RangeSet::clear() {
    std::fill(nodes_.begin(), nodes_.end(), Node());
}

namespace {

std::vector<MemoryItem::Groups> lives_of(const std::vector<MemoryItem>& items) {
    std::vector<MemoryItem::Groups> lives;
    lives.reserve(items.size());
    for (const MemoryItem& item : items) {
        lives.push_back({item.first, item.last});
    }
    return lives;
}

} // namespace

Neighbours::Neighbours(const std::vector<MemoryItem>& items, const QueueOrder* order)
    : items_(items), order_(order), alive_(lives_of(items)), added_(alive_), seen_(items.size(), 0) {
    if (order == nullptr) {
        return;
    }
    windows_.reserve(items.size());
    for (const MemoryItem& item : items) {
        windows_.push_back(windows_of(item));
    }
    for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
        for (const MemoryItem& item : items) {
            alive_on_[queue].push_back(item.on[queue]);
        }
        added_on_.emplace_back(alive_on_[queue]);
    }
}

Neighbours::Windows Neighbours::windows_of(const MemoryItem& item) const {
    Windows windows;
    for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
        Window& window = windows[queue];
        const auto kind = static_cast<QueueKind>(queue);
        for (const auto& [first, last] : item.on) {
            if (first <= last) {
                window.end_before = std::min(window.end_before, order_->end_before(first, kind));
                window.end_before_next = std::min(window.end_before_next, order_->end_before_next(first, kind));
                window.first_after = std::max(window.first_after, order_->first_after(last, kind));
                window.first_after_next = std::max(window.first_after_next, order_->first_after_next(last, kind));
            }
        }
    }
    return windows;
}

void Neighbours::add(std::uint32_t item) {
    added_.add(item);
    for (std::size_t queue = 0; queue < added_on_.size(); ++queue) {
        if (!items_[item].on[queue].empty()) {
            added_on_[queue].add(item);
        }
    }
}

void Neighbours::clear() {
    added_.clear();
    for (RangeSet& added : added_on_) {
        added.clear();
    }
}

bool Neighbours::take_turns(std::uint32_t earlier, std::uint32_t later) const {
    for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
        const Window& window = windows_[earlier][queue];
        const Groups& on = items_[later].on[queue];
        if (!on.empty() && (on.first < window.first_after || on.last >= window.end_before_next)) {
            return false;
        }
    }
    return true;
}

bool Neighbours::conflict(std::uint32_t a, std::uint32_t b) const {
    if (!items_[a].states.empty() && items_[a].queue == items_[b].queue &&
        ExclusivePasses::contradict(items_[a].states, items_[b].states)) {
        return false;
    }
    if (order_ == nullptr) {
        return items_[a].first <= items_[b].last && items_[b].first <= items_[a].last;
    }
    return !take_turns(a, b) && !take_turns(b, a);
}

bool Neighbours::find(std::uint32_t item, std::size_t limit, std::vector<std::uint32_t>& found) {
    found.clear();
    ++searches_;
    std::size_t candidates = 0;
    const auto consider = [&](std::uint32_t other) {
        if (seen_[other] != searches_) {
            seen_[other] = searches_;
            ++candidates;
            if (conflict(item, other)) {
                found.push_back(other);
            }
        }
        return candidates <= limit;
    };
    // An item that is neither before nor after this one is alive with it in some group, or on some queue between the
    // groups that are surely before and surely after it.
    added_.each(items_[item].first, items_[item].last, consider);
    for (std::size_t queue = 0; queue < added_on_.size(); ++queue) {
        const Window& window = windows_[item][queue];
        const RangeSet& added = added_on_[queue];
        if (window.first_after != 0) {
            added.each(window.end_before, window.first_after - 1, consider);
        }
        // One that is before or after it may not be so across two executions.
        added.each(window.end_before_next, ~0U, consider);
        if (window.first_after_next != 0) {
            added.each(0, window.first_after_next - 1, consider);
        }
    }
    return candidates <= limit;
}

} // namespace weir

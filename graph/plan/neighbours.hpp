#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/plan/exclusive.hpp"
#include "graph/plan/queue_order.hpp"

namespace weir {

/// A transient that may share memory.
struct MemoryItem {
    std::uint32_t resource = 0;
    std::uint64_t bytes = 0;
    std::uint64_t alignment = 1;
    std::uint32_t first = 0, last = 0; ///< first and last group that names it
    QueueKind queue = QueueKind::main;
    bool on_several = false; ///< used on several queues
    struct Groups {
        std::uint32_t first = ~0U, last = 0;
        [[nodiscard]] bool empty() const { return first > last; }
        friend auto operator<=>(const Groups&, const Groups&) = default; // NOLINT(modernize-use-nullptr)
    };
    std::array<Groups, queue_kinds> on; ///< per queue
    /// States of switches in which it is used, if only one queue uses it.
    ExclusivePasses::States states;
    [[nodiscard]] std::uint64_t area() const { return bytes * (last - first + 1); }
};

/// Some of a fixed set of ranges of groups. Finds those that have a group in common with a range, in the time of a
/// binary search for each.
class RangeSet {
public:
    explicit RangeSet(const std::vector<MemoryItem::Groups>& ranges);

    /// Adds the range `index`, which must not be empty.
    void add(std::uint32_t index);
    /// Removes all ranges.
    void clear();
    /// Calls `visit` with the index of each range that has a group of [first, last], until it returns false.
    template <class F>
    void each(std::uint32_t first, std::uint32_t last, const F& visit) const {
        if (first <= last && !by_first_.empty()) {
            each_below(1, first, last, visit);
        }
    }

private:
    template <class F>
    bool each_below(std::size_t node, std::uint32_t first, std::uint32_t last, const F& visit) const {
        if (nodes_[node].end <= first || nodes_[node].begin > last) {
            return true;
        }
        if (node >= leaves_) {
            return visit(by_first_[node - leaves_]);
        }
        return each_below(2 * node, first, last, visit) && each_below(2 * node + 1, first, last, visit);
    }

    struct Node { ///< the ranges below it: the first begin and the last end; an end of 0 if there are none
        std::uint32_t begin = ~0U, end = 0;
    };
    const std::vector<MemoryItem::Groups>& ranges_;
    std::vector<std::uint32_t> by_first_; ///< indices of ranges by their first group
    std::vector<std::uint32_t> leaf_;     ///< per range: its place in `by_first_`
    std::size_t leaves_ = 1;              ///< a power of two
    std::vector<Node> nodes_;             ///< a binary tree: node i has the children 2i and 2i + 1
};

/// Finds items that may not share memory with an item, among those that were added.
///
/// Without an order of the queues, two items conflict if both are alive in a group. With an order, they may share
/// memory only if one comes after the other in each execution and before it in the next. Items that are never used in
/// the same execution, on one queue, do not conflict.
class Neighbours {
public:
    /// `order` may be null. The items and the order must outlive the object.
    Neighbours(const std::vector<MemoryItem>& items, const QueueOrder* order);
    Neighbours(const Neighbours&) = delete;
    Neighbours& operator=(const Neighbours&) = delete;

    void add(std::uint32_t item);
    void clear();
    [[nodiscard]] bool conflict(std::uint32_t a, std::uint32_t b) const;
    /// Finds the added items that conflict with `item`, in any order. Returns false, and some of them, if there are
    /// more candidates than `limit`.
    bool find(std::uint32_t item, std::size_t limit, std::vector<std::uint32_t>& found);

private:
    using Groups = MemoryItem::Groups;
    /// Per queue, how the groups of that queue compare with the first and the last groups of an item.
    struct Window {
        std::uint32_t end_before = ~0U;      ///< groups with smaller indices come before the item
        std::uint32_t end_before_next = ~0U; ///< they come before the item of the next execution
        std::uint32_t first_after = 0;       ///< this and later groups come after the item
        std::uint32_t first_after_next = 0;  ///< this and later groups of the next execution come after the item
    };
    using Windows = std::array<Window, queue_kinds>;

    [[nodiscard]] Windows windows_of(const MemoryItem& item) const;
    /// Checks if `earlier` comes before `later` in each execution and after it in the preceding one.
    [[nodiscard]] bool take_turns(std::uint32_t earlier, std::uint32_t later) const;

    const std::vector<MemoryItem>& items_;
    const QueueOrder* order_;
    std::vector<Windows> windows_; ///< per item; empty without an order
    std::vector<Groups> alive_;    ///< per item: from its first group to its last
    std::array<std::vector<Groups>, queue_kinds> alive_on_;
    RangeSet added_;
    std::vector<RangeSet> added_on_;  ///< per queue; empty without an order
    std::vector<std::uint32_t> seen_; ///< per item: the search that has found it
    std::uint32_t searches_ = 0;
};

} // namespace weir

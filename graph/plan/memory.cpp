#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

#include "graph/plan/resources.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;

constexpr std::uint64_t min_alignment = 256; // enough for any buffer binding and for a cache line

std::uint64_t align(std::uint64_t bytes, std::uint64_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

struct Item {
    std::uint32_t resource = 0;
    std::uint64_t bytes = 0; ///< a multiple of min_alignment
    std::uint64_t alignment = min_alignment;
    std::uint32_t first = 0, last = 0; ///< first and last group that names it
    QueueKind queue = QueueKind::main;
    bool on_several = false; ///< used on several queues
    struct Groups {
        std::uint32_t first = ~0U, last = 0;
        [[nodiscard]] bool empty() const { return first > last; }
    };
    std::array<Groups, queue_kinds> on; ///< per queue
    [[nodiscard]] std::uint64_t area() const { return bytes * (last - first + 1); }
};

/// Returns the unit in which the resource takes memory. An image has whole pages of the granularity for itself: no
/// buffer is in one of them.
std::uint64_t page_of(const GraphDescription& graph, const GraphDescription::Resource& node) {
    return node.image ? std::max(min_alignment, graph.capabilities.image_granularity) : min_alignment;
}

/// Returns the transients that may share memory, each with its lifetime: from the first group that names it to the
/// last.
std::vector<Item> find_items(const GraphDescription& graph, const std::vector<PassGroup>& groups) {
    constexpr std::uint32_t no_group = ~0U;
    const std::vector<std::uint64_t> sizes = shared_bytes(graph);
    std::vector<Item> lives(graph.resources.size());
    for (Item& life : lives) {
        life.first = no_group;
    }
    for (std::uint32_t group = 0; group < groups.size(); ++group) {
        const auto name = [&](std::uint32_t resource) {
            Item& life = lives[resource];
            life.on_several = life.on_several || (life.first != no_group && life.queue != groups[group].queue);
            life.queue = groups[group].queue;
            life.first = std::min(life.first, group);
            life.last = group;
            Item::Groups& on = life.on[static_cast<std::size_t>(groups[group].queue)];
            on = {std::min(on.first, group), group};
        };
        for (const std::uint32_t pass : groups[group].passes) {
            for (const auto& use : graph.passes[pass].uses) {
                name(root_of(graph, use.resource));
            }
        }
    }
    std::vector<Item> items;
    for (std::uint32_t resource = 0; resource < graph.resources.size(); ++resource) {
        const auto& node = graph.resources[resource];
        if (lives[resource].first != no_group && sizes[resource] != 0) {
            Item& item = items.emplace_back(lives[resource]);
            item.resource = resource;
            item.bytes = sizes[resource];
            item.alignment = std::max(page_of(graph, node), node.alignment);
        }
    }
    return items;
}

/// Returns for each pair of items whether they conflict. Two items may share memory only if one of them comes after the
/// other in each execution and before it in the next.
std::vector<std::vector<bool>> find_conflicts(const std::vector<Item>& items, const QueueOrder& order) {
    const auto all_pairs = [](const Item& earlier, const Item& later, const auto& holds) {
        for (const Item::Groups& of_earlier : earlier.on) {
            for (const Item::Groups& of_later : later.on) {
                if (!of_earlier.empty() && !of_later.empty() && !holds(of_earlier.last, of_later.first)) {
                    return false;
                }
            }
        }
        return true;
    };
    const auto take_turns = [&](const Item& a, const Item& b) {
        return all_pairs(a, b, [&](auto earlier, auto later) { return order.is_before(earlier, later); }) &&
               all_pairs(b, a, [&](auto earlier, auto later) { return order.is_before_next(earlier, later); });
    };
    std::vector<std::vector<bool>> conflicts(items.size(), std::vector<bool>(items.size(), true));
    for (std::size_t a = 0; a < items.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            conflicts[a][b] = conflicts[b][a] = !take_turns(items[a], items[b]) && !take_turns(items[b], items[a]);
        }
    }
    return conflicts;
}

/// Returns the maximum number of bytes that are alive in one group of a queue. Used for items of several queues.
std::uint64_t max_alive_on_queues(const std::vector<Item>& items, std::size_t groups) {
    std::uint64_t max = 0;
    for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
        for (std::uint32_t group = 0; group < groups; ++group) {
            std::uint64_t alive = 0;
            for (const Item& item : items) {
                const Item::Groups& on = item.on[queue];
                alive += !on.empty() && on.first <= group && group <= on.last ? item.bytes : 0;
            }
            max = std::max(max, alive);
        }
    }
    return max;
}

/// Returns the maximum number of bytes that are alive in one group.
std::uint64_t max_alive(const std::vector<Item>& items, std::size_t groups) {
    std::vector<std::uint64_t> change(groups + 1, 0); // unsigned: wraps around and back
    for (const Item& item : items) {
        change[item.first] += item.bytes;
        change[item.last + 1] -= item.bytes;
    }
    std::uint64_t alive = 0, max = 0;
    for (const std::uint64_t by : change) {
        alive += by;
        max = std::max(max, alive);
    }
    return max;
}

/// Places items one after the other, each into the tightest gap between those placed before it. In the gap, an item
/// goes next to the neighbor that lives longer, so that free memory stays in one piece.
class Packing {
public:
    /// `limit`: maximum bytes of a block. `ceiling`: initial bytes of the first block; 0: no initial block.
    /// `conflicts`: see `find_conflicts`; empty: items conflict if they are alive in the same group.
    Packing(const std::vector<Item>& items, std::size_t groups, std::uint64_t limit, std::uint64_t ceiling,
            const std::vector<std::vector<bool>>& conflicts)
        : items_(items), limit_(limit), conflicts_(conflicts), places_(items.size()), alive_(groups),
          starting_(groups) {
        if (ceiling != 0) {
            blocks_.push_back(std::min(ceiling, limit));
        }
    }

    void place(std::uint32_t index) {
        const Item& item = items_[index];
        if (conflicts_.empty()) {
            find_neighbours(item);
        } else {
            neighbours_.clear();
            std::copy_if(placed_.begin(), placed_.end(), std::back_inserter(neighbours_),
                         [&](std::uint32_t other) { return conflicts_[index][other]; });
        }
        Choice best;
        auto neighbour = neighbours_.begin();
        for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
            std::uint64_t free = 0;    // end of the neighbours so far
            std::uint32_t below = ~0U; // last group of the item below; ~0: no item
            for (; neighbour != neighbours_.end() && places_[*neighbour].block == block; ++neighbour) {
                const Item& other = items_[*neighbour];
                const std::uint64_t begin = places_[*neighbour].offset, end = begin + other.bytes;
                if (begin > free) {
                    best.consider(block, free, begin, item, other.last > below);
                }
                if (end > free) {
                    free = end;
                    below = other.last;
                }
            }
            if (blocks_[block] > free) {
                best.consider(block, free, blocks_[block], item, below != ~0U);
            }
            const std::uint64_t begin = align(free, item.alignment);
            if (begin + item.bytes > blocks_[block] && begin + item.bytes <= limit_) {
                best.consider_growth(block, begin, begin + item.bytes - blocks_[block]);
            }
        }
        if (best.place.block == PlanMemory::none) {
            best.place = {static_cast<std::uint32_t>(blocks_.size()), 0};
            blocks_.push_back(0);
        }
        places_[index] = best.place;
        blocks_[best.place.block] = std::max(blocks_[best.place.block], best.place.offset + item.bytes);
        placed_.insert(std::upper_bound(placed_.begin(), placed_.end(), index, ByPlace{places_}), index);
        starting_[item.first].push_back(index);
        for (std::uint32_t group = item.first; group <= item.last; ++group) {
            alive_[group].push_back(index);
        }
    }

    [[nodiscard]] std::uint64_t bytes() const {
        return std::accumulate(blocks_.begin(), blocks_.end(), std::uint64_t{0});
    }
    [[nodiscard]] const std::vector<std::uint64_t>& blocks() const { return blocks_; }
    [[nodiscard]] const PlanMemory::Place& operator[](std::uint32_t index) const { return places_[index]; }

private:
    /// The tightest gap or, if no gap is large enough, the block that must grow least.
    struct Choice {
        PlanMemory::Place place;
        std::uint64_t waste = ~std::uint64_t{0}, growth = ~std::uint64_t{0};

        void consider(std::uint32_t block, std::uint64_t begin, std::uint64_t end, const Item& item, bool at_end) {
            const std::uint64_t first = align(begin, item.alignment);
            if (first + item.bytes <= end && end - begin - item.bytes < waste) {
                place = {block, at_end ? (end - item.bytes) / item.alignment * item.alignment : first};
                waste = end - begin - item.bytes;
                growth = 0;
            }
        }
        void consider_growth(std::uint32_t block, std::uint64_t begin, std::uint64_t by) {
            if (by < growth) {
                place = {block, begin};
                growth = by;
            }
        }
    };

    /// Finds the placed items that are alive in a group of `item`, ordered by place.
    void find_neighbours(const Item& item) {
        neighbours_.assign(alive_[item.first].begin(), alive_[item.first].end());
        for (std::uint32_t group = item.first + 1; group <= item.last; ++group) {
            neighbours_.insert(neighbours_.end(), starting_[group].begin(), starting_[group].end());
        }
        if (neighbours_.size() * std::bit_width(neighbours_.size()) < placed_.size()) {
            std::sort(neighbours_.begin(), neighbours_.end(), ByPlace{places_});
            return;
        }
        neighbours_.clear();
        std::copy_if(placed_.begin(), placed_.end(), std::back_inserter(neighbours_), [&](std::uint32_t other) {
            return items_[other].first <= item.last && item.first <= items_[other].last;
        });
    }

    struct ByPlace {
        const std::vector<PlanMemory::Place>& places;
        bool operator()(std::uint32_t a, std::uint32_t b) const {
            return std::tie(places[a].block, places[a].offset) < std::tie(places[b].block, places[b].offset);
        }
    };

    const std::vector<Item>& items_;
    std::uint64_t limit_;
    const std::vector<std::vector<bool>>& conflicts_;
    std::vector<PlanMemory::Place> places_;                    ///< per item
    std::vector<std::uint32_t> placed_;                        ///< items, ordered by place
    std::vector<std::vector<std::uint32_t>> alive_, starting_; ///< per group: placed items that are alive, that start
    std::vector<std::uint32_t> neighbours_;
    std::vector<std::uint64_t> blocks_;
};

/// Places items without sharing. Items of large alignment go first, so that little space is lost between items.
PlanMemory place_apart(const std::vector<Item>& items, std::size_t resources, std::uint64_t limit) {
    PlanMemory memory;
    memory.places.resize(resources);
    std::vector<const Item*> order;
    for (const Item& item : items) {
        order.push_back(&item);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Item* a, const Item* b) { return a->alignment > b->alignment; });
    for (const Item* item : order) {
        if (memory.blocks.empty() || align(memory.blocks.back(), item->alignment) + item->bytes > limit) {
            memory.blocks.push_back(0);
        }
        std::uint64_t& end = memory.blocks.back();
        end = align(end, item->alignment);
        memory.places[item->resource] = {static_cast<std::uint32_t>(memory.blocks.size()) - 1, end};
        end += item->bytes;
    }
    memory.apart = memory.bytes();
    return memory;
}

PlanMemory place(const std::vector<Item>& items, std::size_t resources, std::size_t groups, std::uint64_t limit,
                 bool share, const QueueOrder* queues) {
    PlanMemory memory = place_apart(items, resources, limit);
    memory.alive = queues != nullptr ? max_alive_on_queues(items, groups) : max_alive(items, groups);
    if (!share) {
        return memory;
    }
    // No order is best for all graphs, so the best of three is used. By lifetime: items find the memory that has just
    // become free. By size: large items leave no hole that only they could have filled. By size and lifetime:
    // long-lived items are not stacked on short-lived ones.
    const auto by = [&](auto rank) {
        std::vector<std::uint32_t> order(items.size());
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return rank(items[a]) > rank(items[b]); });
        return order;
    };
    const std::vector<std::uint32_t> orders[] = {
        by([](const Item& item) { return std::pair(~item.first, item.bytes); }),
        by([](const Item& item) { return item.bytes; }),
        by([](const Item& item) { return item.area(); }),
    };
    const auto conflicts = queues != nullptr ? find_conflicts(items, *queues) : std::vector<std::vector<bool>>();
    std::uint64_t best = memory.apart + 1;
    for (const auto& order : orders) {
        for (const std::uint64_t ceiling : {memory.alive, std::uint64_t{0}}) {
            if (best == memory.alive) {
                break;
            }
            Packing packing(items, groups, limit, ceiling, conflicts);
            for (const std::uint32_t index : order) {
                packing.place(index);
            }
            if (packing.bytes() < best) {
                best = packing.bytes();
                memory.blocks = packing.blocks();
                for (std::uint32_t index = 0; index < items.size(); ++index) {
                    memory.places[items[index].resource] = packing[index];
                }
            }
        }
    }
    return memory;
}

} // namespace

std::vector<std::uint64_t> shared_bytes(const GraphDescription& graph) {
    std::vector<std::uint64_t> bytes(graph.resources.size(), 0);
    for (std::uint32_t resource = 0; resource < bytes.size(); ++resource) {
        const auto& node = graph.resources[resource];
        if (node.lifetime == Lifetime::transient && node.part_of == ResourceId::none && !node.alone &&
            !leaves(graph, resource)) {
            bytes[resource] = align(node.bytes, page_of(graph, node));
        }
    }
    return bytes;
}

PlanMemory place_memory(const GraphDescription& graph, const std::vector<PassGroup>& groups, const PlanOptions& options,
                        const QueueOrder* order) {
    const auto is_image = [&](const Item& item) { return graph.resources[item.resource].image.has_value(); };
    // Items share blocks only within one queue unless the order of the queues is known, because queues run at the same
    // time.
    std::map<std::tuple<bool, bool, QueueKind>, std::vector<Item>> kinds;
    for (Item& item : find_items(graph, groups)) {
        const bool on_several = item.on_several && order == nullptr;
        if (on_several) { // alive in all groups: one queue may be ahead of another
            item.first = 0;
            item.last = static_cast<std::uint32_t>(groups.size()) - 1;
        }
        kinds[{options.images_apart && is_image(item), on_several,
               on_several || order != nullptr ? QueueKind::main : item.queue}]
            .push_back(item);
    }
    const std::uint64_t max_bytes = graph.capabilities.max_allocation / min_alignment * min_alignment;
    const std::uint64_t limit = max_bytes != 0 ? max_bytes : ~std::uint64_t{0};
    PlanMemory memory;
    memory.pooled = options.pooled;
    memory.places.resize(graph.resources.size());
    for (const auto& [kind, items] : kinds) {
        const bool share = options.share_memory && !std::get<1>(kind); // items of several queues are alive at once
        const PlanMemory placed = place(items, graph.resources.size(), groups.size(), limit, share, order);
        const auto before = static_cast<std::uint32_t>(memory.blocks.size());
        memory.blocks.insert(memory.blocks.end(), placed.blocks.begin(), placed.blocks.end());
        memory.with_images.resize(memory.blocks.size(), false);
        for (const Item& item : items) {
            const auto [block, offset] = placed.places[item.resource];
            memory.places[item.resource] = {before + block, offset};
            memory.with_images[before + block] = memory.with_images[before + block] || is_image(item);
        }
        memory.apart += placed.apart;
        memory.alive += placed.alive;
    }
    return memory;
}

} // namespace weir

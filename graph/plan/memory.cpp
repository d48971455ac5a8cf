#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

#include "graph/plan/neighbours.hpp"
#include "graph/plan/resources.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;

constexpr std::uint64_t min_alignment = 256; // enough for any buffer binding and for a cache line

std::uint64_t align(std::uint64_t bytes, std::uint64_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

using Item = MemoryItem;

/// Returns the unit in which the resource takes memory. An image has whole pages of the granularity for itself: no
/// buffer is in one of them.
std::uint64_t page_of(const GraphDescription& graph, const GraphDescription::Resource& node) {
    return node.image ? std::max(min_alignment, graph.capabilities.image_granularity) : min_alignment;
}

/// Returns the transients that may share memory, each with its lifetime: from the first group that names it to the
/// last.
std::vector<Item> find_items(const GraphDescription& graph, const std::vector<PassGroup>& groups) {
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
    const std::vector<ExclusivePasses::States> states = states_of_buffers(graph);
    std::vector<Item> items;
    for (std::uint32_t resource = 0; resource < graph.resources.size(); ++resource) {
        const auto& node = graph.resources[resource];
        if (lives[resource].first != no_group && sizes[resource] != 0) {
            Item& item = items.emplace_back(lives[resource]);
            item.resource = resource;
            item.bytes = sizes[resource];
            item.alignment = std::max(page_of(graph, node), node.alignment);
            if (!states.empty() && !item.on_several) {
                item.states = states[resource];
            }
        }
    }
    return items;
}

/// Returns the maximum number of bytes that are alive in one group if all switches are `on`, or off. `groups_of`
/// returns the groups in which an item is alive; they may be empty.
template <class F>
std::uint64_t max_alive(const std::vector<Item>& items, std::size_t groups, bool switches_on, const F& groups_of) {
    std::vector<std::uint64_t> change(groups + 1, 0); // unsigned: wraps around and back
    for (const Item& item : items) {
        const bool is_used = std::all_of(item.states.begin(), item.states.end(),
                                         [&](const auto& state) { return state.on == switches_on; });
        if (const Item::Groups on = groups_of(item); is_used && !on.empty()) {
            change[on.first] += item.bytes;
            change[on.last + 1] -= item.bytes;
        }
    }
    std::uint64_t alive = 0, max = 0;
    for (const std::uint64_t by : change) {
        alive += by;
        max = std::max(max, alive);
    }
    return max;
}

template <class F>
std::uint64_t max_alive(const std::vector<Item>& items, std::size_t groups, const F& groups_of) {
    const bool has_states =
        std::any_of(items.begin(), items.end(), [](const Item& item) { return !item.states.empty(); });
    const std::uint64_t on = max_alive(items, groups, true, groups_of);
    return has_states ? std::max(on, max_alive(items, groups, false, groups_of)) : on;
}

/// Returns the maximum number of bytes that are alive in one group of a queue. Used for items of several queues.
std::uint64_t max_alive_on_queues(const std::vector<Item>& items, std::size_t groups) {
    std::uint64_t max = 0;
    for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
        max = std::max(max, max_alive(items, groups, [&](const Item& item) { return item.on[queue]; }));
    }
    return max;
}

/// Places items one after the other, each into the tightest gap between those placed before it. In the gap, an item
/// goes next to the neighbor that lives longer, so that free memory stays in one piece.
class Packing {
public:
    /// `limit`: maximum bytes of a block. `queues`: order of the queues, or null.
    Packing(const std::vector<Item>& items, std::uint64_t limit, const QueueOrder* queues)
        : items_(items), limit_(limit), near_(items, queues), places_(items.size()) {
        latest_.reserve(items.size());
    }

    /// Removes all items. `ceiling`: initial bytes of the first block; 0: no initial block.
    void restart(std::uint64_t ceiling) {
        near_.clear();
        placed_.clear();
        latest_.clear();
        blocks_.clear();
        if (ceiling != 0) {
            blocks_.push_back(std::min(ceiling, limit_));
        }
    }

    void place(std::uint32_t index) {
        const Item& item = items_[index];
        find_neighbours(index);
        Choice best;
        auto neighbour = neighbours_.begin();
        for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
            std::uint64_t free = 0;    // end of the neighbours so far
            std::uint32_t below = ~0U; // last group of the item below; ~0: no item
            for (; neighbour != neighbours_.end() && neighbour->block == block; ++neighbour) {
                const Item& other = items_[neighbour->item];
                const std::uint64_t end = neighbour->offset + other.bytes;
                if (neighbour->offset > free) {
                    best.consider(block, free, neighbour->offset, item, other.last > below);
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
        latest_.push_back({best.place.block, index, best.place.offset});
        near_.add(index);
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

    struct Placed {
        std::uint32_t block = 0, item = 0;
        std::uint64_t offset = 0;
        friend bool operator<(const Placed& a, const Placed& b) {
            return std::tie(a.block, a.offset, a.item) < std::tie(b.block, b.offset, b.item);
        }
    };

    /// Finds the placed items that conflict with an item, ordered by place.
    void find_neighbours(std::uint32_t index) {
        neighbours_.clear();
        const std::size_t placed = placed_.size() + latest_.size();
        if (near_.find(index, placed / (std::bit_width(placed) + 1), found_)) {
            for (const std::uint32_t other : found_) {
                neighbours_.push_back({places_[other].block, other, places_[other].offset});
            }
            std::sort(neighbours_.begin(), neighbours_.end());
            return;
        }
        const auto middle = static_cast<std::ptrdiff_t>(placed_.size());
        std::sort(latest_.begin(), latest_.end());
        placed_.insert(placed_.end(), latest_.begin(), latest_.end());
        std::inplace_merge(placed_.begin(), placed_.begin() + middle, placed_.end());
        latest_.clear();
        std::copy_if(placed_.begin(), placed_.end(), std::back_inserter(neighbours_),
                     [&](const Placed& other) { return near_.conflict(index, other.item); });
    }

    const std::vector<Item>& items_;
    std::uint64_t limit_;
    Neighbours near_;
    std::vector<PlanMemory::Place> places_; ///< per item
    std::vector<Placed> placed_;            ///< in order
    std::vector<Placed> latest_;            ///< those that are not yet in `placed_`
    std::vector<std::uint32_t> found_;
    std::vector<Placed> neighbours_;
    std::vector<std::uint64_t> blocks_;
};

/// Items that are placed as one, one after the other, because they are alive in the same groups.
struct FusedItems {
    std::vector<Item> items;
    std::vector<PlanMemory::Place> places; ///< per original item: its fused item as the block, and its offset there
};

/// Fuses items of equal lifetimes if there are many. The time to place an item grows with the number of items that are
/// alive with it.
FusedItems fuse(const std::vector<Item>& items, std::uint64_t max_bytes) {
    constexpr std::size_t max_items = 1024;
    FusedItems fused;
    fused.places.resize(items.size());
    const auto lifetime = [&](std::uint32_t index) {
        const Item& item = items[index];
        return std::tie(item.first, item.last, item.on, item.queue, item.on_several);
    };
    std::vector<std::uint32_t> order(items.size());
    std::iota(order.begin(), order.end(), 0U);
    if (items.size() > max_items) {
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return lifetime(a) < lifetime(b); });
    }
    std::uint32_t before = 0;
    for (const std::uint32_t index : order) {
        const Item& item = items[index];
        const bool joins = items.size() > max_items && !fused.items.empty() && lifetime(before) == lifetime(index) &&
                           items[before].states == item.states && items[before].alignment == item.alignment &&
                           fused.items.back().bytes + item.bytes <= max_bytes;
        if (!joins) {
            fused.items.push_back(item);
            fused.items.back().bytes = 0;
        }
        Item& whole = fused.items.back();
        fused.places[index] = {static_cast<std::uint32_t>(fused.items.size()) - 1, align(whole.bytes, item.alignment)};
        whole.bytes = fused.places[index].offset + item.bytes;
        before = index;
    }
    return fused;
}

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
    memory.alive =
        queues != nullptr ? max_alive_on_queues(items, groups) : max_alive(items, groups, [](const Item& item) {
            return Item::Groups{item.first, item.last};
        });
    if (!share || (memory.alive == memory.apart && memory.blocks.size() == 1)) {
        return memory;
    }
    // No order is best for all graphs, so the best of three is used. By lifetime: items find the memory that has just
    // become free. By size: large items leave no hole that only they could have filled. By size and lifetime:
    // long-lived items are not stacked on short-lived ones.
    using Rank = std::pair<std::uint64_t, std::uint64_t>;
    constexpr Rank (*ranks[])(const Item&) = {
        [](const Item& item) { return Rank(~item.first, item.bytes); },
        [](const Item& item) { return Rank(item.bytes, 0); },
        [](const Item& item) { return Rank(item.area(), 0); },
    };
    const FusedItems fused = fuse(items, std::min(limit, memory.alive / 64));
    Packing packing(fused.items, limit, queues);
    std::uint64_t best = memory.apart + 1;
    for (const auto rank : ranks) {
        std::vector<std::pair<Rank, std::uint32_t>> order; // descending: the index is inverted
        for (std::uint32_t index = 0; index < fused.items.size() && best != memory.alive; ++index) {
            order.emplace_back(rank(fused.items[index]), ~index);
        }
        std::sort(order.begin(), order.end(), std::greater<>());
        for (const std::uint64_t ceiling : {memory.alive, std::uint64_t{0}}) {
            if (best == memory.alive) {
                break;
            }
            packing.restart(ceiling);
            for (const auto& [value, index] : order) {
                packing.place(~index);
            }
            if (packing.bytes() < best) {
                best = packing.bytes();
                memory.blocks = packing.blocks();
                for (std::uint32_t index = 0; index < items.size(); ++index) {
                    const auto [whole, offset] = fused.places[index];
                    memory.places[items[index].resource] = {packing[whole].block, packing[whole].offset + offset};
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

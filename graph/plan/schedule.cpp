#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "graph/plan/schedule/orders.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

namespace {

/// Transients of this many bytes in all do not limit overlap.
constexpr std::uint64_t free_bytes = 4 << 20;

/// Returns an error with the passes of a cycle, if there is one.
Result<> check_cycles(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges) {
    const auto count = static_cast<std::uint32_t>(graph.passes.size());
    bool has_later = false; // a pass waits for one that was declared after it
    for (std::uint32_t pass = 0; pass < count; ++pass) {
        has_later = has_later || std::any_of(edges[pass].begin(), edges[pass].end(),
                                             [&](const Edge& edge) { return edge.on > pass; });
    }
    if (!has_later) {
        return {};
    }
    std::vector<std::uint32_t> waits(count, 0), ready;
    std::vector<std::vector<std::uint32_t>> next(count);
    for (std::uint32_t pass = 0; pass < count; ++pass) {
        for (const Edge& edge : edges[pass]) {
            next[edge.on].push_back(pass);
            ++waits[pass];
        }
    }
    for (std::uint32_t pass = 0; pass < count; ++pass) {
        if (waits[pass] == 0) {
            ready.push_back(pass);
        }
    }
    for (std::size_t done = 0; done < ready.size(); ++done) {
        for (const std::uint32_t after : next[ready[done]]) {
            if (--waits[after] == 0) {
                ready.push_back(after);
            }
        }
    }
    if (ready.size() == count) {
        return {};
    }
    // Every remaining pass waits for another remaining pass. Walking backwards therefore ends in a cycle.
    std::uint32_t pass = 0;
    while (waits[pass] == 0) {
        ++pass;
    }
    std::vector<std::uint32_t> path;
    while (std::find(path.begin(), path.end(), pass) == path.end()) {
        path.push_back(pass);
        pass = std::find_if(edges[pass].begin(), edges[pass].end(), [&](const Edge& edge) {
                   return waits[edge.on] != 0;
               })->on;
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), pass));
    std::string names;
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
        names += concat("'", graph.passes[*it].name, "'", to_string(graph.passes[*it].where), " -> ");
    }
    return tl::unexpected(Error{ErrorCode::invalid_graph, "passes depend on each other in a cycle: " + names + "'" +
                                                              graph.passes[path.back()].name + "'"});
}

/// Returns the maximum number of bytes that one pass uses. No order needs less.
std::uint64_t max_bytes_of_a_pass(const PassGraph& passes, const TransientUse& use) {
    std::uint64_t max = 0;
    for (const std::uint32_t pass : passes.sorted()) {
        std::uint64_t bytes = 0;
        for (const std::uint32_t transient : use.of(pass)) {
            bytes += use.bytes(transient);
        }
        max = std::max(max, bytes);
    }
    return max;
}

/// Returns the bytes that transients may take if an order needs `least` bytes.
std::uint64_t limit_for(std::uint64_t least) {
    return least + least / 8 + free_bytes;
}

/// Returns the order that needs the fewest bytes, of those that do not consider overlap.
std::vector<std::uint32_t> smallest_order(const PassGraph& passes, const TransientUse& use) {
    std::vector<std::uint32_t> best;
    std::uint64_t least = 0;
    for (auto& order : {declared_order(passes), depth_first_order(passes, use), frugal_order(passes, use)}) {
        if (const std::uint64_t bytes = max_alive(use, order); best.empty() || bytes < least) {
            best = order;
            least = bytes;
        }
    }
    return best;
}

} // namespace

Result<Schedule> find_schedule(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges,
                               const std::vector<bool>& live, const std::vector<QueueKind>& assigned, PassOrder order) {
    constexpr std::uint64_t unlimited = ~std::uint64_t{0};
    WEIR_PROPAGATE(check_cycles(graph, edges));
    const PassGraph passes(edges, live, assigned);
    const TransientUse use(graph, live, shared_bytes(graph));
    if (order == PassOrder::declared) {
        const std::vector<std::uint32_t> declared = declared_order(passes);
        return Schedule{group_in_order(passes, use, declared, unlimited), max_alive(use, declared)};
    }
    std::vector<PassGroup> early = passes.has_several_queues()
                                       ? group_early(passes, use, declared_order(passes), unlimited)
                                       : group_by_depth(passes);
    const std::uint64_t early_bytes = max_alive(use, early);
    if (order != PassOrder::memory && early_bytes <= limit_for(max_bytes_of_a_pass(passes, use))) {
        return Schedule{std::move(early), early_bytes};
    }
    const std::vector<std::uint32_t> smallest = smallest_order(passes, use);
    const std::uint64_t least = std::min(max_alive(use, smallest), early_bytes);
    if (order == PassOrder::memory) {
        return Schedule{early_bytes > least ? group_in_order(passes, use, smallest, least) : std::move(early), least};
    }
    if (order == PassOrder::balanced && early_bytes > limit_for(least)) {
        early = group_early(passes, use, smallest, limit_for(least));
    }
    return Schedule{std::move(early), least};
}

} // namespace weir

#include "graph/plan/schedule/orders.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace weir {

namespace {

/// Returns for each pass the number of passes before it.
std::vector<std::uint32_t> missing_of(const PassGraph& passes) {
    std::vector<std::uint32_t> missing(passes.size(), 0);
    for (const std::uint32_t pass : passes.sorted()) {
        missing[pass] = static_cast<std::uint32_t>(passes.before(pass).size());
    }
    return missing;
}

} // namespace

std::vector<std::uint32_t> declared_order(const PassGraph& passes) {
    std::vector<std::uint32_t> missing = missing_of(passes), order;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (const std::uint32_t pass : passes.sorted()) {
        if (missing[pass] == 0) {
            ready.push(pass);
        }
    }
    while (!ready.empty()) {
        const std::uint32_t pass = ready.top();
        ready.pop();
        order.push_back(pass);
        for (const std::uint32_t next : passes.after(pass)) {
            if (--missing[next] == 0) {
                ready.push(next);
            }
        }
    }
    return order;
}

std::vector<std::uint32_t> frugal_order(const PassGraph& passes, const TransientUse& use) {
    using Growth = std::pair<std::int64_t, std::uint32_t>; // bytes, pass
    std::priority_queue<Growth, std::vector<Growth>, std::greater<>> ready;
    std::vector<std::uint32_t> missing = missing_of(passes), order;
    std::vector<bool> is_taken(passes.size(), false);
    AliveTransients alive(use);
    // A pass that has become the last user of a transient grows less than when it was pushed. It is pushed again.
    std::vector<std::uint32_t> left(use.resources(), 0),
        last(use.resources(), 0); // users, and the XOR of their indices
    for (const std::uint32_t pass : passes.sorted()) {
        for (const std::uint32_t transient : use.of(pass)) {
            ++left[transient];
            last[transient] ^= pass;
        }
    }
    const auto push = [&](std::uint32_t pass) {
        const auto growth =
            static_cast<std::int64_t>(alive.added_by(pass)) - static_cast<std::int64_t>(alive.released_by(pass));
        ready.emplace(growth, pass);
    };
    for (const std::uint32_t pass : passes.sorted()) {
        if (missing[pass] == 0) {
            push(pass);
        }
    }
    while (!ready.empty()) {
        const std::uint32_t pass = ready.top().second;
        ready.pop();
        if (is_taken[pass]) {
            continue;
        }
        is_taken[pass] = true;
        order.push_back(pass);
        alive.add(pass, QueueKind::main);
        alive.end_group(QueueKind::main);
        for (const std::uint32_t transient : use.of(pass)) {
            last[transient] ^= pass;
            if (--left[transient] == 1 && missing[last[transient]] == 0) {
                push(last[transient]);
            }
        }
        for (const std::uint32_t next : passes.after(pass)) {
            if (--missing[next] == 0) {
                push(next);
            }
        }
    }
    return order;
}

namespace {

/// Memory of a pass and of the passes that it needs, as if no other pass needed them.
struct Need {
    std::int64_t most = 0; ///< maximum number of bytes that are alive
    std::int64_t left = 0; ///< bytes that are alive after the pass
};

/// Sorts passes so that the one that should run first is last.
void sort_by_need(std::vector<std::uint32_t>& passes, const std::vector<Need>& needs) {
    std::sort(passes.begin(), passes.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto rank = [&](std::uint32_t pass) { return needs[pass].most - needs[pass].left; };
        return rank(a) != rank(b) ? rank(a) < rank(b) : a > b;
    });
}

std::vector<Need> find_needs(const PassGraph& passes, const TransientUse& use) {
    std::vector<Need> needs(passes.size());
    std::vector<bool> is_begun(use.resources(), false);
    std::vector<std::uint32_t> before;
    for (const std::uint32_t pass : passes.sorted()) {
        Need& need = needs[pass];
        for (const std::uint32_t transient : use.of(pass)) {
            need.left += is_begun[transient] ? 0 : static_cast<std::int64_t>(use.bytes(transient));
            is_begun[transient] = true;
        }
        before.assign(passes.before(pass).begin(), passes.before(pass).end());
        sort_by_need(before, needs);
        std::int64_t left = 0;
        for (auto other = before.rbegin(); other != before.rend(); ++other) {
            need.most = std::max(need.most, left + needs[*other].most);
            left += needs[*other].left;
        }
        need.most = std::max(need.most, left + need.left);
    }
    return needs;
}

} // namespace

std::vector<std::uint32_t> depth_first_order(const PassGraph& passes, const TransientUse& use) {
    const std::vector<Need> needs = find_needs(passes, use);
    std::vector<bool> is_seen(passes.size(), false);
    std::vector<std::uint32_t> order, sorted = passes.sorted();
    std::sort(sorted.begin(), sorted.end());
    struct Visit {
        std::uint32_t pass;
        std::vector<std::uint32_t> left; ///< passes before it that have not been visited; the next one is last
    };
    std::vector<Visit> path;
    const auto enter = [&](std::uint32_t pass) {
        is_seen[pass] = true;
        const auto before = passes.before(pass);
        path.push_back({pass, {before.begin(), before.end()}});
        sort_by_need(path.back().left, needs);
    };
    for (const std::uint32_t last : sorted) {
        if (!passes.after(last).empty()) {
            continue;
        }
        enter(last);
        while (!path.empty()) {
            auto& [pass, left] = path.back();
            if (left.empty()) {
                order.push_back(pass);
                path.pop_back();
                continue;
            }
            const std::uint32_t next = left.back();
            left.pop_back();
            if (!is_seen[next]) {
                enter(next);
            }
        }
    }
    return order;
}

std::uint64_t max_alive(const TransientUse& use, const std::vector<std::uint32_t>& order) {
    AliveTransients alive(use);
    for (const std::uint32_t pass : order) {
        alive.add(pass, QueueKind::main);
        alive.end_group(QueueKind::main);
    }
    return alive.max_bytes();
}

std::vector<PassGroup> group_in_order(const PassGraph& passes, const TransientUse& use,
                                      const std::vector<std::uint32_t>& order, std::uint64_t max_bytes) {
    std::vector<PassGroup> groups;
    AliveTransients alive(use);
    std::vector<std::uint32_t> group_of(passes.size(), no_group);
    std::array<std::uint32_t, queue_kinds> open; // per queue: the group that passes can join
    open.fill(no_group);
    for (const std::uint32_t pass : order) {
        const QueueKind queue = passes.queue(pass);
        std::uint32_t& group = open[static_cast<std::size_t>(queue)];
        const auto before = passes.before(pass);
        const bool joins =
            group != no_group && !passes.waits(pass) && alive.bytes() + alive.added_by(pass) <= max_bytes &&
            std::none_of(before.begin(), before.end(), [&](std::uint32_t other) { return group_of[other] >= group; });
        if (!joins) {
            alive.end_group(queue);
            group = static_cast<std::uint32_t>(groups.size());
            groups.push_back({queue, {}});
        }
        alive.add(pass, queue);
        group_of[pass] = group;
        groups[group].passes.push_back(pass);
        group = passes.signals(pass) ? no_group : group; // a semaphore must not wait for more passes
    }
    return groups;
}

std::vector<PassGroup> group_by_depth(const PassGraph& passes) {
    std::vector<std::uint32_t> depth(passes.size(), 0);
    std::vector<PassGroup> groups;
    for (const std::uint32_t pass : passes.sorted()) {
        for (const std::uint32_t next : passes.after(pass)) {
            depth[next] = std::max(depth[next], depth[pass] + 1);
        }
        groups.resize(std::max<std::size_t>(groups.size(), depth[pass] + 1));
        groups[depth[pass]].passes.push_back(pass);
    }
    for (PassGroup& group : groups) {
        std::sort(group.passes.begin(), group.passes.end());
    }
    return groups;
}

} // namespace weir

#include "graph/plan/schedule/transient_use.hpp"

#include <algorithm>
#include <utility>

#include "graph/plan/resources.hpp"

namespace weir {

TransientUse::TransientUse(const GraphDescription& graph, const std::vector<bool>& live,
                           std::vector<std::uint64_t> sizes)
    : sizes_(std::move(sizes)), users_(sizes_.size(), 0), begins_(1, 0) {
    std::vector<std::uint32_t> latest(sizes_.size(), ResourceId::none); // user of each transient
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        for (const auto& use : graph.passes[pass].uses) {
            const std::uint32_t transient = root_of(graph, use.resource);
            if (live[pass] && sizes_[transient] != 0 && std::exchange(latest[transient], pass) != pass) {
                used_.push_back(transient);
                total_ += users_[transient]++ == 0 ? sizes_[transient] : 0;
            }
        }
        begins_.push_back(static_cast<std::uint32_t>(used_.size()));
    }
}

AliveTransients::AliveTransients(const TransientUse& use) : use_(use), left_(use.resources()) {
    for (std::uint32_t transient = 0; transient < left_.size(); ++transient) {
        left_[transient] = use.users(transient);
    }
}

std::uint64_t AliveTransients::added_by(std::uint32_t pass) const {
    std::uint64_t added = 0;
    for (const std::uint32_t transient : use_.of(pass)) {
        added += left_[transient] == use_.users(transient) ? use_.bytes(transient) : 0;
    }
    return added;
}

std::uint64_t AliveTransients::released_by(std::uint32_t pass) const {
    std::uint64_t released = 0;
    for (const std::uint32_t transient : use_.of(pass)) {
        released += left_[transient] == 1 ? use_.bytes(transient) : 0;
    }
    return released;
}

void AliveTransients::add(std::uint32_t pass, QueueKind queue) {
    bytes_ += added_by(pass);
    max_bytes_ = std::max(max_bytes_, bytes_);
    for (const std::uint32_t transient : use_.of(pass)) {
        ending_[static_cast<std::size_t>(queue)] += --left_[transient] == 0 ? use_.bytes(transient) : 0;
    }
}

void AliveTransients::end_group(QueueKind queue) {
    bytes_ -= std::exchange(ending_[static_cast<std::size_t>(queue)], 0);
}

std::uint64_t max_alive(const TransientUse& use, const std::vector<PassGroup>& groups) {
    AliveTransients alive(use);
    for (const PassGroup& group : groups) {
        for (const std::uint32_t pass : group.passes) {
            alive.add(pass, group.queue);
        }
        alive.end_group(group.queue);
    }
    return alive.max_bytes();
}

} // namespace weir

#include "graph/plan/schedule/pass_graph.hpp"

#include <algorithm>

namespace weir {

void PassGraph::Lists::finish_counting() {
    for (std::size_t list = 1; list < begins_.size(); ++list) {
        begins_[list] += begins_[list - 1];
    }
    ends_.assign(begins_.begin(), begins_.end() - 1);
    passes_.resize(begins_.back());
}

PassGraph::PassGraph(const std::vector<std::vector<Edge>>& edges, const std::vector<bool>& live,
                     const std::vector<QueueKind>& assigned)
    : queues_(assigned), chain_(live.size(), 0), waits_(live.size()), signals_(live.size()), leads_(live.size()) {
    const auto each_edge = [&](const auto& visit) {
        for (std::uint32_t pass = 0; pass < size(); ++pass) {
            for (const Edge& edge : edges[pass]) {
                if (live[pass] && live[edge.on]) {
                    visit(edge.on, pass);
                }
            }
        }
    };
    before_.resize(size());
    after_.resize(size());
    std::vector<std::uint32_t> missing(size(), 0); // dependencies that are not sorted yet
    each_edge([&](std::uint32_t from, std::uint32_t to) {
        before_.count(to);
        after_.count(from);
        ++missing[to];
    });
    before_.finish_counting();
    after_.finish_counting();
    each_edge([&](std::uint32_t from, std::uint32_t to) {
        before_.add(to, from);
        after_.add(from, to);
        if (queues_[from] != queues_[to]) {
            waits_[to] = signals_[from] = true;
        }
    });
    for (std::uint32_t pass = 0; pass < size(); ++pass) {
        if (live[pass]) {
            has_several_queues_ = has_several_queues_ || queues_[pass] != QueueKind::main;
            if (missing[pass] == 0) {
                sorted_.push_back(pass);
            }
        }
    }
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
        for (const std::uint32_t next : after(sorted_[i])) {
            if (--missing[next] == 0) {
                sorted_.push_back(next);
            }
        }
    }
    for (auto pass = sorted_.rbegin(); pass != sorted_.rend(); ++pass) {
        leads_[*pass] = signals_[*pass];
        for (const std::uint32_t next : after(*pass)) {
            leads_[*pass] = leads_[*pass] || leads_[next];
            chain_[*pass] = std::max(chain_[*pass], chain_[next]);
        }
        ++chain_[*pass];
    }
}

} // namespace weir

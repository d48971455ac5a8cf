#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/plan/pass_group.hpp"

namespace weir {

/// The passes that are not culled, with their dependencies in both directions.
class PassGraph {
public:
    /// `edges`: per pass, the passes that it runs after. They must not have a cycle.
    PassGraph(const std::vector<std::vector<Edge>>& edges, const std::vector<bool>& live,
              const std::vector<QueueKind>& assigned);

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(queues_.size()); }
    /// Returns the passes that are not culled, each after all passes on which it depends.
    [[nodiscard]] const std::vector<std::uint32_t>& sorted() const { return sorted_; }
    [[nodiscard]] std::span<const std::uint32_t> before(std::uint32_t pass) const { return before_[pass]; }
    [[nodiscard]] std::span<const std::uint32_t> after(std::uint32_t pass) const { return after_[pass]; }
    [[nodiscard]] QueueKind queue(std::uint32_t pass) const { return queues_[pass]; }
    [[nodiscard]] bool has_several_queues() const { return has_several_queues_; }

    /// Checks if the pass needs a pass of another queue.
    [[nodiscard]] bool waits(std::uint32_t pass) const { return waits_[pass]; }
    /// Checks if a pass of another queue needs this pass.
    [[nodiscard]] bool signals(std::uint32_t pass) const { return signals_[pass]; }
    /// Checks if a pass of another queue needs this pass, directly or through other passes.
    [[nodiscard]] bool leads_to_signal(std::uint32_t pass) const { return leads_[pass]; }
    /// Returns the number of passes in the longest chain that begins with this pass.
    [[nodiscard]] std::uint32_t chain(std::uint32_t pass) const { return chain_[pass]; }

private:
    /// Lists of passes, one after the other.
    class Lists {
    public:
        void resize(std::size_t lists) { begins_.assign(lists + 1, 0); }
        void count(std::uint32_t list) { ++begins_[list + 1]; }
        void finish_counting();
        void add(std::uint32_t list, std::uint32_t pass) { passes_[ends_[list]++] = pass; }
        std::span<const std::uint32_t> operator[](std::uint32_t list) const {
            return {passes_.data() + begins_[list], begins_[list + 1] - begins_[list]};
        }

    private:
        std::vector<std::uint32_t> begins_, ends_, passes_;
    };

    Lists before_, after_;
    std::vector<QueueKind> queues_;
    std::vector<std::uint32_t> sorted_, chain_;
    std::vector<bool> waits_, signals_, leads_;
    bool has_several_queues_ = false;
};

} // namespace weir

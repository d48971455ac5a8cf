#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <weir/graph/description.hpp>

#include "graph/plan/pass_group.hpp"

namespace weir {

/// The transients that share memory, and the passes that use each of them.
class TransientUse {
public:
    /// `sizes`: bytes of each resource; 0 if it is not a transient that shares memory.
    TransientUse(const GraphDescription& graph, const std::vector<bool>& live, std::vector<std::uint64_t> sizes);

    /// Returns the transients of a pass, each once.
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t pass) const {
        return {used_.data() + begins_[pass], begins_[pass + 1] - begins_[pass]};
    }
    [[nodiscard]] std::uint64_t bytes(std::uint32_t transient) const { return sizes_[transient]; }
    /// Returns the number of passes that use the transient.
    [[nodiscard]] std::uint32_t users(std::uint32_t transient) const { return users_[transient]; }
    /// Returns the number of resources of the graph.
    [[nodiscard]] std::size_t resources() const { return sizes_.size(); }
    /// Returns the bytes of all transients that a pass uses.
    [[nodiscard]] std::uint64_t total() const { return total_; }

private:
    std::vector<std::uint64_t> sizes_;
    std::vector<std::uint32_t> users_, used_, begins_;
    std::uint64_t total_ = 0;
};

/// The transients that are alive while passes run one group after another. A transient is alive from its first group
/// to its last.
class AliveTransients {
public:
    explicit AliveTransients(const TransientUse& use);

    /// Returns the bytes of the transients that the pass would add to the current group.
    [[nodiscard]] std::uint64_t added_by(std::uint32_t pass) const;
    /// Returns the bytes of the transients that no pass but this one has still to use.
    [[nodiscard]] std::uint64_t released_by(std::uint32_t pass) const;
    /// Adds the pass to the current group of a queue.
    void add(std::uint32_t pass, QueueKind queue);
    /// Ends the current group of a queue: transients that no later pass uses are no longer alive.
    void end_group(QueueKind queue);

    /// Returns the bytes that are alive in the current groups.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// Returns the bytes that are alive after the current group of a queue.
    [[nodiscard]] std::uint64_t bytes_after(QueueKind queue) const {
        return bytes_ - ending_[static_cast<std::size_t>(queue)];
    }
    [[nodiscard]] std::uint64_t max_bytes() const { return max_bytes_; }

private:
    const TransientUse& use_;
    std::vector<std::uint32_t> left_; ///< per resource: users that have not run
    std::array<std::uint64_t, queue_kinds> ending_{};
    std::uint64_t bytes_ = 0, max_bytes_ = 0;
};

/// Returns the maximum number of bytes that are alive in one of the groups.
std::uint64_t max_alive(const TransientUse& use, const std::vector<PassGroup>& groups);

} // namespace weir

#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/plan/pass_group.hpp"

namespace weir {

/// A vector clock over the queues of a plan: the groups of other queues that each queue comes after, by semaphores. A
/// semaphore wait comes after everything that was submitted to the other queue up to the group that signals the
/// semaphore.
class VectorClock {
public:
    /// A group on a queue. Positions count from 1 through all executions.
    struct Point {
        QueueKind queue = QueueKind::main;
        std::uint32_t position = 0;
    };
    using Positions = std::array<std::uint32_t, queue_kinds>; ///< per queue; 0: none

    explicit VectorClock(const std::vector<PassGroup>& groups) : index_on_queue_(groups.size()) {
        for (std::uint32_t group = 0; group < groups.size(); ++group) {
            auto& on_queue = on_queue_[index(groups[group].queue)];
            index_on_queue_[group] = {groups[group].queue, static_cast<std::uint32_t>(on_queue.size())};
            on_queue.push_back(group);
        }
    }

    void begin_execution() { ++execution_; }
    /// Begins `group`, which must be the next group of its queue.
    void begin_group(std::uint32_t group) {
        queue_ = index_on_queue_[group].queue;
        passed_[index(queue_)].push_back(known_[index(queue_)]);
        assert(position() == point_of(group).position);
    }

    /// Returns the queue of the group that began last. `position` returns its position there.
    [[nodiscard]] QueueKind queue() const { return queue_; }
    [[nodiscard]] std::uint32_t position() const { return static_cast<std::uint32_t>(passed_[index(queue_)].size()); }
    [[nodiscard]] std::uint32_t execution() const { return execution_; }
    [[nodiscard]] bool has_several_queues() const { return on_queue_[index(queue_)].size() != index_on_queue_.size(); }
    /// Returns the point of a group in this execution.
    [[nodiscard]] Point point_of(std::uint32_t group) const {
        const Point& first = index_on_queue_[group];
        return {first.queue, (execution_ - 1) * groups_on(first.queue) + first.position + 1};
    }
    /// Returns the point of the first group of a queue in this execution.
    [[nodiscard]] Point first_point(QueueKind queue) const { return {queue, (execution_ - 1) * groups_on(queue) + 1}; }
    /// Returns the group at a point.
    [[nodiscard]] std::uint32_t group_at(const Point& point) const {
        return on_queue_[index(point.queue)][(point.position - 1) % groups_on(point.queue)];
    }
    [[nodiscard]] std::uint32_t executions_ago(const Point& point) const {
        return execution_ - 1 - (point.position - 1) / groups_on(point.queue);
    }

    /// Checks if the current queue comes after a point of another queue, or after one of its own earlier points by way
    /// of another queue.
    [[nodiscard]] bool has_waited(const Point& point) const {
        return point.position <= known_[index(queue_)][index(point.queue)];
    }

    /// Makes the current queue wait for positions of other queues. Returns the points that need a semaphore: a wait for
    /// a queue includes everything that queue has waited for.
    [[nodiscard]] std::vector<Point> wait(const Positions& positions) {
        std::vector<Point> points;
        for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
            const Point point{static_cast<QueueKind>(queue), positions[queue]};
            if (point.queue != queue_ && !has_waited(point)) {
                points.push_back(point);
            }
        }
        std::erase_if(points, [&](const Point& point) {
            return std::any_of(points.begin(), points.end(), [&](const Point& other) {
                return other.queue != point.queue && known_at(other)[index(point.queue)] >= point.position;
            });
        });
        Positions& known = known_[index(queue_)];
        for (const Point& point : points) {
            const Positions& others = known_at(point);
            for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
                known[queue] = std::max(known[queue], others[queue]);
            }
            known[index(point.queue)] = std::max(known[index(point.queue)], point.position);
        }
        passed_[index(queue_)].back() = known;
        return points;
    }

private:
    static std::size_t index(QueueKind queue) { return static_cast<std::size_t>(queue); }
    [[nodiscard]] std::uint32_t groups_on(QueueKind queue) const {
        return static_cast<std::uint32_t>(on_queue_[index(queue)].size());
    }
    [[nodiscard]] const Positions& known_at(const Point& point) const {
        return passed_[index(point.queue)][point.position - 1];
    }

    std::array<std::vector<std::uint32_t>, queue_kinds> on_queue_; ///< per queue: groups of the plan
    std::vector<Point> index_on_queue_;                            ///< per group: its queue, and its index there
    std::uint32_t execution_ = 0;
    QueueKind queue_ = QueueKind::main;
    std::array<Positions, queue_kinds> known_{};               ///< per queue: positions that it has waited for
    std::array<std::vector<Positions>, queue_kinds> passed_{}; ///< per queue and position: `known_` at that point
};

} // namespace weir

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <weir/engine/capabilities.hpp>

namespace weir {

/// How far queues have waited for each other: all that a semaphore makes wait comes after all that came before it.
class Progress {
public:
    /// A group of a queue, counted from 1 through all executions.
    struct Point {
        QueueKind queue = QueueKind::main;
        std::uint32_t position = 0;
    };

    /// The next group of a queue comes.
    void begin(QueueKind queue) {
        queue_ = queue;
        passed_[index(queue)].push_back(known_[index(queue)]);
    }
    [[nodiscard]] QueueKind queue() const { return queue_; }
    [[nodiscard]] std::uint32_t position() const { return static_cast<std::uint32_t>(passed_[index(queue_)].size()); }
    /// The latest group of a queue that it has waited for; of its own, by way of others. 0: none.
    [[nodiscard]] std::uint32_t known(QueueKind queue) const { return known_[index(queue_)][index(queue)]; }
    /// Whether the queue has waited for such a point.
    [[nodiscard]] bool has_waited(Point point) const {
        return point.position <= known_[index(queue_)][index(point.queue)];
    }

    /// The queue waits for points of others; returns for which, without those that others make up for.
    [[nodiscard]] std::vector<Point> wait(const std::array<std::uint32_t, queue_kinds>& positions) {
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
        Known& known = known_[index(queue_)];
        for (const Point& point : points) {
            const Known& others = known_at(point);
            for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
                known[queue] = std::max(known[queue], others[queue]);
            }
            known[index(point.queue)] = std::max(known[index(point.queue)], point.position);
        }
        passed_[index(queue_)].back() = known;
        return points;
    }

private:
    using Known = std::array<std::uint32_t, queue_kinds>; ///< per queue a position
    static std::size_t index(QueueKind queue) { return static_cast<std::size_t>(queue); }
    [[nodiscard]] const Known& known_at(const Point& point) const {
        return passed_[index(point.queue)][point.position - 1];
    }

    QueueKind queue_ = QueueKind::main;
    std::array<Known, queue_kinds> known_{};               ///< per queue: what it has waited for
    std::array<std::vector<Known>, queue_kinds> passed_{}; ///< per queue and group: the same when the group came
};

} // namespace weir

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include "graph/plan/schedule/memory_ahead.hpp"
#include "graph/plan/schedule/orders.hpp"

namespace weir {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

/// Simulates the queues, with passes that all take the same time, and forms one group after another.
class EarlySchedule {
public:
    EarlySchedule(const PassGraph& passes, const TransientUse& use, const std::vector<std::uint32_t>& reference,
                  std::uint64_t max_bytes)
        : passes_(passes), max_bytes_(max_bytes), reference_(reference), alive_(use), place_(passes.size(), 0),
          missing_(passes.size(), 0), group_of_(passes.size(), no_group), signaled_(passes.size(), 0),
          end_(passes.size(), 0) {
        if (max_bytes != unlimited) {
            ahead_.emplace(use, reference);
        }
        for (std::uint32_t place = 0; place < reference.size(); ++place) {
            const std::uint32_t pass = reference[place];
            place_[pass] = place;
            missing_[pass] = static_cast<std::uint32_t>(passes.before(pass).size());
            at(passes.queue(pass)).urgent_left += passes.leads_to_signal(pass) ? 1 : 0;
        }
        for (const std::uint32_t pass : reference) {
            if (missing_[pass] == 0) {
                make_ready(pass);
            }
        }
    }

    std::vector<PassGroup> run() {
        while (next_ < reference_.size()) {
            if (const auto queue = next_queue(); !queue || !step(*queue)) {
                force(reference_[next_]); // nothing else fits into memory
            }
            while (next_ < reference_.size() && group_of_[reference_[next_]] != no_group) {
                ++next_;
            }
        }
        for (PassGroup& group : groups_) {
            std::sort(group.passes.begin(), group.passes.end());
        }
        return std::move(groups_);
    }

private:
    /// Passes whose dependencies have all been scheduled, by place in the reference order.
    using Ready = std::set<std::pair<std::uint32_t, std::uint32_t>>;
    using Time = std::uint64_t;
    using Chains = std::priority_queue<std::pair<std::uint32_t, std::uint32_t>>; ///< passes by PassGraph::chain
    using Waiting = std::set<std::pair<Time, std::uint32_t>>; ///< by the time when their semaphores are signaled
    struct Queue {
        Ready signals; ///< passes that another queue waits for
        Ready urgent;  ///< passes that lead to one of these
        Ready others;
        Waiting urgent_waiting, waiting; ///< passes that wait for another queue
        Chains chains, waiting_chains;   ///< chains of `others` and of `waiting`
        std::size_t urgent_left = 0;     ///< passes of this queue that lead to a semaphore and are not scheduled
        Time now = 0;
        std::uint32_t last_group = no_group; ///< can take more passes
        bool is_stuck = false;               ///< no ready pass fits into memory
    };

    Queue& at(QueueKind queue) { return queues_[static_cast<std::size_t>(queue)]; }

    void make_ready(std::uint32_t pass) {
        Queue& queue = at(passes_.queue(pass));
        const bool is_urgent = passes_.leads_to_signal(pass);
        if (passes_.waits(pass)) {
            for (const std::uint32_t other : passes_.before(pass)) {
                signaled_[pass] =
                    std::max(signaled_[pass], passes_.queue(other) != passes_.queue(pass) ? end_[other] : 0);
            }
            (is_urgent ? queue.urgent_waiting : queue.waiting).emplace(signaled_[pass], pass);
        } else {
            (passes_.signals(pass) ? queue.signals
             : is_urgent           ? queue.urgent
                                   : queue.others)
                .emplace(place_[pass], pass);
        }
        if (!is_urgent) {
            (passes_.waits(pass) ? queue.waiting_chains : queue.chains).emplace(passes_.chain(pass), pass);
        }
    }

    /// Returns the queue that can begin a pass first.
    std::optional<QueueKind> next_queue() {
        std::optional<QueueKind> next;
        Time first = 0;
        for (std::size_t kind = 0; kind < queue_kinds; ++kind) {
            const Queue& queue = queues_[kind];
            const bool has_work = !queue.signals.empty() || !queue.urgent.empty() || !queue.others.empty();
            Time begin = has_work ? queue.now : std::numeric_limits<Time>::max();
            for (const auto* waiting : {&queue.urgent_waiting, &queue.waiting}) {
                begin = waiting->empty() ? begin : std::min(begin, std::max(queue.now, waiting->begin()->first));
            }
            if (!queue.is_stuck && begin != std::numeric_limits<Time>::max() && (!next || begin < first)) {
                next = static_cast<QueueKind>(kind);
                first = begin;
            }
        }
        return next;
    }

    /// Schedules a group of the queue. Returns false if no pass fits into memory.
    bool step(QueueKind kind) {
        Queue& queue = at(kind);
        std::vector<std::uint32_t> chosen;
        if (!queue.signals.empty() || !queue.urgent.empty()) {
            chosen = choose(kind, queue.signals.empty() ? queue.urgent : queue.signals, all);
        } else if (!queue.urgent_waiting.empty() &&
                   (queue.urgent_waiting.begin()->first <= queue.now || queue.others.empty())) {
            queue.now = std::max(queue.now, queue.urgent_waiting.begin()->first);
            chosen = choose_waiting(kind, queue.urgent_waiting);
        } else if (!queue.others.empty() && !is_longest_chain_waiting(queue)) {
            chosen = choose(kind, queue.others, queue.urgent_left != 0 ? 1 : all);
        } else if (!queue.waiting.empty()) {
            queue.now = std::max(queue.now, queue.waiting.begin()->first);
            chosen = choose_waiting(kind, queue.waiting);
        }
        queue.is_stuck = chosen.empty();
        if (!chosen.empty()) {
            add_group(kind, chosen);
        }
        return !chosen.empty() || next_queue().has_value();
    }

    std::vector<std::uint32_t> choose_waiting(QueueKind kind, const Waiting& waiting) const {
        const Time now = queues_[static_cast<std::size_t>(kind)].now;
        Ready ready;
        for (const auto& [time, pass] : waiting) {
            if (time > now) {
                break;
            }
            ready.emplace(place_[pass], pass);
        }
        return choose(kind, ready, all);
    }

    /// Checks if the queue must wait for another one now, so that the passes after the wait end with the others.
    bool is_longest_chain_waiting(Queue& queue) const {
        const auto longest = [&](Chains& chains) {
            while (!chains.empty() && group_of_[chains.top().second] != no_group) {
                chains.pop();
            }
            return chains.empty() ? 0 : chains.top().first;
        };
        return queue.urgent_left == 0 && longest(queue.waiting_chains) > longest(queue.chains);
    }

    /// Chooses at most `max` of the passes, as far as they fit into memory together.
    std::vector<std::uint32_t> choose(QueueKind kind, const Ready& ready, std::size_t max) const {
        constexpr int max_refused = 8; // limits the time, because most further passes would be refused as well
        std::vector<std::uint32_t> chosen;
        std::uint64_t added = 0;
        int refused = 0;
        for (auto next = ready.begin(); next != ready.end() && chosen.size() < max && refused < max_refused; ++next) {
            const std::uint64_t more = ahead_ ? alive_.added_by(next->second) : 0;
            if (more == 0 || (alive_.bytes_after(kind) + added + more <= max_bytes_ &&
                              ahead_->fits(next->second, max_bytes_ - std::min(added, max_bytes_)))) {
                chosen.push_back(next->second);
                added += more;
            } else {
                ++refused;
            }
        }
        return chosen;
    }

    void force(std::uint32_t pass) { add_group(passes_.queue(pass), {pass}); }

    void add_group(QueueKind kind, const std::vector<std::uint32_t>& chosen) {
        Queue& queue = at(kind);
        const bool joins = chosen.size() == 1 && can_join(queue, chosen.front());
        if (!joins) {
            alive_.end_group(kind);
            queue.last_group = static_cast<std::uint32_t>(groups_.size());
            groups_.push_back({kind, {}});
        }
        const std::uint32_t group = queue.last_group;
        queue.now += chosen.size();
        for (const std::uint32_t pass : chosen) {
            group_of_[pass] = group;
            end_[pass] = queue.now;
            groups_[group].passes.push_back(pass);
            queue.urgent_left -= passes_.leads_to_signal(pass) ? 1 : 0;
            queue.last_group = passes_.signals(pass) || passes_.waits(pass) ? no_group : queue.last_group;
            alive_.add(pass, kind);
            if (ahead_) {
                ahead_->run(pass);
            }
            remove(queue, pass);
        }
        for (Queue& other : queues_) {
            other.is_stuck = false;
        }
        for (const std::uint32_t pass : chosen) {
            for (const std::uint32_t next : passes_.after(pass)) {
                if (--missing_[next] == 0) {
                    make_ready(next);
                }
            }
        }
    }

    [[nodiscard]] bool can_join(const Queue& queue, std::uint32_t pass) const {
        const auto before = passes_.before(pass);
        return queue.last_group != no_group && !passes_.leads_to_signal(pass) && !passes_.waits(pass) &&
               alive_.bytes() + alive_.added_by(pass) <= max_bytes_ &&
               std::none_of(before.begin(), before.end(),
                            [&](std::uint32_t other) { return group_of_[other] >= queue.last_group; });
    }

    void remove(Queue& queue, std::uint32_t pass) const {
        for (Ready* ready : {&queue.signals, &queue.urgent, &queue.others}) {
            ready->erase({place_[pass], pass});
        }
        for (Waiting* waiting : {&queue.urgent_waiting, &queue.waiting}) {
            waiting->erase({signaled_[pass], pass});
        }
    }

    const PassGraph& passes_;
    std::uint64_t max_bytes_;
    const std::vector<std::uint32_t>& reference_;
    AliveTransients alive_;
    std::optional<MemoryAhead> ahead_; ///< only with a limit
    std::vector<std::uint32_t> place_, missing_, group_of_;
    std::vector<Time> signaled_, end_; ///< per pass: when all semaphores that it waits for are, and when its group ends
    std::array<Queue, queue_kinds> queues_;
    std::vector<PassGroup> groups_;
    std::size_t next_ = 0; ///< first place of the reference order that is not scheduled
};

} // namespace

std::vector<PassGroup> group_early(const PassGraph& passes, const TransientUse& use,
                                   const std::vector<std::uint32_t>& reference, std::uint64_t max_bytes) {
    return EarlySchedule(passes, use, reference, max_bytes).run();
}

} // namespace weir

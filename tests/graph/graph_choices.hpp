#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "tests/graph/graphs.hpp"
#include "tests/graph/meanings.hpp"
#include "tests/support/data.hpp"

// Random devices, accesses and queues, for random graphs.

namespace weir::tests {

inline std::vector<Access> accesses_where(bool (*is_fit)(Access)) {
    std::vector<Access> fit;
    for (int i = 0; i <= static_cast<int>(Access::any); ++i) {
        if (is_fit(static_cast<Access>(i))) {
            fit.push_back(static_cast<Access>(i));
        }
    }
    return fit;
}
inline bool is_for_commands(Access access) {
    return access != Access::none && access != Access::present && access != Access::host_read &&
           access != Access::host_write;
}

/// Returns a device with random queues. Half of the devices have only a main queue. On the others, kinds may lack a
/// queue and may share a family. A quarter of all devices cannot draw.
inline Capabilities device_with_queues(Random& random) {
    constexpr std::uint32_t no = Capabilities::no_queue;
    constexpr std::array<std::array<std::uint32_t, queue_kinds>, 10> kinds{{{0, no, no},
                                                                            {0, 1, no},
                                                                            {0, no, 1},
                                                                            {0, 1, 2},
                                                                            {0, 0, 0},
                                                                            {0, 0, no},
                                                                            {0, no, 0},
                                                                            {0, 0, 1},
                                                                            {0, 1, 0},
                                                                            {0, 1, 1}}};
    Capabilities device = some_device();
    if (random.uniform(1, 4) == 1) {
        device.queue_flags[0] = VK_QUEUE_COMPUTE_BIT;
    }
    device.timeline_semaphores = random.uniform(1, 2) == 1;
    if (device.timeline_semaphores) {
        device.queue_families = kinds[random.uniform<std::size_t>(0, kinds.size() - 1)];
    }
    return device;
}

/// Random decisions about a graph. If its device has timeline semaphores, they use all kinds of queues.
class GraphChoices {
public:
    GraphChoices(Random& random, SomeGraph& graph, bool can_transfer)
        : random_(random), graph_(graph), can_transfer_(can_transfer) {}

protected:
    bool chance(int one_in) { return random_.uniform(1, one_in) == 1; }
    template <class T>
    const T& one_of(const std::vector<T>& all) {
        return all[random_.uniform<std::size_t>(0, all.size() - 1)];
    }
    /// Returns a random access that the main queue supports.
    Access any_access(bool (*is_fit)(Access)) {
        Access access = one_of(accesses_where(is_fit));
        while (!can_do(QueueKind::main, access)) {
            access = one_of(accesses_where(is_fit));
        }
        return access;
    }
    /// Returns one random access, or several. Several accesses of an image have a common layout.
    Accesses any_accesses(bool (*is_fit)(Access)) {
        const Access first = any_access(is_fit);
        if (first == Access::none || !chance(3)) {
            return first;
        }
        const Access second = any_access(is_fit), third = any_access(is_fit);
        const auto has_layout = [&](const Accesses& accesses) {
            return is_fit == is_for_buffers || layout_of(accesses) != VK_IMAGE_LAYOUT_UNDEFINED;
        };
        return has_layout({first, second, third}) ? Accesses{first, second, third}
               : has_layout({first, second})      ? Accesses{first, second}
                                                  : first;
    }

    [[nodiscard]] bool can_do(QueueKind queue, Access access) const {
        const VkPipelineStageFlags2 stages = meaning_of(access, transfer).stages;
        const bool is_too_much = queue == QueueKind::transfer && access == Access::any;
        return stages == 0 || ((stages & stages_of(graph_.capabilities(), queue)) != 0 && !is_too_much);
    }
    [[nodiscard]] bool can_do(QueueKind queue, const Accesses& accesses) const {
        return std::all_of(accesses.begin(), accesses.end(), [&](Access access) { return can_do(queue, access); });
    }
    QueueKind some_queue(bool can_transfer) {
        if (!queued_ || chance(2)) {
            return QueueKind::main;
        }
        return can_transfer && chance(2) ? QueueKind::transfer : QueueKind::compute;
    }
    void use_queue(QueueKind queue) {
        if (queue != queue_) {
            on_queue_.reset();
            on_queue_.reset(queue != QueueKind::main ? new OnQueue(graph_.on_queue(queue)) : nullptr);
            queue_ = queue;
        }
    }
    /// Changes the queue of the next passes. The transfer queue cannot run passes under a count on the GPU.
    void change_queue() {
        if (queued_ && chance(2)) {
            use_queue(some_queue(can_transfer_ && gpu_scopes_ == 0));
        } else if (queue_ == QueueKind::transfer && gpu_scopes_ != 0) {
            use_queue(QueueKind::main);
        }
    }
    void set_arriving_queues(ResourceId import, const Accesses& arrives) {
        ImportQueues queues{some_queue(true), some_queue(true), queued_ && chance(3)};
        if (!can_do(queues.arrives, arrives)) {
            queues.arrives = QueueKind::main;
        }
        if (queued_ && !chance(3)) {
            graph_.set_queues(import, queues);
        }
    }
    void set_leaving_queue(ResourceId resource, const Accesses& leaves) {
        ImportQueues queues = graph_.description().resources[resource.index].queues;
        if (queued_ && chance(3)) {
            queues.leaves = some_queue(true);
        }
        if (!can_do(queues.leaves, leaves)) {
            queues.leaves = QueueKind::main;
        }
        if (queued_) {
            graph_.set_queues(resource, queues);
        }
    }

    Random& random_;
    SomeGraph& graph_;
    bool can_transfer_;
    bool queued_ = graph_.capabilities().timeline_semaphores;
    QueueKind queue_ = QueueKind::main; ///< queue of the next passes
    std::unique_ptr<OnQueue> on_queue_;
    std::size_t gpu_scopes_ = 0; ///< open only_if scopes up to the last one with a count on the GPU
};

} // namespace weir::tests

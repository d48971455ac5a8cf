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

/// Raw uses of buffers, or of images, that random graphs choose from.
inline std::vector<UseScope> raw_uses(bool of_images) {
    constexpr VkPipelineStageFlags2 builds = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                                    traces = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
                                    preprocesses = VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_NV,
                                    tests = VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
                                            VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    constexpr VkAccessFlags2 built_read = VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR,
                             built_write = VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
                             depth_read = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
                             depth_write = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    constexpr VkImageLayout none = VK_IMAGE_LAYOUT_UNDEFINED;
    if (of_images) {
        return {
            {{VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
              VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR},
             VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR,
             true,
             false},
            {{tests | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
              depth_read | depth_write | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT},
             VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
             true,
             true},
            {{tests, depth_read}, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, true, false},
            {{traces, VK_ACCESS_2_SHADER_WRITE_BIT}, VK_IMAGE_LAYOUT_GENERAL, false, true},
            {{traces, VK_ACCESS_2_SHADER_READ_BIT}, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, true, false},
        };
    }
    return {
        {{builds, built_read | built_write}, none, false, true},
        {{builds, built_read | built_write}, none, true, true},
        {{builds, VK_ACCESS_2_SHADER_READ_BIT}, none, true, false},
        {{traces | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, built_read}, none, true, false},
        {{traces, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT}, none, false, true},
        {{preprocesses, VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_NV}, none, false, true},
        {{preprocesses | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
          VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_NV | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT},
         none,
         true,
         false},
        {{VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT, VK_ACCESS_2_SHADER_READ_BIT}, none, true, false},
        {{VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT}, none, true, false},
        {{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT}, none, false, true},
        {{VK_PIPELINE_STAGE_2_MICROMAP_BUILD_BIT_EXT, VK_ACCESS_2_MICROMAP_READ_BIT_EXT}, none, true, false},
    };
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
    /// Returns one random access, or several. Several accesses of an image have a common layout. A tenth are raw.
    Accesses any_accesses(bool (*is_fit)(Access)) {
        if (const UseScope raw = one_of(raw_uses(is_fit == is_for_images));
            chance(10) && can_do(QueueKind::main, raw)) {
            return raw;
        }
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
    [[nodiscard]] bool can_do(QueueKind queue, const UseScope& raw) const {
        const bool is_too_much =
            queue == QueueKind::transfer && raw.scope.stages != VK_PIPELINE_STAGE_2_COPY_BIT; // as for Access::any
        return !is_too_much && (single_stages(raw.scope.stages) & ~stages_of(graph_.capabilities(), queue)) == 0;
    }
    [[nodiscard]] bool can_do(QueueKind queue, const Accesses& accesses) const {
        return std::all_of(accesses.begin(), accesses.end(), [&](Access access) { return can_do(queue, access); }) &&
               std::all_of(accesses.raw().begin(), accesses.raw().end(), [&](const UseScope& raw) {
                   return can_do(queue, raw) && raw.scope.stages != VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
               });
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

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <weir/graph/program.hpp>

#include "engine/device/device.hpp"
#include "tests/support/commands.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"

// Programs that an application records into its command buffers.

namespace weir::tests {

/// Returns the functions of the test device.
inline const VolkDeviceTable& vk() {
    return ContextAccess::device(test_context())->vk();
}

/// Records and submits command buffers of a queue.
class Recorder : public Commands {
public:
    explicit Recorder(const Context& context = test_context(), QueueKind queue = QueueKind::main)
        : Commands(ContextAccess::device(context)->vk(), context.device(), context.queue(queue),
                   context.queue_family(queue)) {}
    /// For a queue of the application that Weir does not know, of the family of the main queue.
    Recorder(const Context& context, VkQueue queue)
        : Commands(ContextAccess::device(context)->vk(), context.device(), queue, context.queue_family()) {}

    /// Returns a new command buffer with the commands that `fill` records.
    VkCommandBuffer record(const std::function<void(VkCommandBuffer)>& fill, VkCommandBufferUsageFlags flags = 0,
                           VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
        const VkCommandBuffer commands = begin(flags, level);
        fill(commands);
        end(commands);
        return commands;
    }
    /// Returns a new command buffer with an execution of the program.
    VkCommandBuffer record(Program& program, VkCommandBufferUsageFlags flags = 0,
                           VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
        return record([&](VkCommandBuffer commands) { ok(program.record(commands)); }, flags, level);
    }
    /// Records commands, submits them, and waits for them.
    void run(const std::function<void(VkCommandBuffer)>& fill) {
        submit(record(fill));
        wait();
    }
};

/// A command buffer of the application for each batch of a program.
class BatchRecorder {
public:
    explicit BatchRecorder(const Program& program, const Context& context = test_context()) {
        for (const PlanBatch& batch : program.plan().batches) {
            queues_.push_back(std::make_unique<Recorder>(context, batch.queue));
            commands_.push_back(queues_.back()->begin());
        }
    }
    [[nodiscard]] std::span<const VkCommandBuffer> commands() const { return commands_; }
    void end() {
        for (std::size_t i = 0; i < commands_.size(); ++i) {
            queues_[i]->end(commands_[i]);
        }
    }
    void submit(std::span<const BatchSubmission> batches) {
        for (std::size_t i = 0; i < batches.size(); ++i) {
            queues_[i]->submit(commands_[i], VK_NULL_HANDLE, batches[i].waits, batches[i].signaled);
        }
    }

private:
    std::vector<std::unique_ptr<Recorder>> queues_;
    std::vector<VkCommandBuffer> commands_;
};

} // namespace weir::tests

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
#include "tests/support/threads.hpp"

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

/// Records executions of a program in parts, each in a thread and a command pool of its own, and submits them.
class PartRecorder {
public:
    explicit PartRecorder(Program& program, bool secondary = false) : program_(program), secondary_(secondary) {}

    /// Returns the number of parts.
    std::size_t run(std::uint32_t wanted) {
        RecordingInParts recording = ok(program_.begin_recording(wanted));
        const std::vector<RecordingPart> parts(recording.parts().begin(), recording.parts().end());
        const auto level = secondary_ ? VK_COMMAND_BUFFER_LEVEL_SECONDARY : VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        std::vector<std::unique_ptr<Recorder>> pools;
        for (const RecordingPart& part : parts) {
            pools.push_back(std::make_unique<Recorder>(test_context(), program_.plan().batches[part.batch].queue));
        }
        std::vector<VkCommandBuffer> commands(parts.size());
        in_threads(static_cast<std::uint32_t>(parts.size()), [&](std::uint32_t part) {
            commands[part] =
                pools[part]->record([&](VkCommandBuffer buffer) { ok(recording.record(part, buffer)); }, 0, level);
        });
        ok(recording.end());
        const bool has_several = program_.plan().batches.size() > 1;
        const auto batches = has_several ? ok(program_.next_submission()) : std::span<const BatchSubmission>();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::uint32_t batch = parts[i].batch;
            const bool is_first = i == 0 || parts[i - 1].batch != batch,
                       is_last = i + 1 == parts.size() || parts[i + 1].batch != batch;
            const VkCommandBuffer primary = !secondary_ ? commands[i] : pools[i]->record([&](VkCommandBuffer buffer) {
                vk().vkCmdExecuteCommands(buffer, 1, &commands[i]);
            });
            using Semaphores = std::span<const VkSemaphoreSubmitInfo>;
            pools[i]->submit(primary, VK_NULL_HANDLE,
                             has_several && is_first ? Semaphores(batches[batch].waits) : Semaphores(),
                             has_several && is_last ? Semaphores(batches[batch].signaled) : Semaphores());
        }
        for (const auto& pool : pools) {
            pool->wait();
        }
        return parts.size();
    }

private:
    Program& program_;
    bool secondary_;
};

} // namespace weir::tests

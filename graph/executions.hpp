#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <weir/graph/program.hpp>

#include "engine/timeline.hpp"

namespace weir {

class Device;

/// Executions of a program, which are submitted batch by batch: on each queue a timeline semaphore counts the batches
/// that are complete.
class Executions {
public:
    /// `frames`: how many may be pending of those that `submit` submits. `clears`: the first batch of the first
    /// execution does something that all others come after. Errors: `unsupported` without timeline semaphores,
    /// `out_of_memory`.
    static Result<std::unique_ptr<Executions>> create(std::shared_ptr<Device> device, const Plan& plan,
                                                      std::uint32_t frames, bool clears);
    /// Waits for what `submit` has submitted.
    ~Executions();
    Executions(const Executions&) = delete;
    Executions& operator=(const Executions&) = delete;

    /// The semaphores of one more execution, for each batch; until the next call. Errors: what `submit` has failed
    /// with.
    Result<std::span<const BatchSubmission>> next();
    /// Whether no more can be submitted.
    [[nodiscard]] bool has_failed() const { return failure_.has_value(); }
    /// So many of them, the latest, never were.
    void take_back(std::uint64_t executions) { count_ -= executions; }

    /// Command buffers for one more execution that `submit` is to submit, one for each batch; they have begun. Waits
    /// until fewer than the frames are pending.
    Result<std::span<const VkCommandBuffer>> begin();
    /// Ends and submits them. Errors: `device_lost`, `out_of_memory`. If Vulkan refuses the first batch nothing has
    /// happened; after it refuses another one no more can be submitted.
    Result<> submit(const SubmitOptions& options);

    /// Waits for all executions so far. Errors: `device_lost`, `out_of_memory`; what `submit` has failed with, when all
    /// that was accepted is done.
    [[nodiscard]] Result<> wait() const;

private:
    struct Batch {
        QueueKind queue = QueueKind::main;
        std::uint32_t on_queue = 0; ///< which of the batches of its queue it is, from 1
        std::vector<PlanBatch::Wait> planned;
        std::vector<VkSemaphoreSubmitInfo> waits, signaled; ///< of the latest execution, and room for the host's
        VkCommandBufferSubmitInfo commands{};
    };
    struct Frame {
        std::vector<VkCommandPool> pools; ///< per batch
        std::vector<VkCommandBuffer> commands;
        std::uint64_t execution = 0; ///< that used it last, from 1
    };
    explicit Executions(std::shared_ptr<Device> device) : device_(std::move(device)) {}
    Result<> make_frame(Frame& frame);
    void destroy(Frame& frame);
    [[nodiscard]] Result<> wait_for(std::uint64_t executions) const;
    [[nodiscard]] Result<> wait_for(const std::array<std::uint64_t, queue_kinds>& values) const;
    [[nodiscard]] std::uint64_t value(std::uint32_t batch, std::uint64_t execution) const;

    std::shared_ptr<Device> device_;
    std::vector<Batch> batches_;
    std::array<std::unique_ptr<Timeline>, queue_kinds> timelines_;
    std::array<std::uint32_t, queue_kinds> on_queue_{}; ///< how many batches
    std::vector<BatchSubmission> next_;                 ///< of the latest execution
    bool clears_ = false;
    std::uint64_t count_ = 0; ///< of executions so far
    /// Per queue, what its timeline will be at when all is done that `submit` has submitted.
    std::array<std::uint64_t, queue_kinds> accepted_{};
    std::optional<Error> failure_; ///< of a submission
    std::vector<Frame> frames_;
    std::size_t frame_ = 0; ///< the latest
};

} // namespace weir

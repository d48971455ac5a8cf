#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weir/graph/program.hpp>

#include "engine/timeline.hpp"

namespace weir {

class Device;

/// The executions of a program that are submitted, batch by batch, with a timeline semaphore for each queue that counts
/// the completed batches. It has command buffers for those that `submit` submits.
class FramesInFlight {
public:
    /// `frames`: the most frames with executions of `submit` that may be pending. `clears`: all batches wait for the
    /// first batch of the first execution. `name`: the program's, for debuggers. Errors: `unsupported` without timeline
    /// semaphores, `out_of_memory`.
    static Result<std::unique_ptr<FramesInFlight>> create(std::shared_ptr<Device> device, const Plan& plan,
                                                          std::uint32_t frames, bool clears, std::string name);
    /// Waits for the executions that `submit` has submitted (see Device::wait_in_destructor).
    ~FramesInFlight();
    FramesInFlight(const FramesInFlight&) = delete;
    FramesInFlight& operator=(const FramesInFlight&) = delete;

    /// The semaphores of one more execution, for each batch. Valid until the next call. Errors: the error with which
    /// `submit` has failed.
    Result<std::span<const BatchSubmission>> next();
    /// Whether a submission has failed after others of the same execution: no more are possible.
    [[nodiscard]] bool has_failed() const { return failure_.has_value(); }
    /// Undoes the latest calls of `next`, none of whose batches was submitted.
    void take_back(std::uint64_t executions) { count_ -= executions; }

    /// Begins the command buffers of one more execution, one for each batch. It is of the frame with that number, or
    /// without one a frame of its own. At the start of a frame, waits until fewer than `frames` frames are pending.
    Result<std::span<const VkCommandBuffer>> begin(std::optional<std::uint64_t> frame = {});
    /// Ends and submits these command buffers. Errors: `device_lost`, `out_of_memory`. If Vulkan refuses the first
    /// batch, nothing has happened; if it refuses a later batch, no more can be submitted.
    Result<> submit(const SubmitOptions& options);

    /// Adds the points that are reached when the executions that `submit` has submitted are complete.
    void add_pending(std::vector<TimelinePoint>& points) const;
    /// Waits for all executions so far. Errors: `device_lost`, `out_of_memory`; the error with which `submit` has
    /// failed, after all accepted batches are complete.
    [[nodiscard]] Result<> wait() const;

private:
    struct Batch {
        QueueKind queue = QueueKind::main;
        std::uint32_t on_queue = 0; ///< its number among the batches of its queue, from 1
        std::vector<PlanBatch::Wait> planned;
        std::vector<VkSemaphoreSubmitInfo> waits, signaled; ///< of the latest execution, with room for SubmitOptions
        VkCommandBufferSubmitInfo commands{};
    };
    struct Frame {
        std::optional<std::uint64_t> number;
        std::vector<VkCommandPool> pools;                   ///< per batch
        std::vector<std::vector<VkCommandBuffer>> commands; ///< of each execution, per batch
        std::size_t used = 0;                               ///< how many of these
        std::uint64_t execution = 0;                        ///< the last one that used it, from 1
    };
    explicit FramesInFlight(std::shared_ptr<Device> device) : device_(std::move(device)) {}
    void set_name(VkObjectType type, std::uint64_t object, QueueKind queue) const;
    VkResult make_pools(Frame& frame);
    VkResult make_commands(Frame& frame);
    Result<> begin_frame(Frame& frame);
    void destroy(Frame& frame);
    [[nodiscard]] Result<> wait_for(std::uint64_t executions) const;
    [[nodiscard]] Result<> wait_for(const std::array<std::uint64_t, queue_kinds>& values,
                                    std::chrono::nanoseconds most = forever) const;
    [[nodiscard]] std::uint64_t value(std::uint32_t batch, std::uint64_t execution) const;

    std::shared_ptr<Device> device_;
    std::string name_; ///< of the program
    std::vector<Batch> batches_;
    std::array<std::unique_ptr<Timeline>, queue_kinds> timelines_;
    std::array<std::uint32_t, queue_kinds> on_queue_{}; ///< number of batches
    std::vector<BatchSubmission> next_;                 ///< of the latest execution
    bool clears_ = false;
    std::uint64_t count_ = 0; ///< of executions so far
    /// Per queue, the value of its timeline when everything that `submit` has submitted is complete.
    std::array<std::uint64_t, queue_kinds> accepted_{};
    std::optional<Error> failure_; ///< of a submission
    std::vector<Frame> frames_;
    std::size_t frame_ = 0; ///< the latest
};

} // namespace weir

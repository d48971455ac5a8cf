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

#include "engine/submit/timeline.hpp"

namespace weir {

class Device;

/// The submitted executions of a program. A timeline semaphore for each queue rises with each completed batch. Has
/// command buffers for the executions that `submit` submits.
class FramesInFlight {
public:
    /// Creates the object. `frames`: maximum number of frames with executions of `submit` that may be pending.
    /// `clears`: all batches wait for the first batch of the first execution. `name`: name of the program, for
    /// debuggers. Errors: `unsupported` without timeline semaphores, `out_of_memory`.
    static Result<std::unique_ptr<FramesInFlight>> create(std::shared_ptr<Device> device, const Plan& plan,
                                                          std::uint32_t frames, bool clears, std::string name);
    /// Waits for the executions that `submit` has submitted (see Device::wait_in_destructor).
    ~FramesInFlight();
    FramesInFlight(const FramesInFlight&) = delete;
    FramesInFlight& operator=(const FramesInFlight&) = delete;

    /// Begins one more execution and returns the semaphores of each batch. Valid until the next call. Errors: that of
    /// the submission after which `has_failed` is true.
    Result<std::span<const BatchSubmission>> next();
    /// Checks if a submission has failed after others of the same execution. No more submissions are possible then.
    [[nodiscard]] bool has_failed() const { return failure_.has_value(); }
    /// Undoes the latest `executions` calls of `next`. Precondition: none of their batches was submitted.
    void take_back(std::uint64_t executions) { count_ -= executions; }

    /// Begins the command buffers of one more execution, one for each batch. The execution is part of the frame with
    /// number `frame`, or of a frame of its own if `frame` is empty. At the start of a frame, waits until fewer than
    /// `frames` frames are pending. Errors: `invalid_argument` if the device was adopted without a queue of a batch;
    /// `device_lost`, `out_of_memory`; that of `next`.
    Result<std::span<const VkCommandBuffer>> begin(std::optional<std::uint64_t> frame = {});
    /// Ends and submits the command buffers of the latest `begin`. Errors: `device_lost`, `out_of_memory`. If Vulkan
    /// refuses the first batch, nothing was submitted and the execution does not count. If Vulkan refuses a later
    /// batch, no more submissions are possible.
    Result<> submit(const SubmitOptions& options);

    /// Adds the points that are reached when all executions that `submit` has submitted are complete.
    void add_pending(std::vector<TimelinePoint>& points) const;
    /// Waits for all executions so far. Errors: `device_lost`, `out_of_memory`; if `has_failed`, the error of that
    /// submission, after all accepted batches are complete.
    [[nodiscard]] Result<> wait() const;

private:
    struct Batch {
        QueueKind queue = QueueKind::main;
        std::uint32_t value = 0; ///< value of its queue's timeline when it is complete in the first execution
        std::vector<PlanBatch::Wait> planned;
        std::vector<VkSemaphoreSubmitInfo> waits, signaled; ///< latest execution, including its SubmitOptions
        std::size_t own_waits = 0;                          ///< number of waits that are not of SubmitOptions; first
        VkCommandBufferSubmitInfo commands{};
    };
    struct Frame {
        std::optional<std::uint64_t> number;
        std::vector<VkCommandPool> pools;                   ///< per batch
        std::vector<std::vector<VkCommandBuffer>> commands; ///< per execution and batch
        std::size_t used = 0;                               ///< number of executions in `commands` that are in use
        std::uint64_t execution = 0;                        ///< latest execution in the frame, counted from 1
    };
    explicit FramesInFlight(std::shared_ptr<Device> device) : device_(std::move(device)) {}
    void set_name(VkObjectType type, std::uint64_t object, QueueKind queue) const;
    VkResult make_pools(Frame& frame);
    VkResult make_commands(Frame& frame);
    Result<> begin_frame(Frame& frame);
    void destroy(Frame& frame);
    VkResult submit(const Batch& batch, VkFence fence);
    [[nodiscard]] Result<> wait_for(std::uint64_t executions) const;
    [[nodiscard]] Result<> wait_for(const std::array<std::uint64_t, queue_kinds>& values,
                                    std::chrono::nanoseconds timeout = forever) const;
    [[nodiscard]] std::uint64_t value(std::uint32_t batch, std::uint64_t execution) const;

    std::shared_ptr<Device> device_;
    std::string name_; ///< name of the program
    std::vector<Batch> batches_;
    std::array<std::unique_ptr<Timeline>, queue_kinds> timelines_;
    std::array<std::uint32_t, queue_kinds> values_{}; ///< per queue: values of its timeline in one execution
    std::vector<BatchSubmission> next_;               ///< semaphores of the latest execution
    bool clears_ = false;
    /// On CPU drivers, commands do not wait for other batches; a submission before them does. After a submission has
    /// signaled, Mesa's thread still uses the timelines that it waited for, and by then a destructor may have destroyed
    /// them. The thread is done with a submission before it begins the next one.
    bool splits_waits_ = false;
    std::uint64_t count_ = 0; ///< number of executions so far
    /// Per queue: value of its timeline when everything that `submit` has submitted is complete.
    std::array<std::uint64_t, queue_kinds> accepted_{};
    std::optional<Error> failure_; ///< error of the submission after which no more are possible
    std::vector<Frame> frames_;
    std::size_t frame_ = 0; ///< index of the latest frame
};

} // namespace weir

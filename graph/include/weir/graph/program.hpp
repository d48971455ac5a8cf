#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include <vulkan/vulkan_core.h>

#include <weir/engine/buffer.hpp>
#include <weir/engine/bytes.hpp>
#include <weir/engine/context.hpp>
#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/engine/timestamps.hpp>
#include <weir/graph/graph.hpp>
#include <weir/graph/memory_pool.hpp>
#include <weir/graph/plan.hpp>
#include <weir/graph/profile.hpp>

namespace weir {

struct CompileOptions {
    /// How many recordings with bindings of their own may be pending on the GPU at once. A recording that follows a
    /// `bind`, and each one of a program with a history, takes the next of so many descriptor tables, and the table
    /// that it takes must be out of use. At most 1024.
    std::uint32_t frames_in_flight = 3;
    /// Whether transients that are not alive together share memory.
    bool share_memory = true;
    /// Where it takes the memory of its transients from, but for images and what shares memory with them; of the same
    /// context. None: memory of its own.
    std::optional<MemoryPool> pool = {};
    /// How passes find their buffers. `automatic`: as the context's options say.
    DescriptorMode descriptors = DescriptorMode::automatic;
    /// All passes are on the main queue, whatever queue they are for.
    bool one_queue = false;
    /// Moves passes: told the name of each and the queue that it was added for, says for which it is. Empty: they stay.
    std::function<QueueKind(const std::string& pass, QueueKind queue)> move_to = {};
};

/// How a batch of a program, see Plan::batches, is submitted for one execution: with semaphores of the program's.
struct BatchSubmission {
    QueueKind queue = QueueKind::main;
    std::span<const VkSemaphoreSubmitInfo> waits;
    std::span<const VkSemaphoreSubmitInfo> signaled = {};
};

struct SubmitOptions {
    /// Before what is on the main queue; also if `submit` fails then.
    std::span<const VkSemaphoreSubmitInfo> waits = {};
    std::span<const VkSemaphoreSubmitInfo> signaled = {}; ///< after it; not in use if `submit` has failed
    VkFence fence = VK_NULL_HANDLE;                       ///< signaled after it; not in use if `submit` has failed
};

struct RunReport {
    /// GPU time from the first pass to the last, in milliseconds; empty where the queue has no timestamps, and for
    /// several queues.
    std::optional<double> gpu_ms;
};

/// A compiled graph: pipelines, memory, descriptors and barriers, ready to be recorded any number of times. Movable.
/// One thread at a time; different programs may be used by different threads at once.
///
/// Executions of one program may be recorded and submitted while others are still running: barriers, and between
/// queues semaphores, order them as far as both use the program's own memory. A recorded command buffer may be
/// submitted again and again, but not to two queues at once. Destroying a program waits for what it has submitted
/// itself.
class WEIR_API Program {
public:
    Program(Program&&) noexcept;
    Program& operator=(Program&&) noexcept;
    ~Program();

    /// Binds an imported buffer for the recordings that follow. Errors: `invalid_argument` for a buffer that is not an
    /// import of this graph, a view smaller than its capacity, or an offset that is not aligned to
    /// `storage_offset_alignment`.
    [[nodiscard]] Result<> bind(BufferId import, BufferView view);

    /// Binds an imported image, which must be what the graph says that it is, made for all that its passes do with it,
    /// and its view, which may be null if no compute pass binds it. Errors: `invalid_argument` for an image that is not
    /// an import of this graph, a null one, or a view that is missing.
    [[nodiscard]] Result<> bind(ImageId import, ImageView view);

    /// Sets a parameter for the recordings that follow. Errors: `invalid_argument` for a count that is no parameter of
    /// this graph, or a value past its maximum.
    [[nodiscard]] Result<> set(const Count& parameter, std::uint32_t value);

    /// Sets data for the recordings that follow, all of them: of a value of any type, or items that lie one after the
    /// other. Errors: `invalid_argument` for data of another graph, or another number of bytes.
    [[nodiscard]] Result<> set(HostData data, std::span<const std::byte> bytes);
    template <class T>
    requires(!std::is_convertible_v<const T&, std::span<const std::byte>>)
        [[nodiscard]] Result<> set(HostData data, const T& value) {
        return set(data, bytes_of(value));
    }

    /// Turns a switch for the recordings that follow: passes that depend on it are not recorded while it is off.
    /// Errors: `invalid_argument` for a switch of another graph.
    [[nodiscard]] Result<> set(Switch which, bool on);

    /// Records one execution into `commands`, outside a render pass, and swaps the buffers of histories. Allocates
    /// nothing, submits nothing, waits for nothing. It changes the bound compute pipeline, compute descriptor set 0 and
    /// push constants of the command buffer; with DescriptorMode::buffer, instead of the set, its descriptor buffers
    /// and their offsets. Errors: `invalid_argument` names an import that is not bound, or two that overlap while one
    /// of them is written, or a host pass whose function has thrown: nothing can be submitted then.
    [[nodiscard]] Result<> record(VkCommandBuffer commands);
    /// The same for a program on several queues: into a command buffer for each of Plan::batches, of the family of its
    /// queue. Errors: also `invalid_argument` for another number of them.
    [[nodiscard]] Result<> record(std::span<const VkCommandBuffer> commands);

    /// As above, with a timestamp before the first pass and one after each, in the first of `timestamps`, which it
    /// resets: one more than the plan has passes. Passes overlap as without. Errors: also `invalid_argument` for too
    /// few. On several queues, each batch has one more than passes; there are none on a queue for transfers.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const Timestamps& timestamps);
    [[nodiscard]] Result<> record(std::span<const VkCommandBuffer> commands, const Timestamps& timestamps);

    /// Undoes the latest recording, which was not submitted and will not be, as when a frame is dropped: histories are
    /// as they were before it, its descriptor table is free again, and what it was to clear the next one clears. If
    /// `next_submission` was called since, that is undone too: none of its batches may have been submitted. Called
    /// again it undoes the recording before, of the last 64. `run`, `profile` and `submit` do so themselves with what
    /// Vulkan refuses. Errors: `invalid_argument` if there is no such recording.
    [[nodiscard]] Result<> discard();

    /// For a host that submits what it has recorded to its own queues: what each batch waits for and signals in the
    /// next execution. Each call is one execution, of which all batches must be submitted, those of a queue in their
    /// order and before those of later executions; of different queues best in the order of the plan too, as they must
    /// be where kinds are one queue. Valid until the next call. Errors: `unsupported` without timeline semaphores,
    /// `out_of_memory`.
    [[nodiscard]] Result<std::span<const BatchSubmission>> next_submission();

    /// Records into command buffers of the program's and submits them to the context's queues. Waits only if
    /// CompileOptions::frames_in_flight are pending. Imports that are bound must not be destroyed, and the host's
    /// memory that passes use not be changed, until it is done: see `wait`; whoever uses the results on the GPU comes
    /// after it on the queues on which they leave. Errors: those of `record` and `next_submission`; `device_lost`,
    /// and where Vulkan refuses a submission. What it refuses is as if it had not been tried; but of a program on
    /// several queues that is of no use any more after a batch that follows another of the same execution.
    [[nodiscard]] Result<> submit(const SubmitOptions& options = {});
    /// Waits until all that was submitted is done, also by the host after `next_submission`. Errors: `device_lost`.
    [[nodiscard]] Result<> wait();

    /// What the passes of such a recording took, the last time that it ran. Waits until it has. Errors: as
    /// `Timestamps::read`.
    [[nodiscard]] Result<Profile> profile(const Timestamps& timestamps) const;

    /// Records with timestamps, submits to the context's queue and waits: what the passes took. Errors: also
    /// `unsupported` where the queue has no timestamps.
    [[nodiscard]] Result<Profile> profile();

    /// Records, submits to the context's queues and waits.
    Result<RunReport> run();

    /// The memory of an exported buffer: the program's own for a transient, what is bound for an import. Empty for
    /// others.
    [[nodiscard]] BufferView view(BufferId buffer) const;
    /// The same for an image. The view of one that is the program's own is of all mips and layers; of depth and stencil
    /// it has only the depth where it is sampled.
    [[nodiscard]] ImageView view(ImageId image) const;

    /// Bytes of device memory that the program holds, with what it uses of a pool.
    [[nodiscard]] std::uint64_t memory() const;

    /// A program of another graph, as after a window has another size: the same passes with other capacities, counts
    /// and image extents, compiled with this one's options. Passes whose shader, constants and kinds of bindings are
    /// those of a pass of this program have its pipeline, and others get one, as `compile` makes it: where a primitive
    /// chooses another shape for another size (tuning fixes it), or where the graph is another. Of the new program
    /// nothing is bound or set yet, and its states and histories are zero.
    ///
    /// This program stays as it is, with memory of its own, so what is pending may go on. It is destroyed as any other:
    /// when none of the host's recordings of it is pending, while it waits for what it has submitted itself. Errors:
    /// those of `compile`.
    [[nodiscard]] Result<Program> resized(const Graph& graph) const;

    /// How its passes find their buffers; not `automatic`.
    [[nodiscard]] DescriptorMode descriptors() const;

    [[nodiscard]] const Plan& plan() const;
    [[nodiscard]] const GraphDescription& description() const;

private:
    friend WEIR_API Result<Program> compile(const Context& context, const Graph& graph, const CompileOptions& options);
    struct Impl;
    explicit Program(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Makes a program of a graph: plans it, compiles its shaders, allocates its memory. Submits to the context's queue and
/// waits, to clear state buffers; of a device that was adopted without one, the first recording clears them, which is
/// then to be submitted before all others, once. The graph, which must be made for this device and for no more than the
/// context has of it, is copied and may be changed or destroyed. May be called from any thread, several at a time,
/// while other programs of the context are recorded, submitted and run; only the graph must not be changed meanwhile.
/// What has to be made is made on several threads: see CompilerOptions. Errors: those of `make_plan`;
/// `invalid_argument` for a graph of another device, or a pool of another context; `shader_compilation`,
/// `out_of_memory`, `limit_exceeded`, each naming the pass or buffer, also for frames in flight; `unsupported` for
/// descriptors that the device has not.
WEIR_API Result<Program> compile(const Context& context, const Graph& graph, const CompileOptions& options = {});

} // namespace weir

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

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

/// Options of compile.
struct CompileOptions {
    /// How many frames may be pending on the GPU at once. A frame is a recording that follows a `bind`, or any
    /// recording of a program with a history: it takes the next of this many descriptor tables, which must not be in
    /// use any more. With `recordings_per_frame`, a frame is what `Program::next_frame` begins.
    std::uint32_t frames_in_flight = 3;
    /// For applications that record a program several times in a frame, such as once for each view. If it is greater
    /// than 1, each frame has this many descriptor tables: one for its first recording, and for each further one that
    /// follows a `bind` or has a history. At most 1024 tables in all frames.
    std::uint32_t recordings_per_frame = 1;
    /// Whether transients that are not alive at the same time share memory.
    bool share_memory = true;
    /// The pool from which the memory of transients comes, except for images and buffers that share memory with them;
    /// of the same context. None: memory of its own.
    std::optional<MemoryPool> pool = {};
    /// How passes find their buffers. `automatic`: the mode of the context.
    DescriptorMode descriptors = DescriptorMode::automatic;
    /// For DescriptorMode::buffer in an application that binds descriptor buffers itself: the number that
    /// Context::descriptor_buffer has among those that are bound in a command buffer of a recording. Weir then binds
    /// none, command passes leave them bound, and several programs are recorded after each other with one binding.
    /// Passes of the graph cannot have `Pass::sets`. Empty: each recording binds one buffer as its only one.
    std::optional<std::uint32_t> bound_descriptor_buffer = {};
    /// All passes run on the main queue, whatever queue they were added for.
    bool one_queue = false;
    /// Moves passes: called with the name of each pass and the queue for which it was added, returns the queue on which
    /// it runs. Empty: they stay.
    std::function<QueueKind(const std::string& pass, QueueKind queue)> move_to = {};
    /// Of the program, for debuggers and captures, where the instance has VK_EXT_debug_utils: its objects are called
    /// "weir: NAME: RESOURCE", and a label around its commands "weir: NAME". Empty: "weir: RESOURCE", and no label
    /// beside those of the passes. Pipelines are shared by programs: they are called "weir: PASS".
    std::string name = {};
};

/// How a batch of a program, see Plan::batches, is submitted for one execution, with semaphores of the program.
struct BatchSubmission {
    QueueKind queue = QueueKind::main;                    ///< the queue to submit to
    std::span<const VkSemaphoreSubmitInfo> waits;         ///< what the batch waits for
    std::span<const VkSemaphoreSubmitInfo> signaled = {}; ///< what it signals
};

/// Semaphores and fence of the application for Program::submit.
struct SubmitOptions {
    /// The work on the main queue waits for them. They are waited for even if `submit` fails.
    std::span<const VkSemaphoreSubmitInfo> waits = {};
    std::span<const VkSemaphoreSubmitInfo> signaled = {}; ///< after the execution; not used if `submit` fails
    VkFence fence = VK_NULL_HANDLE;                       ///< signaled after the execution; not used if `submit` fails
};

/// The result of Program::run.
struct RunReport {
    /// GPU time from the first pass to the last, in milliseconds; empty where the queue has no timestamps, and for
    /// programs on several queues.
    std::optional<double> gpu_ms;
};

/// A compiled graph: pipelines, memory, descriptors and barriers, which can be recorded any number of times. Movable.
/// Used by one thread at a time; different programs may be used by different threads at once.
///
/// Executions of one program may be recorded and submitted while others are pending: barriers, and semaphores between
/// queues, order them where both use the program's own memory. A recorded command buffer may be submitted again, but
/// not to two queues at once. Destroying a program waits for the executions that it submitted itself; `retire` waits
/// for nothing.
class WEIR_API Program {
public:
    /// Takes the contents of another program.
    Program(Program&&) noexcept;
    /// Takes the contents of another program.
    Program& operator=(Program&&) noexcept;
    /// Waits for the executions that it submitted itself, and frees everything.
    ~Program();

    /// Ends the program while executions are pending, and waits for nothing: the objects that the GPU uses are kept
    /// until all these points are reached and the executions that it submitted itself are complete. Then
    /// `Context::collect` destroys them. Without points, only these executions count. Everything else, such as the
    /// functions of command passes, is destroyed at once; what was bound stays the application's. Errors:
    /// `invalid_argument` for a point without a semaphore, `unsupported` without timeline semaphores; then the program
    /// stays as it is.
    [[nodiscard]] Result<> retire(std::vector<TimelinePoint> until = {}) &&;

    /// Binds an imported buffer for the following recordings. Errors: `invalid_argument` for a buffer that is not an
    /// import of this graph, a view smaller than its capacity, or an offset that is not a multiple of
    /// `storage_offset_alignment`, and of `uniform_offset_alignment` where a pass binds it as a uniform buffer.
    [[nodiscard]] Result<> bind(BufferId import, BufferView view);

    /// Binds an imported image, with the ImageInfo of the graph and the usage flags that its passes need, and its view,
    /// which may be null if no compute pass binds it. Errors: `invalid_argument` for an image that is not an import of
    /// this graph, a null image, or a missing view.
    [[nodiscard]] Result<> bind(ImageId import, ImageView view);
    /// The same for an image that arrives for another access than `Graph::import_image` says, in the layout of that
    /// access: in the next recording only, after which the image is as the graph leaves it. With Access::none it
    /// arrives without contents, in any layout, such as an image that was just created; a semaphore that it waits for
    /// may wait in any stage. That recording has one more barrier, before all of the program's commands on that queue.
    /// Errors: also `invalid_argument` for an access that images do not have, and for an image that the graph declares
    /// to arrive without contents; `unsupported` if passes on several queues use the image at a time.
    [[nodiscard]] Result<> bind(ImageId import, ImageView view, Access arrives);

    /// Binds a descriptor set of the application for the following recordings, with the layout of `Graph::import_set`
    /// or one that is identically defined. It takes no descriptor table (CompileOptions::frames_in_flight). While a
    /// recording with it is pending, the set has to exist, and is updated only where Vulkan allows that. Errors:
    /// `invalid_argument` for a set that is not an import of this graph, or a null set.
    [[nodiscard]] Result<> bind(DescriptorSetId import, VkDescriptorSet set);

    /// Sets a parameter for the following recordings. Errors: `invalid_argument` for a count that is not a parameter of
    /// this graph, or a value greater than its maximum.
    [[nodiscard]] Result<> set(const Count& parameter, std::uint32_t value);

    /// Sets data for all following recordings: the bytes of a value of any type, or of contiguous items. Errors:
    /// `invalid_argument` for data of another graph, or another number of bytes.
    [[nodiscard]] Result<> set(HostData data, std::span<const std::byte> bytes);
    /// The same for a value of any trivially copyable type, or for contiguous items.
    template <class T>
    requires(!std::is_convertible_v<const T&, std::span<const std::byte>>)
        [[nodiscard]] Result<> set(HostData data, const T& value) {
        return set(data, bytes_of(value));
    }

    /// Sets a switch for the following recordings: passes that depend on it are not recorded while it is off. Errors:
    /// `invalid_argument` for a switch of another graph.
    [[nodiscard]] Result<> set(Switch which, bool on);

    /// Records one execution into `commands`, outside a render pass, and swaps the buffers of histories. Allocates
    /// nothing, submits nothing, waits for nothing. Changes the bound compute pipeline, compute descriptor set 0, the
    /// sets of `Pass::sets`, and push constants of the command buffer; with DescriptorMode::buffer, in place of set 0,
    /// its descriptor buffers and their offsets, except for passes with `Pass::sets`. Errors: `invalid_argument` names
    /// an import or a descriptor set that is not bound, two imports that overlap while one is written, or a command
    /// pass whose function threw; then the command buffer must not be submitted. `limit_exceeded` for more recordings
    /// in a frame than CompileOptions::recordings_per_frame.
    [[nodiscard]] Result<> record(VkCommandBuffer commands);
    /// The same for a program on several queues: one command buffer for each of Plan::batches, of the family of its
    /// queue. Errors: also `invalid_argument` for another number of command buffers.
    [[nodiscard]] Result<> record(std::span<const VkCommandBuffer> commands);

    /// The same with a timestamp before the first pass and one after each pass, in the first slots of `timestamps`,
    /// which are reset: one more than the plan has passes. Passes overlap as without timestamps. Errors: also
    /// `invalid_argument` for too few slots.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const Timestamps& timestamps);
    /// The same for a program on several queues: each batch has one slot more than passes. Batches of a queue whose
    /// timestamps differ from the main queue's have none, nor do those of a transfer queue without
    /// Capabilities::host_query_reset. Slots of a transfer queue are reset at once, not by a command: no execution that
    /// writes these timestamps may be pending, and the recording may be submitted once.
    [[nodiscard]] Result<> record(std::span<const VkCommandBuffer> commands, const Timestamps& timestamps);

    /// The next recording begins a frame, of which the application has made sure that the one
    /// CompileOptions::frames_in_flight before it is complete; `submit` waits for that one itself. Call it at the start
    /// of each frame. Without CompileOptions::recordings_per_frame, it does nothing.
    void next_frame();

    /// Undoes the latest recording, which was not submitted and will not be, for instance because a frame is dropped:
    /// histories are as before it, its descriptor table is free again, the frame is again as long as before or has not
    /// begun, and the next recording does its clears. If
    /// `next_submission` was called since, that is undone too: none of its batches may have been submitted. Called
    /// again it undoes the recording before, up to the last 64. `run`, `profile` and `submit` do this themselves when
    /// Vulkan refuses a submission. Errors: `invalid_argument` if there is no such recording.
    [[nodiscard]] Result<> discard();

    /// For applications that submit recordings to their own queues: the semaphores that each batch waits for and
    /// signals in the next execution. Each call is one execution. All its batches have to be submitted: those of one
    /// queue in order and before those of later executions; those of different queues best in the order of the plan,
    /// and necessarily so where two kinds are the same queue. Valid until the next call. Errors: `unsupported` without
    /// timeline semaphores, `out_of_memory`.
    [[nodiscard]] Result<std::span<const BatchSubmission>> next_submission();

    /// Records into command buffers of the program and submits them to the context's queues. Waits only at the start of
    /// a frame, which each execution is without CompileOptions::recordings_per_frame, and only if
    /// CompileOptions::frames_in_flight frames are pending. Bound imports must not be destroyed, nor memory of the
    /// application that passes use be changed, before the execution is complete: see `wait`. Commands of the
    /// application that use the results come after it on the queues on which they leave. Errors: those of `record` and
    /// `next_submission`, `device_lost`, and a submission that Vulkan refuses, which is as if it had not been tried.
    /// Exception: if a later batch of an execution on several queues is refused, the program cannot be used any more.
    [[nodiscard]] Result<> submit(const SubmitOptions& options = {});
    /// Waits until all submitted executions are complete, including those that the application submitted after
    /// `next_submission`. Errors: `device_lost`.
    [[nodiscard]] Result<> wait();

    /// The times of the passes of such a recording, of its latest execution. Waits until it is complete. Errors: as
    /// `Timestamps::read`.
    [[nodiscard]] Result<Profile> profile(const Timestamps& timestamps) const;

    /// Records with timestamps, submits to the context's queues and waits: the times of the passes. Errors: also
    /// `unsupported` where the queue has no timestamps.
    [[nodiscard]] Result<Profile> profile();

    /// Records, submits to the context's queues and waits. Errors: those of `submit`.
    Result<RunReport> run();

    /// The memory of an exported buffer: the program's own for a transient, the bound range for an import. Empty for
    /// other buffers.
    [[nodiscard]] BufferView view(BufferId buffer) const;
    /// The same for an image. The view of a transient is of all mips and layers; of a depth and stencil image that is
    /// sampled, of the depth only.
    [[nodiscard]] ImageView view(ImageId image) const;

    /// Bytes of device memory that the program holds, including its part of a pool.
    [[nodiscard]] std::uint64_t memory() const;

    /// A program of another graph, such as one for another window size: the same passes with other capacities, counts
    /// and image extents, compiled with the options of this program. Passes with the shader, constants and kinds of
    /// bindings of a pass of this program share its pipeline. Others get one as `compile` makes it: where a primitive
    /// chooses another shape for another size (its tuning fixes the shape), or where the graph differs. In the new
    /// program nothing is bound or set, and states and histories are zero.
    ///
    /// This program does not change and keeps its memory, so pending executions may go on. Destroy it when none of the
    /// application's recordings of it is pending; it waits for the executions that it submitted itself. Errors: those
    /// of `compile`.
    [[nodiscard]] Result<Program> resized(const Graph& graph) const;

    /// How its passes find their buffers; not `automatic`.
    [[nodiscard]] DescriptorMode descriptors() const;

    /// What the program does.
    [[nodiscard]] const Plan& plan() const;
    /// The graph of the program.
    [[nodiscard]] const GraphDescription& description() const;

private:
    friend WEIR_API Result<Program> compile(const Context& context, const Graph& graph, const CompileOptions& options);
    struct Impl;
    explicit Program(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Compiles a graph to a program: plans it, compiles its shaders and pipelines, and allocates its memory. Submits to
/// the context's queue and waits, to clear state buffers; on a device that was adopted without a queue, the first
/// recording clears them and has to be submitted before all others, once. The graph has to be made for capabilities
/// that the context has; it is copied and may then be changed or destroyed. May be called from any thread, several at a
/// time, while other programs of the context are recorded, submitted and run; only the graph must not be changed
/// meanwhile. Work is done on several threads: see CompilerOptions. Errors: those of `make_plan`; `invalid_argument`
/// for a graph of another device, or a pool of another context; `shader_compilation`, `out_of_memory`,
/// `limit_exceeded`, each with the pass or buffer, also for frames in flight; `unsupported` for a descriptor mode that
/// the device lacks.
WEIR_API Result<Program> compile(const Context& context, const Graph& graph, const CompileOptions& options = {});

} // namespace weir

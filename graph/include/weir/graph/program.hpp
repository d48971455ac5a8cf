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
    /// Maximum number of frames that may be pending on the GPU.
    ///
    /// A frame is a recording that follows a `bind`, or any recording of a program with a history or an export per
    /// frame. It takes the next of this many descriptor tables, which must no longer be in use. If
    /// `recordings_per_frame` exceeds 1, `Program::next_frame` begins a frame.
    std::uint32_t frames_in_flight = 3;
    /// Maximum number of recordings in a frame, for applications that record a program several times in a frame, such
    /// as once for each view. If it exceeds 1, each frame has this many descriptor tables. The first recording of a
    /// frame takes one, and so does each further recording that follows a `bind`. In programs with a history or an
    /// export per frame, every recording takes one. At most 1024 tables in all frames.
    std::uint32_t recordings_per_frame = 1;
    /// Order of passes that do not depend on each other.
    PassOrder order = PassOrder::balanced;
    /// True: transients that are not alive at the same time share memory.
    bool share_memory = true;
    /// Pool for the memory of transients, of the same context. Images, and buffers that share memory with images, do
    /// not use it. Without a pool, the program allocates its own memory.
    std::optional<MemoryPool> pool = {};
    /// Method by which passes find their buffers. `automatic`: the mode of the context.
    DescriptorMode descriptors = DescriptorMode::automatic;
    /// For DescriptorMode::buffer in an application that binds descriptor buffers itself: the index of
    /// Context::descriptor_buffer among the descriptor buffers that are bound in the command buffer of a recording.
    /// Weir then binds none. Command passes must leave them bound. Several programs can be recorded one after another
    /// with one binding. Passes of the graph must not have `Pass::sets`. Without a value, each recording binds one
    /// descriptor buffer as its only one.
    std::optional<std::uint32_t> bound_descriptor_buffer = {};
    /// True: all passes run on the main queue, whatever queue they were added for.
    bool one_queue = false;
    /// True: passes use all images in VK_IMAGE_LAYOUT_GENERAL. Layouts change only from VK_IMAGE_LAYOUT_UNDEFINED and
    /// where an image arrives or leaves in another layout, for example for presentation. Other barriers are memory
    /// barriers, and passes that use an image in different ways run together. Command passes must use
    /// BoundImage::layout, and descriptors of images for Pass::uses must have this layout. Free on devices with
    /// Capabilities::unified_image_layouts. On other devices attachments and sampled images may be slower.
    bool general_layouts = false;
    /// Moves passes to other queues. It is called with the name of each pass and the queue for which it was added, and
    /// returns the queue on which the pass runs. Empty: passes stay.
    std::function<QueueKind(const std::string& pass, QueueKind queue)> move_to = {};
    /// Name of the program for debuggers and captures, if the instance has VK_EXT_debug_utils. Objects of the program
    /// are called "weir: NAME: RESOURCE", and the label around its commands "weir: NAME". Empty: objects are called
    /// "weir: RESOURCE", and only the passes have labels. Pipelines are shared by programs and therefore called "weir:
    /// PASS".
    std::string name = {};
};

/// Submission of one batch of a program (see Plan::batches) in one execution, with semaphores of the program.
struct BatchSubmission {
    QueueKind queue = QueueKind::main;                    ///< queue to submit to
    std::span<const VkSemaphoreSubmitInfo> waits;         ///< semaphores that the batch waits for
    std::span<const VkSemaphoreSubmitInfo> signaled = {}; ///< semaphores that the batch signals
};

/// Semaphores and fence of the application for Program::submit.
struct SubmitOptions {
    /// Semaphores that the work on the main queue waits for. If `submit` fails after Vulkan has accepted this work, the
    /// wait still takes place.
    std::span<const VkSemaphoreSubmitInfo> waits = {};
    std::span<const VkSemaphoreSubmitInfo> signaled = {}; ///< signaled after the execution; not used if `submit` fails
    VkFence fence = VK_NULL_HANDLE;                       ///< signaled after the execution; not used if `submit` fails
};

/// Result of Program::run.
struct RunReport {
    /// GPU time from the first pass to the last, in milliseconds. Not available for programs on several queues, or if
    /// the queue has no timestamps.
    std::optional<double> gpu_ms;
};

namespace detail {

template <class T>
concept NotBytes = !std::is_convertible_v<const T&, std::span<const std::byte>>;

} // namespace detail

/// A part of a recording: consecutive passes of a batch. Parts of a batch follow each other.
struct RecordingPart {
    std::uint32_t batch = 0;      ///< index into Plan::batches
    std::uint32_t first_pass = 0; ///< number of passes of the batch in earlier parts
    std::uint32_t passes = 0;     ///< number of passes
    /// Compares all members.
    friend bool operator==(const RecordingPart&, const RecordingPart&) = default;
};

class RecordingInParts;
struct CommandList;

/// A compiled graph: pipelines, memory, descriptors and barriers. It can be recorded any number of times. Movable. Not
/// thread-safe; different programs may be used by different threads at the same time.
///
/// Executions of one program may be recorded and submitted while others are pending. Barriers, and semaphores between
/// queues, order the accesses of both to the program's own memory. A recorded command buffer may be submitted again,
/// but not to two queues at the same time. Destroying a program waits for the executions that it submitted itself;
/// `retire` does not wait.
class WEIR_API Program {
public:
    /// Takes the contents of another program.
    Program(Program&&) noexcept;
    /// Takes the contents of another program.
    Program& operator=(Program&&) noexcept;
    /// Waits for the executions that the program submitted itself, and frees everything.
    ~Program();

    /// Ends the program while executions are pending, without waiting. The objects that the GPU uses are kept until all
    /// points in `until` are reached and the executions that the program submitted itself are complete. Then
    /// `Context::collect` destroys them. Everything else, such as the functions of command passes, is destroyed
    /// immediately. Bound objects stay the application's.
    ///
    /// Errors: `invalid_argument` for a point without a semaphore, `unsupported` without timeline semaphores. After an
    /// error, the program is unchanged.
    [[nodiscard]] Result<> retire(std::vector<TimelinePoint> until = {}) &&;

    /// Binds an imported buffer for the following recordings. Errors: `invalid_argument` for a buffer that is not an
    /// import of this graph, a null buffer, a view smaller than the import, or an offset that is not a multiple of
    /// `storage_offset_alignment`, and of `uniform_offset_alignment` if a pass binds it as a uniform buffer.
    [[nodiscard]] Result<> bind(BufferId import, BufferView view);

    /// Binds an imported image for the following recordings. The image must have the ImageInfo of the graph and the
    /// usage flags that its passes need. The view may be null if no compute pass binds the image. Parts of the image
    /// must be bound after it, and again after each bind of it.
    ///
    /// Errors: `invalid_argument` for an image that is not an import of this graph, a null image, a missing view, or a
    /// part with another image than the one bound to the whole.
    [[nodiscard]] Result<> bind(ImageId import, ImageView view);
    /// Binds an imported image that arrives with another access than `Graph::import_image` declares, in the layout of
    /// that access. This applies to the next recording only; afterwards the image is as the graph leaves it. With
    /// Access::none, the image arrives without contents, in any layout, such as a new image; a semaphore that it waits
    /// for may be waited for in any stage. The recording has one more barrier, before all commands of the program on
    /// the queue where the image arrives.
    ///
    /// Errors: those of `bind` without an access; `invalid_argument` for an access that images do not have, for a part
    /// of an image, and for an access other than Access::none if the graph declares Access::none; `unsupported` if
    /// passes on another queue use the image without an ownership transfer.
    [[nodiscard]] Result<> bind(ImageId import, ImageView view, Access arrives);

    /// Binds a descriptor set of the application for the following recordings. Its layout must be that of
    /// `Graph::import_set`, or one that is identically defined. Takes no descriptor table
    /// (CompileOptions::frames_in_flight). While a recording with the set is pending, the set must exist and must be
    /// updated only as Vulkan allows. Errors: `invalid_argument` for a set that is not an import of this graph, or a
    /// null set.
    [[nodiscard]] Result<> bind(DescriptorSetId import, VkDescriptorSet set);

    /// Sets a parameter for the following recordings. Errors: `invalid_argument` for a count that is not a parameter of
    /// this graph, or a value greater than its maximum.
    [[nodiscard]] Result<> set(const Count& parameter, std::uint32_t value);

    /// Sets data for all following recordings. Errors: `invalid_argument` for data of another graph, or a different
    /// number of bytes.
    [[nodiscard]] Result<> set(HostData data, std::span<const std::byte> bytes);
    /// Sets data for all following recordings: the bytes of a value of any trivially copyable type, or of contiguous
    /// items. Errors: as for bytes.
    template <detail::NotBytes T>
    [[nodiscard]] Result<> set(HostData data, const T& value) {
        return set(data, bytes_of(value));
    }

    /// Sets a switch for the following recordings. While it is off, passes that depend on it are not recorded. Errors:
    /// `invalid_argument` for a switch of another graph.
    [[nodiscard]] Result<> set(Switch which, bool on);

    /// Records one execution into `commands`, outside a render pass, and swaps the buffers of histories. Allocates
    /// nothing, submits nothing, waits for nothing.
    ///
    /// Changes the bound compute pipeline, compute descriptor set 0, the sets of `Pass::sets`, and push constants of
    /// the command buffer. With DescriptorMode::buffer, changes the descriptor buffers and their offsets instead of set
    /// 0, except for passes with `Pass::sets`.
    ///
    /// Errors: `invalid_argument` for an import or a descriptor set that is not bound, for an import that overlaps
    /// another import or a resource of the program while one of them is written or released to another queue, and for a
    /// command pass whose function threw, each with its name; after a throw, the command buffer must not be submitted.
    /// `limit_exceeded` for more recordings in a frame than CompileOptions::recordings_per_frame.
    [[nodiscard]] Result<> record(VkCommandBuffer commands);
    /// Records one execution of a program on several queues: one command buffer for each of Plan::batches, of the
    /// family of its queue. Errors: those of `record`; `invalid_argument` for a different number of command buffers.
    [[nodiscard]] Result<> record(std::span<const VkCommandBuffer> commands);

    /// Records one execution with a timestamp before the first pass and one after each pass. Resets and uses the first
    /// slots of `timestamps`: one more than the number of passes in the plan. Passes overlap as without timestamps.
    /// Errors: those of `record`; `invalid_argument` for too few slots.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const Timestamps& timestamps);
    /// Records one execution of a program on several queues with timestamps: each batch has one slot more than passes.
    /// Batches of a queue have no timestamps if those of the queue differ from the main queue's, or if it is a transfer
    /// queue without Capabilities::host_query_reset.
    ///
    /// Slots of a transfer queue are reset immediately, not by a command. Therefore no execution that writes these
    /// timestamps may be pending, and the recording may be submitted only once.
    [[nodiscard]] Result<> record(std::span<const VkCommandBuffer> commands, const Timestamps& timestamps);

    /// Begins a recording of one execution that several threads can make together, for example jobs of an engine. The
    /// batches are divided into about `parts` parts with equal numbers of passes, and at least one part per batch. The
    /// commands are those of `record`, whatever the number of parts.
    ///
    /// Does what belongs to the recording as a whole: takes the bindings and swaps histories. Allocates only if no
    /// earlier recording had as many parts. Until the recording ends, the program must not be used otherwise.
    ///
    ///     auto recording = weir::check(program.begin_recording(4));
    ///     jobs.run(recording.parts().size(), [&](std::size_t part) { recording.record(part, commands[part]); });
    ///     weir::check(recording.end());
    ///
    /// Errors: those of `record`, except for command passes; `invalid_argument` for 0 parts, or if a recording in parts
    /// is open.
    [[nodiscard]] Result<RecordingInParts> begin_recording(std::uint32_t parts);

    /// Begins a frame with the next recording. Call it at the start of each frame. The application must have made sure
    /// that the frame CompileOptions::frames_in_flight before it is complete; `submit` waits for that frame itself. No
    /// effect if CompileOptions::recordings_per_frame is 1.
    void next_frame();

    /// Undoes the latest recording, which was not submitted and will not be, for example because a frame is dropped.
    /// Another call undoes the recording before it, up to the last 64 recordings.
    ///
    /// Restores the histories and frees the descriptor table. The frame has one recording less, or has not begun. The
    /// next recording clears state buffers if the undone one did. A `next_submission` since the recording is undone
    /// too; none of its batches may have been submitted.
    ///
    /// `run`, `profile` and `submit` do this themselves if Vulkan refuses a submission. Errors: `invalid_argument` if
    /// no such recording exists, or if `next_submission` was called for it more than once.
    [[nodiscard]] Result<> discard();

    /// Returns the semaphores that each batch waits for and signals in the next execution, for applications that submit
    /// recordings to their own queues. Each call is one execution. The result is valid until the next call.
    ///
    /// All batches must be submitted. Those of one queue must be submitted in order and before those of later
    /// executions. Those of different queues should be submitted in the order of the plan, and must be if two kinds are
    /// the same queue.
    ///
    /// Errors: `unsupported` without timeline semaphores; `out_of_memory`; the error of an earlier `submit`, if that
    /// failed so that nothing more can be submitted.
    [[nodiscard]] Result<std::span<const BatchSubmission>> next_submission();

    /// Records into command buffers of the program and submits them to the context's queues. Waits only at the start of
    /// a frame, and only if CompileOptions::frames_in_flight frames are pending. If
    /// CompileOptions::recordings_per_frame is 1, each execution is a frame.
    ///
    /// Until the execution is complete (see `wait`), bound imports must not be destroyed, and memory of the application
    /// that passes use must not be changed. Commands of the application that use the results must come after it on the
    /// queues on which the results leave.
    ///
    /// Errors: those of `record` and `next_submission`; `invalid_argument` if the device was adopted without a queue
    /// that the program uses; `device_lost`; and a submission that Vulkan refuses, which has no effect. Exception: if
    /// Vulkan refuses a later batch of an execution on several queues, the program cannot be submitted any more.
    [[nodiscard]] Result<> submit(const SubmitOptions& options = {});
    /// Waits until all submitted executions are complete, including those that the application submitted after
    /// `next_submission`. Errors: `device_lost`.
    [[nodiscard]] Result<> wait();

    /// Makes `timestamps` large enough for `record`: creates them if there are none, and replaces them if they have too
    /// few slots. No execution that uses replaced timestamps may be pending. Errors: those of `Timestamps::create`.
    [[nodiscard]] Result<> reserve(std::optional<Timestamps>& timestamps) const;

    /// Returns the times of the passes in the latest execution of a recording with `timestamps`. Waits until it is
    /// complete. Errors: those of `Timestamps::read`.
    [[nodiscard]] Result<Profile> profile(const Timestamps& timestamps) const;

    /// Records with timestamps, submits to the context's queues, waits, and returns the times of the passes. Errors:
    /// those of `submit`; `unsupported` if the queue has no timestamps.
    [[nodiscard]] Result<Profile> profile();

    /// Records, submits to the context's queues and waits. Errors: those of `submit`.
    [[nodiscard]] Result<RunReport> run();

    /// Returns the memory of an exported or imported buffer: the program's own for a transient, the bound range for an
    /// import. Empty for other buffers.
    [[nodiscard]] BufferView view(BufferId buffer) const;
    /// Returns an exported or imported image and its view. The view of a transient has all mips and layers; if the
    /// image has depth and stencil and is sampled, the view has the depth only. Empty for other images.
    [[nodiscard]] ImageView view(ImageId image) const;

    /// Returns the bytes of device memory that the program holds, including its part of a pool.
    [[nodiscard]] std::uint64_t memory() const;

    /// Compiles another graph to a program with the options of this program, such as one for another window size: the
    /// same passes with other capacities, counts and image extents. In the new program nothing is bound or set, and
    /// states and histories are zero.
    ///
    /// A pass shares a pipeline of this program if the shader, the constants and the kinds of the bindings are the
    /// same. Other passes get new pipelines, as in `compile`. They are needed if a primitive chooses another shape for
    /// another size (its tuning fixes the shape), or if the graph differs.
    ///
    /// This program does not change and keeps its memory, so pending executions may continue. It must be destroyed only
    /// when no recording of it that the application submitted is pending; it waits for the executions that it submitted
    /// itself. Errors: those of `compile`.
    [[nodiscard]] Result<Program> resized(const Graph& graph) const;

    /// Returns the method by which its passes find their buffers; never `automatic`.
    [[nodiscard]] DescriptorMode descriptors() const;

    /// Returns the plan of the program.
    [[nodiscard]] const Plan& plan() const;
    /// Returns the graph of the program.
    [[nodiscard]] const GraphDescription& description() const;

    /// Returns the commands of an execution as plain data, with the current values of parameters, switches, data and
    /// bindings: see <weir/graph/commands.hpp>. For applications that record with a layer of their own. Imports need
    /// not be bound. Allocates; do not call it for each frame.
    ///
    /// Errors: `unsupported` for a program on several queues (see CompileOptions::one_queue); `invalid_argument` if a
    /// recording in parts is open; those of `compile` for shaders.
    [[nodiscard]] Result<CommandList> commands() const;

private:
    friend class RecordingInParts;
    friend WEIR_API Result<Program> compile(const Context& context, const Graph& graph, const CompileOptions& options);
    struct Impl;
    explicit Program(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// A recording that several threads make together: see Program::begin_recording. Movable. Must end before its program
/// is used otherwise or destroyed.
class WEIR_API RecordingInParts {
public:
    /// Takes the recording.
    RecordingInParts(RecordingInParts&&) noexcept;
    /// Swaps the recordings.
    RecordingInParts& operator=(RecordingInParts&&) noexcept;
    /// Ends the recording.
    ~RecordingInParts();

    /// Returns the parts. Those of a batch are in the order in which the GPU must execute them.
    [[nodiscard]] std::span<const RecordingPart> parts() const;

    /// Records a part into a command buffer of the family of the queue of its batch, outside a render pass. Allocates
    /// nothing. The command buffer may be primary or secondary. It may already have the part before this one.
    ///
    /// Different threads may record different parts at the same time, in any order, each into a command buffer of
    /// its own. Functions of command passes in different parts may then be called at the same time.
    ///
    /// Errors: `invalid_argument` for a part that does not exist or is already recorded, for a null command buffer, and
    /// for a command pass whose function threw.
    [[nodiscard]] Result<> record(std::size_t part, VkCommandBuffer commands);

    /// Ends the recording. No `record` may be in progress. Errors: the first error of a part; `invalid_argument` if a
    /// part is not recorded, or if the recording has already ended. After an error, the recording is undone, and its
    /// command buffers must not be submitted.
    [[nodiscard]] Result<> end();

private:
    friend class Program;
    explicit RecordingInParts(Program::Impl& program) : program_(&program) {}
    Program::Impl* program_ = nullptr; ///< null: the recording has ended
};

/// Compiles a graph to a program: plans it, compiles its shaders and pipelines, and allocates its memory. Uses several
/// threads: see CompilerOptions.
///
/// Submits to the context's queue and waits, in order to clear state buffers. On a device that was adopted without a
/// queue, the first recording clears them; it must be submitted before all others, and only once.
///
/// The graph must be built for capabilities that the context has. It is copied and may then be changed or destroyed.
/// Thread-safe: several calls may run at the same time, while other programs of the context are recorded, submitted and
/// run. Only the graph must not be changed during the call.
///
/// Errors: those of `make_plan`; `invalid_argument` for a graph of another device, or a pool of another context;
/// `shader_compilation`, `out_of_memory`, `limit_exceeded`, each with the pass or buffer, also for frames in flight;
/// `unsupported` for a descriptor mode that the device does not have.
[[nodiscard]] WEIR_API Result<Program> compile(const Context& context, const Graph& graph,
                                               const CompileOptions& options = {});

} // namespace weir

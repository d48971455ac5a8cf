#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <vulkan/vulkan_core.h>

#include <weir/engine/buffer.hpp>
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
    /// that it takes must be out of use.
    std::uint32_t frames_in_flight = 3;
    /// Whether transients that are not alive together share memory.
    bool share_memory = true;
    /// Where it takes the memory of its transients from, but for images and what shares memory with them; of the same
    /// context. None: memory of its own.
    std::optional<MemoryPool> pool = {};
    /// How passes find their buffers. `automatic`: as the context's options say.
    DescriptorMode descriptors = DescriptorMode::automatic;
};

struct RunReport {
    /// GPU time from the first pass to the last, in milliseconds; empty where the queue has no timestamps.
    std::optional<double> gpu_ms;
};

/// A compiled graph: pipelines, memory, descriptors and barriers, ready to be recorded any number of times. Movable.
/// One thread at a time; different programs may be used by different threads at once.
///
/// Executions of one program on one queue may be recorded and submitted while others are still running: barriers order
/// them as far as both use the program's own memory. A recorded command buffer may be submitted again and again, but
/// not to two queues at once.
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

    /// Turns a switch for the recordings that follow: passes that depend on it are not recorded while it is off.
    /// Errors: `invalid_argument` for a switch of another graph.
    [[nodiscard]] Result<> set(Switch which, bool on);

    /// Records one execution into `commands`, outside a render pass, and swaps the buffers of histories. Allocates
    /// nothing, submits nothing, waits for nothing. It changes the bound compute pipeline, compute descriptor set 0 and
    /// push constants of the command buffer; with DescriptorMode::buffer, instead of the set, its descriptor buffers
    /// and their offsets. Errors: `invalid_argument` names an import that is not bound, or two that overlap while one
    /// of them is written.
    [[nodiscard]] Result<> record(VkCommandBuffer commands);

    /// As above, with a timestamp before the first pass and one after each, in the first of `timestamps`, which it
    /// resets: one more than the plan has passes. Passes overlap as without. Errors: also `invalid_argument` for too
    /// few.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const Timestamps& timestamps);

    /// What the passes of such a recording took, the last time that it ran. Waits until it has. Errors: as
    /// `Timestamps::read`.
    [[nodiscard]] Result<Profile> profile(const Timestamps& timestamps) const;

    /// Records with timestamps, submits to the context's queue and waits: what the passes took. Errors: also
    /// `unsupported` where the queue has no timestamps.
    [[nodiscard]] Result<Profile> profile();

    /// Records, submits to the context's queue and waits.
    Result<RunReport> run();

    /// The memory of an exported buffer: the program's own for a transient, what is bound for an import. Empty for
    /// others.
    [[nodiscard]] BufferView view(BufferId buffer) const;
    /// The same for an image. The view of one that is the program's own is of all mips and layers; of depth and stencil
    /// it has only the depth where it is sampled.
    [[nodiscard]] ImageView view(ImageId image) const;

    /// Bytes of device memory that the program holds, with what it uses of a pool.
    [[nodiscard]] std::uint64_t memory() const;

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
/// waits, to clear state buffers. The graph is copied and may be changed or destroyed. Errors: those of `make_plan`;
/// `invalid_argument` for a pool of another context; `shader_compilation`, `out_of_memory`, `limit_exceeded`, each
/// naming the pass or buffer; `unsupported` for descriptors that the device has not.
WEIR_API Result<Program> compile(const Context& context, const Graph& graph, const CompileOptions& options = {});

} // namespace weir

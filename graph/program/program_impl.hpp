#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <weir/graph/commands.hpp>
#include <weir/graph/program.hpp>

#include "engine/descriptors/descriptors.hpp"
#include "engine/device/device.hpp"
#include "engine/pipeline/pipeline.hpp"
#include "graph/describe/dispatch.hpp"
#include "graph/program/frames_in_flight.hpp"
#include "graph/program/resources.hpp"

namespace weir {

/// Implementation of a program: created in compile.cpp, recorded in recording.cpp.
struct Program::Impl {
    class PassContext;
    class Recorder;
    class Lister;
    explicit Impl(const Context& on);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    static Result<Program> make(const Context& context, const Graph& graph, const CompileOptions& options);

    Context context;
    Device& device;
    CompileOptions options; ///< options with which it was compiled
    std::string label;      ///< name of the label around its commands, for debuggers; empty: no label
    GraphDescription graph;
    Plan plan;

    ProgramResources resources;
    std::vector<bool> needs_address;                        ///< per resource: a buffer whose address is needed
    std::vector<bool> is_uniform;                           ///< per resource: a buffer that passes bind as uniform
    std::vector<bool> needs_view;                           ///< per resource: an image whose view is needed
    std::vector<bool> written;                              ///< per resource: a pass that is not culled writes it
    std::vector<std::shared_ptr<const Pipeline>> pipelines; ///< per pass; null if it has no shader or is culled
    DescriptorMode mode = DescriptorMode::automatic;
    std::unique_ptr<Descriptors> descriptors;
    std::vector<std::uint32_t> parameters;
    std::vector<bool> switches;
    std::vector<std::vector<std::uint32_t>> data; ///< per HostData: its words, as set
    std::vector<DescriptorView> bindings;         ///< scratch space for one pass
    std::vector<VkDescriptorSet> sets;            ///< sets of the application, as bound
    std::vector<bool> uses_set;                   ///< per set of the application: a pass that is not culled uses it
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        histories;                                      ///< current and previous resources of used histories
    std::size_t max_push_words = 0, max_bound_sets = 0; ///< maxima over passes
    std::size_t max_image_barriers = 1,
                max_buffer_barriers = 0;              ///< maxima over groups; an arrival takes one image barrier
    std::vector<std::unique_ptr<Recorder>> recorders; ///< one for each part of the recording with the most parts
    /// State of a part of the open recording. Written only by the thread that records the part.
    struct PartState {
        bool is_recorded = false;
        std::optional<Error> error;
    };
    std::vector<RecordingPart> parts; ///< parts of the open recording; empty: no recording is open
    std::vector<PartState> part_states;
    /// Selects the copy of the descriptors that a recording uses. Each frame has `recordings` copies.
    struct Copies {
        std::uint32_t frames = 1, recordings = 1;
        std::uint64_t frame = 0;  ///< number of frames that have begun
        std::uint32_t taken = 0;  ///< number of copies taken in the latest frame
        bool begins_frame = true; ///< the next copy is taken in a new frame
        [[nodiscard]] std::uint32_t count() const { return frames * recordings; }
        [[nodiscard]] std::uint32_t current() const {
            return static_cast<std::uint32_t>(frame % frames) * recordings + std::max(taken, 1U) - 1;
        }
        [[nodiscard]] bool has_next() const { return begins_frame || taken < recordings; }
        void take() {
            frame += begins_frame ? 1 : 0;
            taken = begins_frame ? 1 : taken + 1;
            begins_frame = recordings == 1;
        }
        void discard(const Copies& before) {
            const bool stays = begins_frame; // `next_frame` was called
            *this = before;
            begins_frame = begins_frame || stays;
        }
    };
    Copies copies;
    bool rebound = true; ///< something was bound since descriptors were last written
    /// Access with which an import arrives, if the application has specified it.
    struct Arrival {
        std::optional<Access> access;
        std::uint64_t recording = 0; ///< number, from 1, of the recording that took it; 0: the next recording takes it
        std::uint32_t batch = 0;     ///< the batch that begins with its barrier
    };
    std::vector<Arrival> arrivals; ///< per resource
    /// Memory of a resource as bound: a range of a buffer, or an image.
    struct BoundRange {
        VkBuffer buffer = VK_NULL_HANDLE;
        VkImage image = VK_NULL_HANDLE;
        VkDeviceSize begin = 0, end = 0;
        std::uint32_t resource = 0;
    };
    std::vector<BoundRange> ranges; ///< used by check_overlaps; has capacity for all resources
    struct Recording {
        bool took_copy = false;       ///< took a copy of the descriptors
        std::uint32_t executions = 0; ///< calls of `next_submission` since
        Copies before;
    };
    std::array<Recording, 64> latest; ///< recordings, by their number modulo the size
    std::uint64_t recorded = 0;       ///< number of recordings that were not discarded
    std::uint64_t undoable = 0;       ///< number of latest recordings that can be undone: not known to be submitted
    std::optional<Timestamps> timestamps;
    std::array<bool, queue_kinds> queue_has_times{}; ///< by QueueKind
    std::vector<bool> ownership_transfer;            ///< per resource: it is released to another queue
    std::unique_ptr<FramesInFlight> frames;          ///< created by the first submission

    /// Objects of a retired program that the GPU may still use.
    struct DeviceObjects {
        explicit DeviceObjects(Impl&& of)
            : device(ContextAccess::device(of.context)), resources(std::move(of.resources)),
              pipelines(std::move(of.pipelines)), descriptors(std::move(of.descriptors)),
              timestamps(std::move(of.timestamps)), frames(std::move(of.frames)) {}
        std::shared_ptr<Device> device; ///< destroyed last
        ProgramResources resources;
        std::vector<std::shared_ptr<const Pipeline>> pipelines;
        std::unique_ptr<Descriptors> descriptors;
        std::optional<Timestamps> timestamps;
        std::unique_ptr<FramesInFlight> frames;
    };

    /// Checks that `of`, the graph of a handle, is the program's graph or null. `what` names the handle in the error.
    [[nodiscard]] Result<> check(const char* what, const void* of) const;
    Result<> choose_descriptors(DescriptorMode wanted);
    void find_uses();
    void find_queues_with_times();
    Result<> make_pipelines();
    [[nodiscard]] PipelineInfo pipeline_info(const Pass& pass, std::shared_ptr<const CompiledShader> shader) const;
    /// Returns the pipeline of a pass, or null if it does not exist or the pass is invalid.
    [[nodiscard]] std::shared_ptr<const Pipeline> find_pipeline(const GraphDescription::PassNode& node) const;
    [[nodiscard]] Result<std::shared_ptr<const Pipeline>> make_pipeline(const GraphDescription::PassNode& node) const;
    /// Checks that the shaders of culled passes that declare no write really write nothing.
    [[nodiscard]] Result<> check_culled() const;
    Result<> check_imports();
    Result<> check_overlaps();
    [[nodiscard]] Result<> overlap_error(std::uint32_t a, std::uint32_t b) const;
    Result<> check_sets() const;
    /// Returns the layout of an image or a part that a pass of the group uses.
    [[nodiscard]] VkImageLayout layout_in(const PlanGroup& group, std::uint32_t image) const;
    /// Returns the layout that the descriptor of an image states for a pass of the group.
    [[nodiscard]] VkImageLayout layout_of_binding(const PlanGroup& group, const Binding& binding) const;
    void write_descriptors();
    [[nodiscard]] std::uint32_t value(const Count& count) const {
        return count.kind == Count::Kind::parameter ? parameters[count.parameter] : count.max;
    }
    [[nodiscard]] bool is_on(std::uint32_t pass) const;
    /// Returns the workgroups of a dispatch that is not indirect, with the current parameters.
    [[nodiscard]] GroupCount groups_of(const Dispatch& dispatch) const {
        return dispatch.kind == Dispatch::Kind::elements
                   ? group_count(value(dispatch.count), dispatch, graph.capabilities.max_workgroup_count_x)
                   : GroupCount{dispatch.x, dispatch.y, dispatch.z};
    }
    /// Writes the push constants of a pass to `words`, and returns the end.
    std::uint32_t* write_push_constants(const Pass& pass, std::uint32_t* words) const;
    /// Returns the region of an image that a copy, a blit or a clear reads or writes by `use`.
    [[nodiscard]] CommandList::ImageTarget target_of(const PlanGroup& group, const GraphDescription::PassUse& use,
                                                     const ImageRegion& region) const;
    /// Returns the image and the mips and layers of an image barrier.
    [[nodiscard]] CommandList::ImageTransition transition_of(const ImageBarrier& planned) const;
    /// Checks if a resource has no contents at the start of the latest recording.
    [[nodiscard]] bool starts_empty(std::uint32_t resource) const;
    [[nodiscard]] std::size_t passes_of(const PlanBatch& batch) const;
    /// Does what belongs to a recording as a whole: checks the bindings, swaps histories, takes and writes a copy of
    /// the descriptors.
    Result<> begin_recording();
    Result<> begin_parts(std::uint32_t count);
    /// Records a part of the open recording. Different threads may record different parts.
    Result<> record_part(std::size_t part, VkCommandBuffer commands);
    Result<> end_parts();
    /// Checks that no recording in parts is open. `what` names the caller in the error.
    [[nodiscard]] Result<> check_closed(const char* what) const;
    /// Records one execution. `commands` must have a command buffer for each batch.
    Result<> record(std::span<const VkCommandBuffer> commands, const Timestamps* times);
    Result<> discard();
    /// Ends an attempt to record and submit. `before`: value of `recorded` before the attempt. If it was submitted, no
    /// recording can be undone. Otherwise the new recording, if one was made, is discarded.
    void settle(std::uint64_t before, bool submitted);
    Result<> start_frames();
    Result<> submit(const SubmitOptions& options, const Timestamps* times);
    Result<> run(const std::function<Result<>(VkCommandBuffer)>& record_all);
    /// Checks if the passes of a batch are timed.
    [[nodiscard]] bool has_times(const PlanBatch& batch) const {
        return queue_has_times.at(static_cast<std::size_t>(batch.queue));
    }
    /// Returns the number of timestamps of a batch: one before the first pass and one after each; 0 if it is not timed.
    [[nodiscard]] std::uint32_t timestamps_needed(const PlanBatch& batch) const {
        std::uint32_t needed = has_times(batch) ? 1 : 0;
        for (const std::uint32_t group : batch.groups) {
            needed += has_times(batch) ? static_cast<std::uint32_t>(plan.groups[group].passes.size()) : 0;
        }
        return needed;
    }
    /// Returns the number of timestamps of all batches.
    [[nodiscard]] std::uint32_t timestamps_needed() const {
        std::uint32_t needed = 0;
        for (const PlanBatch& batch : plan.batches) {
            needed += timestamps_needed(batch);
        }
        return needed;
    }
};

} // namespace weir

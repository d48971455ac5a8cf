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

#include <weir/graph/program.hpp>

#include "engine/descriptors.hpp"
#include "engine/device.hpp"
#include "engine/pipeline.hpp"
#include "graph/build/dispatch.hpp"
#include "graph/program/frames_in_flight.hpp"
#include "graph/program/resources.hpp"

namespace weir {

/// What a program is made of: made in compile.cpp, recorded in recording.cpp.
struct Program::Impl {
    class PassContext;
    explicit Impl(const Context& on) : context(on), device(*on.shared_device()), resources(device) {}

    static Result<Program> make(const Context& context, const Graph& graph, const CompileOptions& options);

    Context context;
    Device& device;
    CompileOptions options; ///< as it was compiled
    std::string label;      ///< around its commands, for debuggers; empty: none
    GraphDescription graph;
    Plan plan;

    ProgramResources resources;
    std::vector<bool> needs_address;                        ///< per resource: of a buffer
    std::vector<bool> is_uniform;                           ///< per resource: a buffer that passes bind as uniform
    std::vector<bool> needs_view;                           ///< per resource: of an image
    std::vector<bool> written;                              ///< per resource: by a pass that runs
    std::vector<std::shared_ptr<const Pipeline>> pipelines; ///< per pass; null where there is none
    DescriptorMode mode = DescriptorMode::automatic;
    std::unique_ptr<Descriptors> descriptors;
    std::vector<std::uint32_t> parameters;
    std::vector<bool> switches;
    std::vector<std::vector<std::uint32_t>> data;                   ///< the host's, as they are set
    std::vector<DescriptorView> bindings;                           ///< room for those of one pass
    std::vector<std::uint32_t> push;                                ///< room for those of one pass
    std::vector<VkDescriptorSet> sets;                              ///< of the application, as they are bound
    std::vector<bool> uses_set;                                     ///< per set of the application: by a pass that runs
    std::vector<VkDescriptorSet> bound_sets;                        ///< room for those of one pass
    std::vector<std::pair<std::uint32_t, std::uint32_t>> histories; ///< current and previous buffers, where used
    std::vector<VkImageMemoryBarrier2> image_barriers;              ///< room for those of one group
    std::vector<VkBufferMemoryBarrier2> buffer_barriers;            ///< room for those of one group
    /// Which copy of the descriptors recordings use. Each frame has `recordings` copies.
    struct Copies {
        std::uint32_t frames = 1, recordings = 1;
        std::uint64_t frame = 0;  ///< how many have begun
        std::uint32_t taken = 0;  ///< in the latest frame
        bool begins_frame = true; ///< the next one taken is of the next frame
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
            const bool stays = begins_frame; // after `next_frame`
            *this = before;
            begins_frame = begins_frame || stays;
        }
    };
    Copies copies;
    bool rebound = true; ///< since descriptors were last written
    /// The access for which an import arrives, where that is told.
    struct Arrival {
        std::optional<Access> told;
        std::uint64_t recording = 0; ///< the number of the one that took it, from 1; 0: the next one
    };
    std::vector<Arrival> arrivals; ///< per resource
    struct Recording {
        bool took_copy = false;       ///< of descriptors
        std::uint32_t executions = 0; ///< of `next_submission`
        Copies before;
    };
    std::array<Recording, 64> latest; ///< recordings, by their number
    std::uint64_t recorded = 0;       ///< how many were not discarded
    std::uint64_t undoable = 0;       ///< the latest of them, which may not have been submitted
    std::optional<Timestamps> timestamps;
    std::array<bool, queue_kinds> queue_has_times{}; ///< by QueueKind
    std::vector<bool> ownership_transfer;            ///< per resource: from one queue to another
    std::unique_ptr<FramesInFlight> frames;          ///< made by the first submission

    /// What the GPU may use of a program that is gone.
    struct DeviceObjects {
        explicit DeviceObjects(Impl&& of)
            : device(of.context.shared_device()), resources(std::move(of.resources)),
              pipelines(std::move(of.pipelines)), descriptors(std::move(of.descriptors)),
              timestamps(std::move(of.timestamps)), frames(std::move(of.frames)) {}
        std::shared_ptr<Device> device; ///< goes last
        ProgramResources resources;
        std::vector<std::shared_ptr<const Pipeline>> pipelines;
        std::unique_ptr<Descriptors> descriptors;
        std::optional<Timestamps> timestamps;
        std::unique_ptr<FramesInFlight> frames;
    };

    /// Whether what a call names, as `what`, is of the program's graph, or of none.
    [[nodiscard]] Result<> check(const char* what, const void* of) const;
    Result<> choose_descriptors(DescriptorMode wanted);
    void find_uses();
    void find_queues_with_times();
    Result<> make_pipelines();
    [[nodiscard]] PipelineInfo pipeline_info(const Pass& pass, std::shared_ptr<const CompiledShader> shader) const;
    /// Null if it has to be made first, or is wrong.
    [[nodiscard]] std::shared_ptr<const Pipeline> find_pipeline(const GraphDescription::PassNode& node) const;
    [[nodiscard]] Result<std::shared_ptr<const Pipeline>> make_pipeline(const GraphDescription::PassNode& node) const;
    /// Whether passes that declare no write, and so are culled, really have none.
    [[nodiscard]] Result<> check_culled() const;
    Result<> check_imports() const;
    Result<> check_sets() const;
    void bind_sets(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline);
    /// Of an image or a part that a pass of the group uses.
    [[nodiscard]] VkImageLayout layout_in(const PlanGroup& group, std::uint32_t image) const;
    void write_descriptors();
    [[nodiscard]] std::uint32_t value(const Count& count) const {
        return count.kind == Count::Kind::parameter ? parameters[count.parameter] : count.max;
    }
    [[nodiscard]] bool is_on(std::uint32_t pass) const;
    void add_image_barrier(std::uint32_t image, VkImageLayout old_layout, VkImageLayout new_layout, const Scope& source,
                           const Scope& destination);
    void add_handover(const OwnershipTransfer& handover, const Scope& source, const Scope& destination);
    void record_barriers(VkCommandBuffer commands, const std::vector<VkMemoryBarrier2>& barriers);
    void record_arrivals(std::span<const VkCommandBuffer> commands);
    Result<> record_group(VkCommandBuffer commands, const PlanGroup& group, const Timestamps* times,
                          std::uint32_t& slot);
    Result<> record_pass(VkCommandBuffer commands, const PlanGroup& group, std::uint32_t index);
    void record_image_work(VkCommandBuffer commands, const PlanGroup& group, const GraphDescription::PassNode& node,
                           const GraphDescription::ImageWork& work) const;
    void record_dispatch(VkCommandBuffer commands, std::uint32_t index);
    void push_constants(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline);
    /// A command buffer for each batch.
    Result<> record(std::span<const VkCommandBuffer> commands, const Timestamps* times);
    Result<> discard();
    /// After an attempt to record and to submit, before which there were so many recordings.
    void settle(std::uint64_t before, bool submitted);
    Result<> start_frames();
    Result<> submit(const SubmitOptions& options, const Timestamps* times);
    Result<> run(const std::function<Result<>(VkCommandBuffer)>& record_all);
    /// Whether its passes are timed.
    [[nodiscard]] bool has_times(const PlanBatch& batch) const {
        return queue_has_times.at(static_cast<std::size_t>(batch.queue));
    }
    /// One before the first pass, and one after each.
    [[nodiscard]] std::uint32_t timestamps_needed(const PlanBatch& batch) const {
        std::uint32_t needed = has_times(batch) ? 1 : 0;
        for (const std::uint32_t group : batch.groups) {
            needed += has_times(batch) ? static_cast<std::uint32_t>(plan.groups[group].passes.size()) : 0;
        }
        return needed;
    }
    /// In all batches.
    [[nodiscard]] std::uint32_t timestamps_needed() const {
        std::uint32_t needed = 0;
        for (const PlanBatch& batch : plan.batches) {
            needed += timestamps_needed(batch);
        }
        return needed;
    }
};

} // namespace weir

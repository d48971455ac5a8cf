#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <weir/graph/program.hpp>

#include "engine/descriptors.hpp"
#include "engine/device.hpp"
#include "engine/pipeline.hpp"
#include "graph/executions.hpp"
#include "graph/program_resources.hpp"

namespace weir {

/// Workgroups for `count` elements in two dimensions; even rows leave the fewest workgroups without work.
struct GroupCount {
    std::uint32_t x = 0, y = 1;
};
inline GroupCount group_count(std::uint32_t count, const Dispatch& dispatch, std::uint32_t max_x) {
    const std::uint32_t needed = count / dispatch.per_group + (count % dispatch.per_group != 0 ? 1 : 0);
    const std::uint32_t groups = std::max(needed, dispatch.at_least);
    const std::uint32_t y = std::max(1U, groups / max_x + (groups % max_x != 0 ? 1 : 0));
    return {groups / y + (groups % y != 0 ? 1 : 0), y};
}

/// What a program is made of: made in compile.cpp, recorded in recording.cpp.
struct Program::Impl {
    class PassContext;
    explicit Impl(const Context& on) : context(on), device(*on.shared_device()), resources(device) {}

    Context context;
    Device& device;
    GraphDescription graph;
    Plan plan;

    ProgramResources resources;
    std::vector<bool> needs_address;                        ///< per resource: of a buffer
    std::vector<bool> needs_view;                           ///< per resource: of an image
    std::vector<bool> written;                              ///< per resource: by a pass that runs
    std::vector<std::shared_ptr<const Pipeline>> pipelines; ///< per pass; null where there is none
    DescriptorMode mode = DescriptorMode::automatic;
    std::unique_ptr<Descriptors> descriptors;
    std::vector<std::uint32_t> parameters;
    std::vector<bool> switches;
    std::vector<DescriptorView> bindings;                           ///< room for those of one pass
    std::vector<std::uint32_t> push;                                ///< room for those of one pass
    std::vector<std::pair<std::uint32_t, std::uint32_t>> histories; ///< current and previous buffers, where used
    std::vector<VkImageMemoryBarrier2> image_barriers;              ///< room for those of one group
    std::vector<VkBufferMemoryBarrier2> buffer_barriers;            ///< room for those of one group
    std::uint32_t copies = 1, copy = 0;
    bool rebound = true; ///< since descriptors were last written
    std::optional<Timestamps> timestamps;
    bool compute_has_timestamps = false;
    std::vector<bool> handed_over;          ///< per resource: from one queue to another
    std::unique_ptr<Executions> executions; ///< once one is submitted, or is to be

    Result<> choose_descriptors(DescriptorMode wanted);
    void find_uses();
    [[nodiscard]] bool has_timestamps_like_main(QueueKind kind) const;
    Result<> make_pipelines(std::uint32_t frames, std::span<const std::uint32_t> families);
    Result<std::shared_ptr<const Pipeline>> make_pipeline(const Pass& pass);
    Result<> check_imports() const;
    void write_descriptors();
    [[nodiscard]] std::uint32_t value(const Count& count) const {
        return count.kind == Count::Kind::parameter ? parameters[count.parameter] : count.max;
    }
    [[nodiscard]] bool is_on(std::uint32_t pass) const;
    void add_image_barrier(std::uint32_t image, VkImageLayout old_layout, VkImageLayout new_layout, const Scope& source,
                           const Scope& destination);
    void add_handover(const Handover& handover, const Scope& source, const Scope& destination);
    void record_barriers(VkCommandBuffer commands, const std::vector<VkMemoryBarrier2>& barriers);
    void record_group(VkCommandBuffer commands, const PlanGroup& group, const Timestamps* times, std::uint32_t& slot);
    void record_pass(VkCommandBuffer commands, const PlanGroup& group, std::uint32_t index);
    void record_dispatch(VkCommandBuffer commands, std::uint32_t index);
    void push_constants(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline);
    /// A command buffer for each batch.
    Result<> record(std::span<const VkCommandBuffer> commands, const Timestamps* times);
    Result<> start_executions();
    Result<> submit(const SubmitOptions& options, const Timestamps* times);
    /// Whether its passes are timed: only where timestamps are like those of the main queue.
    [[nodiscard]] bool has_times(const PlanBatch& batch) const {
        return batch.queue == QueueKind::main || (batch.queue == QueueKind::compute && compute_has_timestamps);
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

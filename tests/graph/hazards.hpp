#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

// Two judges of plans that know nothing of how plans are made. They are written from the Vulkan specification
// ("Synchronization and Cache Control", "Memory Model") and from the comment on weir::Graph.

namespace weir::tests {

/// Stages and accesses with every mask that stands for several taken apart.
VkPipelineStageFlags2 single_stages(VkPipelineStageFlags2 mask);
VkAccessFlags2 single_accesses(VkAccessFlags2 mask);

/// Replays executions of a plan one after another, and finds each pair of accesses that no barrier orders.
///
/// A write must be visible to whatever uses the buffer after it (read after write, write after write): made available
/// by a barrier whose first scopes hold it, then made visible by a barrier whose second scopes hold the later access,
/// the two being the same or joined by an execution dependency chain. A write must come after earlier reads by an
/// execution dependency chain. Writes may be partial, so all earlier ones matter, not the last alone.
///
/// The two buffers of a history change places before each execution. Around each the host does what it has declared,
/// with synchronization of its own. What was done to a buffer matters to all whose memory overlaps.
class Replay {
public:
    explicit Replay(const GraphDescription& graph);

    /// Without the passes that are `off`, whose barriers come all the same.
    void execute(const Plan& plan, const std::vector<bool>& off = {});

    /// One sentence for each hazard so far.
    [[nodiscard]] const std::vector<std::string>& hazards() const { return hazards_; }

private:
    struct Barrier {
        VkPipelineStageFlags2 source, waits_for, destination, holds_back;
        VkAccessFlags2 flushes, shows;
    };

    /// One access at one stage.
    struct Event {
        std::string who;
        std::uint32_t command = 0; ///< accesses of one command do not disturb each other
        VkPipelineStageFlags2 stage = 0;
        VkAccessFlags2 reads = 0;
        VkAccessFlags2 writes = 0;
        std::size_t since = 0; ///< how many commands of barriers came before it
    };

    void barrier(const std::vector<VkMemoryBarrier2>& barriers);
    void use(std::uint32_t buffer, Access access, bool clears, const std::string& who, bool checked);
    void check(std::uint32_t buffer, const Event& event);
    void check(std::uint32_t buffer, const Event& event, const std::vector<Event>& before);

    /// The stages in which commands to come run after whatever is in the stages `direct`, or after what `reached` comes
    /// after, by an execution dependency chain through the commands from the given one on; calls `link` with each
    /// barrier that can be the last of such a chain.
    VkPipelineStageFlags2 chain(std::size_t from, VkPipelineStageFlags2 direct, VkPipelineStageFlags2 reached,
                                const std::function<void(const Barrier&)>& link) const;
    bool comes_after(const Event& earlier, VkPipelineStageFlags2 stage) const;
    /// Whether a barrier makes a write available, and that one, or others that follow it by a chain, make it visible.
    bool sees(const Event& earlier, VkPipelineStageFlags2 stage, VkAccessFlags2 accesses) const;

    const GraphDescription& graph_;
    const Plan* plan_ = nullptr;             ///< of the execution
    std::vector<std::vector<Event>> events_; ///< per buffer
    std::vector<std::vector<Barrier>> commands_;
    std::uint32_t command_ = 0;
    std::uint32_t execution_ = 0;
    std::vector<std::string> hazards_;
};

/// The hazards of three executions, one after another.
std::vector<std::string> find_hazards(const GraphDescription& graph, const Plan& plan);

/// The hazards of as many executions as there are lists of passes that are off.
std::vector<std::string> find_hazards(const GraphDescription& graph, const Plan& plan,
                                      const std::vector<std::vector<bool>>& off);

/// Whether the plan runs what it must in an order that means what was declared: each read, and each write, which may be
/// partial, finds the value that the comment on Graph promises, and a pass runs if and only if something needs it.
/// Empty, or one sentence for each mistake.
std::vector<std::string> find_misplaced(const GraphDescription& graph, const Plan& plan);

/// Whether every transient of the program's own, from its first use to its last, has memory in a block, at an offset
/// that any device takes, that no other one alive at the same time has. Empty, or one sentence for each mistake.
std::vector<std::string> find_overlaps(const GraphDescription& graph, const Plan& plan);

} // namespace weir::tests

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

/// Replays executions of a plan one after another, and finds each pair of accesses that no barrier orders.
///
/// A write must be visible to whatever uses the buffer after it (read after write, write after write): made available
/// by a barrier whose first scopes hold it, then made visible by a barrier whose second scopes hold the later access,
/// the two being the same or joined by an execution dependency chain. A write must come after earlier reads by an
/// execution dependency chain. Writes may be partial, so all earlier ones matter, not the last alone.
///
/// A layout change reads and writes all of its image. What wrote that, or what shares its memory, must have been made
/// available before: by an earlier command, by its own barrier, or by a memory barrier of the same command that holds
/// back the same stages. What read it must come before it. A barrier of an image makes available and visible only what
/// was done to that image, and orders only what was done to bytes that it has, also through others that have them:
/// by the specification its stages are those of all commands, but it "defines a memory dependency limited to an image",
/// and the validation layer takes that at its word. What uses the image afterwards must see the change, and need not
/// see again what the change came after.
///
/// Each use must find its image in the layout that the plan says, that must be one for such a use, and what is read
/// must not have been discarded.
///
/// The two buffers of a history change places before each execution. Around each the host does what it has declared,
/// with synchronization of its own. What was done to a resource matters to all whose memory overlaps.
class Replay {
public:
    explicit Replay(const GraphDescription& graph);

    /// Without the passes that are `off`, whose barriers come all the same.
    void execute(const Plan& plan, const std::vector<bool>& off = {});

    /// One sentence for each hazard so far.
    [[nodiscard]] const std::vector<std::string>& hazards() const { return hazards_; }

private:
    static constexpr std::uint32_t all = ~0U;
    struct Barrier {
        VkPipelineStageFlags2 source, waits_for, destination, holds_back;
        VkAccessFlags2 flushes, shows;
        std::uint32_t image = all; ///< what it makes available and visible is of this one
    };
    using Command = std::vector<Barrier>;

    /// One access at one stage, or a layout change.
    struct Event {
        std::string who;
        std::uint32_t resource = 0;
        std::uint32_t command = 0; ///< accesses of one command do not disturb each other
        std::uint32_t serial = 0;
        VkPipelineStageFlags2 stage = 0;
        VkAccessFlags2 reads = 0;
        VkAccessFlags2 writes = 0;
        std::size_t since = 0;         ///< how many commands of barriers came before it
        std::optional<Barrier> change; ///< the barrier that it is part of
        bool is_foreign = false;       ///< to the memory of the resource, by another program
    };

    void barrier(const PlanGroup& group, const std::string& when);
    void change_layout(const ImageBarrier& image, const Barrier& barrier, const Command& command,
                       const std::string& when);
    void use(std::uint32_t resource, Access access, VkPipelineStageFlags2 moves, const std::string& who, bool checked);
    void use_image(std::uint32_t image, Access access, const PlanGroup& group, const std::string& who);
    void lose_others(std::uint32_t resource);
    void check(std::uint32_t resource, const Event& event);
    void check(std::uint32_t resource, const Event& event, std::uint32_t other);

    /// The stages in which commands to come run after whatever `event` does to a byte in the stages `direct`, or after
    /// what `reached` comes after, by an execution dependency chain through the commands from the given one on; calls
    /// `link` with each barrier that can be the last of such a chain.
    VkPipelineStageFlags2 chain(const Event& event, std::uint64_t byte, std::size_t from, VkPipelineStageFlags2 direct,
                                VkPipelineStageFlags2 reached, const std::function<void(const Barrier&)>& link) const;
    bool is_for(const Barrier& barrier, const Event& event, std::uint64_t byte) const;
    static bool flushes(const Barrier& barrier, const Event& earlier);
    bool comes_after(const Event& earlier, std::uint64_t byte, VkPipelineStageFlags2 stage) const;
    /// Whether a layout change of the command that comes now follows it as it must.
    bool comes_before(const Event& earlier, std::uint64_t byte, const Barrier& change, const Command& command) const;
    /// Whether a barrier makes a write available, and that one, or others that follow it by a chain, make it visible.
    bool sees(const Event& earlier, std::uint64_t byte, VkPipelineStageFlags2 stage, VkAccessFlags2 accesses) const;

    const GraphDescription& graph_;
    const Plan* plan_ = nullptr;             ///< of the execution
    std::vector<std::vector<Event>> events_; ///< per resource
    std::vector<std::uint32_t> changed_;     ///< per resource: serial of the latest layout change
    std::vector<VkImageLayout> layouts_;     ///< per resource: that of an image now
    std::vector<bool> filled_;               ///< per resource: whether an image has contents that count
    std::vector<Command> commands_;
    std::uint32_t command_ = 0;
    std::uint32_t serial_ = 0;
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
/// that any device takes, that no other one alive at the same time has; images none of which a buffer has a byte in the
/// same page of the device's granularity. Empty, or one sentence for each mistake.
std::vector<std::string> find_overlaps(const GraphDescription& graph, const Plan& plan);

} // namespace weir::tests

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

// Judges of plans that know nothing of how plans are made. They are written from the Vulkan specification
// ("Synchronization and Cache Control", "Memory Model", "Resource Sharing") and from the comments on weir::Graph and
// weir::Plan.

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
/// was done to that image, and orders only what was done to bytes that it has, also through other images that have
/// them: by the specification its stages are those of all commands, but it "defines a memory dependency limited to an
/// image", and the validation layer takes that at its word; for the layer images and buffers never have the same bytes.
/// What uses the image afterwards must see the change, and need not see again what the change came after.
///
/// Each use must find its image in the layout that the plan says, that must be one for such a use and for all mips and
/// layers of the use, and what is read must not have been discarded.
///
/// An export per frame is another copy in each execution, which nobody uses any more.
///
/// The two buffers of a history change places before each execution. Around each the host does what it has declared,
/// with synchronization of its own. What was done to a resource matters to all whose memory overlaps.
///
/// Barriers order what is on their own queue alone. A wait for a group of another queue is a semaphore, with all
/// commands on both sides: all that was submitted there, up to and with that group, is available and visible to
/// whatever comes later on the queue that waits, and chains go through it. The host is no part of that: it uses imports
/// and exports on the queues where they arrive and leave, and what passes have done to them elsewhere must come before
/// the end of the queue where they leave. One execution after another is submitted, so an import that arrives
/// without a use, or for `present`, which a semaphore of the host's orders, is not to be used elsewhere but after a
/// wait.
///
/// An import that is not concurrent belongs to one queue family at a time, from that of the queue where it arrives to
/// that of the queue where it leaves; an image without contents to the first that uses it. Only queues of that family
/// use it. A release and an acquisition that say the same, the one before the other, hand it over. Both count as layout
/// changes, of a buffer too: the release waits for its scope and holds nothing back, the acquisition waits for whatever
/// the semaphore brings and holds its scope back; what an image is in changes once.
///
/// Barriers name only stages and accesses that their queue has, and passes do on it only what it can do.
class Replay {
public:
    explicit Replay(const GraphDescription& graph);

    /// Without the passes that are `off`, whose barriers come all the same.
    void execute(const Plan& plan, const std::vector<bool>& off = {});

    /// From here on barriers so far order nothing more; waits between queues do. What was ordered before a later write
    /// is ordered before whatever comes after that write.
    void forget_barriers() { forgotten_ = commands_.size(); }

    /// One sentence for each hazard so far.
    [[nodiscard]] const std::vector<std::string>& hazards() const { return hazards_; }

private:
    static constexpr std::uint32_t all = ~0U;
    struct Barrier {
        VkPipelineStageFlags2 source = 0, waits_for = 0, destination = 0, holds_back = 0;
        VkAccessFlags2 flushes = 0, shows = 0;
        std::uint32_t image = all; ///< what it makes available and visible is of this one, or of this buffer
        QueueKind queue = QueueKind::main;
        bool is_wait = false; ///< for `other`, and the first `commands` of all
        QueueKind other = QueueKind::main;
        std::size_t commands = 0;
    };
    using Command = std::vector<Barrier>; ///< all of one queue
    using Reached = std::array<VkPipelineStageFlags2, queue_kinds>;

    /// One access at one stage, or a layout change.
    struct Event {
        std::string who;
        std::uint32_t resource = 0;
        QueueKind queue = QueueKind::main;
        std::uint32_t command = 0; ///< accesses of one command do not disturb each other
        std::uint32_t serial = 0;
        VkPipelineStageFlags2 stage = 0;
        VkAccessFlags2 reads = 0;
        VkAccessFlags2 writes = 0;
        std::size_t since = 0;         ///< how many commands of barriers came before it
        std::optional<Barrier> change; ///< the barrier that it is part of
        bool is_foreign = false;       ///< to the memory of the resource, by another program
        bool is_outside = false;       ///< of the host's
    };
    /// Whose an import is.
    struct Custody {
        std::optional<std::uint32_t> family;       ///< none: of whoever uses it first
        std::optional<OwnershipTransfer> released; ///< and not yet acquired
        bool is_used = false;                      ///< in this execution
    };

    [[nodiscard]] QueueKind on(QueueKind kind) const; ///< where that is which is for `kind`
    [[nodiscard]] std::uint32_t family(QueueKind queue) const;
    [[nodiscard]] bool is_exclusive(std::uint32_t resource) const;
    void wait(const PlanGroup& group, std::size_t index, const std::string& when);
    void barrier(const PlanGroup& group, std::size_t index, const std::string& when);
    void release(const PlanGroup& group, const std::string& when);
    void check_masks(const Scope& scope, const std::string& where);
    void check_handover(const OwnershipTransfer& handover, const std::string& who);
    /// A use, or a change, by the queue of now.
    void own(std::uint32_t resource, const std::string& who);
    /// What a layout change, a release or an acquisition comes after.
    void change(std::uint32_t resource, const Barrier& barrier, const Command& command, const char* what,
                const std::string& when);
    void change_layout(std::uint32_t resource, VkImageLayout from, VkImageLayout to, const std::string& who);
    void leave(std::uint32_t resource, const std::string& when);
    void use(std::uint32_t resource, Access access, VkPipelineStageFlags2 moves, const std::string& who, bool checked);
    void use_image(std::uint32_t image, Access access, const PlanGroup& group, const std::string& who);
    void lose_others(std::uint32_t resource);
    void check(std::uint32_t resource, const Event& event);
    void check(std::uint32_t resource, const Event& event, std::uint32_t other);

    /// The stages in which commands to come on the queue of now run after whatever `event` does to a byte in the stages
    /// `direct`, or after what `reached` comes after, by an execution dependency chain through the commands from the
    /// given one on; calls `link` with each barrier of that queue that can be the last of such a chain. `reached` is
    /// about the queue of the event, or of the command before the given one.
    VkPipelineStageFlags2 chain(const Event& event, std::uint64_t byte, std::size_t from, VkPipelineStageFlags2 direct,
                                VkPipelineStageFlags2 reached, const std::function<void(const Barrier&)>& link) const;
    bool is_for(const Barrier& barrier, const Event& event, std::uint64_t byte) const;
    static bool flushes(const Barrier& barrier, const Event& earlier);
    [[nodiscard]] bool counts(std::size_t command, const Barrier& barrier) const {
        return command >= forgotten_ || barrier.is_wait;
    }
    /// Whether a byte of a resource was written again since, before barriers were forgotten.
    [[nodiscard]] bool is_superseded(std::uint32_t of, const Event& earlier, std::uint64_t byte) const;
    bool comes_after(const Event& earlier, std::uint64_t byte, VkPipelineStageFlags2 stage) const;
    bool has_arrived(std::uint32_t resource, VkPipelineStageFlags2 stages) const;
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
    std::vector<Custody> custody_;           ///< per resource
    std::vector<Command> commands_;
    std::vector<std::vector<std::size_t>> ends_; ///< per execution and group, how many commands there were after it
    std::size_t start_ = 0;                      ///< how many there were before this execution
    std::size_t forgotten_ = 0;                  ///< how many there were when barriers were forgotten
    bool waits_ = false;                         ///< some of them do
    mutable std::vector<Reached> past_;          ///< what a chain has reached before each command
    QueueKind queue_ = QueueKind::main;          ///< of what happens now
    std::uint32_t command_ = 0;
    std::uint32_t serial_ = 0;
    std::uint32_t execution_ = 0;
    std::vector<std::string> hazards_;
};

/// The hazards of three executions, one after another, or of more where the plan waits for executions further ago.
std::vector<std::string> find_hazards(const GraphDescription& graph, const Plan& plan);

/// The same if no execution counts on the barriers of another one.
std::vector<std::string> find_hazards_alone(const GraphDescription& graph, const Plan& plan);

/// The hazards of as many executions as there are lists of passes that are off.
std::vector<std::string> find_hazards(const GraphDescription& graph, const Plan& plan,
                                      const std::vector<std::vector<bool>>& off);

} // namespace weir::tests

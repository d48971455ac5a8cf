#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

#include "tests/graph/executions.hpp"

#include "tests/graph/meanings.hpp"

// Checks of plans that share no code with the compiler. They follow the Vulkan specification ("Synchronization and
// Cache Control", "Memory Model", "Resource Sharing") and the comments on weir::Graph and weir::Plan. In this file,
// "the application" is the code that records, submits and waits for a program, and that uses its imports and exports.

namespace weir::tests {

/// Reads of the application between two executions.
enum class Reads : std::uint8_t { may_be_omitted, take_place };

/// Replays consecutive executions of a plan and finds each pair of accesses that no barrier orders.
///
/// Writes. A write must be visible to every later use of the resource (read after write, write after write): a barrier
/// whose first scopes include the write makes it available, and a barrier whose second scopes include the later use
/// makes it visible. Both are the same barrier, or an execution dependency chain joins them. A write must come after
/// earlier reads by an execution dependency chain. Writes may be partial, so all earlier writes count, not only the
/// last one.
///
/// Layout changes. A layout change reads and writes the whole image. Earlier writes to the image, and to resources that
/// share its memory, must have been made available: by an earlier command, by the barrier of the change, or by a memory
/// barrier of the same command that holds back the same stages. Earlier reads must come before the change. An image
/// barrier makes available and visible only accesses to its image. It orders only accesses to bytes of its image,
/// including those through other images with these bytes. By the specification its stages are those of all commands,
/// but it "defines a memory dependency limited to an image". The validation layer takes this literally, and for the
/// layer images and buffers never have bytes in common. Later uses of the image must see the change. They need not see
/// again the writes that came before the change.
///
/// Layouts. Each use must find its image in the layout that the plan states. The layout must be valid for the use, and
/// the same for all mips and layers of the use. Contents that are read must not have been discarded.
///
/// Concurrent writes. Consecutive uses of a resource that are declared concurrent, in the order of declaration, need no
/// order. They come after all uses before the first of them, and later uses come after all of them.
///
/// Copies. An export per frame is another copy in each execution, and all earlier uses of this copy are complete. The
/// two buffers or images of a history change places before each execution. The previous image is then in the layout in
/// which the current one was left, and in the first execution in the plan's final layout of the current one.
///
/// Contents. A pass may discard what it finds in a resource that has no contents before the pass, and what it leaves if
/// the plan says that it is not needed. No contents that a pass reads, or that last, may be lost this way. The plan
/// must say that there are no contents if nothing that ran has written any.
///
/// Application. Before and after each execution the application uses imports and exports as declared, with its own
/// synchronization. It may omit reads: an import that arrives and leaves only for reads, on one queue and in one
/// layout, keeps the last write of the graph, which is visible to the reads for which it leaves. Accesses to a resource
/// affect all resources whose memory overlaps.
///
/// Queues. Barriers order only commands of their own queue. A wait for a group of another queue is a semaphore with all
/// commands on both sides: everything submitted to that queue, up to and including the group, is available and visible
/// to all later commands of the waiting queue. Dependency chains go through semaphores. Semaphores do not cover the
/// application: it uses imports and exports on the queues where they arrive and leave. Accesses by passes on other
/// queues must come before the end of the queue where the resource leaves. Executions are submitted one after another.
/// An import that arrives without a use, or for `present`, is ordered by a semaphore of the application on the queue
/// where it arrives. Therefore other queues may use it only after a wait.
///
/// Ownership. An import that is not concurrent belongs to one queue family at a time: first to that of the queue where
/// it arrives, at the end to that of the queue where it leaves. An image without contents belongs to the first family
/// that uses it. Only queues of the owner use the import. A release and a later acquisition with equal members hand it
/// over. Both count as layout changes, also for buffers: the release waits for its scope and holds nothing back; the
/// acquisition waits for what the semaphore brings and holds its scope back. The layout of an image changes once.
///
/// Capabilities. Barriers name only stages and accesses of their queue. Passes do only what their queue supports.
class Replay {
public:
    explicit Replay(const GraphDescription& graph, Reads reads = Reads::may_be_omitted);

    /// Replays one execution of `plan`. Skips each pass p with off[p], but not the barriers before it.
    void execute(const Plan& plan, const std::vector<bool>& off = {});

    /// Ends the effect of all barriers so far, except waits between queues. Accesses that were followed by a
    /// write to the same bytes are no longer checked, because later accesses must come after this write. This includes
    /// writes by passes that are off, whose barriers take place.
    void forget_barriers() { forgotten_ = commands_.size(); }

    /// Returns one sentence for each hazard so far.
    [[nodiscard]] const std::vector<std::string>& hazards() const { return hazards_; }

private:
    using Lifetime = GraphDescription::Lifetime;
    static constexpr std::uint32_t all = ~0U;
    struct Barrier {
        VkPipelineStageFlags2 source = 0, waits_for = 0, destination = 0, holds_back = 0;
        VkAccessFlags2 flushes = 0, shows = 0;
        std::uint32_t image = all; ///< limits it to this image, or to this buffer
        QueueKind queue = QueueKind::main;
        bool is_wait = false; ///< a semaphore: waits for `other`, within the first `commands` commands
        QueueKind other = QueueKind::main;
        std::size_t commands = 0;
    };
    using Command = std::vector<Barrier>; ///< barriers of one queue
    using Reached = std::array<VkPipelineStageFlags2, queue_kinds>;

    /// One access at one stage, or a layout change.
    struct Event {
        std::string who;
        std::uint32_t resource = 0;
        QueueKind queue = QueueKind::main;
        std::uint32_t command = 0; ///< accesses of one command do not conflict
        std::uint32_t serial = 0;
        VkPipelineStageFlags2 stage = 0;
        VkAccessFlags2 reads = 0;
        VkAccessFlags2 writes = 0;
        std::size_t since = 0;         ///< number of barrier commands before it
        std::optional<Barrier> change; ///< the barrier, if it is a layout change
        bool is_foreign = false;       ///< by another program, to the memory of the resource
        bool is_outside = false;       ///< by the application
        std::uint32_t execution = 0;
        std::uint32_t set = 0; ///< set of concurrent writes that includes it; 0: none
        std::uint32_t pass = all;
        bool is_off = false; ///< a write by a pass that is off: its barriers take place, and nothing must come after it
        std::set<std::uint32_t> after; ///< if off: serials of events by exclusive passes that its barriers wait for
    };
    /// Ownership of an import.
    struct Custody {
        std::optional<std::uint32_t> family;       ///< owner; none: the first user becomes the owner
        std::optional<OwnershipTransfer> released; ///< a release that is not yet acquired
        bool is_used = false;                      ///< in this execution
    };

    [[nodiscard]] QueueKind on(QueueKind kind) const; ///< main if the device has no queue of this kind
    [[nodiscard]] std::uint32_t family(QueueKind queue) const;
    [[nodiscard]] bool is_exclusive(std::uint32_t resource) const;
    void wait(const PlanGroup& group, std::size_t index, const std::string& when);
    void barrier(const PlanGroup& group, std::size_t index, const std::string& when);
    void release(const PlanGroup& group, const std::string& when);
    void check_masks(const Scope& scope, const std::string& where);
    void check_handover(const OwnershipTransfer& handover, const std::string& who);
    /// Records a use or a change by the current queue. Reports it if another family owns the import.
    void own(std::uint32_t resource, const std::string& who);
    /// Records a layout change, a release or an acquisition. Reports accesses that it does not follow as it must.
    void change(std::uint32_t resource, const Barrier& barrier, const Command& command, const char* what,
                const std::string& when);
    void change_layout(std::uint32_t resource, VkImageLayout from, VkImageLayout to, const std::string& who);
    void leave(std::uint32_t resource, const std::string& when);
    void use(std::uint32_t resource, const Meaning& meaning, const std::string& who, bool checked,
             std::uint32_t set = 0);
    /// Records that a pass is off.
    void skip(std::uint32_t pass);
    /// Records the uses of the application before or after an execution.
    void use_outside(std::uint32_t resource, const Accesses& accesses, const std::string& who, bool checked);
    void use_image(std::uint32_t image, const GraphDescription::PassUse& touch, const PlanGroup& group,
                   const std::string& who);
    /// Returns writes and layout changes of an import by the last execution that the next one must come after. If the
    /// application may read the import on the device in between, this is one event, visible to these reads.
    [[nodiscard]] std::vector<Event> left_by_last_execution(std::uint32_t import);
    void lose_others(std::uint32_t resource);
    /// Checks what the plan says about the contents that a pass finds and leaves, and discards those not needed.
    void check_contents(std::uint32_t pass, const std::vector<bool>& off, const std::string& who);
    void start_contents(std::uint32_t resource);
    void check(std::uint32_t resource, const Event& event);
    void check(std::uint32_t resource, const Event& event, std::uint32_t other);

    /// Returns the stages in which later commands on the current queue run after the access of `event` to `byte` in the
    /// stages `direct`, by an execution dependency chain through the commands from index `from` on. A chain may also
    /// begin in the stages `reached`: on the queue of the event if `from` is event.since, otherwise on the queue of the
    /// command before `from`. Calls `link` with each barrier of the current queue that can be the last of such a chain.
    VkPipelineStageFlags2 chain(
        const Event& event, std::uint64_t byte, std::size_t from, VkPipelineStageFlags2 direct,
        VkPipelineStageFlags2 reached,
        const std::function<void(const Barrier&)>& link = [](const Barrier& /*barrier*/) {}) const;
    bool is_for(const Barrier& barrier, const Event& event, std::uint64_t byte) const;
    static bool flushes(const Barrier& barrier, const Event& earlier);
    [[nodiscard]] bool counts(std::size_t command, const Barrier& barrier) const {
        return command >= forgotten_ || barrier.is_wait;
    }
    /// Returns true if both are in one set of concurrent writes of one execution, which need no order.
    static bool are_concurrent(const Event& a, const Event& b) {
        return a.set != 0 && a.set == b.set && a.resource == b.resource && a.execution == b.execution;
    }
    /// Returns true if `byte` was written again after `earlier`, before barriers were forgotten.
    [[nodiscard]] bool is_superseded(std::uint32_t of, const Event& earlier, std::uint64_t byte) const;
    bool comes_after(const Event& earlier, std::uint64_t byte, VkPipelineStageFlags2 stage) const;
    bool has_arrived(std::uint32_t resource, VkPipelineStageFlags2 stages) const;
    /// Returns true if `change`, a layout change of the current `command`, follows `earlier` as it must.
    bool comes_before(const Event& earlier, std::uint64_t byte, const Barrier& change, const Command& command) const;
    /// Returns true if a barrier makes a write available, and it or barriers that follow by a chain make it visible.
    bool sees(const Event& earlier, std::uint64_t byte, VkPipelineStageFlags2 stage, VkAccessFlags2 accesses) const;

    const GraphDescription& graph_;
    const Branches branches_;
    Reads reads_;
    const Plan* plan_ = nullptr;             ///< plan of the current execution
    std::vector<std::vector<Event>> events_; ///< per resource
    std::vector<std::uint32_t> changed_;     ///< per resource: serial of the latest layout change
    std::vector<VkImageLayout> layouts_;     ///< per resource: current layout of an image
    std::vector<bool> filled_;               ///< per resource: true if an image has contents
    std::vector<bool> written_;              ///< per resource: true if it has contents that something has written
    std::vector<bool> discarded_;            ///< per resource: true if a pass has discarded contents
    /// By pass and resource: set of consecutive concurrent writes that includes the use.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sets_;
    std::vector<Custody> custody_; ///< per resource
    std::vector<Command> commands_;
    std::vector<std::vector<std::size_t>> ends_; ///< per execution and group: commands up to its end
    std::size_t start_ = 0;                      ///< number of commands before this execution
    std::size_t forgotten_ = 0;                  ///< number of commands when barriers were forgotten
    bool waits_ = false;                         ///< true if a command has a wait
    mutable std::vector<Reached> past_;          ///< per command: stages that a chain has reached before it
    QueueKind queue_ = QueueKind::main;          ///< current queue
    std::uint32_t command_ = 0;
    std::uint32_t pass_ = all; ///< current pass
    std::uint32_t serial_ = 0;
    std::uint32_t execution_ = 0;
    std::vector<std::string> hazards_;
};

/// Returns the hazards of three consecutive executions, or of more if the plan waits for an execution before the last
/// one. With exclusive passes, of several sequences of executions with different values of the switches.
std::vector<std::string> find_hazards(const GraphDescription& graph, const Plan& plan,
                                      Reads reads = Reads::may_be_omitted);

/// Returns the hazards of the first of these executions that has any, if none relies on the barriers of another one.
std::vector<std::string> find_hazards_alone(const GraphDescription& graph, const Plan& plan);

/// Returns the hazards of `off.size()` executions. Execution i skips each pass p with off[i][p].
std::vector<std::string> find_hazards(const GraphDescription& graph, const Plan& plan,
                                      const std::vector<std::vector<bool>>& off);

} // namespace weir::tests

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/graph/description.hpp>

namespace weir {

/// A point of use: pipeline stages and what they do.
struct Scope {
    VkPipelineStageFlags2 stages = 0;
    VkAccessFlags2 access = 0;
    friend bool operator==(const Scope&, const Scope&) = default;
};

/// One reason for a barrier: `resource` is used by `to` after `from` used it, or what was in its memory before.
struct Dependency {
    enum class Reason : std::uint8_t {
        read_after_write,
        write_after_read,
        write_after_write,
        memory_reused,       ///< another transient was there before
        layout_change,       ///< an image barrier waits, so that the image comes into another layout for `to`
        after_layout_change, ///< the image came into its layout for `from`
        handed_over,         ///< an import comes from another queue, or goes back
    };
    static constexpr std::uint32_t outside =
        ~0U; ///< as a pass: the host's commands, or an earlier execution of the program

    std::uint32_t resource = 0;
    std::uint32_t from = outside;
    std::uint32_t to = outside;
    Reason reason = Reason::read_after_write;
    Scope source;
    Scope destination;
};

/// All of an image comes into another layout, after `source` and before `destination`.
struct ImageBarrier {
    std::uint32_t resource = 0;
    Scope source;
    Scope destination;
    VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< undefined: what the image holds is lost
    VkImageLayout new_layout = VK_IMAGE_LAYOUT_UNDEFINED;
    friend bool operator==(const ImageBarrier&, const ImageBarrier&) = default;
};

/// All that was submitted to a group's queue, up to and with that group, is complete and visible to this group and to
/// all after it on its own queue.
struct GroupWait {
    std::uint32_t group = 0;
    std::uint32_t executions_ago = 0; ///< 0: of the same execution, so an earlier one in the plan
    std::vector<Dependency> reasons;
    friend bool operator==(const GroupWait& a, const GroupWait& b) {
        return a.group == b.group && a.executions_ago == b.executions_ago;
    }
};

/// One half of how an exclusive import goes from the family of one queue to that of another: released after the passes
/// of a group, acquired before those of a later one, which waits for it.
struct Handover {
    std::uint32_t resource = 0;
    QueueKind from = QueueKind::main;
    QueueKind to = QueueKind::main;
    Scope scope; ///< what a release comes after, or what an acquisition comes before
    VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< of an image; both halves say the same
    VkImageLayout new_layout = VK_IMAGE_LAYOUT_UNDEFINED;
    friend bool operator==(const Handover&, const Handover&) = default;
};

/// Passes on one queue, without dependencies among each other, run after one pipeline barrier (none if there are no
/// dependencies), which see each image in one layout.
struct PlanGroup {
    struct Layout {
        std::uint32_t resource = 0;
        VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
        friend bool operator==(const Layout&, const Layout&) = default;
    };

    QueueKind queue = QueueKind::main;
    std::vector<GroupWait> waits;             ///< for other queues, one for each at most: semaphores
    std::vector<VkMemoryBarrier2> barriers;   ///< of one vkCmdPipelineBarrier2
    std::vector<ImageBarrier> image_barriers; ///< of the same; one for each image whose layout changes
    std::vector<Handover> acquired;           ///< of the same
    std::vector<Dependency> dependencies;     ///< why
    std::vector<std::uint32_t> passes;        ///< indices into GraphDescription::passes
    std::vector<Layout> layouts;              ///< of the images that its passes touch, by resource
    std::vector<Handover> released;           ///< after the passes

    /// The layout of an image in all passes of the group; undefined if none touches it.
    [[nodiscard]] WEIR_API VkImageLayout layout(std::uint32_t resource) const;
};

/// Consecutive groups of one queue, in one command buffer: what is submitted at a time.
struct PlanBatch {
    struct Wait {
        std::uint32_t batch = 0;
        std::uint32_t executions_ago = 0; ///< 0: of the same execution, so an earlier one in the plan
        friend bool operator==(const Wait&, const Wait&) = default;
    };
    QueueKind queue = QueueKind::main;
    std::vector<std::uint32_t> groups; ///< indices into Plan::groups
    std::vector<Wait> waits;           ///< for batches of other queues to be complete, all stages
};

/// Where a plan's transients are: in blocks of memory, which those share that are not alive together. A transient is
/// alive from the first group with a pass that names it to the last; those that are on different queues, or on several,
/// are taken to be alive together.
struct PlanMemory {
    static constexpr std::uint32_t none = ~0U;
    struct Place {
        std::uint32_t block = none;
        std::uint64_t offset = 0; ///< bytes
        friend bool operator==(const Place&, const Place&) = default;
    };

    std::vector<Place> places;         ///< per resource; in no block: imports, states, exports, and what is not used
    std::vector<std::uint64_t> blocks; ///< bytes of each; of several, no more than Capabilities::max_allocation
    bool pooled = false;               ///< others use it between executions
    std::vector<bool> with_images;     ///< per block: whether there are images in it
    std::uint64_t apart = 0;           ///< bytes that they would take one beside the other
    std::uint64_t least = 0;           ///< the most bytes that are alive at once, which no placement can go below

    [[nodiscard]] WEIR_API std::uint64_t bytes() const; ///< of all blocks
};

struct PlanOptions {
    bool share_memory = true;  ///< else each transient has memory of its own, to look at or to rule sharing out
    bool pooled = false;       ///< other programs use the memory of transients between executions
    bool images_apart = false; ///< no block has both images and buffers in it
    bool one_queue = false;    ///< all passes are on the main queue
};

/// What a compiled graph does, in order, as plain data.
struct Plan {
    /// Each comes after what it depends on, of any queue. The last one has no passes: it makes exports visible to the
    /// host's next use. Where several queues are used there may be more without passes: first ones for what other
    /// queues need of what arrives, and last ones for what leaves on others.
    std::vector<PlanGroup> groups;
    std::vector<PlanBatch> batches;     ///< in the order of their last groups; only one where all is on one queue
    std::vector<std::uint32_t> dropped; ///< passes whose results nobody uses
    /// Per resource: whether a pass that is kept, or an image barrier, names it; both of a history or none.
    std::vector<bool> used;
    std::vector<VkImageLayout> final_layouts; ///< per resource: that of an image after an execution
    PlanMemory memory;
    /// What it is a plan of, without the work of the passes.
    std::shared_ptr<const GraphDescription> graph = {};

    /// A listing to read: groups, passes with their accesses, and each barrier with its reasons.
    [[nodiscard]] WEIR_API std::string text() const;
    /// Groups, buffers and images as a picture, for Graphviz.
    [[nodiscard]] WEIR_API std::string dot() const;
    /// All of the plan for other programs: an object of "resources" and "passes" ("only_if" names what must hold for
    /// one to run), which the rest names by index, "groups" with the stages and accesses of each barrier and the
    /// reasons for them (null for a pass is what is outside) and how they wait for other queues, "batches", "dropped"
    /// passes and "memory" in bytes.
    [[nodiscard]] WEIR_API std::string json() const;
};

/// The stages and accesses that an Access stands for.
WEIR_API Scope scope_of(Access access);
/// The layout in which an image is for such a use. Passes that could run together but differ do so one after another;
/// together remain those that sample a depth image and those that test against it, and those that sample a storage
/// image and those that load from it. A pass that has two uses for one image finds it in a layout that does for both.
/// Undefined for `none`, and for what is for buffers only.
WEIR_API VkImageLayout layout_of(Access access);
WEIR_API bool is_for_images(Access access);
WEIR_API bool is_for_buffers(Access access);
WEIR_API bool writes(Access access);
WEIR_API bool reads(Access access);

/// Compiles a graph to a plan; needs no device. Errors: `invalid_graph` for the mistakes kept while building, cycles,
/// undefined reads, conflicting declarations, exports that nothing writes, what a queue cannot do; each names pass and
/// resource. `unsupported` for several queues and pooled memory. Deterministic.
/// Time: near linear, but for transients that are alive together, of which each is compared with each.
WEIR_API Result<Plan> make_plan(const GraphDescription& graph, const PlanOptions& options = {});

} // namespace weir

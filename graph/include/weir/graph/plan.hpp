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

/// A synchronization scope: pipeline stages and accesses.
struct Scope {
    VkPipelineStageFlags2 stages = 0; ///< stages
    VkAccessFlags2 access = 0;        ///< accesses in these stages
    /// Whether both are the same.
    friend bool operator==(const Scope&, const Scope&) = default;
};

/// One reason for a barrier: `to` uses `resource` after `from` used it, or after `from` used what was in its memory
/// before.
struct Dependency {
    /// Why `to` has to come after `from`.
    enum class Reason : std::uint8_t {
        read_after_write,    ///< `to` reads what `from` wrote
        write_after_read,    ///< `to` overwrites what `from` read: an execution dependency
        write_after_write,   ///< `to` overwrites what `from` wrote
        memory_reused,       ///< another transient was in the same memory
        layout_change,       ///< an image barrier before `to` waits for `from`, to change the layout
        after_layout_change, ///< `to` uses an image whose layout was changed for `from`
        ownership_transfer,  ///< ownership of an import is transferred from or to another queue
    };
    /// As a pass: commands of the application, or an earlier execution of the program.
    static constexpr std::uint32_t outside = ~0U;

    std::uint32_t resource = 0;               ///< index into GraphDescription::resources
    std::uint32_t from = outside;             ///< index into GraphDescription::passes
    std::uint32_t to = outside;               ///< index into GraphDescription::passes
    Reason reason = Reason::read_after_write; ///< why
    Scope source;                             ///< what it waits for
    Scope destination;                        ///< what waits
};

/// Changes the layout of an image, or of the piece of one, after `source` and before `destination`.
struct ImageBarrier {
    std::uint32_t resource = 0;                           ///< index of the image, or of the piece
    Scope source;                                         ///< what it waits for
    Scope destination;                                    ///< what waits
    VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< undefined: the contents are lost
    VkImageLayout new_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< the layout for the passes of the group
    /// Whether both are the same.
    friend bool operator==(const ImageBarrier&, const ImageBarrier&) = default;
};

/// A wait for another queue: everything that was submitted to the queue of `group`, up to and including that group, is
/// complete and visible to this group and to all later groups of its own queue.
struct GroupWait {
    std::uint32_t group = 0;          ///< index into Plan::groups
    std::uint32_t executions_ago = 0; ///< 0: of the same execution, so a group earlier in the plan
    std::vector<Dependency> reasons;  ///< why
    /// Whether both wait for the same group.
    friend bool operator==(const GroupWait& a, const GroupWait& b) {
        return a.group == b.group && a.executions_ago == b.executions_ago;
    }
};

/// One half of a queue family ownership transfer of an exclusive import: a release after the passes of a group, or an
/// acquisition before those of a later group, which waits for the release.
struct OwnershipTransfer {
    std::uint32_t resource = 0;       ///< index of the import
    QueueKind from = QueueKind::main; ///< the queue that releases
    QueueKind to = QueueKind::main;   ///< the queue that acquires
    Scope scope;                      ///< what a release comes after, or what an acquisition comes before
    VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< of an image; the same in both halves
    VkImageLayout new_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< of an image; the same in both halves
    /// Whether both are the same.
    friend bool operator==(const OwnershipTransfer&, const OwnershipTransfer&) = default;
};

/// Passes on one queue without dependencies among each other, after one pipeline barrier (none if there are no
/// dependencies). Each image, or piece of one, is in one layout for all of them.
struct PlanGroup {
    /// The layout of an image.
    struct Layout {
        std::uint32_t resource = 0;                       ///< index of the image
        VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< its layout
        /// Whether both are the same.
        friend bool operator==(const Layout&, const Layout&) = default;
    };

    QueueKind queue = QueueKind::main;        ///< the queue of the passes
    std::vector<GroupWait> waits;             ///< semaphores: at most one wait for each other queue
    std::vector<VkMemoryBarrier2> barriers;   ///< of one vkCmdPipelineBarrier2 before the passes
    std::vector<ImageBarrier> image_barriers; ///< of the same; one for each image whose layout changes
    std::vector<OwnershipTransfer> acquired;  ///< of the same
    std::vector<Dependency> dependencies;     ///< the reasons for the barriers
    std::vector<std::uint32_t> passes;        ///< indices into GraphDescription::passes
    std::vector<Layout> layouts;              ///< of the images of its passes, by resource
    std::vector<OwnershipTransfer> released;  ///< after the passes

    /// The layout of an image, or of the piece of one, in all passes of the group; undefined if none uses it. An image
    /// that has GraphDescription::Resource::pieces has the layouts of these.
    [[nodiscard]] WEIR_API VkImageLayout layout(std::uint32_t resource) const;
};

/// Consecutive groups of one queue, in one command buffer: the unit of submission.
struct PlanBatch {
    /// A wait for a batch of another queue.
    struct Wait {
        std::uint32_t batch = 0;          ///< index into Plan::batches
        std::uint32_t executions_ago = 0; ///< 0: of the same execution, so a batch earlier in the plan
        /// Whether both are the same.
        friend bool operator==(const Wait&, const Wait&) = default;
    };
    QueueKind queue = QueueKind::main; ///< the queue of the groups
    std::vector<std::uint32_t> groups; ///< indices into Plan::groups
    std::vector<Wait> waits;           ///< for batches of other queues to be complete, in all stages
};

/// The placement of transients in blocks of memory, which transients that are not alive at the same time share. A
/// transient is alive from the first group with a pass that uses it to the last. Transients on different queues, or on
/// several, share memory only where the semaphores that the plan needs anyway order them, in an execution and from one
/// to the next.
struct PlanMemory {
    static constexpr std::uint32_t none = ~0U; ///< in no block
    /// A place in a block.
    struct Place {
        std::uint32_t block = none; ///< index into `blocks`
        std::uint64_t offset = 0;   ///< bytes
        /// Whether both are the same.
        friend bool operator==(const Place&, const Place&) = default;
    };

    std::vector<Place> places;         ///< per resource; in no block: imports, states, exports, and unused resources
    std::vector<std::uint64_t> blocks; ///< bytes of each; where there are several, at most Capabilities::max_allocation
    bool pooled = false;               ///< other programs use the memory between executions
    std::vector<bool> with_images;     ///< per block: whether it has images
    std::uint64_t apart = 0;           ///< bytes that transients would take without sharing
    std::uint64_t least = 0;           ///< lower bound of any placement: the most bytes that are alive at one time

    /// Bytes of all blocks.
    [[nodiscard]] WEIR_API std::uint64_t bytes() const;
};

/// Options of make_plan.
struct PlanOptions {
    bool share_memory = true;  ///< false: each transient has memory of its own, for debugging
    bool pooled = false;       ///< other programs use the memory of transients between executions
    bool images_apart = false; ///< no block has both images and buffers
    bool one_queue = false;    ///< all passes are on the main queue
};

/// Options of Plan::dot.
struct DotOptions {
    /// The stage of each pass, by index into GraphDescription::passes. The passes of a stage share a box, which has its
    /// name. A pass whose stage is empty, or past the end of the vector, has no box. Empty: the boxes are the groups.
    std::vector<std::string> stages = {};
    /// Makes a picture that fits on a page. It leaves out passes that compute dispatch arguments, states that only the
    /// call which added them uses (such as tile states), names at edges, and edges that follow from other ones.
    /// Resources from outside of an execution stand in each box that uses them.
    bool overview = false;
};

/// What a compiled graph does, in order, as plain data.
struct Plan {
    /// Each group comes after all groups on which it depends, of any queue. The last one has no passes: it makes
    /// exports visible to the application's next use. With several queues there may be more groups without passes:
    /// first ones for resources that arrive on other queues, and last ones for resources that leave on others.
    std::vector<PlanGroup> groups;
    std::vector<PlanBatch> batches;    ///< in the order of their last groups; one where all passes are on one queue
    std::vector<std::uint32_t> culled; ///< passes whose results nobody uses
    /// Per resource of `graph`: whether a pass that is kept, or an image barrier, uses it; for a history, both or none.
    std::vector<bool> used;
    /// Per resource: the layout of an image after an execution; undefined where its mips and layers are in several.
    std::vector<VkImageLayout> final_layouts;
    PlanMemory memory; ///< the placement of transients
    /// The graph of which it is a plan. Of the work of a pass it has the kind and the dispatch only; x, y and z of
    /// an indirect dispatch are its maximum, or 0 if only the GPU knows that. Where passes use parts of images, pieces
    /// of the images follow the resources, and uses and exports are of pieces.
    std::shared_ptr<const GraphDescription> graph = {};

    /// A listing: groups, passes with their accesses, and each barrier with its reasons.
    [[nodiscard]] WEIR_API std::string text() const;
    /// Draws passes, buffers and images in the language of Graphviz, with a legend of the colors. The text is valid for
    /// any names.
    [[nodiscard]] WEIR_API std::string dot(const DotOptions& options = {}) const;
    /// The whole plan for programs: an object with "resources" and "passes" ("only_if" names the conditions of one,
    /// "dispatch" has its workgroups), to which the rest refers by index; "groups" with the stages and accesses of each
    /// barrier, their reasons (null stands for a pass outside of the execution) and waits for other queues; "batches";
    /// "culled" passes; and "memory" in bytes.
    [[nodiscard]] WEIR_API std::string json() const;
};

/// The stages and accesses that an Access stands for.
WEIR_API Scope scope_of(Access access);
/// The layout of an image for an access; undefined for `none` and for accesses of buffers only. Passes that could run
/// together but need different layouts run one after the other, with two exceptions that share a layout: sampling and
/// testing against a depth image, and sampling and loading from a storage image. A pass with two uses of an image finds
/// it in a layout for both.
WEIR_API VkImageLayout layout_of(Access access);
/// The layout of an image that serves several accesses: that of each of them; for sampling and testing against a depth
/// image VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL; for sampling and storage, or Access::any, the general one;
/// otherwise undefined.
WEIR_API VkImageLayout layout_of(const Accesses& accesses);
/// Whether an image can have this access.
WEIR_API bool is_for_images(Access access);
/// Whether a buffer can have this access.
WEIR_API bool is_for_buffers(Access access);
/// Whether this access writes.
WEIR_API bool writes(Access access);
/// Whether this access reads.
WEIR_API bool reads(Access access);

/// Compiles a graph to a plan; needs no device. Deterministic. Errors: `invalid_graph` for mistakes that were kept
/// while building, cycles, undefined reads, conflicting declarations, exports that nothing writes, and work that a
/// queue cannot do, each with the pass and the resource; `unsupported` for pooled memory on several queues. Time: close
/// to linear, except for transients that are alive at the same time, of which each pair is compared.
WEIR_API Result<Plan> make_plan(const GraphDescription& graph, const PlanOptions& options = {});

} // namespace weir

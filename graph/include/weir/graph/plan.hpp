#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/graph/description.hpp>

namespace weir {

/// One reason for a barrier: `to` uses `resource` after `from` used it, or after `from` used another transient in the
/// same memory.
struct Dependency {
    /// Reason why `to` must come after `from`.
    enum class Reason : std::uint8_t {
        read_after_write,    ///< `to` reads what `from` wrote
        write_after_read,    ///< `to` overwrites what `from` read; an execution dependency
        write_after_write,   ///< `to` overwrites what `from` wrote
        memory_reused,       ///< `from` used another transient in the same memory
        layout_change,       ///< an image barrier before `to` waits for `from` in order to change the layout
        after_layout_change, ///< `to` uses an image whose layout was changed for `from`
        ownership_transfer,  ///< ownership of an import moves from or to another queue
    };
    /// Value of `from` and `to` for commands of the application, or for an earlier execution of the program.
    static constexpr std::uint32_t outside = ~0U;

    std::uint32_t resource = 0;               ///< index into GraphDescription::resources
    std::uint32_t from = outside;             ///< index into GraphDescription::passes
    std::uint32_t to = outside;               ///< index into GraphDescription::passes
    Reason reason = Reason::read_after_write; ///< kind of the dependency
    Scope source;                             ///< stages and accesses that are waited for
    Scope destination;                        ///< stages and accesses that wait
};

/// A change of the layout of an image, or of pieces of one, after `source` and before `destination`. A barrier for
/// several pieces changes a rectangle of mips and layers.
struct ImageBarrier {
    /// Index of the image or piece. For several pieces: index of their image.
    std::uint32_t resource = 0;
    Scope source;                                         ///< stages and accesses that are waited for
    Scope destination;                                    ///< stages and accesses that wait
    VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< VK_IMAGE_LAYOUT_UNDEFINED: the contents are lost
    VkImageLayout new_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< layout for the passes of the group
    std::vector<std::uint32_t> pieces = {};               ///< indices of the pieces, by index; empty: `resource` alone
    ImagePart range = {};                                 ///< mips and layers of the pieces, if there are several
    /// Compares all members.
    friend bool operator==(const ImageBarrier&, const ImageBarrier&) = default;
};

/// A wait for another queue. Everything submitted to the queue of `group`, up to and including that group, is complete
/// and visible to the waiting group and to all later groups of its queue.
struct GroupWait {
    std::uint32_t group = 0;          ///< index into Plan::groups
    std::uint32_t executions_ago = 0; ///< 0: same execution, and the group is earlier in the plan
    std::vector<Dependency> reasons;  ///< reasons for the wait
    /// Compares `group` and `executions_ago`, not the reasons.
    friend bool operator==(const GroupWait& a, const GroupWait& b) {
        return a.group == b.group && a.executions_ago == b.executions_ago;
    }
};

/// One half of a queue family ownership transfer of an exclusive import: a release after the passes of a group, or an
/// acquisition before the passes of a later group. The acquisition waits for the release. Both halves have the same
/// layouts.
struct OwnershipTransfer {
    std::uint32_t resource = 0;                           ///< index of the import
    QueueKind from = QueueKind::main;                     ///< queue that releases
    QueueKind to = QueueKind::main;                       ///< queue that acquires
    Scope scope;                                          ///< uses before a release, or after an acquisition
    VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< layout before the transfer; images only
    VkImageLayout new_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< layout after the transfer; images only
    /// Compares all members.
    friend bool operator==(const OwnershipTransfer&, const OwnershipTransfer&) = default;
};

/// Passes on one queue without dependencies among each other, after one pipeline barrier. Without dependencies on
/// earlier passes the barrier is omitted. Each image, or piece of one, is in one layout for all passes.
struct PlanGroup {
    /// The layout of an image.
    struct Layout {
        std::uint32_t resource = 0;                       ///< index of the image
        VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< layout of the image
        /// Compares all members.
        friend bool operator==(const Layout&, const Layout&) = default;
    };

    QueueKind queue = QueueKind::main;        ///< queue of the passes
    std::vector<GroupWait> waits;             ///< semaphore waits: at most one for each other queue
    std::vector<VkMemoryBarrier2> barriers;   ///< memory barriers of the vkCmdPipelineBarrier2 before the passes
    std::vector<ImageBarrier> image_barriers; ///< image barriers of that command; each piece is in one at most
    std::vector<OwnershipTransfer> acquired;  ///< acquisitions in that command
    std::vector<Dependency> dependencies;     ///< reasons for the barriers
    std::vector<std::uint32_t> passes;        ///< indices into GraphDescription::passes
    std::vector<Layout> layouts;              ///< layouts of the images that its passes use, by resource
    std::vector<OwnershipTransfer> released;  ///< releases after the passes

    /// Returns the layout of an image, or of a piece of one, in all passes of the group; undefined if no pass uses it.
    /// For an image with GraphDescription::Resource::pieces, ask for the pieces.
    [[nodiscard]] WEIR_API VkImageLayout layout(std::uint32_t resource) const;
};

/// Consecutive groups of one queue, in one command buffer: the unit of submission.
struct PlanBatch {
    /// A wait for a batch of another queue.
    struct Wait {
        std::uint32_t batch = 0;          ///< index into Plan::batches
        std::uint32_t executions_ago = 0; ///< 0: same execution, and the batch is earlier in the plan
        /// Compares all members.
        friend bool operator==(const Wait&, const Wait&) = default;
    };
    QueueKind queue = QueueKind::main; ///< queue of the groups
    std::vector<std::uint32_t> groups; ///< indices into Plan::groups
    std::vector<Wait> waits;           ///< waits until batches of other queues are complete; all stages wait
};

/// Placement of transients in blocks of memory. Transients that are not alive at the same time share memory. A
/// transient is alive from the first group with a pass that uses it to the last. Buffers on one queue share memory,
/// too, if the passes that use one and those that use the other are exclusive; see Graph::unless. Images do not: their
/// layout changes take place even if their passes are off.
///
/// Transients on different queues, and transients that several queues use, share memory only if semaphores that the
/// plan needs anyway order their uses, within an execution and from one execution to the next.
struct PlanMemory {
    static constexpr std::uint32_t none = ~0U; ///< block index of a resource without a place
    /// A place in a block.
    struct Place {
        std::uint32_t block = none; ///< index into `blocks`
        std::uint64_t offset = 0;   ///< offset in the block, in bytes
        /// Compares all members.
        friend bool operator==(const Place&, const Place&) = default;
    };

    std::vector<Place> places; ///< per resource; imports, states, exports and unused resources are in no block
    /// Bytes of each block. At most Capabilities::max_allocation unless a single transient is larger.
    std::vector<std::uint64_t> blocks;
    bool pooled = false;           ///< true: other programs use the memory between executions
    std::vector<bool> with_images; ///< per block: true if it holds images
    std::uint64_t apart = 0;       ///< bytes that the transients take without sharing
    /// Maximum number of bytes alive at one time: no placement for this order is smaller. With exclusive passes, the
    /// maximum over two executions: with all switches on, and with all off.
    std::uint64_t alive = 0;
    std::uint64_t lower_bound = 0; ///< minimum of `alive` over all orders that the compiler considered

    /// Returns the bytes of all blocks.
    [[nodiscard]] WEIR_API std::uint64_t bytes() const;
};

/// Order of passes that do not depend on each other.
enum class PassOrder : std::uint8_t {
    /// As `overlap`, but a pass runs early only if transients then need little more memory than in the order that needs
    /// least: at most an eighth more and 4 MiB.
    balanced,
    /// Order of declaration on each queue. Consecutive passes that do not depend on each other run together.
    declared,
    /// Each pass is as early as its dependencies allow. With several queues, passes on which another queue waits run
    /// first, and the passes that are independent of them run after the semaphore is signaled.
    overlap,
    /// Order in which transients need least memory, of those that the compiler considers.
    memory,
};

/// Options of make_plan.
struct PlanOptions {
    PassOrder order = PassOrder::balanced; ///< order of passes that do not depend on each other
    bool share_memory = true;              ///< false: each transient has its own memory, for debugging
    bool pooled = false;                   ///< true: other programs use the memory of transients between executions
    bool images_apart = false;             ///< true: no block has both images and buffers
    bool one_queue = false;                ///< true: all passes run on the main queue
    /// True: passes use all images in VK_IMAGE_LAYOUT_GENERAL. See CompileOptions::general_layouts.
    bool general_layouts = false;
};

/// Options of Plan::dot.
struct DotOptions {
    /// The stage of each pass, by index into GraphDescription::passes. Passes of a stage share a box with the name of
    /// the stage. A pass without an entry, or with an empty one, has no box. If the vector is empty, the boxes are the
    /// groups.
    std::vector<std::string> stages = {};
    /// Makes a picture that fits on a page. It omits passes that compute dispatch arguments, states that only the call
    /// which added them uses (such as tile states), names on edges, and edges that follow from other edges. Resources
    /// from outside of an execution stand in each box that uses them.
    bool overview = false;
};

/// A compiled graph as plain data: groups of passes in order, their synchronization, and the placement of transients.
struct Plan {
    /// Each group comes after all groups on which it depends, of any queue. The last group has no passes: it makes
    /// exports visible to the application's next use. With several queues, more groups may have no passes: first ones
    /// for resources that arrive on other queues, and last ones for resources that leave on other queues.
    std::vector<PlanGroup> groups;
    std::vector<PlanBatch> batches;    ///< in the order of their last groups; one if only the main queue is used
    std::vector<std::uint32_t> culled; ///< indices of passes whose results are not used
    /// Per resource of `graph`: true if a pass that is not culled, an image barrier or an ownership transfer uses it.
    /// The two buffers of a history have the same value.
    std::vector<bool> used;
    /// Per resource: layout of the image after an execution. Undefined for buffers, and for images whose mips and
    /// layers are in several layouts.
    std::vector<VkImageLayout> final_layouts;
    PlanMemory memory; ///< placement of transients
    /// The graph of the plan. The work of each pass is reduced to its kind and its dispatch. x, y and z of an indirect
    /// dispatch are its maximum, or 0 if only the GPU knows it. If passes use parts of images, pieces of the images
    /// follow the resources, and uses and exports refer to pieces.
    std::shared_ptr<const GraphDescription> graph = {};

    /// Returns a listing of the groups, of the passes with their accesses, and of each barrier with its reasons.
    [[nodiscard]] WEIR_API std::string text() const;
    /// Returns a picture of passes, buffers and images in the language of Graphviz, with a legend of the colors. The
    /// text is valid for any names.
    [[nodiscard]] WEIR_API std::string dot(const DotOptions& options = {}) const;
    /// Returns the time of one execution if each pass takes the given time, by index into GraphDescription::passes:
    /// passes of a queue run one after another, and a queue waits for the semaphores of the same execution. The unit is
    /// that of `times`. Passes without an entry take no time. With times of a Profile, two orders or assignments of
    /// passes to queues can be compared.
    [[nodiscard]] WEIR_API double critical_path(std::span<const double> times) const;
    /// Returns the whole plan as a JSON object, for other programs. "resources" and "passes" come first; the rest
    /// refers to them by index. In a pass, "only_if" has the names of its conditions, "unless" those of switches that
    /// must be off, and "dispatch" its workgroups. In a use, "written_by" is the latest pass before it that writes the
    /// resource, or null. "groups" has the stages and accesses of each barrier, the reasons for it, and waits for other
    /// queues; a pass outside of the execution is null. "batches" and "culled" passes follow, then "memory" in bytes.
    [[nodiscard]] WEIR_API std::string json() const;
};

/// Compiles a graph to a plan. Needs no device. Deterministic.
///
/// Time: close to linear, except that each pair of transients that are alive at the same time is compared.
///
/// Errors: `invalid_graph` for mistakes that were kept while building, cycles, undefined reads, conflicting
/// declarations, exports that nothing writes, and work that a queue cannot do, each with the pass and the resource;
/// `unsupported` for pooled memory on several queues.
[[nodiscard]] WEIR_API Result<Plan> make_plan(const GraphDescription& graph, const PlanOptions& options = {});

} // namespace weir

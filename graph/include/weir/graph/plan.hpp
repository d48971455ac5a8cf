#pragma once

#include <cstdint>
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
        memory_reused, ///< another transient was there before
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

/// Passes without dependencies among each other, run after one pipeline barrier (none if there are no dependencies).
struct PlanGroup {
    std::vector<VkMemoryBarrier2> barriers; ///< of one vkCmdPipelineBarrier2
    std::vector<Dependency> dependencies;   ///< why
    std::vector<std::uint32_t> passes;      ///< indices into GraphDescription::passes
};

/// Where a plan's transients are: in blocks of memory, which those share that are not alive together. A transient is
/// alive from the first group with a pass that names it to the last.
struct PlanMemory {
    static constexpr std::uint32_t none = ~0U;
    struct Place {
        std::uint32_t block = none;
        std::uint64_t offset = 0; ///< bytes
        friend bool operator==(const Place&, const Place&) = default;
    };

    std::vector<Place> places;         ///< per buffer; in no block: imports, states, exports, and what is not used
    std::vector<std::uint64_t> blocks; ///< bytes of each; of several, no more than Capabilities::max_allocation
    std::uint64_t apart = 0;           ///< bytes that they would take one beside the other
    std::uint64_t least = 0;           ///< the most bytes that are alive at once, which no placement can go below

    [[nodiscard]] WEIR_API std::uint64_t bytes() const; ///< of all blocks
};

struct PlanOptions {
    bool share_memory = true; ///< else each transient has memory of its own, to look at or to rule sharing out
};

/// What a compiled graph does, in order, as plain data.
struct Plan {
    std::vector<PlanGroup> groups;      ///< the last one has no passes: it makes exports visible to the host's next use
    std::vector<std::uint32_t> dropped; ///< passes whose results nobody uses
    std::vector<bool> used; ///< per buffer: whether a pass that is kept touches or binds it; both of a history or none
    PlanMemory memory;

    /// A listing to read: groups, passes with their accesses, and each barrier with its reasons.
    [[nodiscard]] WEIR_API std::string text(const GraphDescription& graph) const;
    /// Groups and buffers as a picture, for Graphviz.
    [[nodiscard]] WEIR_API std::string dot(const GraphDescription& graph) const;
    /// All of the plan for other programs: an object of "resources" and "passes" ("only_if" names what must hold for
    /// one to run), which the rest names by index, "groups" with the stages and accesses of each barrier and the
    /// reasons for them (null for a pass is what is outside), "dropped" passes and "memory" in bytes.
    [[nodiscard]] WEIR_API std::string json(const GraphDescription& graph) const;
};

/// The stages and accesses that an Access stands for.
WEIR_API Scope scope_of(Access access);
WEIR_API bool writes(Access access);
WEIR_API bool reads(Access access);

/// Compiles a graph to a plan; needs no device. Errors: `invalid_graph` for the mistakes kept while building, cycles,
/// undefined reads, conflicting declarations, exports that nothing writes; each names pass and buffer. Deterministic.
/// Time: near linear, but for transients that are alive together, of which each is compared with each.
WEIR_API Result<Plan> make_plan(const GraphDescription& graph, const PlanOptions& options = {});

} // namespace weir

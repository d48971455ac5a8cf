#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <weir/graph/plan.hpp>

#include "graph/plan/sync/access_masks.hpp"

// The rules of the Vulkan specification's "Execution and Memory Dependencies": how each barrier changes the guarantees
// about an earlier use of a resource.

namespace weir {

// A set of pipeline stages, with one bit for each of `known_stages`. `other` represents the stages that only
// ALL_COMMANDS includes.
using StageSet = std::uint32_t;
namespace stage {
constexpr StageSet indirect = 1, vertex_input = 2, vertex_shader = 4, early_tests = 8, fragment_shader = 16,
                   late_tests = 32, color_output = 64, compute = 128, transfer = 256, build = 512, copy_built = 1024,
                   ray_tracing = 2048, shading_rate = 4096, density = 8192, preprocess = 1 << 14, feedback = 1 << 15,
                   conditional = 1 << 16, other = 1 << 17, host = 1 << 18;
constexpr StageSet all_commands = host - 1;
constexpr std::size_t count = 19;
} // namespace stage

inline StageSet stage_set(VkPipelineStageFlags2 stages) {
    using namespace stage;
    if ((stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0) {
        return all_commands | ((stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0 ? host : 0);
    }
    StageSet of = 0;
    const auto add = [&](VkPipelineStageFlags2 flag, StageSet bit) { of |= (stages & flag) != 0 ? bit : 0; };
    add(VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, indirect);
    add(VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, vertex_input);
    add(VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT, vertex_shader);
    add(VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT, early_tests);
    add(VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, fragment_shader);
    add(VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT, late_tests);
    add(VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, color_output);
    add(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, compute);
    add(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, transfer);
    add(VK_PIPELINE_STAGE_2_HOST_BIT, host);
    constexpr VkPipelineStageFlags2 common =
        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT |
        VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
        VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT |
        VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT;
    if ((stages & ~common) == 0) { // not of raw uses
        return of;
    }
    add(VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, build);
    add(VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR, copy_built);
    add(VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, ray_tracing);
    add(VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, shading_rate);
    add(VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT, density);
    add(VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_NV, preprocess);
    add(VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, feedback);
    add(VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT, conditional);
    return of;
}

/// Adds the logically earlier stages, which a first synchronization scope includes.
inline StageSet with_earlier(StageSet of) {
    using namespace stage;
    constexpr StageSet drawing =
        vertex_input | vertex_shader | early_tests | fragment_shader | late_tests | color_output;
    if (const StageSet drawn = of & drawing; drawn != 0) {
        of |= drawing & (std::bit_floor(drawn) - 1); // the bits are in pipeline order
    }
    return of | ((of & (drawing | compute)) != 0 ? indirect : 0);
}
/// Adds the logically later stages, which a second synchronization scope includes.
inline StageSet with_later(StageSet of) {
    using namespace stage;
    of |= (of & indirect) != 0 ? vertex_input | compute : 0;
    constexpr StageSet drawing =
        vertex_input | vertex_shader | early_tests | fragment_shader | late_tests | color_output;
    const StageSet drawn = of & drawing;
    return drawn != 0 ? of | (drawing & ~((drawn & (~drawn + 1)) - 1)) : of;
}

struct Barrier {
    static constexpr std::uint32_t all = ~0U;
    friend auto operator<=>(const Barrier&, const Barrier&) = default; // NOLINT(modernize-use-nullptr)
    StageSet source = 0, destination = 0;
    AccessSet flushes = 0, shows = 0;
    std::uint32_t resource = all; ///< the only image that the barrier affects, or `all`

    explicit Barrier(const VkMemoryBarrier2& barrier)
        : source(stage_set(barrier.srcStageMask)), destination(stage_set(barrier.dstStageMask)),
          flushes(access_set(barrier.srcAccessMask)), shows(access_set(barrier.dstAccessMask)) {}
    explicit Barrier(const ImageBarrier& barrier)
        : source(stage_set(barrier.source.stages)), destination(stage_set(barrier.destination.stages)),
          flushes(access_set(barrier.source.access)), shows(access_set(barrier.destination.access)),
          resource(barrier.resource) {}
    [[nodiscard]] bool is_for(std::uint32_t other) const { return resource == all || resource == other; }
};

/// The memory barriers of one vkCmdPipelineBarrier2. They do not chain with each other, nor with its image barriers.
using BarrierCommand = std::vector<Barrier>;

/// The guarantees of the barriers since a use, for the commands after them.
struct SyncState {
    StageSet before = 0;                           ///< stages in which commands run after the use
    StageSet available = 0;                        ///< stages in which commands run after the write was made available
    std::array<AccessSet, stage::count> visible{}; ///< per stage: the accesses to which the write is visible

    void show(StageSet destination, AccessSet shows) {
        for (StageSet left = destination; left != 0; left &= left - 1) {
            visible[static_cast<std::size_t>(std::countr_zero(left))] |= shows;
        }
    }
    friend bool operator==(const SyncState&, const SyncState&) = default;
};

/// An earlier use of a resource that later uses may need to wait for.
struct PastUse {
    enum class Kind : std::uint8_t {
        read,          ///< its scope has no accesses
        write,         ///< its scope has the accesses that write
        layout_change, ///< by an image barrier, which makes the change available; its scope has the stages after it
        departed,      ///< a write or change that the last execution has shown to the application's reads, in its scope
    };
    Kind kind = Kind::read;
    QueueKind queue = QueueKind::main;
    std::uint32_t position = 0; ///< position of its group on the queue: see VectorClock
    std::uint32_t resource = 0;
    std::uint32_t pass = Dependency::outside;
    std::uint32_t execution = 0;
    std::uint32_t concurrent = 0; ///< set of concurrent writes that includes it; 0: none
    Scope scope;
    /// Layout changes and departed writes only: accesses in the stages of `scope` to which the change is visible.
    VkAccessFlags2 shows = 0;
    std::size_t commands = 0; ///< number of barrier commands of its queue that `state` includes
    SyncState state = initial_state();
    std::uint64_t without_effect = 0; ///< bit i: distinct command i, of the first 64, does not change `state`

    [[nodiscard]] bool is_host() const { return (scope.stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0; }
    /// Checks if an earlier barrier has made it available, and visible in the stages of `scope`.
    [[nodiscard]] bool is_shown() const { return kind == Kind::layout_change || kind == Kind::departed; }

    /// Returns the state before any later barrier.
    [[nodiscard]] SyncState initial_state() const {
        SyncState first;
        if (is_shown()) {
            first.before = first.available = with_later(stage_set(scope.stages));
            first.show(stage_set(scope.stages), access_set(shows));
        }
        return first;
    }

    /// Checks if a barrier makes the write available.
    [[nodiscard]] bool is_flushed_by(const Barrier& barrier) const {
        return kind == Kind::write && barrier.is_for(resource) && (stage_set(scope.stages) & ~barrier.source) == 0 &&
               (access_set(scope.access) & ~barrier.flushes) == 0;
    }

    /// Returns the state after one more barrier command. `own`: its image barrier for the resource, or null.
    [[nodiscard]] SyncState after(const BarrierCommand& barriers, const Barrier* own = nullptr) const {
        SyncState next = state;
        const StageSet stages = stage_set(scope.stages);
        const auto add = [&](const Barrier& barrier) {
            // No chain goes through the host stage: the host may not have waited for what is visible to it.
            const StageSet source = with_earlier(barrier.source), chained = source & ~stage::host;
            const bool is_direct = !is_shown() && (stages & ~source) == 0;
            if ((chained & state.before) == 0 && !is_direct) {
                return;
            }
            next.before |= with_later(barrier.destination);
            if (is_flushed_by(barrier) || (chained & state.available) != 0) {
                next.available |= with_later(barrier.destination);
                next.show(barrier.destination, barrier.shows);
            }
        };
        std::for_each(barriers.begin(), barriers.end(), add);
        if (own != nullptr) {
            add(*own);
        }
        return next;
    }

    /// Checks if `with` guarantees that `use` comes after this use, and that a write is visible to it.
    [[nodiscard]] bool is_before(const Scope& use, const SyncState& with) const {
        const StageSet stages = stage_set(use.stages);
        if (kind == Kind::read) {
            return (stages & ~with.before) == 0;
        }
        const AccessSet wanted = access_set(use.access);
        for (StageSet left = stages; left != 0; left &= left - 1) {
            if ((wanted & ~with.visible[static_cast<std::size_t>(std::countr_zero(left))]) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Checks if `with` guarantees that commands of some stage come after this use, and after a write is available.
    [[nodiscard]] bool is_before_something(const SyncState& with) const {
        return ((kind == Kind::read ? with.before : with.available) & ~stage::host) != 0;
    }

    /// Checks if the barriers so far guarantee that a layout change comes after this use, and after a write is
    /// available. `source`: source stages of the barrier that changes the layout.
    [[nodiscard]] bool is_before_change(VkPipelineStageFlags2 source) const {
        const StageSet waits = with_earlier(stage_set(source)), chained = waits & ~stage::host;
        if (kind == Kind::read) {
            return (chained & state.before) != 0 || (stage_set(scope.stages) & ~waits) == 0;
        }
        return (chained & state.available) != 0;
    }
    /// Checks this with `barriers`, the memory barriers of the command that contains the change. These and the barrier
    /// of the change make writes available before the layout changes. A global one does so if it has the destination
    /// stages of the change.
    [[nodiscard]] bool is_before_change(const ImageBarrier& change, const BarrierCommand& barriers) const {
        if (is_before_change(change.source.stages)) {
            return true;
        }
        const StageSet waits = with_earlier(stage_set(change.source.stages));
        const bool comes_after = (waits & ~stage::host & state.before) != 0 || (stage_set(scope.stages) & ~waits) == 0;
        if (kind != Kind::write || !comes_after) {
            return false;
        }
        return is_flushed_by(Barrier(change)) ||
               std::any_of(barriers.begin(), barriers.end(), [&](const Barrier& barrier) {
                   return is_flushed_by(barrier) &&
                          (stage_set(change.destination.stages) & ~with_later(barrier.destination)) == 0;
               });
    }
};

} // namespace weir

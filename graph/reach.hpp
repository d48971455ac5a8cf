#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <weir/graph/plan.hpp>

// What barriers make of what has happened before them: the Vulkan specification's "Execution and Memory Dependencies",
// as far as the accesses of <weir/graph/graph.hpp> need it.

namespace weir {

// Pipeline stages as far as barriers tell them apart: one bit each. `other` is what only all commands together hold.
using Units = std::uint32_t;
namespace units {
constexpr Units indirect = 1, vertex_input = 2, vertex_shader = 4, early_tests = 8, fragment_shader = 16,
                late_tests = 32, color_output = 64, compute = 128, transfer = 256, other = 512, host = 1024;
constexpr Units all_commands = host - 1;
constexpr std::size_t count = 11;
} // namespace units

inline Units units_of(VkPipelineStageFlags2 stages) {
    using namespace units;
    if ((stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0) {
        return all_commands | ((stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0 ? host : 0);
    }
    Units of = 0;
    const auto add = [&](VkPipelineStageFlags2 stage, Units unit) { of |= (stages & stage) != 0 ? unit : 0; };
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
    return of;
}

/// What comes before stages in a pipeline waits with them, and what comes after them does.
inline Units with_earlier(Units of) {
    using namespace units;
    constexpr Units drawing = vertex_input | vertex_shader | early_tests | fragment_shader | late_tests | color_output;
    if (const Units drawn = of & drawing; drawn != 0) {
        of |= drawing & (std::bit_floor(drawn) - 1); // they are in order
    }
    return of | ((of & (drawing | compute)) != 0 ? indirect : 0);
}
inline Units with_later(Units of) {
    using namespace units;
    of |= (of & indirect) != 0 ? vertex_input | compute : 0;
    constexpr Units drawing = vertex_input | vertex_shader | early_tests | fragment_shader | late_tests | color_output;
    const Units drawn = of & drawing;
    return drawn != 0 ? of | (drawing & ~((drawn & (~drawn + 1)) - 1)) : of;
}

constexpr VkAccessFlags2 single_writes = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT |
                                         VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
                                         VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_HOST_WRITE_BIT;
constexpr VkAccessFlags2 single_reads = VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                                        VK_ACCESS_2_UNIFORM_READ_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT |
                                        VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT |
                                        VK_ACCESS_2_INDEX_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                        VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_HOST_READ_BIT;

/// Masks that stand for several taken apart.
inline VkAccessFlags2 single(VkAccessFlags2 access) {
    return (access & (single_reads | single_writes)) |
           ((access & VK_ACCESS_2_MEMORY_READ_BIT) != 0 ? single_reads : 0) |
           ((access & VK_ACCESS_2_MEMORY_WRITE_BIT) != 0 ? single_writes : 0);
}

struct Barrier {
    static constexpr std::uint32_t all = ~0U;
    friend bool operator==(const Barrier&, const Barrier&) = default;
    Units source = 0, destination = 0;
    VkAccessFlags2 flushes = 0, shows = 0;
    std::uint32_t resource = all; ///< what was done to others it does not count for

    explicit Barrier(const VkMemoryBarrier2& barrier)
        : source(units_of(barrier.srcStageMask)), destination(units_of(barrier.dstStageMask)),
          flushes(single(barrier.srcAccessMask)), shows(single(barrier.dstAccessMask)) {}
    explicit Barrier(const ImageBarrier& barrier)
        : source(units_of(barrier.source.stages)), destination(units_of(barrier.destination.stages)),
          flushes(single(barrier.source.access)), shows(single(barrier.destination.access)),
          resource(barrier.resource) {}
    [[nodiscard]] bool is_for(std::uint32_t other) const { return resource == all || resource == other; }
};

using Command = std::vector<Barrier>; ///< of which none follows another

inline Command command_of(const std::vector<VkMemoryBarrier2>& barriers, const std::vector<ImageBarrier>& images) {
    Command command(barriers.begin(), barriers.end());
    for (const ImageBarrier& image : images) {
        command.emplace_back(image);
    }
    return command;
}

/// What barriers have made of an access since it happened.
struct Reach {
    Units before = 0;                                   ///< commands to come run after it in these stages
    Units available = 0;                                ///< and in these after it was made available, if it is a write
    std::array<VkAccessFlags2, units::count> visible{}; ///< a write, to accesses to come, by stage

    void show(Units destination, VkAccessFlags2 shows) {
        for (Units left = destination; left != 0; left &= left - 1) {
            visible[static_cast<std::size_t>(std::countr_zero(left))] |= shows;
        }
    }
    friend bool operator==(const Reach&, const Reach&) = default;
};

/// Something that happened to a resource, for which other things may have to wait.
struct Event {
    enum class Kind : std::uint8_t {
        read,          ///< without accesses in its scope
        write,         ///< with those that write
        layout_change, ///< by an image barrier, which makes what it does available; in its scope are the stages after
                       ///< it
    };
    Kind kind = Kind::read;
    QueueKind queue = QueueKind::main;
    std::uint32_t position = 0; ///< of its group among all that came on the queue
    std::uint32_t resource = 0;
    std::uint32_t pass = Dependency::outside;
    std::uint32_t execution = 0;
    Scope scope;
    VkAccessFlags2 shows = 0; ///< of a layout change: to which accesses in its stages it is visible
    std::size_t since = 0;    ///< how many commands with barriers came before it
    std::size_t time = 0;     ///< how many of them its reach knows of
    Reach reach = first_reach();
    std::uint64_t without_effect = 0; ///< of the first 64 kinds of commands: those that add nothing to the reach

    /// That without a later barrier.
    [[nodiscard]] Reach first_reach() const {
        Reach first;
        if (kind == Kind::layout_change) {
            first.before = first.available = with_later(units_of(scope.stages));
            first.show(units_of(scope.stages), single(shows));
        }
        return first;
    }

    /// Whether a barrier of the same command as what waits, or that itself, makes a write available.
    [[nodiscard]] bool is_flushed_by(const Barrier& barrier) const {
        return kind == Kind::write && barrier.is_for(resource) && (units_of(scope.stages) & ~barrier.source) == 0 &&
               (single(scope.access) & ~barrier.flushes) == 0;
    }

    /// The reach after one more command.
    [[nodiscard]] Reach after(const Command& barriers) const {
        Reach next = reach;
        const Units stages = units_of(scope.stages);
        for (const Barrier& barrier : barriers) {
            if (!barrier.is_for(resource)) {
                continue;
            }
            // Nothing is chained through the host, which need not have waited for what it is shown.
            const Units source = with_earlier(barrier.source), chained = source & ~units::host;
            const bool is_direct = kind != Kind::layout_change && (stages & ~source) == 0;
            if ((chained & reach.before) == 0 && !is_direct) {
                continue;
            }
            next.before |= with_later(barrier.destination);
            if (is_flushed_by(barrier) || (chained & reach.available) != 0) {
                next.available |= with_later(barrier.destination);
                next.show(barrier.destination, barrier.shows);
            }
        }
        return next;
    }

    /// Whether, with such a reach, `use` comes after it; if it writes, whether that sees it.
    [[nodiscard]] bool is_before(const Scope& use, const Reach& with) const {
        const Units stages = units_of(use.stages);
        if (kind == Kind::read) {
            return (stages & ~with.before) == 0;
        }
        const VkAccessFlags2 wanted = single(use.access);
        for (Units left = stages; left != 0; left &= left - 1) {
            if ((wanted & ~with.visible[static_cast<std::size_t>(std::countr_zero(left))]) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Whether, with such a reach, some command comes after it; if it writes, after it was made available.
    [[nodiscard]] bool is_before_something(const Reach& with) const {
        return ((kind == Kind::read ? with.before : with.available) & ~units::host) != 0;
    }

    /// Whether a layout change by a barrier with such a source comes after it, by the barriers so far; if it writes,
    /// after it was made available.
    [[nodiscard]] bool is_before_change(VkPipelineStageFlags2 source) const {
        const Units waits = with_earlier(units_of(source)), chained = waits & ~units::host;
        if (kind == Kind::read) {
            return (chained & reach.before) != 0 || (units_of(scope.stages) & ~waits) == 0;
        }
        return (chained & reach.available) != 0;
    }
    /// The same with the command that it is in, whose barriers make writes available before layouts change: its own,
    /// and those for all resources that hold back what comes after the change.
    [[nodiscard]] bool is_before_change(const ImageBarrier& change, const Command& barriers) const {
        if (is_before_change(change.source.stages)) {
            return true;
        }
        const Units waits = with_earlier(units_of(change.source.stages));
        const bool comes_after = (waits & ~units::host & reach.before) != 0 || (units_of(scope.stages) & ~waits) == 0;
        if (kind != Kind::write || !comes_after) {
            return false;
        }
        for (const Barrier& barrier : barriers) {
            const bool holds_back = (units_of(change.destination.stages) & ~with_later(barrier.destination)) == 0;
            if (barrier.is_for(change.resource) && is_flushed_by(barrier) && holds_back) {
                return true;
            }
        }
        return false;
    }
};

} // namespace weir

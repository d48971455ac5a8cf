#include "graph/plan/sync/use_history.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weir {

using Lifetime = GraphDescription::Lifetime;

namespace {

constexpr VkImageLayout undefined_layout = VK_IMAGE_LAYOUT_UNDEFINED;

/// Checks if a past use and a write are both by the application at the same end of an execution. Their order is
/// unknown.
bool are_together(const PastUse& past, const PastUse& write) {
    return past.pass == Dependency::outside && write.pass == Dependency::outside &&
           past.kind != PastUse::Kind::layout_change && past.execution == write.execution &&
           past.queue == write.queue && past.position == write.position;
}

/// Checks if both are uses by different passes of one group: these are exclusive or concurrent.
bool are_in_one_group(const PastUse& past, const PastUse& use) {
    return past.position == use.position && past.queue == use.queue && past.execution == use.execution &&
           past.pass != use.pass && past.pass != Dependency::outside && use.pass != Dependency::outside &&
           past.kind != PastUse::Kind::layout_change;
}

void add_all(UseHistory::Uses& to, const UseHistory::Uses& from) {
    to.writes.insert(to.writes.end(), from.writes.begin(), from.writes.end());
    to.reads.insert(to.reads.end(), from.reads.begin(), from.reads.end());
}

/// Adds past uses that are not in the list. Earlier users of the memory may have taken over the same ones.
void add_new(std::vector<PastUse>& to, const std::vector<PastUse>& from) {
    for (const PastUse& past : from) {
        const auto is_same = [&](const PastUse& other) {
            return other.resource == past.resource && other.pass == past.pass && other.kind == past.kind &&
                   other.queue == past.queue && other.position == past.position && other.scope == past.scope;
        };
        if (std::none_of(to.begin(), to.end(), is_same)) {
            to.push_back(past);
        }
    }
}

} // namespace

UseHistory::UseHistory(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
                       const VectorClock& clock)
    : graph_(graph), queues_(queues), memory_(memory), clock_(clock),
      uses_(2 * graph.resources.size() + memory.blocks.size()), layouts_(graph.resources.size()),
      pieces_(graph.resources.size()), states_(states_of_buffers(graph)), aliases_(memory.blocks.size()),
      entered_(graph.resources.size()), own_barriers_(graph.resources.size()) {
    for (std::uint32_t image = 0; image < graph.resources.size(); ++image) {
        if (graph.resources[image].part_of == ResourceId::none) {
            pieces_[image] = graph.resources[image].pieces;
        }
    }
}

void UseHistory::begin_execution() {
    const std::vector<VkImageLayout> left = std::exchange(layouts_, std::vector(layouts_.size(), undefined_layout));
    for (std::uint32_t current = 0; current < graph_.resources.size(); ++current) {
        if (const std::uint32_t previous = graph_.resources[current].previous; previous != ResourceId::none) {
            std::swap(uses_[current], uses_[previous]);
            layouts_[previous] = left[current];
        }
    }
    entered_.assign(entered_.size(), false);
    for (std::uint32_t resource = 0; resource < graph_.resources.size(); ++resource) {
        const auto& node = graph_.resources[resource];
        if (node.per_frame) { // this copy was used by a frame that is complete
            uses_[resource].clear();
        }
        if (node.lifetime == Lifetime::import) { // the application orders earlier uses before the arrival
            std::vector<PastUse> before = departed(resource);
            uses_[resource].clear();
            uses_[resource].writes.swap(before);
            for (const UseScope& use : node.arrives.scopes()) {
                add_outside(resource, queues_.on(node.queues.arrives), use);
            }
            layouts_[resource] = node.image ? layout_of(node.arrives) : VK_IMAGE_LAYOUT_UNDEFINED;
        }
        for (auto* pasts : {&uses_[resource].reads, &uses_[resource].writes}) {
            for (PastUse& past : *pasts) {
                if (past.pass == Dependency::outside && node.exported &&
                    past.kind != PastUse::Kind::departed) { // the use may last until this execution begins
                    past.position = clock_.first_point(past.queue).position;
                }
            }
        }
    }
    for (std::uint32_t block = 0; memory_.pooled && block < memory_.blocks.size(); ++block) {
        const auto others = static_cast<std::uint32_t>(graph_.resources.size()) + block;
        uses_[others].clear();
        add_outside(others, QueueKind::main, use_scope(Access::any));
        aliases_.enter(
            others, {block, 0}, memory_.blocks[block], [](std::uint32_t) { return false; }, [](std::uint32_t) {});
    }
}

std::vector<PastUse> UseHistory::departed(std::uint32_t import) const {
    const auto& node = graph_.resources[import];
    const QueueKind queue = queues_.on(node.queues.leaves);
    const auto is_only_read = [&](const Accesses& accesses) {
        const auto& scopes = accesses.scopes();
        return queues_.has_stages(queue, accesses) &&
               std::none_of(scopes.begin(), scopes.end(), [](const UseScope& use) { return use.writes; });
    };
    if (!node.exported || !is_only_read(node.arrives) || !is_only_read(node.leaves) ||
        queues_.on(node.queues.arrives) != queue || (node.image && layout_of(node.arrives) != layout_of(node.leaves))) {
        return {};
    }
    std::vector<PastUse> writes = uses_[import].writes; // several if they are concurrent
    std::erase_if(writes, [](const PastUse& past) { return past.pass == Dependency::outside && !past.is_shown(); });
    if (writes.empty()) {
        return {};
    }
    Scope shown;
    for (const UseScope& use : node.leaves.scopes()) {
        const Scope scope = queues_.scope_on(queue, use.scope);
        if ((scope.stages & VK_PIPELINE_STAGE_2_HOST_BIT) == 0) {
            shown = {shown.stages | scope.stages, shown.access | scope.access};
        }
    }
    if (shown.stages != 0) { // no command can wait for the host's reads, but it can wait for the writes
        PastUse& departure = writes.front();
        departure.kind = PastUse::Kind::departed;
        departure.queue = queue;
        departure.position = clock_.first_point(queue).position - 1; // the last group of the preceding execution
        departure.scope = {shown.stages, 0};
        departure.shows = shown.access;
        departure.concurrent = 0;
        writes.resize(1);
    }
    for (PastUse& past : writes) {
        past.state = past.initial_state();
        past.without_effect = 0;
        past.commands = commands(past.queue);
    }
    return writes;
}

void UseHistory::add_left(std::uint32_t before_it, std::uint32_t resource, std::size_t first) {
    const std::uint32_t root = root_of(graph_, resource);
    if (!states_.empty() && before_it < graph_.resources.size() && before_it != root) {
        const PlanMemory::Place &a = memory_.places[root], &b = memory_.places[before_it];
        if (a.offset >= b.offset + graph_.resources[before_it].bytes ||
            b.offset >= a.offset + graph_.resources[root].bytes) {
            return; // it shares other bytes with the latest user, with which it is exclusive
        }
        const auto is_left = [&](std::uint32_t who) {
            return std::find(left_.begin() + static_cast<std::ptrdiff_t>(first), left_.end(), who) != left_.end();
        };
        if (is_left(before_it)) {
            return;
        }
        const auto known = std::find_if(entering_.begin(), entering_.end(), [&](const Entering& one) {
            return root_of(graph_, one.resource) == before_it;
        });
        if (known != entering_.end()) {
            for (std::size_t at = known->first_left; at < known->end_left; ++at) {
                if (const std::uint32_t who = left_[at]; !is_left(who)) {
                    left_.push_back(who);
                }
            }
            return;
        }
    }
    if (before_it == root) {
        left_.push_back(resource);
    } else if (before_it >= graph_.resources.size() || pieces_[before_it].empty()) {
        left_.push_back(before_it);
    } else {
        left_.insert(left_.end(), pieces_[before_it].begin(), pieces_[before_it].end());
    }
    if (before_it < graph_.resources.size() && graph_.resources[before_it].image) {
        left_.push_back(before(before_it));
    }
}

void UseHistory::pass_on(std::uint32_t image, std::uint32_t first, std::span<const std::uint32_t> left) {
    const bool had_it = std::find(left.begin(), left.end(), first) != left.end(); // all of the memory or a part
    Uses earlier;
    for (const std::uint32_t who : left) {
        const bool is_image = who < graph_.resources.size() && graph_.resources[who].image;
        if (!is_image) {
            add_all(earlier, uses_[who]);
        }
    }
    for (const std::uint32_t piece : pieces_[image]) {
        if (piece == first) {
            continue;
        }
        uses_[piece] = had_it ? uses_[piece] : Uses();
        for (const std::uint32_t who : left) {
            if (who != first) {
                add_all(uses_[piece], uses_[who]);
            }
        }
    }
    uses_[before(image)] = std::move(earlier);
}

void UseHistory::enter_all() {
    const bool are_writes =
        std::all_of(entering_.begin(), entering_.end(), [](const Entering& one) { return one.is_exclusive_write; });
    std::vector<Uses> all(are_writes ? 0 : entering_.size()); // exclusive resources may leave each other
    for (std::size_t at = 0; at < all.size(); ++at) {
        for (const std::uint32_t before : left_by(entering_[at])) {
            if (!entering_[at].is_exclusive_write) {
                add_new(all[at].writes, uses_[before].writes);
                add_new(all[at].reads, uses_[before].reads);
            }
        }
    }
    for (std::size_t at = 0; at < entering_.size(); ++at) {
        uses_[entering_[at].resource].clear();
        if (!are_writes) {
            std::swap(uses_[entering_[at].resource], all[at]);
        }
    }
    entering_.clear();
    left_.clear();
}

void UseHistory::add(PastUse use, std::uint32_t resource, const UseScope& meaning) {
    Scope scope = queues_.scope_on(use.queue, meaning.scope);
    if (scope.stages == 0) {
        return;
    }
    auto& [past_writes, past_reads, before] = uses_[resource];
    scope.access &= single_writes | VK_ACCESS_2_MEMORY_WRITE_BIT;
    use.resource = resource;
    use.execution = clock_.execution();
    use.scope = scope;
    use.commands = commands(use.queue);
    if (meaning.writes) {
        const auto is_earlier = [&](const PastUse& past) {
            return !are_together(past, use) && !are_in_one_group(past, use);
        };
        if (use.concurrent != 0 && !joins(resource, use.concurrent)) {
            before.clear();
            for (auto* pasts : {&past_writes, &past_reads}) {
                std::copy_if(pasts->begin(), pasts->end(), std::back_inserter(before), is_earlier);
                std::erase_if(*pasts, is_earlier);
            }
        } else if (use.concurrent == 0) {
            before.clear();
        }
        if (use.concurrent == 0 &&
            stage_set(scope.stages) != stage::host) { // commands after this write come after all that it waited for
            std::erase_if(past_writes, is_earlier);
            std::erase_if(past_reads, is_earlier);
        }
        use.kind = PastUse::Kind::write;
        past_writes.push_back(use);
        return;
    }
    // Barriers can order draws, dispatches and stages that only raw uses have separately.
    constexpr VkPipelineStageFlags2 separate =
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR |
        VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR | VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR |
        VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_NV | VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
    const auto add_read = [&, &reads = past_reads](VkPipelineStageFlags2 part) {
        if (part != 0) {
            use.scope.stages = part;
            reads.push_back(use);
        }
    };
    add_read(scope.stages & ~separate);
    for (VkPipelineStageFlags2 left = scope.stages & separate; left != 0; left &= left - 1) {
        add_read(left & (~left + 1));
    }
}

void UseHistory::add_outside(std::uint32_t resource, QueueKind queue, const UseScope& meaning) {
    add({.queue = queue, .position = clock_.first_point(queue).position, .pass = Dependency::outside}, resource,
        meaning);
}

void UseHistory::change_layout(std::uint32_t resource, std::uint32_t pass, const Scope& destination,
                               VkImageLayout layout) {
    uses_[resource].clear();
    uses_[resource].writes.push_back({.kind = PastUse::Kind::layout_change,
                                      .queue = clock_.queue(),
                                      .position = clock_.position(),
                                      .resource = resource,
                                      .pass = pass,
                                      .execution = clock_.execution(),
                                      .scope = {destination.stages, 0},
                                      .shows = destination.access,
                                      .commands = commands(clock_.queue())});
    layouts_[resource] = layout;
}

void UseHistory::add_barriers(const BarrierCommand& barriers, const std::vector<ImageBarrier>& images) {
    auto& [commands, blocks] = log(clock_.queue());
    const auto [known, is_new] =
        known_commands_.try_emplace(barriers, static_cast<std::uint32_t>(distinct_commands_.size()));
    if (is_new) {
        distinct_commands_.push_back(barriers);
    }
    for (const ImageBarrier& image : images) {
        own_barriers_[image.resource].push_back({clock_.queue(), commands.size(), Barrier(image)});
    }
    if (commands.size() % Log::block == 0) {
        blocks.push_back(0);
    }
    commands.push_back(known->second);
    blocks.back() |= bit_of(known->second);
}

void UseHistory::catch_up(PastUse& past) const {
    static const std::vector<OwnBarrier> no_barriers;
    const auto& own = past.resource < own_barriers_.size() ? own_barriers_[past.resource] : no_barriers;
    auto first = own.end();
    for (auto at = own.rbegin(); at != own.rend() && (at->queue != past.queue || at->command >= past.commands); ++at) {
        first = at.base() - 1;
    }
    for (; first != own.end(); ++first) {
        if (first->queue == past.queue) {
            catch_up_to(past, first->command);
            past.state = past.after(distinct_commands_[log(past.queue).commands[past.commands]], &first->barrier);
            past.without_effect = 0;
            ++past.commands;
        }
    }
    catch_up_to(past, commands(past.queue));
}

void UseHistory::catch_up_to(PastUse& past, std::size_t end) const {
    constexpr std::uint64_t others = std::uint64_t{1} << 63U;
    const auto& [commands, blocks] = log(past.queue);
    while (past.commands < end) {
        if (past.commands % Log::block == 0 && past.commands + Log::block <= end &&
            (blocks[past.commands / Log::block] & ~past.without_effect) == 0) {
            past.commands += Log::block;
            continue;
        }
        const std::uint32_t command = commands[past.commands++];
        const std::uint64_t bit = bit_of(command);
        if ((past.without_effect & bit) == 0) {
            const SyncState next = past.after(distinct_commands_[command]);
            past.without_effect = next != past.state ? 0 : past.without_effect | (bit & ~others);
            past.state = next;
        }
    }
}

PastUse UseHistory::behind_semaphore(const PastUse& past) const {
    PastUse seen = past;
    seen.kind = past.kind == PastUse::Kind::read ? PastUse::Kind::read : PastUse::Kind::layout_change;
    seen.queue = clock_.queue();
    seen.scope = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0};
    seen.shows = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    seen.commands = commands(seen.queue);
    seen.state = seen.initial_state();
    seen.state.before = stage::all_commands;
    seen.without_effect = 0;
    return seen;
}

void UseHistory::forget_barriers() {
    for (auto& [past_writes, past_reads, before] : uses_) {
        for (auto* pasts : {&past_writes, &past_reads, &before}) {
            for (PastUse& past : *pasts) {
                past.state = past.initial_state();
                past.state.visible = {}; // a layout change is visible by its own barrier
                past.without_effect = 0;
                past.commands = commands(past.queue);
            }
        }
    }
}

} // namespace weir

#include "tests/graph/plan_checks.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "tests/graph/executions.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/meanings.hpp"
#include "tests/graph/subresources.hpp"

namespace weir::tests {

using Lifetime = GraphDescription::Lifetime;

bool overlap(const GraphDescription& graph, const Plan& plan, std::uint32_t a, std::uint32_t b) {
    const PlanMemory::Place &at = plan.memory.places[a], &bt = plan.memory.places[b];
    if (a != b && whole_of(graph, a) == whole_of(graph, b)) {
        return false; // mips and layers of one image
    }
    return at.block != PlanMemory::none && at.block == bt.block && at.offset < bt.offset + graph.resources[b].bytes &&
           bt.offset < at.offset + graph.resources[a].bytes;
}

bool has_byte(const GraphDescription& graph, const Plan& plan, std::uint32_t resource, std::uint64_t byte) {
    const std::uint64_t offset = plan.memory.places[resource].offset;
    return offset <= byte && byte < offset + graph.resources[resource].bytes;
}

std::vector<std::string> find_misplaced(const GraphDescription& declared, const Plan& made) {
    const auto single = has_parts(declared) ? std::optional(subresources_of(declared, made)) : std::nullopt;
    const GraphDescription& graph = single ? single->graph : declared;
    const Plan& plan = single ? single->plan : made;
    const auto passes = static_cast<std::uint32_t>(graph.passes.size());
    const Branches branches(graph);
    std::vector<bool> off(passes, false); // passes that do not run in the current execution
    const auto writes_to = [&](std::uint32_t pass, std::uint32_t buffer) {
        const auto touches = graph.passes[pass].accesses();
        return std::any_of(touches.begin(), touches.end(), [&](const GraphDescription::PassUse& touch) {
            return touch.resource == buffer && is_write(touch);
        });
    };
    const auto use_of = [&](std::uint32_t pass, std::uint32_t buffer) -> const GraphDescription::PassUse* {
        for (const auto& touch : graph.passes[pass].accesses()) {
            if (touch.resource == buffer) {
                return &touch;
            }
        }
        return nullptr;
    };
    /// Returns the first pass of the set of concurrent writes of `buffer` that includes `pass`; otherwise `pass`.
    const auto first_of_set = [&](std::uint32_t pass, std::uint32_t buffer) {
        std::uint32_t first = pass;
        for (std::uint32_t earlier = pass + 1; use_of(pass, buffer)->concurrent && earlier-- > 0;) {
            const auto* touch = use_of(earlier, buffer);
            if (touch != nullptr && !touch->concurrent) {
                break;
            }
            first = touch != nullptr ? earlier : first;
        }
        return first;
    };
    /// Returns all passes of the set of concurrent writes that `first` begins, or `first` alone.
    const auto set_of = [&](std::uint32_t first, std::uint32_t buffer) {
        std::vector<std::uint32_t> set{first};
        for (std::uint32_t later = first + 1; use_of(first, buffer)->concurrent && later < passes; ++later) {
            const auto* touch = use_of(later, buffer);
            if (touch != nullptr && !touch->concurrent) {
                break;
            }
            if (touch != nullptr) {
                set.push_back(later);
            }
        }
        return set;
    };
    /// Returns the pass whose value of `buffer` a pass finds: the latest writer before it, or the first of the latest
    /// set of concurrent writers. If there is none, the first later writer of a transient or of the current buffer of a
    /// history, unless the pass writes the buffer too or it can be undefined.
    const auto source_of = [&](std::uint32_t pass, std::uint32_t buffer) -> std::optional<std::uint32_t> {
        const bool is_in_set = pass < passes && writes_to(pass, buffer);
        bool is_written_before = false;
        for (std::uint32_t earlier = is_in_set ? first_of_set(pass, buffer) : pass; earlier-- > 0;) {
            if (writes_to(earlier, buffer) && !branches.are_exclusive(earlier, pass)) {
                if (!off[earlier]) {
                    return first_of_set(earlier, buffer);
                }
                is_written_before = true;
            }
        }
        const auto& node = graph.resources[buffer];
        const bool holds_nothing_at_first =
            node.lifetime == Lifetime::transient || node.previous < graph.resources.size();
        const bool can_be_undefined = graph.resources[whole_of(graph, buffer)].can_be_undefined;
        if (holds_nothing_at_first && !is_written_before && !can_be_undefined && !writes_to(pass, buffer)) {
            for (std::uint32_t later = pass + 1; later < passes; ++later) {
                if (!off[later] && writes_to(later, buffer)) {
                    return first_of_set(later, buffer);
                }
            }
        }
        return {};
    };
    /// Returns all passes whose value of `buffer` a pass may find in an execution: its source with all concurrent
    /// writers and, with exclusive passes, earlier writers that no writer found so far comes after.
    const auto sources_of = [&](std::uint32_t pass, std::uint32_t buffer) {
        std::vector<std::uint32_t> found;
        const bool is_in_set = pass < passes && writes_to(pass, buffer);
        const auto comes_after = [&](std::uint32_t later, std::uint32_t earlier) {
            return !branches.are_exclusive(later, earlier) &&
                   first_of_set(later, buffer) != first_of_set(earlier, buffer);
        };
        for (std::uint32_t earlier = is_in_set ? first_of_set(pass, buffer) : pass; branches.any() && earlier-- > 0;) {
            if (writes_to(earlier, buffer) && !branches.are_exclusive(earlier, pass) &&
                std::none_of(found.begin(), found.end(),
                             [&](std::uint32_t later) { return comes_after(later, earlier); })) {
                found.push_back(earlier);
            }
        }
        if (const auto source = source_of(pass, buffer); found.empty() && source) {
            found = set_of(*source, buffer);
            std::erase_if(found, [&](std::uint32_t writer) { return branches.are_exclusive(writer, pass); });
        }
        return found;
    };

    std::vector<std::string> mistakes;
    std::vector<bool> needed(passes, false);
    for (std::uint32_t pass = 0; pass < passes; ++pass) {
        const auto* recorded = graph.passes[pass].command_pass();
        needed[pass] = recorded != nullptr && recorded->keep;
        for (const auto& touch : graph.passes[pass].accesses()) {
            const auto& buffer = graph.resources[touch.resource];
            needed[pass] =
                needed[pass] || (is_write(touch) && (buffer.lifetime == Lifetime::import || buffer.exported));
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
            for (const auto& touch : graph.passes[pass].accesses()) {
                const auto need = [&](std::uint32_t reader, std::uint32_t buffer) {
                    if (!needed[pass]) {
                        return;
                    }
                    for (const std::uint32_t writer : sources_of(reader, buffer)) {
                        changed = changed || !needed[writer];
                        needed[writer] = true;
                    }
                };
                need(pass, touch.resource);
                // Values from the last execution. For a state: the last value written; writers of this execution may
                // have written only parts of it. For a history: the last value of the other buffer.
                const auto& node = graph.resources[touch.resource];
                const bool is_previous = node.current < graph.resources.size();
                const bool lasts = node.lifetime == Lifetime::state && node.previous >= graph.resources.size();
                const std::uint32_t left = is_previous ? node.current : touch.resource;
                if (lasts && needs_contents(touch)) {
                    need(passes, left);
                }
            }
        }
    }

    std::vector<std::uint32_t> runs(passes, 0);
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t pass : group.passes) {
            const QueueKind kind = graph.passes[pass].queue;
            const bool is_there =
                graph.capabilities.queue_families.at(static_cast<std::size_t>(kind)) != Capabilities::no_queue;
            if (group.queue != (is_there ? kind : QueueKind::main)) {
                mistakes.push_back("'" + graph.passes[pass].name + "' is on the wrong queue");
            }
            ++runs[pass];
        }
    }
    const auto check_values = [&] {                                              // in an execution without `off`
        std::vector<std::optional<std::uint32_t>> holds(graph.resources.size()); // the latest writer so far
        std::vector<bool> has_run = off;
        for (const PlanGroup& group : plan.groups) {
            for (const std::uint32_t pass : group.passes) {
                if (off[pass]) {
                    continue;
                }
                has_run[pass] = true;
                for (const auto& touch : graph.passes[pass].accesses()) {
                    const auto source = source_of(pass, touch.resource);
                    const auto found = holds[touch.resource];
                    const auto set = source ? set_of(*source, touch.resource) : std::vector<std::uint32_t>();
                    const bool has_all =
                        std::all_of(set.begin(), set.end(), [&](std::uint32_t writer) { return has_run[writer]; });
                    const bool is_joined = touch.concurrent && found == first_of_set(pass, touch.resource);
                    if (!has_all || (found != source && !is_joined)) {
                        mistakes.push_back("'" + graph.passes[pass].name + "' finds the wrong value of '" +
                                           graph.resources[touch.resource].name + "'");
                    }
                }
                for (const auto& touch : graph.passes[pass].accesses()) {
                    if (is_write(touch)) {
                        holds[touch.resource] = first_of_set(pass, touch.resource);
                    }
                }
            }
        }
    };
    for (const auto& sequence : branches.sequences(4)) {
        if (branches.any()) {
            off = sequence.back();
        }
        check_values();
    }
    for (std::uint32_t pass = 0; pass < passes; ++pass) {
        const bool culled = std::find(plan.culled.begin(), plan.culled.end(), pass) != plan.culled.end();
        if (runs[pass] != (needed[pass] ? 1U : 0U) || culled == needed[pass]) {
            mistakes.push_back("'" + graph.passes[pass].name + "' runs " + std::to_string(runs[pass]) + " times");
        }
    }
    return mistakes;
}

std::vector<std::string> find_overlaps(const GraphDescription& graph, const Plan& plan) {
    struct Life {
        std::uint32_t first = ~0U, last = 0;
    };
    std::vector<Life> lives(graph.resources.size());
    for (std::uint32_t group = 0; group < plan.groups.size(); ++group) {
        for (const std::uint32_t pass : plan.groups[group].passes) {
            for (const auto& touch : graph.passes[pass].accesses()) {
                Life& life = lives[whole_of(graph, touch.resource)];
                life = {std::min(life.first, group), group};
            }
        }
    }
    const Branches branches(graph);
    const auto uses = [&](std::uint32_t pass, std::uint32_t resource) {
        const auto& all = graph.passes[pass].uses;
        return std::any_of(all.begin(), all.end(),
                           [&](const auto& use) { return whole_of(graph, use.resource) == resource; });
    };
    /// Returns true for buffers of which one is used only by passes that are exclusive with all users of the other.
    const auto are_exclusive = [&](std::uint32_t one, std::uint32_t other) {
        if (!branches.any() || graph.resources[one].image || graph.resources[other].image) {
            return false;
        }
        for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
            for (std::uint32_t with = 0; with < graph.passes.size() && uses(pass, one); ++with) {
                if (uses(with, other) && !branches.are_exclusive(pass, with)) {
                    return false;
                }
            }
        }
        return true;
    };
    std::vector<std::string> mistakes;
    for (std::uint32_t a = 0; a < lives.size(); ++a) {
        const auto& buffer = graph.resources[a];
        const bool leaves = std::any_of(graph.resources.begin(), graph.resources.end(), [&](const auto& part) {
            return part.exported && (part.part_of == a || &part == &buffer);
        });
        const bool ours = buffer.lifetime == Lifetime::transient && !leaves;
        if (lives[a].first > lives[a].last) {
            continue;
        }
        const PlanMemory::Place& place = plan.memory.places[a];
        const bool placed = place.block < plan.memory.blocks.size() && place.offset % 256 == 0 &&
                            place.offset % buffer.alignment == 0 &&
                            place.offset + buffer.bytes <= plan.memory.blocks[place.block];
        if (ours ? !placed : place.block != PlanMemory::none) {
            mistakes.push_back("'" + buffer.name + "' is in the wrong place");
        }
        if (placed && buffer.image && !plan.memory.with_images.at(place.block)) {
            mistakes.push_back("'" + buffer.name + "' is in a block without images");
        }
        for (std::uint32_t b = 0; b < a; ++b) {
            const bool meet = lives[b].first <= lives[a].last && lives[a].first <= lives[b].last;
            const bool shared = lives[b].first <= lives[b].last && overlap(graph, plan, a, b);
            if (meet && shared && !are_exclusive(a, b)) {
                mistakes.push_back("'" + graph.resources[b].name + "' and '" + buffer.name + "' overlap");
            }
            const auto &low = place.offset < plan.memory.places[b].offset ? a : b, &high = low == a ? b : a;
            const PlanMemory::Place &at = plan.memory.places[low], &bt = plan.memory.places[high];
            const std::uint64_t page = graph.capabilities.image_granularity;
            if (meet && at.block != PlanMemory::none && at.block == bt.block &&
                buffer.image.has_value() != graph.resources[b].image.has_value() &&
                (at.offset + graph.resources[low].bytes - 1) / page == bt.offset / page) {
                mistakes.push_back("'" + graph.resources[b].name + "' and '" + buffer.name + "' share a page");
            }
        }
    }
    return mistakes;
}

std::vector<std::string> find_misbatched(const Plan& plan) {
    std::vector<std::string> mistakes;
    const auto report = [&](const char* kind, std::size_t index, const std::string& what) {
        mistakes.push_back(kind + std::to_string(index) + what);
    };
    std::vector<std::uint32_t> batch_of(plan.groups.size(), ~0U);
    std::array<std::vector<std::uint32_t>, queue_kinds> submitted, planned;
    for (std::uint32_t index = 0; index < plan.batches.size(); ++index) {
        const PlanBatch& batch = plan.batches[index];
        if (batch.groups.empty()) {
            report("batch ", index, " is empty");
        }
        for (const std::uint32_t group : batch.groups) {
            if (group >= plan.groups.size() || batch_of[group] != ~0U) {
                report("group ", group, " is in two batches or does not exist");
                continue;
            }
            batch_of[group] = index;
            if (plan.groups[group].queue != batch.queue) {
                report("group ", group, " is not on the queue of its batch");
            }
            submitted.at(static_cast<std::size_t>(batch.queue)).push_back(group);
        }
    }
    for (std::uint32_t group = 0; group < plan.groups.size(); ++group) {
        planned.at(static_cast<std::size_t>(plan.groups[group].queue)).push_back(group);
        if (batch_of[group] == ~0U) {
            report("group ", group, " is in no batch");
        }
    }
    if (!mistakes.empty()) {
        return mistakes;
    }
    if (submitted != planned) {
        mistakes.emplace_back("groups of one queue are submitted in another order");
    }
    std::size_t queues = 0;
    for (const auto& groups : planned) {
        queues += groups.empty() ? 0 : 1;
    }
    if (queues == 1 && plan.batches.size() != 1) {
        mistakes.emplace_back("one queue, but several batches");
    }
    for (std::uint32_t index = 0; index < plan.groups.size(); ++index) {
        const PlanGroup& group = plan.groups[index];
        const PlanBatch& batch = plan.batches[batch_of[index]];
        const bool is_first = batch.groups.front() == index;
        if (!group.waits.empty() && !is_first) {
            report("group ", index, " waits, but is not the first of its batch");
        }
        std::vector<PlanBatch::Wait> waits;
        for (const GroupWait& wait : group.waits) {
            const std::uint32_t other = wait.group < batch_of.size() ? batch_of[wait.group] : ~0U;
            if (other == ~0U || plan.batches[other].groups.back() != wait.group) {
                report("group ", index,
                       " waits for group " + std::to_string(wait.group) + ", which no batch ends with");
            }
            if (wait.executions_ago == 0 && other >= batch_of[index]) {
                report("batch ", batch_of[index], " waits for a later one");
            }
            waits.push_back({other, wait.executions_ago});
        }
        if (is_first && (waits.size() != batch.waits.size() ||
                         !std::is_permutation(waits.begin(), waits.end(), batch.waits.begin()))) {
            report("batch ", batch_of[index], " does not wait for what its groups do");
        }
    }
    return mistakes;
}

void expect_sound(const GraphDescription& graph, const Plan& plan) {
    EXPECT_THAT(find_hazards(graph, plan), testing::IsEmpty()) << plan.text();
    EXPECT_THAT(find_hazards_alone(graph, plan), testing::IsEmpty()) << plan.text();
    EXPECT_THAT(find_misplaced(graph, plan), testing::IsEmpty()) << plan.text();
    EXPECT_THAT(find_overlaps(graph, plan), testing::IsEmpty()) << plan.text();
    EXPECT_THAT(find_misbatched(plan), testing::IsEmpty()) << plan.text();
}
Plan sound_plan(const SomeGraph& graph, const PlanOptions& options) {
    Plan plan = graph.plan(options);
    expect_sound(options.one_queue ? with_one_queue(graph.description()) : graph.description(), plan);
    return plan;
}

GraphDescription with_one_queue(GraphDescription graph) {
    auto& families = graph.capabilities.queue_families;
    families = {families[0], Capabilities::no_queue, Capabilities::no_queue};
    return graph;
}

} // namespace weir::tests

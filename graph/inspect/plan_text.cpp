#include <algorithm>
#include <locale>
#include <sstream>
#include <string>
#include <unordered_set>
#include <vector>

#include <weir/graph/plan.hpp>

#include "engine/base/strings.hpp"
#include "graph/inspect/names.hpp"
#include "graph/plan/resources.hpp"

namespace weir {

namespace {

std::string pass_name(const GraphDescription& graph, std::uint32_t pass) {
    return pass == Dependency::outside ? "outside" : "'" + graph.passes[pass].name + "'";
}

/// Lists each reason once: reasons that differ only in their stages and accesses read alike.
void list_reasons(std::ostream& out, const GraphDescription& graph, const std::vector<Dependency>& reasons) {
    std::unordered_set<std::string> listed;
    for (const Dependency& needed : reasons) {
        const auto [line, is_new] =
            listed.insert(concat("    '", graph.resources[needed.resource].name, "' ", to_string(needed.reason), ": ",
                                 pass_name(graph, needed.from), " -> ", pass_name(graph, needed.to), "\n"));
        if (is_new) {
            out << *line;
        }
    }
}

/// Returns the execution of a group that is waited for, as words after the group; empty for the same execution.
std::string ago(std::uint32_t executions) {
    return executions == 0   ? ""
           : executions == 1 ? " of the execution before"
                             : concat(" of ", executions, " executions before");
}

/// Returns what a pass that writes an image finds and leaves in it, as words after the access.
const char* contents_of(const GraphDescription& graph, const GraphDescription::PassUse& use) {
    if (!graph.resources[use.resource].image || !writes(use.access)) {
        return "";
    }
    const bool is_first =
        starts_empty(graph.resources[use.resource]) && use.written_by == ResourceId::none && !use.concurrent;
    return is_first           ? use.needed_after ? ", first write" : ", first write, not needed after"
           : use.needed_after ? ""
                              : ", not needed after";
}

std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

} // namespace

std::string Plan::text() const {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    for (const bool images : {false, true}) {
        const auto& all = graph->resources;
        if (images && std::none_of(all.begin(), all.end(), [](const auto& node) { return node.image.has_value(); })) {
            break;
        }
        out << (images ? "images:\n" : "buffers:\n");
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].image.has_value() != images) {
                continue;
            }
            const std::uint32_t image = all[i].part_of;
            out << "  '" << all[i].name << "' "
                << (image != ResourceId::none ? concat("part of '", all[image].name, "'") : lifetime_of(all[i])) << ", "
                << shape_of(all[i]) << (used[i] ? "" : ", unused");
            if (const auto& place = memory.places[i]; place.block != PlanMemory::none) {
                out << ", at " << place.offset
                    << (memory.blocks.size() > 1 ? " of block " + std::to_string(place.block) : "");
            }
            out << '\n';
        }
    }
    if (!memory.blocks.empty()) {
        out << "memory: " << memory.bytes() << " bytes (apart " << memory.apart << ", alive at once " << memory.alive
            << (memory.lower_bound < memory.alive ? concat(", in another order ", memory.lower_bound) : "") << ")\n";
    }
    const bool has_several_queues = batches.size() > 1;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const PlanGroup& group = groups[g];
        if (has_several_queues) {
            out << "group " << g << " on the " << to_string(group.queue) << " queue:\n";
        } else {
            out << (group.passes.empty() ? "leave" : "group " + std::to_string(g)) << ":\n";
        }
        for (const GroupWait& wait : group.waits) {
            out << "  waits for group " << wait.group << ago(wait.executions_ago) << '\n';
            list_reasons(out, *graph, wait.reasons);
        }
        out << "  " << counted(group.barriers.size(), "barrier")
            << (group.image_barriers.empty() ? "" : ", " + counted(group.image_barriers.size(), "image barrier"))
            << '\n';
        for (const OwnershipTransfer& taken : group.acquired) {
            out << "    '" << graph->resources[taken.resource].name << "' from the " << to_string(taken.from)
                << " queue\n";
        }
        for (const ImageBarrier& barrier : group.image_barriers) {
            out << "    '" << name_of(*graph, barrier) << "' " << name_of(barrier.old_layout) << " -> "
                << name_of(barrier.new_layout) << '\n';
        }
        list_reasons(out, *graph, group.dependencies);
        for (const std::uint32_t pass : group.passes) {
            out << "  pass '" << graph->passes[pass].name << "'" << only_if(*graph, pass) << '\n';
            for (const auto& use : graph->passes[pass].accesses()) {
                out << "    '" << graph->resources[use.resource].name << "' " << use.access_name()
                    << contents_of(*graph, use) << '\n';
            }
        }
        for (const OwnershipTransfer& given : group.released) {
            out << "  '" << graph->resources[given.resource].name << "' to the " << to_string(given.to) << " queue\n";
        }
    }
    for (const std::uint32_t pass : culled) {
        out << "culled: pass '" << graph->passes[pass].name << "'\n";
    }
    return out.str();
}

} // namespace weir

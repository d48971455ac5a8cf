#include <array>
#include <locale>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include <weir/graph/plan.hpp>

#include "engine/text.hpp"
#include "graph/inspect/names.hpp"

namespace weir {

namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out + '"';
}

/// The fill color of a pass, by its kind.
const char* color_of(const GraphDescription::PassNode& pass) {
    return pass.computes_arguments                          ? "\"#e8e8e8\""
           : std::holds_alternative<Pass>(pass.work)        ? "\"#cfe2ff\""
           : std::holds_alternative<CommandPass>(pass.work) ? "\"#fdf0c2\""
                                                            : "\"#d5ebe8\""; // a transfer
}

/// The fill color of a resource that has contents before or after an execution.
const char* color_of(const GraphDescription::Resource& resource) {
    return resource.lifetime == GraphDescription::Lifetime::import ? "\"#d3f0d3\""
           : resource.exported                                     ? "\"#ffe2b8\""
                                                                   : "\"#ead9f7\"";
}

} // namespace

std::string Plan::dot() const {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << "digraph weir {\n"
           "  graph [rankdir=TB, bgcolor=white, nodesep=0.25, ranksep=0.35, fontname=\"sans-serif\", fontsize=10];\n"
           "  node [style=filled, color=\"#555555\", height=0.3, fontname=\"sans-serif\", fontsize=11];\n"
           "  edge [color=\"#555555\", arrowsize=0.7, fontname=\"sans-serif\", fontsize=10];\n";
    const auto pass_node = [](std::uint32_t pass) { return concat("p", pass); };
    std::array<std::string, queue_kinds> before; // the first pass of the group before, of each queue
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].passes.empty()) {
            continue;
        }
        out << "  subgraph cluster_" << g << " {\n    label="
            << quoted("group " + std::to_string(g) +
                      (batches.size() > 1 ? concat(" on the ", to_string(groups[g].queue), " queue") : "") +
                      (groups[g].waits.empty() ? "" : ", after another queue") +
                      (groups[g].barriers.empty() && groups[g].image_barriers.empty() ? "" : ", after a barrier"))
            << ";\n";
        for (const std::uint32_t pass : groups[g].passes) {
            out << "    " << pass_node(pass) << " [shape=box, fillcolor=" << color_of(graph->passes[pass])
                << ", label=" << quoted(graph->passes[pass].name + only_if(*graph, pass)) << "];\n";
        }
        out << "  }\n";
        const std::string first = pass_node(groups[g].passes.front());
        std::string& earlier = before[static_cast<std::size_t>(groups[g].queue)];
        if (!earlier.empty()) {
            out << "  " << earlier << " -> " << first << " [style=invis];\n"; // one group after the other
        }
        earlier = first;
    }

    // What was written is an edge from the pass that did to each that reads it.
    std::map<std::pair<std::string, std::string>, std::string> edges; // what they carry
    const auto carry = [&](const std::string& from, const std::string& to, const std::string& name) {
        std::string& carried = edges[{from, to}];
        carried += (carried.empty() ? "" : "\n") + name;
    };
    const auto outside = [&](const char* kind, std::uint32_t i) {
        const auto& buffer = graph->resources[i];
        std::string node = concat(kind, i);
        out << "  " << node << " [shape=ellipse, fillcolor=" << color_of(buffer)
            << ", label=" << quoted(concat(buffer.name, "\n", lifetime_of(buffer), ", ", shape_of(buffer))) << "];\n";
        return node;
    };
    struct Contents {
        std::string source; ///< empty: nothing that counts
        bool written = false, read = false;
    };
    std::vector<Contents> contents(graph->resources.size());
    const auto lasts = [&](std::uint32_t i) {
        return graph->resources[i].lifetime != GraphDescription::Lifetime::transient;
    };
    for (const PlanGroup& group : groups) {
        for (const std::uint32_t pass : group.passes) {
            for (const auto& use : graph->passes[pass].accesses()) {
                Contents& of = contents[use.resource];
                const bool is_read = reads(use.access);
                if (is_read && of.source.empty() && lasts(use.resource)) {
                    of.source = outside("b", use.resource);
                }
                // What nobody reads before it is written again may be there still, in part.
                if (!of.source.empty() && (is_read || (writes(use.access) && of.written && !of.read))) {
                    carry(of.source, pass_node(pass), graph->resources[use.resource].name);
                }
                of.read = of.read || is_read;
            }
        }
        for (const std::uint32_t pass : group.passes) {
            for (const auto& use : graph->passes[pass].accesses()) {
                if (writes(use.access)) {
                    contents[use.resource] = {pass_node(pass), true, false};
                }
            }
        }
    }
    for (std::uint32_t i = 0; i < graph->resources.size(); ++i) {
        if (contents[i].written && (graph->resources[i].exported || lasts(i))) {
            carry(contents[i].source, outside("o", i), graph->resources[i].name);
        }
    }
    for (const auto& [ends, carried] : edges) {
        out << "  " << ends.first << " -> " << ends.second << " [label=" << quoted(carried) << "];\n";
    }
    out << "}\n";
    return out.str();
}

} // namespace weir

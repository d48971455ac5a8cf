#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include <weir/graph/plan.hpp>

#include "engine/text.hpp"
#include "graph/formats.hpp"
#include "graph/names.hpp"
#include "graph/stages.hpp"

namespace weir {

const char* to_string(Dependency::Reason reason) {
    switch (reason) {
    case Dependency::Reason::read_after_write: return "read after write";
    case Dependency::Reason::write_after_read: return "write after read";
    case Dependency::Reason::write_after_write: return "write after write";
    case Dependency::Reason::memory_reused: return "memory reused";
    case Dependency::Reason::layout_change: return "layout change";
    case Dependency::Reason::after_layout_change: return "after layout change";
    case Dependency::Reason::handed_over: return "handed over";
    }
    return "?";
}

const char* lifetime_of(const GraphDescription::Resource& buffer) {
    if (is_history(buffer)) {
        return "history";
    }
    switch (buffer.lifetime) {
    case GraphDescription::Lifetime::import: return "import";
    case GraphDescription::Lifetime::state: return "state";
    case GraphDescription::Lifetime::transient: return buffer.exported ? "export" : "transient";
    }
    return "?";
}

std::vector<std::string> conditions_of(const GraphDescription& graph, std::uint32_t pass) {
    std::vector<std::string> names;
    for (const auto& condition : graph.passes[pass].conditions) {
        const auto* count = std::get_if<Count>(&condition);
        if (count == nullptr) {
            names.push_back(graph.switches[std::get<Switch>(condition).index].name);
        } else if (count->kind == Count::Kind::parameter) {
            names.push_back(graph.parameters[count->parameter].name);
        } else if (count->kind == Count::Kind::gpu) {
            names.push_back(concat("word ", count->word, " of ", graph.resources[count->buffer.index].name));
        } else {
            names.push_back(std::to_string(count->max));
        }
    }
    return names;
}

namespace {

std::string pass_name(const GraphDescription& graph, std::uint32_t pass) {
    return pass == Dependency::outside ? "outside" : "'" + graph.passes[pass].name + "'";
}

/// " only if 'a' and 'b'", or nothing.
std::string only_if(const GraphDescription& graph, std::uint32_t pass) {
    std::string out;
    for (const std::string& name : conditions_of(graph, pass)) {
        out += concat(out.empty() ? " only if '" : " and '", name, "'");
    }
    return out;
}

/// "256 bytes", or "R8G8B8A8Unorm 64 x 32 x 8, 6 mips, 2 layers, 4 samples" with the words that apply.
std::string shape_of(const GraphDescription::Resource& resource) {
    if (!resource.image) {
        return std::to_string(resource.bytes) + " bytes";
    }
    const ImageInfo& image = *resource.image;
    std::string text = concat(name_of(image.format), " ", image.extent.width, " x ", image.extent.height);
    text += image.extent.depth > 1 ? concat(" x ", image.extent.depth) : "";
    text += image.mips > 1 ? concat(", ", image.mips, " mips") : "";
    text += image.layers > 1 ? concat(", ", image.layers, " layers") : "";
    text += image.samples > 1 ? concat(", ", static_cast<int>(image.samples), " samples") : "";
    return text;
}

void list_reasons(std::ostream& out, const GraphDescription& graph, const std::vector<Dependency>& reasons) {
    for (const Dependency& needed : reasons) {
        out << "    '" << graph.resources[needed.resource].name << "' " << to_string(needed.reason) << ": "
            << pass_name(graph, needed.from) << " -> " << pass_name(graph, needed.to) << '\n';
    }
}

/// Of which execution.
std::string ago(std::uint32_t executions) {
    return executions == 0   ? ""
           : executions == 1 ? " of the execution before"
                             : concat(" of ", executions, " executions before");
}

std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

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

} // namespace

std::string Plan::text() const {
    std::ostringstream out;
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
            out << "  '" << all[i].name << "' " << lifetime_of(all[i]) << ", " << shape_of(all[i])
                << (used[i] ? "" : ", unused");
            if (const auto& place = memory.places[i]; place.block != PlanMemory::none) {
                out << ", at " << place.offset
                    << (memory.blocks.size() > 1 ? " of block " + std::to_string(place.block) : "");
            }
            out << '\n';
        }
    }
    if (!memory.blocks.empty()) {
        out << "memory: " << memory.bytes() << " bytes (apart " << memory.apart << ", alive at once " << memory.least
            << ")\n";
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
        for (const Handover& taken : group.acquired) {
            out << "    '" << graph->resources[taken.resource].name << "' from the " << to_string(taken.from)
                << " queue\n";
        }
        for (const ImageBarrier& barrier : group.image_barriers) {
            out << "    '" << graph->resources[barrier.resource].name << "' " << name_of(barrier.old_layout) << " -> "
                << name_of(barrier.new_layout) << '\n';
        }
        list_reasons(out, *graph, group.dependencies);
        for (const std::uint32_t pass : group.passes) {
            out << "  pass '" << graph->passes[pass].name << "'" << only_if(*graph, pass) << '\n';
            for (const auto& touch : graph->passes[pass].touches) {
                out << "    '" << graph->resources[touch.resource].name << "' " << to_string(touch.access) << '\n';
            }
        }
        for (const Handover& given : group.released) {
            out << "  '" << graph->resources[given.resource].name << "' to the " << to_string(given.to) << " queue\n";
        }
    }
    for (const std::uint32_t pass : dropped) {
        out << "dropped: pass '" << graph->passes[pass].name << "'\n";
    }
    return out.str();
}

std::string Plan::dot() const {
    std::ostringstream out;
    out << "digraph weir {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", "
           "fontsize=10];\n";
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
            out << "    " << pass_node(pass)
                << " [shape=box, label=" << quoted(graph->passes[pass].name + only_if(*graph, pass)) << "];\n";
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
        out << "  " << node << " [shape=ellipse, label="
            << quoted(concat(buffer.name, "\n", lifetime_of(buffer), ", ", shape_of(buffer))) << "];\n";
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
            for (const auto& touch : graph->passes[pass].touches) {
                Contents& of = contents[touch.resource];
                const bool is_read = reads(touch.access);
                if (is_read && of.source.empty() && lasts(touch.resource)) {
                    of.source = outside("b", touch.resource);
                }
                // What nobody reads before it is written again may be there still, in part.
                if (!of.source.empty() && (is_read || (writes(touch.access) && of.written && !of.read))) {
                    carry(of.source, pass_node(pass), graph->resources[touch.resource].name);
                }
                of.read = of.read || is_read;
            }
        }
        for (const std::uint32_t pass : group.passes) {
            for (const auto& touch : graph->passes[pass].touches) {
                if (writes(touch.access)) {
                    contents[touch.resource] = {pass_node(pass), true, false};
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

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <weir/graph/plan.hpp>

#include "engine/base/strings.hpp"
#include "graph/inspect/names.hpp"
#include "graph/plan/resources.hpp"

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

/// Breaks lines at spaces, so that a box stays narrow.
std::string wrapped(std::string text) {
    constexpr std::size_t width = 16;
    std::size_t begin = 0, space = std::string::npos;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ') {
            space = i;
        }
        if (i - begin >= width && space != std::string::npos) {
            text[space] = '\n';
            begin = space + 1;
            space = std::string::npos;
        }
    }
    return text;
}

/// A color of boxes and its text in the legend.
struct Color {
    const char* fill;
    const char* name;
};
/// Rows of the legend; docs/inspecting.md has the same ones.
constexpr std::array<Color, 7> colors = {{{"#cfe2ff", "pass of a shader"},
                                          {"#e8e8e8", "pass that computes dispatch arguments"},
                                          {"#fdf0c2", "command pass"},
                                          {"#d5ebe8", "copy, fill or update"},
                                          {"#d3f0d3", "import"},
                                          {"#ffe2b8", "export"},
                                          {"#ead9f7", "state or history"}}};
enum ColorIndex : std::size_t {
    shader_color,
    arguments_color,
    commands_color,
    transfer_color,
    import_color,
    export_color,
    state_color
};

ColorIndex color_of(const GraphDescription::PassNode& pass) {
    return pass.computes_arguments          ? arguments_color
           : pass.compute_pass() != nullptr ? shader_color
           : pass.command_pass() != nullptr ? commands_color
                                            : transfer_color;
}

/// Returns the color of a resource that has contents before or after an execution.
ColorIndex color_of(const GraphDescription::Resource& resource) {
    return resource.lifetime == GraphDescription::Lifetime::import ? import_color
           : resource.exported                                     ? export_color
                                                                   : state_color;
}

/// Returns true if a resource keeps its contents from one execution to the next.
bool lasts(const GraphDescription::Resource& resource) {
    return resource.lifetime != GraphDescription::Lifetime::transient;
}

/// Contents of a resource that go from a pass, or from outside of the execution, to a pass or to the outside.
struct Flow {
    std::uint32_t resource = 0;
    std::uint32_t from = Dependency::outside;
    std::uint32_t to = Dependency::outside;
};

/// Finds the flows of a plan in the order of its groups; those to the outside are last.
std::vector<Flow> find_flows(const Plan& plan) {
    struct Contents {
        bool exist = false;                                         ///< false: no contents that matter
        std::vector<std::uint32_t> sources = {Dependency::outside}; // several if they write concurrently
        bool written = false, read = false, concurrent = false;
    };
    const GraphDescription& graph = *plan.graph;
    std::vector<Flow> flows;
    std::vector<Contents> contents(graph.resources.size());
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t pass : group.passes) {
            for (const auto& use : graph.passes[pass].accesses()) {
                Contents& of = contents[use.resource];
                const bool is_read = use.reads();
                of.exist = of.exist || (is_read && lasts(graph.resources[use.resource]));
                // If contents are written twice without a read in between, parts of the first write may remain.
                const bool joins = use.concurrent && of.concurrent && !of.read;
                if (of.exist && !joins && (is_read || (use.writes() && of.written && !of.read))) {
                    for (const std::uint32_t source : of.sources) {
                        flows.push_back({use.resource, source, pass});
                    }
                }
                of.read = of.read || is_read;
            }
        }
        for (const std::uint32_t pass : group.passes) {
            for (const auto& use : graph.passes[pass].accesses()) {
                if (use.writes()) {
                    Contents& of = contents[use.resource];
                    std::vector<std::uint32_t> sources;
                    if (use.concurrent && of.concurrent && !of.read) {
                        sources = std::move(of.sources);
                    }
                    sources.push_back(pass);
                    of = {true, std::move(sources), true, false, use.concurrent};
                }
            }
        }
    }
    for (std::uint32_t i = 0; i < graph.resources.size(); ++i) {
        if (contents[i].written && (graph.resources[i].exported || lasts(graph.resources[i]))) {
            for (const std::uint32_t source : contents[i].sources) {
                flows.push_back({i, source, Dependency::outside});
            }
        }
    }
    return flows;
}

/// Finds the states that the call which added them shares with no other call. Calls are distinguished by their source
/// locations.
std::vector<bool> find_inner_states(const GraphDescription& graph) {
    const auto is_same = [](const SourceLocation& a, const SourceLocation& b) {
        return a.line != 0 && a.line == b.line && std::string_view(a.file) == b.file;
    };
    std::vector<bool> inner;
    for (const auto& resource : graph.resources) {
        inner.push_back(resource.lifetime == GraphDescription::Lifetime::state && !resource.exported &&
                        !is_history(resource));
    }
    for (const auto& pass : graph.passes) {
        for (const auto& use : pass.uses) {
            inner[use.resource] = inner[use.resource] && is_same(pass.where, graph.resources[use.resource].where);
        }
    }
    return inner;
}

/// Omits passes that compute dispatch arguments, and inner states. The counts that such a pass reads go on to the
/// passes that take its arguments.
std::vector<Flow> overview_of(const GraphDescription& graph, const std::vector<Flow>& flows) {
    const std::vector<bool> inner = find_inner_states(graph);
    const auto is_hidden = [&](std::uint32_t pass) {
        return pass != Dependency::outside && graph.passes[pass].computes_arguments;
    };
    std::map<std::uint32_t, std::vector<Flow>> counts; // by pass that computes arguments
    std::vector<Flow> kept;
    for (const Flow& flow : flows) {
        std::vector<Flow> visible = {flow};
        if (is_hidden(flow.from)) {
            visible = counts[flow.from];
            for (Flow& count : visible) {
                count.to = flow.to;
            }
        }
        for (const Flow& one : visible) {
            const bool has_end = one.from == Dependency::outside || one.to == Dependency::outside;
            if (is_hidden(one.to)) {
                counts[one.to].push_back(one);
            } else if (!has_end || !inner[one.resource]) {
                kept.push_back(one);
            }
        }
    }
    return kept;
}

/// Omits edges between passes whose order follows from other edges. `order` is that of the passes in the plan.
std::set<std::pair<std::uint32_t, std::uint32_t>>
necessary_edges(const std::vector<Flow>& flows, const std::vector<std::uint32_t>& order, std::size_t passes) {
    std::vector<std::set<std::uint32_t>> next(passes);
    for (const Flow& flow : flows) {
        if (flow.from != Dependency::outside && flow.to != Dependency::outside) {
            next[flow.from].insert(flow.to);
        }
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    std::vector<std::vector<bool>> after(passes); // passes that come after a pass on any path
    for (auto pass = order.rbegin(); pass != order.rend(); ++pass) {
        std::vector<bool> by_others(passes, false);
        for (const std::uint32_t to : next[*pass]) {
            for (std::size_t i = 0; i < passes; ++i) {
                by_others[i] = by_others[i] || after[to][i];
            }
        }
        after[*pass] = by_others;
        for (const std::uint32_t to : next[*pass]) {
            after[*pass][to] = true;
            if (!by_others[to]) {
                edges.insert({*pass, to});
            }
        }
    }
    return edges;
}

/// Passes in one box of the picture.
struct Box {
    std::string id;
    std::string label;
    std::vector<std::uint32_t> passes;
};

class Picture {
public:
    Picture(const Plan& plan, const DotOptions& options)
        : plan_(plan), graph_(*plan.graph), options_(options), flows_(find_flows(plan)) {
        if (options.overview) {
            flows_ = overview_of(graph_, flows_);
        }
    }

    std::string text() {
        out_ = concat("digraph weir {\n  graph [rankdir=TB, bgcolor=white, ",
                      options_.overview ? "nodesep=0.15, ranksep=0.25" : "nodesep=0.25, ranksep=0.35",
                      ", fontname=\"sans-serif\", fontsize=10];\n  node [style=filled, color=\"#555555\", height=",
                      options_.overview ? "0.25, margin=\"0.08,0.04\"" : "0.3",
                      ", fontname=\"sans-serif\", fontsize=11];\n"
                      "  edge [color=\"#555555\", arrowsize=0.7, fontname=\"sans-serif\", fontsize=10];\n");
        for (const Box& box : options_.stages.empty() ? groups() : stages()) {
            add_box(box);
        }
        if (options_.stages.empty()) {
            add_order();
        }
        if (options_.overview) {
            add_short_edges();
        } else {
            add_edges();
        }
        add_legend();
        return out_ + "}\n";
    }

private:
    static std::string node_of(std::uint32_t pass) { return concat("p", pass); }

    [[nodiscard]] bool is_visible(std::uint32_t pass) const {
        return !options_.overview || !graph_.passes[pass].computes_arguments;
    }

    /// Returns the passes of the plan, in order.
    [[nodiscard]] std::vector<std::uint32_t> order() const {
        std::vector<std::uint32_t> passes;
        for (const PlanGroup& group : plan_.groups) {
            passes.insert(passes.end(), group.passes.begin(), group.passes.end());
        }
        return passes;
    }

    [[nodiscard]] std::vector<Box> groups() const {
        std::vector<Box> boxes;
        for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
            const PlanGroup& group = plan_.groups[g];
            Box box{concat("cluster_", g),
                    concat("group ", g,
                           plan_.batches.size() > 1 ? concat(" on the ", to_string(group.queue), " queue") : "",
                           group.waits.empty() ? "" : ", after another queue",
                           group.barriers.empty() && group.image_barriers.empty() ? "" : ", after a barrier"),
                    {}};
            std::copy_if(group.passes.begin(), group.passes.end(), std::back_inserter(box.passes),
                         [&](std::uint32_t pass) { return is_visible(pass); });
            boxes.push_back(std::move(box));
        }
        return boxes;
    }

    /// Makes a box for each stage, in the order of their first passes. Passes without a stage share one without an id.
    [[nodiscard]] std::vector<Box> stages() const {
        std::vector<Box> boxes;
        std::map<std::string, std::size_t> known;
        for (const std::uint32_t pass : order()) {
            if (!is_visible(pass)) {
                continue;
            }
            const std::string name = pass < options_.stages.size() ? options_.stages[pass] : std::string();
            const auto [box, is_new] = known.insert({name, boxes.size()});
            if (is_new) {
                boxes.push_back({name.empty() ? "" : concat("cluster_", boxes.size()), name, {}});
            }
            boxes[box->second].passes.push_back(pass);
        }
        return boxes;
    }

    void add_box(const Box& box) {
        if (box.passes.empty()) {
            return;
        }
        // A condition that all passes share is written at the box.
        std::string shared = options_.overview ? only_if(graph_, box.passes.front()) : std::string();
        for (const std::uint32_t pass : box.passes) {
            shared = only_if(graph_, pass) == shared ? shared : std::string();
        }
        if (!box.id.empty()) {
            out_ += concat("  subgraph ", box.id, " {\n",
                           options_.overview ? "    graph [style=\"rounded,filled\", color=\"#cccccc\", "
                                               "fillcolor=\"#fafafa\", labeljust=l];\n"
                                             : "",
                           "    label=", quoted(box.label + (shared.empty() ? "" : "," + shared)), ";\n");
        }
        for (const std::uint32_t pass : box.passes) {
            const std::string condition = shared.empty() ? only_if(graph_, pass) : std::string();
            const std::string& name = graph_.passes[pass].name;
            const std::string label = options_.overview && !condition.empty()
                                          ? wrapped(name) + '\n' + wrapped(condition.substr(1))
                                      : options_.overview ? wrapped(name)
                                                          : name + condition;
            out_ += concat("    ", node_of(pass), " [shape=box, ", filled(color_of(graph_.passes[pass])),
                           ", label=", quoted(label), "];\n");
        }
        if (options_.overview) {
            add_ends(box);
        }
        out_ += box.id.empty() ? "" : "  }\n";
    }

    /// Adds the resources that the passes of a box take from outside and leave there. Resources of the same passes
    /// share a node.
    void add_ends(const Box& box) {
        const std::set<std::uint32_t> passes(box.passes.begin(), box.passes.end());
        for (const bool arrives : {true, false}) {
            std::map<std::uint32_t, std::set<std::uint32_t>> users; // by resource
            for (const Flow& flow : flows_) {
                const std::uint32_t outside = arrives ? flow.from : flow.to, inside = arrives ? flow.to : flow.from;
                if (outside == Dependency::outside && passes.contains(inside)) {
                    users[flow.resource].insert(inside);
                }
            }
            std::map<std::pair<ColorIndex, std::set<std::uint32_t>>, std::vector<std::uint32_t>> nodes;
            for (const auto& [resource, by] : users) {
                nodes[{color_of(graph_.resources[resource]), by}].push_back(resource);
            }
            for (const auto& [what, resources] : nodes) {
                const std::string node = concat(arrives ? "b" : "o", resources.front(), "_", *what.second.begin());
                std::string label;
                for (const std::uint32_t resource : resources) {
                    label += (label.empty() ? "" : "\n") + graph_.resources[resource].name;
                }
                out_ += concat("    ", node, " [shape=box, style=\"filled,rounded\", ", filled(what.first),
                               ", label=", quoted(label), "];\n");
                for (const std::uint32_t pass : what.second) {
                    ends_.push_back(arrives ? std::pair(node, node_of(pass)) : std::pair(node_of(pass), node));
                }
            }
        }
    }

    /// Places the groups of each queue one below the other.
    void add_order() {
        std::array<std::string, queue_kinds> before; // first pass of the previous group
        for (const PlanGroup& group : plan_.groups) {
            const auto first = std::find_if(group.passes.begin(), group.passes.end(),
                                            [&](std::uint32_t pass) { return is_visible(pass); });
            if (first == group.passes.end()) {
                continue;
            }
            std::string& earlier = before[static_cast<std::size_t>(group.queue)];
            if (!earlier.empty()) {
                out_ += concat("  ", earlier, " -> ", node_of(*first), " [style=invis];\n");
            }
            earlier = node_of(*first);
        }
    }

    /// Adds one edge between each pair of ends, with the names of the resources that it carries.
    void add_edges() {
        std::map<std::pair<std::string, std::string>, std::string> edges;
        std::set<std::string> known; // added nodes of resources from outside
        const auto outside = [&](const char* kind, std::uint32_t i) {
            const auto& resource = graph_.resources[i];
            std::string node = concat(kind, i);
            if (known.insert(node).second) {
                out_ += concat("  ", node, " [shape=ellipse, ", filled(color_of(resource)), ", label=",
                               quoted(concat(resource.name, "\n", lifetime_of(resource), ", ", shape_of(resource))),
                               "];\n");
            }
            return node;
        };
        for (const Flow& flow : flows_) {
            const std::string from =
                flow.from == Dependency::outside ? outside("b", flow.resource) : node_of(flow.from);
            const std::string to = flow.to == Dependency::outside ? outside("o", flow.resource) : node_of(flow.to);
            std::string& carried = edges[{from, to}];
            carried += (carried.empty() ? "" : "\n") + graph_.resources[flow.resource].name;
        }
        for (const auto& [ends, carried] : edges) {
            out_ += concat("  ", ends.first, " -> ", ends.second, " [label=", quoted(carried), "];\n");
        }
    }

    void add_short_edges() {
        for (const auto& [from, to] : ends_) {
            out_ += concat("  ", from, " -> ", to, ";\n");
        }
        for (const auto& [from, to] : necessary_edges(flows_, order(), graph_.passes.size())) {
            out_ += concat("  ", node_of(from), " -> ", node_of(to), ";\n");
        }
    }

    /// Adds a legend with the colors of this picture, below it.
    void add_legend() {
        out_ += "  label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"4\"><tr>";
        for (std::size_t i = 0; i < colors.size(); ++i) {
            if (is_used_[i]) {
                out_ += concat("<td bgcolor=\"", colors[i].fill, "\">", colors[i].name, "</td>");
            }
        }
        out_ += "<td> </td></tr></table>>;\n"; // an empty plan needs a cell, too
    }

    std::string filled(ColorIndex color) {
        is_used_[color] = true;
        return concat("fillcolor=\"", colors[color].fill, "\"");
    }

    const Plan& plan_;
    const GraphDescription& graph_;
    const DotOptions& options_;
    std::vector<Flow> flows_;
    std::vector<std::pair<std::string, std::string>> ends_; ///< edges from and to the outside, in an overview
    std::array<bool, colors.size()> is_used_{};
    std::string out_;
};

} // namespace

std::string Plan::dot(const DotOptions& options) const {
    return Picture(*this, options).text();
}

} // namespace weir

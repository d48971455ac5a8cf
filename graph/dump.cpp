#include <sstream>

#include <weir/graph/plan.hpp>

namespace weir {

namespace {

const char* to_string(Dependency::Reason reason) {
    switch (reason) {
    case Dependency::Reason::read_after_write: return "read after write";
    case Dependency::Reason::write_after_read: return "write after read";
    case Dependency::Reason::write_after_write: return "write after write";
    case Dependency::Reason::memory_reused: return "memory reused";
    }
    return "?";
}

std::string pass_name(const GraphDescription& graph, std::uint32_t pass) {
    return pass == Dependency::outside ? "outside" : "'" + graph.passes[pass].name + "'";
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

const char* lifetime(const GraphDescription::BufferNode& buffer) {
    switch (buffer.lifetime) {
    case GraphDescription::Lifetime::import: return "import";
    case GraphDescription::Lifetime::state: return "state";
    case GraphDescription::Lifetime::transient: return buffer.exported ? "export" : "transient";
    }
    return "?";
}

} // namespace

std::string Plan::text(const GraphDescription& graph) const {
    std::ostringstream out;
    out << "buffers:\n";
    for (std::size_t i = 0; i < graph.buffers.size(); ++i) {
        const auto& buffer = graph.buffers[i];
        out << "  '" << buffer.name << "' " << lifetime(buffer) << ", " << buffer.bytes << " bytes"
            << (used[i] ? "" : ", unused");
        if (const auto& place = memory.places[i]; place.block != PlanMemory::none) {
            out << ", at " << place.offset
                << (memory.blocks.size() > 1 ? " of block " + std::to_string(place.block) : "");
        }
        out << '\n';
    }
    if (!memory.blocks.empty()) {
        out << "memory: " << memory.bytes() << " bytes (apart " << memory.apart << ", alive at once " << memory.least
            << ")\n";
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const PlanGroup& group = groups[g];
        out << (group.passes.empty() ? "leave" : "group " + std::to_string(g)) << ":\n";
        out << "  " << group.barriers.size() << (group.barriers.size() == 1 ? " barrier\n" : " barriers\n");
        for (const Dependency& needed : group.dependencies) {
            out << "    '" << graph.buffers[needed.buffer].name << "' " << to_string(needed.reason) << ": "
                << pass_name(graph, needed.from) << " -> " << pass_name(graph, needed.to) << '\n';
        }
        for (const std::uint32_t pass : group.passes) {
            out << "  pass '" << graph.passes[pass].name << "'\n";
            for (const auto& touch : graph.passes[pass].touches) {
                out << "    '" << graph.buffers[touch.buffer].name << "' " << to_string(touch.access) << '\n';
            }
        }
    }
    for (const std::uint32_t pass : dropped) {
        out << "dropped: pass '" << graph.passes[pass].name << "'\n";
    }
    return out.str();
}

std::string Plan::dot(const GraphDescription& graph) const {
    std::ostringstream out;
    out << "digraph weir {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n";
    for (std::size_t i = 0; i < graph.buffers.size(); ++i) {
        if (used[i]) {
            const auto& buffer = graph.buffers[i];
            out << "  b" << i << " [shape=ellipse, label="
                << quoted(buffer.name + "\n" + lifetime(buffer) + ", " + std::to_string(buffer.bytes) + " bytes")
                << "];\n";
        }
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].passes.empty()) {
            continue;
        }
        out << "  subgraph cluster_" << g << " {\n    label="
            << quoted("group " + std::to_string(g) + (groups[g].barriers.empty() ? "" : ", after a barrier")) << ";\n";
        for (const std::uint32_t pass : groups[g].passes) {
            out << "    p" << pass << " [shape=box, label=" << quoted(graph.passes[pass].name) << "];\n";
        }
        out << "  }\n";
    }
    for (const PlanGroup& group : groups) {
        for (const std::uint32_t pass : group.passes) {
            for (const auto& touch : graph.passes[pass].touches) {
                if (reads(touch.access)) {
                    out << "  b" << touch.buffer << " -> p" << pass << ";\n";
                }
                if (writes(touch.access)) {
                    out << "  p" << pass << " -> b" << touch.buffer << ";\n";
                }
            }
        }
    }
    out << "}\n";
    return out.str();
}

} // namespace weir

// What a plan says of itself.

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/graph/graphs.hpp"

namespace weir::tests {
namespace {

/// Counts on the GPU, a state, a pass that is dropped, names that need quoting.
SomeGraph example() {
    SomeGraph graph;
    const Words in = graph.import("in", Access::transfer_write);
    const Words kept = graph.transient("kept"), count = graph.state("count"), nobody = graph.transient("nobody's");
    graph.add_pass(pass("select", {read(in), write(kept), read_write(count)}));
    graph.add_pass(pass("useless", {read(kept), write(nobody)}));
    const Words out = graph.transient("say \"out\"");
    graph.add_pass(pass("square", {read(kept), write(out)}, Dispatch::elements(graph.count_in(count, 0, 64), 32)));
    graph.export_buffer(out, Access::vertex_read);
    return graph;
}

TEST(GraphDump, Text) {
    const SomeGraph graph = example();
    EXPECT_EQ(graph.plan().text(graph.description()), R"(buffers:
  'in' import, 256 bytes
  'kept' transient, 256 bytes, at 0
  'count' state, 256 bytes
  'nobody's' transient, 256 bytes, unused
  'say "out"' export, 256 bytes
  'dispatch arguments of count' transient, 12 bytes, at 256
memory: 512 bytes (apart 512, alive at once 512)
group 0:
  2 barriers
    'in' read after write: outside -> 'select'
    'kept' write after write: outside -> 'select'
    'kept' write after read: outside -> 'select'
    'count' read after write: outside -> 'select'
  pass 'select'
    'in' shader read
    'kept' shader write
    'count' shader read and write
group 1:
  1 barrier
    'count' read after write: 'select' -> 'dispatch arguments of count'
  pass 'dispatch arguments of count'
    'count' shader read
    'dispatch arguments of count' shader write
group 2:
  2 barriers
    'say "out"' write after read: outside -> 'square'
    'dispatch arguments of count' read after write: 'dispatch arguments of count' -> 'square'
  pass 'square'
    'kept' shader read
    'say "out"' shader write
    'dispatch arguments of count' indirect read
leave:
  1 barrier
    'say "out"' read after write: 'square' -> outside
dropped: pass 'useless'
)");
}

/// Takes `token` off the front of a line, if it is there.
bool take(std::string_view& line, std::string_view token) {
    const bool there = line.substr(0, token.size()) == token;
    line.remove_prefix(there ? token.size() : 0);
    return there;
}
/// A name such as b12, or nothing.
std::string take_node(std::string_view& line) {
    std::size_t length = 1;
    while (length < line.size() && line[length] >= '0' && line[length] <= '9') {
        ++length;
    }
    if (line.empty() || (line[0] != 'b' && line[0] != 'p') || length == 1) {
        return {};
    }
    std::string node(line.substr(0, length));
    line.remove_prefix(length);
    return node;
}
/// A quoted text in which quotes and backslashes are escaped.
bool take_label(std::string_view& line) {
    if (!take(line, "\"")) {
        return false;
    }
    while (!line.empty() && line[0] != '"') {
        line.remove_prefix(std::min(line.size(), line[0] == '\\' ? std::size_t{2} : std::size_t{1}));
    }
    return take(line, "\"");
}

/// Every line of the dot file is one of the few kinds that are expected, and edges join nodes that are there.
TEST(GraphDump, Dot) {
    const SomeGraph graph = example();
    std::istringstream lines(graph.plan().dot(graph.description()));
    std::set<std::string> nodes;
    int depth = 0, edges = 0;
    for (std::string text; std::getline(lines, text);) {
        std::string_view line = text;
        while (take(line, " ")) {
        }
        if (take(line, "digraph weir {") || take(line, "subgraph cluster_0 {") || take(line, "subgraph cluster_1 {") ||
            take(line, "subgraph cluster_2 {")) {
            ++depth;
        } else if (take(line, "}")) {
            EXPECT_GT(depth--, 0);
        } else if (take(line, "label=")) {
            EXPECT_TRUE(take_label(line) && take(line, ";")) << text;
        } else if (take(line, "node [fontname=")) {
            EXPECT_TRUE(take_label(line) && take(line, "];")) << text;
        } else if (const std::string first = take_node(line); !first.empty()) {
            if (take(line, " -> ")) {
                const std::string second = take_node(line);
                EXPECT_TRUE(nodes.contains(first) && nodes.contains(second)) << text;
                EXPECT_NE(first[0], second[0]) << text;
                EXPECT_TRUE(take(line, ";")) << text;
                ++edges;
            } else {
                EXPECT_TRUE(nodes.insert(first).second) << text;
                EXPECT_TRUE(take(line, first[0] == 'b' ? " [shape=ellipse, label=" : " [shape=box, label=")) << text;
                EXPECT_TRUE(take_label(line) && take(line, "];")) << text;
            }
        } else {
            EXPECT_TRUE(take(line, "rankdir=LR;")) << text;
        }
        EXPECT_EQ(line, "") << text;
    }
    EXPECT_EQ(depth, 0);
    EXPECT_EQ(nodes.size(), 5U + 3U); // buffers that are used, passes that run
    EXPECT_EQ(edges, 4 + 2 + 3);
}

} // namespace
} // namespace weir::tests

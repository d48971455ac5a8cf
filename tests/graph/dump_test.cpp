// What a plan says of itself.

#include <regex>
#include <set>
#include <sstream>

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
  'kept' transient, 256 bytes
  'count' state, 256 bytes
  'nobody's' transient, 256 bytes, unused
  'say "out"' export, 256 bytes
  'dispatch arguments of count' transient, 12 bytes
group 0:
  2 barriers
    'in' read after write: outside -> 'select'
    'kept' write after write: outside -> 'select'
    'count' read after write: outside -> 'select'
  pass 'select'
    'in' shader read
    'kept' shader write
    'count' shader read and write
group 1:
  2 barriers
    'count' read after write: 'select' -> 'dispatch arguments of count'
    'dispatch arguments of count' write after write: outside -> 'dispatch arguments of count'
  pass 'dispatch arguments of count'
    'count' shader read
    'dispatch arguments of count' shader write
group 2:
  2 barriers
    'say "out"' write after write: outside -> 'square'
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

/// Every line of the dot file is one of the few kinds that are expected, and edges join nodes that are there.
TEST(GraphDump, Dot) {
    const SomeGraph graph = example();
    std::istringstream lines(graph.plan().dot(graph.description()));
    const std::string label = R"re("(?:[^"\\]|\\.)*")re";
    const std::regex open(R"(digraph weir \{| *subgraph cluster_\d+ \{)");
    const std::regex setting(R"( *(rankdir=LR|node \[fontname=)" + label + R"(\]|label=)" + label + ");");
    const std::regex node(R"( *([bp]\d+) \[shape=(?:box|ellipse), label=)" + label + R"(\];)");
    const std::regex edge(R"( *([bp]\d+) -> ([bp]\d+);)");
    std::set<std::string> nodes;
    int depth = 0, edges = 0;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, open)) {
            ++depth;
        } else if (std::regex_match(line, match, node)) {
            EXPECT_TRUE(nodes.insert(match[1]).second) << line;
        } else if (std::regex_match(line, match, edge)) {
            EXPECT_TRUE(nodes.contains(match[1]) && nodes.contains(match[2])) << line;
            EXPECT_NE(match[1].str()[0], match[2].str()[0]) << line;
            ++edges;
        } else if (std::regex_match(line, std::regex(" *\\}"))) {
            EXPECT_GT(depth--, 0);
        } else {
            EXPECT_TRUE(std::regex_match(line, setting)) << line;
        }
    }
    EXPECT_EQ(depth, 0);
    EXPECT_EQ(nodes.size(), 5U + 3U); // buffers that are used, passes that run
    EXPECT_EQ(edges, 4 + 2 + 3);
}

} // namespace
} // namespace weir::tests

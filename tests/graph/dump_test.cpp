// Dumps of plans and profiles: text, dot, JSON and trace.

#include <locale>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include <weir/graph/profile.hpp>

#include "tests/graph/graphs.hpp"

namespace weir::tests::dump_test {
namespace {

/// Counts on the GPU, a state, a pass that is culled, names that need quoting.
SomeGraph example() {
    SomeGraph graph;
    const WordRef in = graph.import("in", Access::transfer_write);
    const WordRef kept = graph.transient("kept"), count = graph.state("count"), unused = graph.transient("unused");
    graph.add_pass(pass("select", {read(in), write(kept), read_write(count)}));
    graph.add_pass(pass("useless", {read(kept), write(unused)}));
    const WordRef out = graph.transient("say \"out\"");
    graph.add_pass(pass("square", {read(kept), write(out)}, Dispatch::elements(graph.count_in(count, 0, 64), 32)));
    graph.export_buffer(out, Access::vertex_read);
    return graph;
}

TEST(GraphDump, Text) {
    const SomeGraph graph = example();
    EXPECT_EQ(graph.plan().text(), R"(buffers:
  'in' import, 256 bytes
  'kept' transient, 256 bytes, at 0
  'count' state, 256 bytes
  'unused' transient, 256 bytes, unused
  'say "out"' export, 256 bytes
  'dispatch arguments of count' transient, 12 bytes, at 256
memory: 512 bytes (apart 512, alive at once 512)
group 0:
  2 barriers
    'in' read after write: outside -> 'select'
    'kept' write after write: outside -> 'select'
    'kept' write after read: outside -> 'select'
    'count' read after write: outside -> 'select'
    'count' write after read: outside -> 'select'
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
culled: pass 'useless'
)");
}

/// The first use of the image waits for two uses in the previous execution, which have other stages.
TEST(GraphDump, TextListsReasonOnce) {
    SomeGraph graph;
    const ImageId depth = graph.image("depth", some_depth());
    graph.add_command_pass(command_pass("draw", {{depth, Access::depth_write}}));
    graph.add_command_pass(kept_pass("test", {{depth, Access::depth_read}, {depth, Access::fragment_shader_read}}));
    const Plan plan = graph.plan();
    ASSERT_GT(plan.groups[0].dependencies.size(), 1U);
    EXPECT_THAT(plan.text(), HasSubstr("group 0:\n"
                                       "  0 barriers, 1 image barrier\n"
                                       "    'depth' Undefined -> DepthStencilAttachmentOptimal\n"
                                       "    'depth' layout change: outside -> 'draw'\n"
                                       "  pass 'draw'\n"));
}

TEST(GraphDump, Dot) {
    const SomeGraph graph = example();
    const std::string dot = graph.plan().dot();
    const std::size_t legend = dot.find("  label=<<table ");
    EXPECT_EQ(dot.substr(0, legend), R"(digraph weir {
  graph [rankdir=TB, bgcolor=white, nodesep=0.25, ranksep=0.35, fontname="sans-serif", fontsize=10];
  node [style=filled, color="#555555", height=0.3, fontname="sans-serif", fontsize=11];
  edge [color="#555555", arrowsize=0.7, fontname="sans-serif", fontsize=10];
  subgraph cluster_0 {
    label="group 0, after a barrier";
    p0 [shape=box, fillcolor="#cfe2ff", label="select"];
  }
  subgraph cluster_1 {
    label="group 1, after a barrier";
    p2 [shape=box, fillcolor="#e8e8e8", label="dispatch arguments of count"];
  }
  subgraph cluster_2 {
    label="group 2, after a barrier";
    p3 [shape=box, fillcolor="#cfe2ff", label="square"];
  }
  p0 -> p2 [style=invis];
  p2 -> p3 [style=invis];
  b0 [shape=ellipse, fillcolor="#d3f0d3", label="in\nimport, 256 bytes"];
  b2 [shape=ellipse, fillcolor="#ead9f7", label="count\nstate, 256 bytes"];
  o2 [shape=ellipse, fillcolor="#ead9f7", label="count\nstate, 256 bytes"];
  o4 [shape=ellipse, fillcolor="#ffe2b8", label="say \"out\"\nexport, 256 bytes"];
  b0 -> p0 [label="in"];
  b2 -> p0 [label="count"];
  p0 -> o2 [label="count"];
  p0 -> p2 [label="count"];
  p0 -> p3 [label="kept"];
  p2 -> p3 [label="dispatch arguments of count"];
  p3 -> o4 [label="say \"out\""];
)");
    EXPECT_THAT(dot.substr(legend), testing::EndsWith("</table>>;\n}\n"));
}

// A pass that writes part of a buffer passes the rest on, so a reader has an edge from the last writer.
TEST(GraphDump, DotEdgesOfBufferWrittenTwice) {
    SomeGraph graph;
    const WordRef out = graph.import("out");
    graph.add_fill("fill", out, 0);
    graph.add_pass(pass("scatter", {write(out)}));
    graph.add_pass(pass("read", {read(out), write(graph.import("seen"))}));
    graph.add_pass(pass("again", {write(out)}));
    const std::string dot = graph.plan().dot();
    EXPECT_THAT(dot, HasSubstr("p0 -> p1 [label=\"out\"]"));
    EXPECT_THAT(dot, HasSubstr("p1 -> p2 [label=\"out\"]"));
    EXPECT_THAT(dot, HasSubstr("p3 -> o0 [label=\"out\"]"));
    EXPECT_EQ(dot.find("p1 -> p3 [label"), std::string::npos) << dot;
    EXPECT_EQ(dot.find("b0"), std::string::npos) << dot;
}

/// Returns the visible edges of a dot file without their attributes.
std::set<std::string> edges_of(const std::string& dot) {
    std::istringstream lines(dot);
    std::set<std::string> edges;
    for (std::string line; std::getline(lines, line);) {
        if (line.find(" -> ") != std::string::npos && line.find("style=invis") == std::string::npos) {
            edges.insert(line.substr(2, line.find_first_of("[;") - 2));
        }
    }
    return edges;
}

TEST(GraphDump, DotLegendHasTheColorsOfThePicture) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), made = graph.transient("made"), out = graph.transient("out");
    graph.add_pass(pass("make", {read(in), write(made)}));
    graph.add_copy("copy", made, out, 16);
    graph.export_buffer(out);
    const std::string dot = graph.plan().dot();
    EXPECT_THAT(dot, HasSubstr("<td bgcolor=\"#cfe2ff\">pass of a shader</td>"
                               "<td bgcolor=\"#d5ebe8\">copy, fill or update</td>"
                               "<td bgcolor=\"#d3f0d3\">import</td><td bgcolor=\"#ffe2b8\">export</td><td>"));
    std::size_t fills = 0;
    for (std::size_t at = dot.find("fillcolor="); at != std::string::npos; at = dot.find("fillcolor=", at + 1)) {
        const std::string color = dot.substr(at + 10, 9); // with its quotes
        EXPECT_THAT(dot, HasSubstr("bgcolor=" + color));
        ++fills;
    }
    EXPECT_EQ(fills, 4U);
}

TEST(GraphDump, DotStagesHaveABoxEach) {
    const SomeGraph graph = example();
    const Plan plan = graph.plan();
    const std::string dot = plan.dot({.stages = {"choose", "", "", "choose"}});
    EXPECT_THAT(dot, HasSubstr("  subgraph cluster_0 {\n    label=\"choose\";\n    p0 ["));
    EXPECT_LT(dot.find("    p3 ["), dot.find("  }\n"));
    EXPECT_EQ(dot.find("cluster_1"), std::string::npos) << dot;
    EXPECT_EQ(dot.find("group "), std::string::npos) << dot;
    EXPECT_EQ(dot.find("style=invis"), std::string::npos) << dot;
    EXPECT_EQ(edges_of(dot), edges_of(plan.dot()));
    // Passes beyond the end of the vector have no box.
    EXPECT_THAT(plan.dot({.stages = {"choose"}}),
                HasSubstr("p0 [shape=box, fillcolor=\"#cfe2ff\", label=\"select\"];\n  }\n"));
}

TEST(GraphDump, DotOverviewLeavesOutArgumentPasses) {
    SomeGraph graph = example();
    const WordRef squares = graph.import("squares");
    graph.add_pass(pass("list all squares of the kept", {read(squares), write(graph.import("list"))}));
    const std::string dot = graph.plan().dot({.overview = true});
    EXPECT_EQ(dot.find("dispatch arguments"), std::string::npos) << dot;
    EXPECT_EQ(dot.find("#e8e8e8"), std::string::npos) << dot;
    EXPECT_THAT(dot, HasSubstr("label=\"list all squares\\nof the kept\""));
    // The edge from "select" to "square" stands for the items and for the count, whose argument pass is left out.
    EXPECT_EQ(edges_of(dot), (std::set<std::string>{"b0_0 -> p0", "b2_0 -> p0", "p0 -> o2_0", "p0 -> p3", "b6_4 -> p4",
                                                    "p3 -> o4_3", "p4 -> o7_4"}));
}

TEST(GraphDump, DotOverviewKeepsEdgesNeededForOrder) {
    SomeGraph graph;
    const WordRef a = graph.transient("a"), b = graph.transient("b"), c = graph.transient("c");
    graph.add_pass(pass("first", {write(a)}));
    graph.add_pass(pass("second", {read(a), write(b)}));
    graph.add_pass(pass("third", {read(a), read(b), write(c)})); // reads "a" after "second" did
    graph.add_pass(pass("fourth", {read(a), read(c), write(graph.import("out"))}));
    const Plan plan = graph.plan();
    EXPECT_EQ(edges_of(plan.dot({.overview = true})),
              (std::set<std::string>{"p0 -> p1", "p1 -> p2", "p2 -> p3", "p3 -> o3_3"}));
    EXPECT_EQ(edges_of(plan.dot()).size(), 6U);
}

/// Adds a pass with a state of its own, as primitives do.
void count_calls(const GraphCall& graph) {
    const auto state = graph->state_buffer<std::uint32_t>("calls", 1);
    graph->add_pass(pass("count calls", {read_write(state), write(graph->import_buffer<std::uint32_t>("number", 1))}));
}

TEST(GraphDump, DotOverviewLeavesOutStatesOfOneCall) {
    SomeGraph graph;
    count_calls(graph);
    const WordRef kept = graph.state("kept");
    graph.add_pass(pass("keep", {read_write(kept), write(graph.import("out"))}));
    const Plan plan = graph.plan();
    EXPECT_THAT(plan.dot(), HasSubstr("\"calls\\nstate, 4 bytes\""));
    const std::string overview = plan.dot({.overview = true});
    EXPECT_EQ(overview.find("\"calls\""), std::string::npos) << overview;
    EXPECT_THAT(overview, HasSubstr("label=\"kept\""));
}

TEST(GraphDump, DotOverviewBoxHasTheConditionOfAllItsPasses) {
    SomeGraph graph;
    const Switch wanted = graph.add_switch("wanted");
    const WordRef some = graph.state("some"), all = graph.import("all");
    graph.add_pass_if(wanted, pass("some", {read_write(some)}));
    graph.add_pass(pass("all", {read(some), write(all)}));
    const Plan plan = graph.plan();
    EXPECT_THAT(plan.dot({.stages = {"a", "b"}, .overview = true}), HasSubstr("label=\"a, only if 'wanted'\";"));
    EXPECT_THAT(plan.dot({.stages = {"a", "a"}, .overview = true}), HasSubstr("label=\"some\\nonly if 'wanted'\"]"));
}

TEST(GraphDump, JsonDispatchHasKindSourceAndMaximum) {
    SomeGraph graph; // runs at most 65535 workgroups in x
    const WordRef out = graph.import("out"), count = graph.import("count");
    const auto add = [&](const Dispatch& dispatch) {
        graph.add_pass(pass("pass", {read(count), write(out)}, dispatch));
    };
    add(Dispatch::groups(3, 4, 5));
    add(Dispatch::elements(5'000'000, 64, 7));
    add(Dispatch::elements(graph.parameter("many", 1000), 10));
    add(Dispatch::elements(graph.count_in(count, 2, 500).direct(), 50));
    add(Dispatch::elements(graph.count_in(count, 2, 500), 50));
    add(Dispatch::indirect(count, 1));
    graph.add_copy("copy", count, graph.import("copied"), 16);
    const auto passes = nlohmann::json::parse(graph.plan().json())["passes"];
    const auto expect = [&](std::size_t index, const char* text) {
        EXPECT_EQ(passes.at(index)["dispatch"], nlohmann::json::parse(text)) << index;
    };
    expect(0, R"({"kind": "groups", "max_groups": [3, 4, 5]})");
    expect(1, R"({"kind": "elements", "count": 5000000, "per_group": 64, "at_least": 7, "max_groups": [39063, 2, 1]})");
    expect(2, R"({"kind": "elements", "count": {"parameter": "many", "max": 1000}, "per_group": 10, "at_least": 0,
                  "max_groups": [100, 1, 1]})");
    expect(3, R"({"kind": "elements", "count": {"resource": 1, "word": 2, "max": 500}, "per_group": 50, "at_least": 0,
                  "max_groups": [10, 1, 1]})");
    EXPECT_EQ(passes[4]["name"], "dispatch arguments of count");
    expect(4, R"({"kind": "groups", "max_groups": [1, 1, 1]})");
    expect(5, R"({"kind": "indirect", "arguments": 2, "word": 0, "max_groups": [10, 1, 1]})");
    expect(6, R"({"kind": "indirect", "arguments": 1, "word": 1, "max_groups": null})");
    EXPECT_FALSE(passes[7].contains("dispatch"));
}

TEST(GraphDump, Json) {
    const SomeGraph graph = example();
    const Plan plan = graph.plan();
    const auto json = nlohmann::json::parse(plan.json());
    EXPECT_EQ(json["resources"], nlohmann::json::parse(R"([
        {"name": "in", "lifetime": "import", "bytes": 256, "used": true},
        {"name": "kept", "lifetime": "transient", "bytes": 256, "used": true, "block": 0, "offset": 0},
        {"name": "count", "lifetime": "state", "bytes": 256, "used": true},
        {"name": "unused", "lifetime": "transient", "bytes": 256, "used": false},
        {"name": "say \"out\"", "lifetime": "export", "bytes": 256, "used": true},
        {"name": "dispatch arguments of count", "lifetime": "transient", "bytes": 12, "used": true, "block": 0,
         "offset": 256}])"));
    EXPECT_EQ(json["passes"][0], nlohmann::json::parse(R"({"name": "select", "kind": "shader", "uses": [
        {"resource": 0, "access": "shader read", "written_by": null, "needed_after": true},
        {"resource": 1, "access": "shader write", "written_by": null, "needed_after": true},
        {"resource": 2, "access": "shader read and write", "written_by": null, "needed_after": true}],
        "dispatch": {"kind": "groups", "max_groups": [1, 1, 1]}})"));
    EXPECT_EQ(json["culled"], nlohmann::json{1});
    EXPECT_EQ(
        json["memory"],
        nlohmann::json::parse(R"({"blocks": [512], "bytes": 512, "apart": 512, "alive": 512, "lower_bound": 512})"));
    ASSERT_EQ(json["groups"].size(), plan.groups.size());
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
        EXPECT_EQ(json["groups"][g]["passes"], nlohmann::json(plan.groups[g].passes));
        EXPECT_EQ(json["groups"][g]["barriers"].size(), plan.groups[g].barriers.size());
        EXPECT_EQ(json["groups"][g]["dependencies"].size(), plan.groups[g].dependencies.size());
    }
    EXPECT_EQ(json["groups"][1]["barriers"], nlohmann::json::parse(R"([{
        "source": {"stages": ["COMPUTE_SHADER"], "access": ["SHADER_STORAGE_WRITE"]},
        "destination": {"stages": ["COMPUTE_SHADER"], "access": ["SHADER_STORAGE_READ"]}}])"));
    EXPECT_EQ(json["groups"][3]["dependencies"], nlohmann::json::parse(R"([{
        "resource": 4, "reason": "read after write", "from": 3, "to": null,
        "source": {"stages": ["COMPUTE_SHADER"], "access": ["SHADER_STORAGE_WRITE"]},
        "destination": {"stages": ["VERTEX_INPUT"], "access": ["VERTEX_ATTRIBUTE_READ"]}}])"));
}

// All stages and accesses have names. Names that are not UTF-8 give valid JSON.
TEST(GraphDump, JsonNamesEveryAccess) {
    SomeGraph graph;
    constexpr Access arrivals[] = {Access::shader_read,   Access::shader_write,  Access::shader_read_write,
                                   Access::indirect_read, Access::transfer_read, Access::transfer_write,
                                   Access::uniform_read,  Access::vertex_read,   Access::index_read,
                                   Access::host_read,     Access::host_write,    Access::any};
    for (const Access access : arrivals) {
        const WordRef buffer = graph.import("\xff buffer", access);
        graph.add_pass(pass("\xc3 pass", {read_write(buffer)}));
        graph.export_buffer(buffer, access);
    }
    const std::string text = graph.plan().json();
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["passes"].size(), std::size(arrivals));
    EXPECT_EQ(json["passes"][0]["name"], "\uFFFD pass");
    EXPECT_EQ(text.find("0x"), std::string::npos) << text;
}

TEST(GraphDump, Profile) {
    const SomeGraph graph = example();
    const Profile profile{{{0, 0, 0, 10.5}, {2, 1, 10.5, 12}, {3, 2, 12, 42}}, graph.plan().graph};
    EXPECT_EQ(profile.total_us(), 42);
    EXPECT_EQ(Profile{}.total_us(), 0);
    EXPECT_EQ(profile.text(), R"(          us   total  group  pass
      10.500   25.0%      0  select
       1.500    3.6%      1  dispatch arguments of count
      30.000   71.4%      2  square
      42.000  100.0%         all
      42.000  100.0%         at least, on two queues
)");
    EXPECT_EQ(profile.longest_chain_us(), 42); // "square" needs the arguments, which need the count
    Profile with_statistics = profile;
    with_statistics.statistics = {"", "", "", "Register Count 40"};
    EXPECT_THAT(with_statistics.text(), testing::HasSubstr("  square (Register Count 40)\n"));
    const auto trace = nlohmann::json::parse(profile.trace());
    const auto& events = trace["traceEvents"];
    ASSERT_EQ(events.size(), 2U + 3U); // names of the process and the track, then passes
    EXPECT_EQ(events[1]["args"]["name"], "GPU");
    EXPECT_EQ(events[4], nlohmann::json::parse(R"({"name": "square", "ph": "X", "pid": 1, "tid": 1, "ts": 12.0,
        "dur": 30.0, "args": {"pass": 3, "group": 2}})"));
}

/// Sets a global locale with groups of three digits during its lifetime. Needs no locale of the system.
class GroupedDigits {
public:
    GroupedDigits() : before_(std::locale::global(std::locale(std::locale::classic(), new Facet))) {}
    ~GroupedDigits() { std::locale::global(before_); }
    GroupedDigits(const GroupedDigits&) = delete;
    GroupedDigits& operator=(const GroupedDigits&) = delete;

private:
    struct Facet : std::numpunct<char> {
        [[nodiscard]] char do_decimal_point() const override { return ','; }
        [[nodiscard]] char do_thousands_sep() const override { return '.'; }
        [[nodiscard]] std::string do_grouping() const override { return "\3"; }
    };
    std::locale before_;
};

TEST(GraphDump, GlobalLocaleChangesNothing) {
    SomeGraph graph;
    const WordRef data = graph.import("data"), large = graph.transient("large", 12224);
    graph.add_pass(pass("both", {write(large), write(graph.transient("small"))}));
    for (int i = 0; i < 1001; ++i) {
        graph.add_pass(pass("turn", {read_write(data), read(large)}));
    }
    graph.export_buffer(data);
    const Plan plan = graph.plan();
    const Profile profile{{{0, 0, 0, 1234.5}}, plan.graph};
    const std::string text = plan.text(), dot = plan.dot(), json = plan.json(), table = profile.text();
    EXPECT_THAT(text, HasSubstr("at 48896"));
    EXPECT_THAT(dot, HasSubstr("subgraph cluster_1000 {"));
    EXPECT_THAT(table, HasSubstr("1234.500"));
    const GroupedDigits grouped;
    EXPECT_TRUE(plan.text() == text); // a difference would print thousands of lines
    EXPECT_TRUE(plan.dot() == dot);
    EXPECT_TRUE(plan.json() == json);
    EXPECT_EQ(profile.text(), table);
}

/// Three independent passes, and one that depends on all of them.
TEST(GraphDump, ProfileBounds) {
    EXPECT_EQ(Profile().longest_chain_us(), 0);
    SomeGraph graph;
    const WordRef parts[] = {graph.transient("a"), graph.transient("b"), graph.transient("c")};
    for (const WordRef& part : parts) {
        graph.add_pass(pass("part", {write(part)}));
    }
    graph.add_pass(pass("join", {read(parts[0]), read(parts[1]), read(parts[2]), write(graph.import("out"))}));
    const Plan plan = graph.plan();
    const auto profile_of = [&](double a, double b, double c, double join) {
        const double from_c = a + b, from_join = a + b + c;
        return Profile{
            {{0, 0, 0, a}, {1, 0, a, from_c}, {2, 0, from_c, from_join}, {3, 1, from_join, from_join + join}},
            plan.graph};
    };
    for (const Profile& profile : {profile_of(20, 10, 5, 1), profile_of(5, 20, 10, 1), profile_of(5, 10, 20, 1)}) {
        EXPECT_EQ(profile.longest_chain_us(), 21);
        EXPECT_EQ(profile.two_queues_us(), 21); // more than half of 36
    }
    const Profile even = profile_of(10, 10, 10, 1);
    EXPECT_EQ(even.longest_chain_us(), 11);
    EXPECT_EQ(even.two_queues_us(), 15.5); // half of all
    EXPECT_THAT(even.text(), testing::HasSubstr("15.500   50.0%         at least, on two queues\n"));
}

} // namespace
} // namespace weir::tests::dump_test
